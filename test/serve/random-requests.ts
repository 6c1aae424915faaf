import type { FastifyInstance } from 'fastify';
import type { Draws } from '../conformance/simulated-setups.ts';
import { CONTAINERS, WIDGET_DEFINITION, WORKLOAD } from './server.ts';

/** Random requests as kubectl and other clients send them, over HTTP. */

interface Known {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly version: string;
}

interface Sort {
  readonly root: string;
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: object;
}

const SORTS: readonly Sort[] = [
  { root: '/api/v1', resource: 'configmaps', apiVersion: 'v1', kind: 'ConfigMap' },
  { root: '/api/v1', resource: 'secrets', apiVersion: 'v1', kind: 'Secret' },
  ...[{}, { nodeName: 'n', terminationGracePeriodSeconds: 5 }].map((spec) => ({
    ...{ root: '/api/v1', resource: 'pods', apiVersion: 'v1', kind: 'Pod' },
    spec: { containers: CONTAINERS, ...spec },
  })),
  {
    ...{ root: '/apis/apps/v1', resource: 'deployments', apiVersion: 'apps/v1' },
    ...{ kind: 'Deployment', spec: { replicas: 1, ...WORKLOAD } },
  },
  {
    ...{ root: '/api/v1', resource: 'services', apiVersion: 'v1', kind: 'Service' },
    spec: { ports: [{ port: 80 }] },
  },
];
const WIDGET: Sort = {
  ...{ root: '/apis/example.com/v1', resource: 'widgets' },
  ...{ apiVersion: 'example.com/v1', kind: 'Widget' },
};
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINITION = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: WIDGET_DEFINITION.metadata,
  spec: {
    ...WIDGET_DEFINITION.spec,
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
};
const NAMESPACES = ['default', 'shop'];
const FINALIZERS = ['example.com/a', 'example.com/b', 'orphan', 'foregroundDeletion'];
const POLICIES = ['Foreground', 'Background', 'Orphan'];
const MERGE = 'application/merge-patch+json';

interface Answered {
  readonly code: number;
  readonly body: {
    readonly metadata?: {
      readonly name?: string;
      readonly uid?: string;
      readonly resourceVersion?: string;
    };
  };
}

/** One client with what it remembers of objects. */
export class RandomClient {
  readonly #app: FastifyInstance;
  readonly #draws: Draws;
  readonly #known: Known[] = [];
  #hasWidgets = false;

  constructor(app: FastifyInstance, draws: Draws) {
    this.#app = app;
    this.#draws = draws;
  }

  /** Some requests one after the other, a few of them at the same time. */
  async run(count: number): Promise<void> {
    await this.#namespace();
    await this.#create();
    for (let sent = 0; sent < count; sent++) {
      const both = this.#draws.chance(0.2) ? [this.#next(), this.#next()] : [this.#next()];
      await Promise.all(both.map((send) => send()));
    }
  }

