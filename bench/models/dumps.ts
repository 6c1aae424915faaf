/** A made-up dump, the words after `reapcheck delete DUMP`, and the seconds that it may take. */
export interface DumpCase {
  readonly name: string;
  readonly objects: readonly Item[];
  readonly words: readonly string[];
  readonly seconds: number;
}

interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly unknown[];
}

let uids = 0;

function item(
  apiVersion: string,
  kind: string,
  name: string,
  owner: Item | null,
  more: Readonly<Record<string, unknown>> & { readonly finalizers?: readonly string[] } = {},
): Item {
  const { finalizers = [], ...fields } = more;
  uids++;
  const reference = owner && {
    ...{ apiVersion: owner.apiVersion, kind: owner.kind },
    ...{ name: owner.metadata.name, uid: owner.metadata.uid },
    ...{ controller: true, blockOwnerDeletion: true },
  };
  return {
    ...{ apiVersion, kind },
    metadata: {
      ...{ name, namespace: 'prod' },
      uid: `00000000-0000-4000-8000-${String(uids).padStart(12, '0')}`,
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ...(reference === null ? {} : { ownerReferences: [reference] }),
    },
    ...fields,
  };
}

function pod(name: string, owner: Item, node: number, volumes: readonly unknown[] = []): Item {
  return item('v1', 'Pod', name, owner, {
    spec: { nodeName: `node-${node % 3}`, terminationGracePeriodSeconds: 30, volumes },
    status: { phase: 'Running' },
  });
}

function deployment(name: string, pods: number): readonly Item[] {
  const spec = { replicas: pods };
  const top = item('apps/v1', 'Deployment', name, null, { spec });
  const set = item('apps/v1', 'ReplicaSet', `${name}-1`, top, { spec });
  return [
    top,
    set,
    ...Array.from({ length: pods }, (_, index) => pod(`${name}-1-${index}`, set, index)),
  ];
}

function namespaceOfDeployments(): readonly Item[] {
  const { metadata, ...rest } = item('v1', 'Namespace', 'prod', null, {
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
  const { namespace: _, ...own } = metadata;
  const namespace = { ...rest, metadata: own };
  const workloads = Array.from({ length: 10 }, (_, index) => deployment(`web${index}`, 5));
  return [namespace, ...workloads.flat()];
}

function statefulSet(): readonly Item[] {
  const set = item('apps/v1', 'StatefulSet', 'db', null, { spec: { replicas: 5 } });
  const protection = { finalizers: ['kubernetes.io/pvc-protection'], status: { phase: 'Bound' } };
  return [
    set,
    ...Array.from({ length: 5 }, (_, index) => [
      pod(`db-${index}`, set, index, [
        { name: 'data', persistentVolumeClaim: { claimName: `data-db-${index}` } },
      ]),
      item('v1', 'PersistentVolumeClaim', `data-db-${index}`, null, protection),
    ]).flat(),
  ];
}

/** A composite of 12 kinds: a claim, its composite, and resources three levels deep. */
function composition(): readonly Item[] {
  const kindOf = (index: number): string => `Resource${index % 12}`;
  const objects: Item[] = [item('example.com/v1', kindOf(0), 'claim', null)];
  for (let index = 1; index < 40; index++) {
    const finalizers = [5, 17, 29].includes(index) ? ['finalizer.example.com'] : [];
    const owner = objects[Math.floor((index - 1) / 4)] ?? null;
    objects.push(item('example.com/v1', kindOf(index), `r${index}`, owner, { finalizers }));
  }
  return objects;
}

function star(count: number): readonly Item[] {
  const owner = item('v1', 'ConfigMap', 'owner', null);
  const names = Array.from({ length: count }, (_, index) => `c${index}`);
  return [owner, ...names.map((name) => item('v1', 'ConfigMap', name, owner))];
}

function chain(length: number): readonly Item[] {
  const found: Item[] = [];
  for (let index = 0; index < length; index++) {
    found.push(item('v1', 'ConfigMap', `link-${index}`, found.at(-1) ?? null));
  }
  return found;
}

function largeDump(): readonly Item[] {
  const others = Array.from({ length: 9970 }, (_, index) =>
    item('v1', 'ConfigMap', `other-${index}`, null),
  );
  return [...deployment('web', 28), ...others];
}

const CASCADES = ['foreground', 'background', 'orphan'] as const;
const inProd = ['--namespace', 'prod'];

/** The bars of the questions about dumps. */
export const DUMPS: readonly DumpCase[] = [
  ...[3, 4, 10, 50].flatMap((pods) =>
    CASCADES.map((cascade) => ({
      ...{ name: `Deployment, ${pods} pods`, objects: deployment('web', pods) },
      words: ['deploy/web', ...inProd, '--cascade', cascade],
      seconds: pods === 50 ? 10 : 2,
    })),
  ),
  {
    ...{ name: 'Deployment, 10 pods, 2 workers', objects: deployment('web', 10), seconds: 10 },
    words: ['deploy/web', ...inProd, '--workers', '2', '--cascade', 'foreground'],
  },
  {
    ...{ name: 'chain of 12', objects: chain(12), seconds: 5 },
    words: ['cm/link-0', ...inProd, '--cascade', 'foreground'],
  },
  {
    ...{ name: '10 Deployments of 5 pods in a namespace', objects: namespaceOfDeployments() },
    ...{ words: ['ns/prod'], seconds: 60 },
  },
  ...CASCADES.map((cascade) => ({
    ...{ name: 'owner with 100 dependents', objects: star(100), seconds: 5 },
    words: ['cm/owner', ...inProd, '--cascade', cascade],
  })),
  {
    ...{ name: 'StatefulSet of 5 with claims', objects: statefulSet() },
    ...{ words: ['sts/db', ...inProd, '--cascade', 'background'], seconds: 10 },
  },
  {
    ...{ name: 'tree of 40 objects of 12 kinds', objects: composition() },
    ...{ words: ['resource0/claim', ...inProd, '--cascade', 'foreground'], seconds: 10 },
  },
  {
    ...{ name: '10,000 objects, 30 of them reached', objects: largeDump() },
    ...{ words: ['deploy/web', ...inProd, '--cascade', 'background'], seconds: 3 },
  },
];
