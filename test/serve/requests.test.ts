import { describe, expect, it } from 'vitest';
import { CONFIG_MAPS, CONTAINERS, configMap, serving, WIDGET_DEFINITION } from './server.ts';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'a', image: 'x' }] },
    },
  },
};

describe('a write', () => {
  it('keeps what it is given, and sets what belongs to the server', async () => {
    const server = await serving();
    const given = configMap('a', { labels: { app: 'web' }, uid: 'mine', deletionTimestamp: null });
    const { code, body } = await server.send('POST', CONFIG_MAPS, given);
    expect(code).toBe(201);
    expect(body).toMatchObject({ data: { a: '1' }, metadata: { labels: { app: 'web' } } });
    expect(body.metadata.uid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(body.metadata.creationTimestamp).toMatch(/Z$/);
    expect((await server.get(`${CONFIG_MAPS}/a`)).body).toEqual(body);
    expect((await server.send('POST', CONFIG_MAPS, given)).body).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    });
  });

  it('is refused where it could be meant in another way', async () => {
    const server = await serving();
    await server.send('POST', CONFIG_MAPS, configMap('kept'));
    const across = { ...configMap('a'), metadata: { name: 'a', namespace: 'default' } };
    expect((await server.send('POST', '/api/v1/configmaps', across)).code).toBe(405);
    const object = await server.send('DELETE', `${CONFIG_MAPS}/kept`, configMap('kept'));
    expect(object.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    const phase = `${CONFIG_MAPS}?fieldSelector=status.phase!%3DRunning`;
    expect((await server.send('DELETE', phase)).code).toBe(400);
    const strange = configMap('b', { labels: { 'bad key!': 'x' } });
    expect((await server.send('POST', CONFIG_MAPS, strange)).code).toBe(422);
    expect((await server.get(`${CONFIG_MAPS}/kept`)).body.metadata.deletionTimestamp).toBe(
      undefined,
    );
  });

  it('creates nothing that has a resourceVersion already', async () => {
    const server = await serving();
    const given = configMap('restored', { resourceVersion: '7' });
    const { body } = await server.send('POST', CONFIG_MAPS, given);
    const message = 'resourceVersion should not be set on objects to be created';
    expect(body).toMatchObject({ code: 500, reason: 'InternalError', message });
    expect((await server.get(`${CONFIG_MAPS}/restored`)).code).toBe(404);
    expect((await server.send('POST', `${CONFIG_MAPS}?dryRun=All`, given)).code).toBe(201);
  });

  it('is a conflict if it demands an older version', async () => {
    const server = await serving();
    const { body: first } = await server.send('POST', CONFIG_MAPS, configMap('a'));
    const changed = { ...first, data: { a: '2' } };
    const { code, body: second } = await server.send('PUT', `${CONFIG_MAPS}/a`, changed);
    expect(code).toBe(200);
    expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(
      Number(first.metadata.resourceVersion),
    );
    const late = await server.send('PUT', `${CONFIG_MAPS}/a`, changed);
    expect(late.body).toMatchObject({ code: 409, reason: 'Conflict' });
    const same = await server.send('PUT', `${CONFIG_MAPS}/a`, second);
    expect(same.body.metadata.resourceVersion).toBe(second.metadata.resourceVersion);
  });

  it('has the version and the order that Kubernetes gives it', async () => {
    const server = await serving();
    const { body: dry } = await server.send('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('a'));
    expect(dry.metadata).not.toHaveProperty('resourceVersion');
    const { body: space } = await server.get('/api/v1/namespaces/default');
    const same = await server.send('PATCH', '/api/v1/namespaces/default', { metadata: {} }, MERGE);
    expect(same.body.metadata.resourceVersion).toBe(space.metadata.resourceVersion);
    await server.send(
      'POST',
      CONFIG_MAPS,
      configMap('b', { finalizers: ['a.b/old', 'a.b/older'] }),
    );
    const patch = { metadata: { finalizers: ['a.b/new'] } };
    const { body } = await server.send('PATCH', `${CONFIG_MAPS}/b`, patch, STRATEGIC);
    expect(body.metadata.finalizers).toEqual(['a.b/new', 'a.b/old', 'a.b/older']);
    const both = { orphanDependents: true, propagationPolicy: 'Orphan' };
    const selected = await server.send('DELETE', `${CONFIG_MAPS}?labelSelector=a%3Db`, both);
    expect(selected.code).toBe(422);
  });

  it.each([
    [{ protocol: 'v1.20' }, 405],
    [{}, 200],
  ])('of a collection of services is as of its release: %j', async (options, code) => {
    const server = await serving('fair', [], options);
    const services = '/api/v1/namespaces/default/services';
    expect((await server.send('DELETE', `${services}?labelSelector=a%3Db`)).code).toBe(code);
    const { resources } = (await server.get('/api/v1')).body;
    const { verbs } = resources.find(({ name }) => name === 'services')!;
    expect(verbs.includes('deletecollection')).toBe(code === 200);
    const { body } = await server.get('/version');
    expect(body).toMatchObject({ minor: 'protocol' in options ? '20' : '36' });
  });

  it('of the status changes the finalizers and owners that its strategy does not reset', async () => {
    const server = await serving();
    const lists = (name: string) => ({
      finalizers: ['example.com/hold'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name }],
    });
    const none = { metadata: { finalizers: null, ownerReferences: null } };
    const metadata = { name: 'a', ...lists('owner') };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: WIDGET_DEFINITION.metadata,
      spec: {
        ...WIDGET_DEFINITION.spec,
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      },
    };
    await server.send(
      'POST',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      definition,
    );
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: CONTAINERS } };
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata };
    const left = async (path: string, object: object) => {
      expect((await server.send('POST', path, object)).code).toBe(201);
      const { body } = await server.send('PATCH', `${path}/a/status`, none, MERGE);
      const { finalizers, ownerReferences } = body.metadata as {
        readonly finalizers?: unknown;
        readonly ownerReferences?: unknown;
      };
      return [finalizers !== undefined, ownerReferences !== undefined];
    };
    expect(await left(DEPLOYMENTS, { ...DEPLOYMENT, metadata })).toEqual([false, false]);
    expect(await left('/api/v1/namespaces/default/pods', pod)).toEqual([false, true]);
    expect(await left('/apis/example.com/v1/namespaces/default/widgets', widget)).toEqual([
      true,
      true,
    ]);
  });

  it('leaves the status to its subresource, and counts changes of the spec', async () => {
    const server = await serving();
    const { body } = await server.send('POST', DEPLOYMENTS, { ...DEPLOYMENT, status: { x: 1 } });
    expect(body).not.toHaveProperty('status');
    expect(body.metadata.generation).toBe(1);
    const both = { spec: { replicas: 3 }, status: { readyReplicas: 2 } };
    const status = await server.send('PATCH', `${DEPLOYMENTS}/web/status`, both, MERGE);
    expect(status.body).toMatchObject({ spec: { replicas: 1 }, status: { readyReplicas: 2 } });
    expect(status.body.metadata.generation).toBe(1);
    const spec = await server.send('PATCH', `${DEPLOYMENTS}/web`, { ...both, status: null }, MERGE);
    expect(spec.body).toMatchObject({ spec: { replicas: 3 }, status: { readyReplicas: 2 } });
    expect(spec.body.metadata.generation).toBe(2);
    const scale = { spec: { replicas: 7 } };
    const scaled = await server.send('PATCH', `${DEPLOYMENTS}/web/scale`, scale, MERGE);
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 7 } });
    expect((await server.get(`${DEPLOYMENTS}/web`)).body.metadata.generation).toBe(3);
  });

  it('merges lists by their keys in a strategic patch, and replaces them in a merge patch', async () => {
    const server = await serving();
    await server.send('POST', DEPLOYMENTS, DEPLOYMENT);
    const containers = (list: unknown) => ({ spec: { template: { spec: { containers: list } } } });
    const at = `${DEPLOYMENTS}/web`;
    const added = containers([{ name: 'b', image: 'y' }]);
    const merged = await server.send('PATCH', at, added, STRATEGIC);
    expect(merged.body.spec.template.spec.containers).toHaveLength(2);
    const removed = containers([{ name: 'a', $patch: 'delete' }]);
    const rest = await server.send('PATCH', at, removed, STRATEGIC);
    expect(rest.body.spec.template.spec.containers).toMatchObject([{ name: 'b', image: 'y' }]);
    const replaced = await server.send('PATCH', at, containers(CONTAINERS), MERGE);
    expect(replaced.body.spec.template.spec.containers).toMatchObject(CONTAINERS);
    const tested = [{ op: 'test', path: '/spec/replicas', value: 5 }];
    expect((await server.send('PATCH', at, tested, JSON_PATCH)).code).toBe(422);
  });

  it('that is applied takes fields over, gives dropped ones up, and conflicts', async () => {
    const server = await serving();
    const apply = (manager: string, data: unknown, more = '') =>
      server.send(
        'PATCH',
        `${CONFIG_MAPS}/a?fieldManager=${manager}${more}`,
        { ...configMap('a'), data },
        APPLY,
      );
    expect((await apply('one', { a: '1', b: '1' })).code).toBe(201);
    expect((await apply('two', { a: '2' })).body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await apply('two', { c: '2' })).body.data).toEqual({ a: '1', b: '1', c: '2' });
    expect((await apply('one', { a: '1' })).body.data).toEqual({ a: '1', c: '2' });
    expect((await apply('two', { a: '2' }, '&force=true')).body.data).toEqual({ a: '2' });
  });

  it('changes nothing in a dry run', async () => {
    const server = await serving();
    const dry = await server.send('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('a'));
    expect(dry.code).toBe(201);
    expect(dry.body.metadata).not.toHaveProperty('resourceVersion');
    expect((await server.get(`${CONFIG_MAPS}/a`)).code).toBe(404);
    await server.send('POST', CONFIG_MAPS, configMap('a'));
    await server.send('PATCH', `${CONFIG_MAPS}/a?dryRun=All`, { data: { a: '2' } }, MERGE);
    await server.send('DELETE', `${CONFIG_MAPS}/a?dryRun=All`);
    expect((await server.get(`${CONFIG_MAPS}/a`)).body.data).toEqual({ a: '1' });
    expect((await server.send('DELETE', `${CONFIG_MAPS}/a?dryRun=Some`)).code).toBe(422);
  });

  it('is refused with the reason of the model', async () => {
    const server = await serving();
    const wrong = configMap('a', { finalizers: ['no-prefix'] });
    expect((await server.send('POST', CONFIG_MAPS, wrong)).body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: expect.stringMatching(/^ConfigMap "a" is invalid: metadata.finalizers\[0\]: Inv/),
      details: { kind: 'ConfigMap', causes: [{ field: 'metadata.finalizers[0]' }] },
    });
    const elsewhere = '/api/v1/namespaces/nowhere/configmaps';
    expect((await server.send('POST', elsewhere, configMap('a'))).body).toMatchObject({
      code: 404,
      message: 'namespaces "nowhere" not found',
    });
    await server.send('POST', CONFIG_MAPS, configMap('a'));
    const uid = { metadata: { uid: 'another' } };
    expect((await server.send('PATCH', `${CONFIG_MAPS}/a`, uid, MERGE)).code).toBe(422);
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    const held = { metadata: { finalizers: ['example.com/hold'] } };
    const inside = '/api/v1/namespaces/n/configmaps';
    await server.send('POST', inside, configMap('a', held.metadata));
    await server.send('DELETE', '/api/v1/namespaces/n');
    expect((await server.send('POST', inside, configMap('b'))).body).toMatchObject({
      code: 403,
      details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
    });
  });

  it.each<[metadata: object, fields: readonly string[]]>([
    [{ name: 'B_d' }, ['metadata.name']],
    [
      { name: 'a', labels: { 'bad key': 'x', good: 'a b' } },
      ['metadata.labels', 'metadata.labels'],
    ],
    [{ name: 'a', annotations: { big: 'x'.repeat(262_144) } }, ['metadata.annotations']],
    [
      { name: 'a', ownerReferences: [{ kind: 'ConfigMap', name: 'x' }] },
      ['metadata.ownerReferences.apiVersion', 'metadata.ownerReferences.uid'],
    ],
  ])('with the metadata %j is refused for %j', async (metadata, fields) => {
    const server = await serving();
    const { code, body } = await server.send('POST', CONFIG_MAPS, { metadata });
    const { details } = body as unknown as { details: { causes: { field: string }[] } };
    expect([code, details.causes.map(({ field }) => field)]).toEqual([422, fields]);
  });

  it('makes a name where one is to be generated', async () => {
    const server = await serving();
    const given = { ...configMap(''), metadata: { generateName: 'job-' } };
    const { body } = await server.send('POST', CONFIG_MAPS, given);
    expect(body.metadata.name).toMatch(/^job-[a-z0-9]{5}$/);
  });
});