  #next(): () => Promise<void> {
    const weighted: readonly (readonly [number, () => Promise<void>])[] = [
      [6, () => this.#create()],
      [5, () => this.#delete()],
      [1, () => this.#deleteCollection()],
      [4, () => this.#patch()],
      [1, () => this.#apply()],
      [2, () => this.#put()],
      [1, () => this.#status()],
      [1, () => this.#namespace()],
      [1, () => this.#define()],
    ];
    const all = weighted.flatMap(([weight, send]) => Array.from({ length: weight }, () => send));
    return this.#draws.pick(all);
  }

  async #send(method: string, url: string, body?: unknown, type = 'application/json') {
    const response = await this.#app.inject({
      ...{ method: method as 'GET', url },
      headers: { 'user-agent': 'client', ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { code: response.statusCode, body: response.json() } as Answered;
  }

  #note(sort: Sort, path: string, { code, body }: Answered): void {
    const { name, uid, resourceVersion: version } = body.metadata ?? {};
    if (code !== 201 || name === undefined || uid === undefined || version === undefined) return;
    const { apiVersion, kind } = sort;
    this.#known.push({ path: `${path}/${name}`, apiVersion, kind, name, uid, version });
  }

  #pick(): Known | null {
    return this.#known.length === 0 ? null : this.#draws.pick(this.#known);
  }

  #sort(): Sort {
    return this.#draws.pick(this.#hasWidgets ? [...SORTS, WIDGET, WIDGET] : SORTS);
  }

  #finalizers(): readonly string[] | undefined {
    return this.#draws.chance(0.3) ? [this.#draws.pick(FINALIZERS)] : undefined;
  }

  #owners(): readonly object[] {
    const count = this.#draws.below(3);
    return Array.from({ length: count }, () => this.#pick()).flatMap((owner) => {
      if (owner === null) return [];
      const { apiVersion, kind, uid } = owner;
      const name = this.#draws.chance(0.95) ? owner.name : 'other';
      const blocking = this.#draws.chance(0.5) ? { blockOwnerDeletion: true } : {};
      return [{ apiVersion, kind, name, uid, ...blocking }];
    });
  }

  #object(sort: Sort, metadata: object, ownerReferences = this.#owners()): object {
    const { apiVersion, kind, spec } = sort;
    const lists = { finalizers: this.#finalizers(), ownerReferences };
    const labels = this.#draws.chance(0.3) ? { labels: { x: '1' } } : {};
    const parts = spec === undefined ? {} : { spec };
    return { apiVersion, kind, metadata: { ...metadata, ...lists, ...labels }, ...parts };
  }

  #options(of: Known | null): object {
    const draws = this.#draws;
    return {
      ...(draws.chance(0.7) ? { propagationPolicy: draws.pick(POLICIES) } : {}),
      ...(draws.chance(0.1) ? { orphanDependents: draws.chance(0.5) } : {}),
      ...(draws.chance(0.2) ? { gracePeriodSeconds: draws.pick([0, 1, 30]) } : {}),
      ...(draws.chance(0.1) ? { dryRun: ['All'] } : {}),
      ...(of !== null && draws.chance(0.2)
        ? {
            preconditions: {
              ...(draws.chance(0.5) ? { uid: draws.pick([of.uid, 'wrong']) } : {}),
              ...(draws.chance(0.5) ? { resourceVersion: of.version } : {}),
            },
          }
        : {}),
    };
  }

  async #create(): Promise<void> {
    const sort = this.#sort();
    const path = `${sort.root}/namespaces/${this.#draws.pick(NAMESPACES)}/${sort.resource}`;
    const named = { name: `${sort.resource.charAt(0)}${this.#draws.below(4)}` };
    const object = this.#object(sort, this.#draws.chance(0.1) ? { generateName: 'g-' } : named);
    const isDryRun = this.#draws.chance(0.05);
    const answer = await this.#send('POST', isDryRun ? `${path}?dryRun=All` : path, object);
    if (!isDryRun) this.#note(sort, path, answer);
  }

  async #delete(): Promise<void> {
    const known = this.#pick();
    if (known === null) return;
    const { path } = known;
    if (this.#draws.chance(0.1)) await this.#send('DELETE', `${path}?propagationPolicy=Foreground`);
    else await this.#send('DELETE', path, this.#options(known));
  }