describe('a read', () => {
  it('lists in pages, of the revision of the first one', async () => {
    const server = await serving();
    for (const name of ['a', 'b', 'c']) await server.send('POST', CONFIG_MAPS, configMap(name));
    const { body: first } = await server.get(`${CONFIG_MAPS}?limit=2`);
    expect(first.items).toHaveLength(2);
    expect(first.metadata.remainingItemCount).toBe(1);
    const next = `${CONFIG_MAPS}?limit=2&continue=${first.metadata.continue}`;
    const { body: second } = await server.get(next);
    expect(second.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
      'c',
    ]);
    expect(second.metadata).not.toHaveProperty('continue');
    const changed = { data: { a: '2' } };
    await server.send('PATCH', `${CONFIG_MAPS}/c`, changed, 'application/merge-patch+json');
    await server.send('DELETE', `${CONFIG_MAPS}/c`);
    await server.send('POST', CONFIG_MAPS, configMap('d'));
    expect((await server.get(next)).body).toEqual(second);
    const exact = `resourceVersion=${first.metadata.resourceVersion}`;
    for (const query of ['resourceVersionMatch=Exact', 'limit=9']) {
      const { body } = await server.get(`${CONFIG_MAPS}?${query}&${exact}`);
      expect(body.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    }
    const { body: now } = await server.get(`${CONFIG_MAPS}?${exact}`);
    expect(now.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'd']);
  });

  it('answers 410 to what is forgotten, and offers the rest of a list as it is now', async () => {
    const server = await serving();
    for (const name of ['a', 'b', 'c']) await server.send('POST', CONFIG_MAPS, configMap(name));
    const exact = 'resourceVersionMatch=Exact&resourceVersion=5';
    expect((await server.get(`${CONFIG_MAPS}?${exact}`)).code).toBe(410);
    const key = 'ConfigMap/default/a';
    const old = Buffer.from(JSON.stringify([5, key])).toString('base64url');
    const { code, body } = await server.get(`${CONFIG_MAPS}?limit=1&continue=${old}`);
    expect([code, body.metadata.continue]).toEqual([410, expect.any(String)]);
    const rest = await server.get(`${CONFIG_MAPS}?continue=${body.metadata.continue}`);
    expect(rest.body.items.map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
  });

  it('refuses a revision that is to come, and options that contradict each other', async () => {
    const server = await serving();
    await server.send('POST', CONFIG_MAPS, configMap('a'));
    for (const name of ['a', 'none']) {
      const { body } = await server.get(`${CONFIG_MAPS}/${name}?resourceVersion=999999`);
      expect(body).toMatchObject({ code: 504, reason: 'Timeout' });
      expect(body).toMatchObject({ details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } });
    }
    expect((await server.get(`${CONFIG_MAPS}/a?resourceVersion=1`)).code).toBe(200);
    for (const [query, message] of [
      ['resourceVersionMatch=Exact', /is forbidden unless resourceVersion is provided/],
      ['resourceVersionMatch=Near&resourceVersion=1', /Unsupported value: "Near"/],
      ['resourceVersionMatch=Exact&resourceVersion=0', /"exact" is forbidden/],
      ['resourceVersionMatch=Exact&resourceVersion=1&continue=x', /when continue is provided/],
      ['sendInitialEvents=true', /sendInitialEvents is forbidden for list/],
    ] as const) {
      const { body } = await server.get(`${CONFIG_MAPS}?${query}`);
      expect(body, query).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: expect.stringMatching(message),
      });
    }
  });

  it('explains kinds, with the schemas of definitions', async () => {
    const server = await serving();
    const size = { type: 'string', description: 'How large.' };
    const schema = { type: 'object', description: 'A widget.', properties: { size } };
    // A version needs no schema in the first version of the API.
    await server.send('POST', '/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions', {
      metadata: WIDGET_DEFINITION.metadata,
      spec: {
        ...WIDGET_DEFINITION.spec,
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
          { name: 'v2', served: true, storage: false },
        ],
      },
    });
    const schemaOf = async (path: string, name: string) => {
      const { body } = await server.get(`/openapi/v3/${path}`);
      return (body as unknown as { components: { schemas: Record<string, object> } }).components
        .schemas[name];
    };
    const $ref = '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
    const of = (version: string) => ({
      properties: { metadata: { $ref } },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version, kind: 'Widget' }],
    });
    const first = await schemaOf('apis/example.com/v1', 'example.com.v1.Widget');
    expect(first).toMatchObject({ ...of('v1'), description: 'A widget.' });
    expect(first).toHaveProperty('properties.size', size);
    expect(first).not.toHaveProperty('properties.spec');
    const second = await schemaOf('apis/example.com/v2', 'example.com.v2.Widget');
    expect(second).toMatchObject(of('v2'));
    expect(second).toHaveProperty('properties.spec');
    const pod = await schemaOf('api/v1', 'core.v1.Pod');
    const parts = '#/components/schemas/io.k8s.api.core.v1';
    const refTo = (name: string) => ({ $ref: `${parts}.${name}` });
    expect(pod).toMatchObject({ properties: { metadata: { $ref }, spec: refTo('PodSpec') } });
    expect(await schemaOf('api/v1', 'io.k8s.api.core.v1.PodSpec')).toHaveProperty(
      ...(['properties.containers.items', refTo('Container')] as const),
    );
    expect(await schemaOf('api/v1', 'core.v1.ConfigMap')).not.toHaveProperty('properties.status');
    expect(await schemaOf('api/v1', $ref.split('/').at(-1) ?? '')).toHaveProperty(
      'properties.finalizers',
    );
  });

  it('selects by labels and fields', async () => {
    const server = await serving();
    const make = (name: string, labels: object) =>
      server.send('POST', CONFIG_MAPS, configMap(name, { labels }));
    await make('a', { app: 'web', tier: 'front' });
    await make('b', { app: 'web' });
    await make('c', {});
    const names = async (query: string) =>
      (await server.get(`${CONFIG_MAPS}?${query}`)).body.items
        .map((item: { metadata: { name: string } }) => item.metadata.name)
        .join('');
    expect(await names('labelSelector=app%3Dweb')).toBe('ab');
    expect(await names('labelSelector=app%3Dweb,tier')).toBe('a');
    expect(await names('labelSelector=!app')).toBe('c');
    expect(await names('labelSelector=app%20in%20(web,db),tier!%3Dfront')).toBe('b');
    expect(await names('fieldSelector=metadata.name%3Dc')).toBe('c');
    expect((await server.get(`${CONFIG_MAPS}?fieldSelector=data.a%3D1`)).code).toBe(400);
    expect((await server.get(`${CONFIG_MAPS}?labelSelector=a%3D%3D%3Db`)).code).toBe(400);
  });

  it('selects by fields that objects have elsewhere, or not at all (SelectableFields)', async () => {
    const server = await serving();
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    for (const name of ['done', 'new']) {
      await server.send('POST', jobs, { metadata: { name }, spec: { template } });
    }
    await server.send('PATCH', `${jobs}/done/status`, { status: { succeeded: 1 } }, MERGE);
    const selected = async (path: string, selector: string) =>
      (await server.get(`${path}?fieldSelector=${encodeURIComponent(selector)}`)).body.items?.map(
        (item: { metadata: { name: string } }) => item.metadata.name,
      ) ?? null;
    expect(await selected(jobs, 'status.successful=1')).toEqual(['done']);
    expect(await selected(jobs, 'status.successful=0')).toEqual(['new']);
    await server.send('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
    expect(await selected('/api/v1/nodes', 'spec.unschedulable=false')).toEqual(['n']);
    expect(await selected('/api/v1/nodes', 'metadata.namespace=x')).toBe(null);
  });

  it('selects by the fields that a definition names', async () => {
    const server = await serving();
    const spec = {
      type: 'object',
      properties: { color: { type: 'string' }, on: { type: 'boolean' } },
    };
    const define = (...paths: readonly string[]) => ({
      metadata: WIDGET_DEFINITION.metadata,
      spec: {
        ...WIDGET_DEFINITION.spec,
        versions: [
          {
            ...{ name: 'v1', served: true, storage: true },
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
            selectableFields: paths.map((jsonPath) => ({ jsonPath })),
          },
        ],
      },
    });
    const create = (...paths: readonly string[]) =>
      server.send(
        'POST',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        define(...paths),
      );
    for (const [paths, why] of [
      [['.spec.size'], 'does not refer to a valid field'],
      [['.spec'], 'must point to a field of type string'],
      [['.metadata.name'], 'must not point to fields in metadata'],
      [['.spec[0]'], 'is an invalid path'],
      [['.spec.on', '.spec.on'], '[1].jsonPath: Duplicate value'],
    ] as const) {
      expect((await create(...paths)).body).toMatchObject({
        code: 422,
        message: expect.stringContaining(why),
      });
    }
    expect((await create('.spec.color', '.spec.on')).code).toBe(201);
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    for (const [name, one] of Object.entries({ a: { color: 'red' }, b: { on: true }, c: {} })) {
      await server.send('POST', widgets, { metadata: { name }, spec: one });
    }
    const names = async (selector: string) =>
      (await server.get(`${widgets}?fieldSelector=${encodeURIComponent(selector)}`)).body.items
        .map((item: { metadata: { name: string } }) => item.metadata.name)
        .join('');
    expect(await names('spec.color=red')).toBe('a');
    expect(await names('spec.color!=red,spec.on!=true')).toBe('c');
    expect(await names('spec.on=true')).toBe('b');
    expect((await server.get(`${widgets}?fieldSelector=spec.size%3D1`)).body).toMatchObject({
      ...{ code: 400, message: 'field label not supported: spec.size' },
    });
  });

  it('comes as a table or as metadata if the client prefers that', async () => {
    const server = await serving();
    await server.send('POST', CONFIG_MAPS, configMap('a'));
    const as = async (accept: string) =>
      (await fetch(`${server.url}${CONFIG_MAPS}`, { headers: { accept } })).json();
    const table = await as('application/json;as=Table;v=v1;g=meta.k8s.io,application/json');
    expect(table).toMatchObject({ kind: 'Table', rows: [{ cells: ['a', 1, expect.any(String)] }] });
    const metadata = await as('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io');
    expect(metadata).toMatchObject({ items: [{ kind: 'PartialObjectMetadata' }] });
    expect(metadata).not.toHaveProperty('items.0.data');
  });

  it('says what is not served', async () => {
    const server = await serving();
    await server.send('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: {},
    });
    for (const path of ['/api/v1/unknown', '/apis/none/v1/x', '/apis/none/v1', '/metrics']) {
      expect((await server.get(path)).body, path).toMatchObject({ kind: 'Status', code: 404 });
    }
    const logs = await server.get('/api/v1/namespaces/default/pods/p/log');
    expect(logs.body).toMatchObject({ kind: 'Status', code: 501 });
    const none = await server.get(`${CONFIG_MAPS}/a/status`);
    expect(none.body).toMatchObject({ kind: 'Status', code: 404 });
  });
});