  async #deleteCollection(): Promise<void> {
    const { root, resource } = this.#sort();
    const query = this.#draws.chance(0.5) ? '?labelSelector=x%3D1' : '';
    const path = `${root}/namespaces/${this.#draws.pick(NAMESPACES)}/${resource}${query}`;
    await this.#send('DELETE', path, this.#options(null));
  }

  async #patch(): Promise<void> {
    const known = this.#pick();
    if (known === null) return;
    const draws = this.#draws;
    const finalizer = draws.pick(FINALIZERS);
    const owners = this.#owners();
    const { uid } = this.#pick() ?? known;
    const [body, type] = draws.pick<readonly [unknown, string]>([
      [{ metadata: { finalizers: draws.chance(0.5) ? null : [finalizer] } }, MERGE],
      [{ metadata: { ownerReferences: draws.chance(0.3) ? null : owners } }, MERGE],
      [{ metadata: { labels: { x: draws.pick(['1', '2']) } } }, MERGE],
      [{ metadata: { resourceVersion: known.version, finalizers: [finalizer] } }, MERGE],
      [{ metadata: { finalizers: [finalizer] } }, 'application/strategic-merge-patch+json'],
      [{ metadata: { ownerReferences: owners } }, 'application/strategic-merge-patch+json'],
      [
        { metadata: { ownerReferences: [{ $patch: 'delete', uid }] } },
        'application/strategic-merge-patch+json',
      ],
      [
        { metadata: { '$deleteFromPrimitiveList/finalizers': [finalizer] } },
        'application/strategic-merge-patch+json',
      ],
      [[{ op: 'remove', path: '/metadata/finalizers/0' }], 'application/json-patch+json'],
      [
        [{ op: 'add', path: '/metadata/finalizers/-', value: finalizer }],
        'application/json-patch+json',
      ],
      [
        [
          { op: 'test', path: '/metadata/resourceVersion', value: known.version },
          { op: 'replace', path: '/metadata/ownerReferences', value: owners },
        ],
        'application/json-patch+json',
      ],
    ]);
    await this.#send('PATCH', known.path, body, type);
  }

  async #apply(): Promise<void> {
    const sort = this.#sort();
    const path = `${sort.root}/namespaces/${this.#draws.pick(NAMESPACES)}/${sort.resource}`;
    const name = `${sort.resource.charAt(0)}${this.#draws.below(4)}`;
    const query = `?fieldManager=${this.#draws.pick(['one', 'two'])}&force=true`;
    // An apply that names an owner twice is refused, which the model does not know.
    const owners = this.#owners().slice(0, 1);
    const object = this.#object(sort, { name }, owners);
    const url = `${path}/${name}${query}`;
    this.#note(sort, path, await this.#send('PATCH', url, object, 'application/apply-patch+yaml'));
  }

  async #put(): Promise<void> {
    const known = this.#pick();
    if (known === null) return;
    const { code, body } = await this.#send('GET', known.path);
    const { metadata } = body;
    if (code !== 200 || metadata === undefined) return;
    const changed = {
      ...metadata,
      ...(this.#draws.chance(0.5) ? { finalizers: this.#finalizers() } : {}),
      ...(this.#draws.chance(0.5) ? { ownerReferences: this.#owners() } : {}),
      ...(this.#draws.chance(0.3) ? { resourceVersion: undefined } : {}),
    };
    await this.#send('PUT', known.path, { ...body, metadata: changed });
  }

  async #status(): Promise<void> {
    const known = this.#pick();
    if (known === null || !['Pod', 'Deployment', 'Widget'].includes(known.kind)) return;
    const lists = { finalizers: this.#finalizers() ?? null, ownerReferences: this.#owners() };
    const body = { metadata: this.#draws.chance(0.5) ? lists : {}, status: { x: 1 } };
    await this.#send('PATCH', `${known.path}/status`, body, MERGE);
  }

  async #namespace(): Promise<void> {
    const path = '/api/v1/namespaces';
    const sort = { root: '/api/v1', resource: 'namespaces', apiVersion: 'v1', kind: 'Namespace' };
    if (this.#known.some(({ kind }) => kind === 'Namespace') && this.#draws.chance(0.5)) {
      await this.#send('DELETE', `${path}/shop`, this.#options(null));
    } else {
      const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
      this.#note(sort, path, await this.#send('POST', path, object));
    }
  }

  /** The definition stays. */
  async #define(): Promise<void> {
    const answer = await this.#send('POST', DEFINITIONS, DEFINITION);
    if (answer.code === 201) this.#hasWidgets = true;
  }
}
