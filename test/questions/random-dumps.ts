import fc from 'fast-check';
import { type Manifest, made } from './kubernetes-objects.ts';

/** Small dumps of plain Kubernetes, and questions about them. */

export interface RandomDump {
  readonly objects: readonly Manifest[];
  /** The words of a command line after the dump. */
  readonly words: readonly string[];
}

/** Random choices of one dump. */
interface Dice {
  readonly upTo: (most: number) => number;
  readonly isOneIn: (number: number) => boolean;
  readonly one: <Item>(items: readonly [Item, ...Item[]]) => Item;
  readonly some: <Item>(items: readonly Item[], most: number) => readonly Item[];
}

const nat = (max: number): fc.Arbitrary<number> => fc.noBias(fc.nat({ max }));

export const randomDumps: fc.Arbitrary<RandomDump> = fc.gen().map((draw) => {
  const upTo = (most: number): number => draw(nat, most);
  const isOneIn = (number: number): boolean => upTo(number - 1) === 0;
  return dumpBy({
    upTo,
    isOneIn,
    one: (items) => items[upTo(items.length - 1)] ?? items[0],
    some: (items, most) => {
      const left = [...items];
      const wanted = Math.min(most, left.length);
      return Array.from({ length: wanted }, () => left.splice(upTo(left.length - 1), 1)).flat();
    },
  });
});

const HOLD = 'example.com/hold';
const KEEP = 'other.io/keep';
const CLAIM = 'kubernetes.io/pvc-protection';
const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';
const TRACKING = 'batch.kubernetes.io/job-tracking';
const RBAC = 'rbac.authorization.k8s.io/v1';
const GOING = '2026-03-02T10:00:00Z';

/** A draft of an object, with its finalizers and owners. */
interface Draft {
  readonly object: Manifest;
  readonly finalizers: Set<string>;
  readonly owners: Record<string, unknown>[];
  going: boolean;
}

class Drafts {
  readonly all: Draft[] = [];
  private readonly dice: Dice;

  constructor(dice: Dice) {
    this.dice = dice;
  }

  fresh(): string {
    return `o${this.all.length}`;
  }

  /** @param named as `made` takes it; `wide`: of the cluster. */
  add(named: string, rest: object = {}, finalizers: readonly string[] = [], wide?: 'wide'): Draft {
    const [kind = '', name = ''] = named.split('/');
    const custom = kind === 'Alpha' || kind === 'Beta' ? { apiVersion: 'example.com/v1' } : {};
    const scope = wide === undefined ? {} : { namespace: undefined };
    const object = { ...made(named, { ...rest }, scope), ...custom, ...apiOf(kind) };
    const found = this.all.find((one) => one.object.kind === kind && nameOf(one) === name);
    const draft = { object, finalizers: new Set(finalizers), owners: [], going: false };
    if (found === undefined) this.all.push(draft);
    return found ?? draft;
  }

  /** @param how what the reference says besides. */
  own(draft: Draft, owner: Draft, how: object = {}): void {
    const { apiVersion, kind, metadata } = owner.object;
    const { name, uid } = metadata;
    if (draft === owner || draft.owners.some((one) => one.uid === uid)) return;
    draft.owners.push({ apiVersion, kind, name, uid, ...how });
  }

  control(draft: Draft, owner: Draft): void {
    this.own(draft, owner, { controller: true, blockOwnerDeletion: !this.dice.isOneIn(8) });
  }
}

function apiOf(kind: string): object {
  if (kind === 'CustomResourceDefinition') return { apiVersion: 'apiextensions.k8s.io/v1' };
  return kind === 'ClusterRole' ? { apiVersion: RBAC } : {};
}

function nameOf({ object }: Draft): string {
  return object.metadata.name;
}

const isWide = ({ object }: Draft): boolean => object.metadata.namespace === undefined;

const CONTAINERS = [{ name: 'c', image: 'i' }];

function pod(drafts: Drafts, name: string, spec: object = {}, finalizers: readonly string[] = []) {
  const all = { nodeName: 'n1', containers: CONTAINERS, ...spec };
  return drafts.add(`Pod/${name}`, { spec: all, status: { phase: 'Running' } }, finalizers);
}

function mounts(claim: string): object {
  return { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }] };
}

function node({ one, isOneIn }: Dice, drafts: Drafts): void {
  const ready = one(['True', 'True', 'Unknown'] as const);
  const taint = one(['node.kubernetes.io/unreachable', 'node.kubernetes.io/out-of-service']);
  const taints = ready === 'True' && !isOneIn(6) ? [] : [{ key: taint, effect: 'NoExecute' }];
  const status = { conditions: [{ type: 'Ready', status: ready }] };
  drafts.add('Node/n1', { spec: { taints }, status }, [], 'wide');
}

/** What a dump is made of. */
const MODULES: readonly ((dice: Dice, drafts: Drafts) => void)[] = [
  tree,
  tree,
  tree,
  workload,
  workload,
  claims,
  definition,
  namespace,
  namespace,
  node,
  absent,
];

/** Objects of which each may have some of the others as owners. */
function tree(dice: Dice, drafts: Drafts): void {
  const { upTo, one, some, isOneIn } = dice;
  const own: Draft[] = [];
  for (let left = 2 + upTo(2); left > 0; left--) {
    const kind = one(['ConfigMap', 'ConfigMap', 'Secret', 'Alpha', 'ClusterRole'] as const);
    const draft = drafts.add(
      `${kind}/${drafts.fresh()}`,
      kind === 'ClusterRole' ? { rules: [] } : {},
      [],
      kind === 'ClusterRole' ? 'wide' : undefined,
    );
    const above = own.filter((other) => isWide(other) || !isWide(draft));
    for (const owner of some(above, one([0, 1, 1, 1, 2]))) {
      drafts.own(draft, owner, isOneIn(3) ? {} : { blockOwnerDeletion: true });
    }
    own.push(draft);
  }
  const [first, last] = [own[0], own.at(-1)];
  if (isOneIn(8) && first !== undefined && last !== undefined && isWide(first) === isWide(last)) {
    drafts.own(first, last, { blockOwnerDeletion: true });
  }
}

function workload({ upTo, one, isOneIn }: Dice, drafts: Drafts): void {
  const name = drafts.fresh();
  const kind = one(['ReplicaSet', 'Deployment', 'StatefulSet', 'Job', 'DaemonSet'] as const);
  const number = 1 + (kind === 'DaemonSet' || kind === 'Job' ? 0 : upTo(1));
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: CONTAINERS } };
  const spec = { replicas: number, selector: { matchLabels: labels }, template };
  const top = drafts.add(`${kind}/${name}`, { spec, status: { replicas: number } });
  const parent = kind === 'Deployment' ? drafts.add(`ReplicaSet/${name}-1`, { spec }) : top;
  if (parent !== top) drafts.control(parent, top);
  const isUsing = kind === 'StatefulSet' && isOneIn(2);
  for (let place = 0; place < number; place++) {
    const tracked = kind === 'Job' && !isOneIn(3) ? [TRACKING] : [];
    const claim = `data-${name}-${place}`;
    const child = pod(drafts, `${name}-${place}`, isUsing ? mounts(claim) : {}, tracked);
    drafts.control(child, parent);
    if (!isUsing) continue;
    const made = drafts.add(`PersistentVolumeClaim/${claim}`, {}, [CLAIM]);
    if (isOneIn(3)) drafts.own(made, top);
  }
}

function claims({ upTo, isOneIn }: Dice, drafts: Drafts): void {
  const name = drafts.fresh();
  const isBound = isOneIn(2);
  const spec = isBound ? { volumeName: `pv-${name}` } : {};
  const status = { phase: 'Bound' };
  const claim = drafts.add(`PersistentVolumeClaim/${name}`, { spec, status }, [CLAIM]);
  const { uid, namespace } = claim.object.metadata;
  const claimRef = { kind: 'PersistentVolumeClaim', name, namespace, uid };
  const volume = { persistentVolumeReclaimPolicy: 'Retain', claimRef };
  const kept = isOneIn(8) ? [] : ['kubernetes.io/pv-protection'];
  if (isBound) drafts.add(`PersistentVolume/pv-${name}`, { spec: volume, status }, kept, 'wide');
  for (let left = upTo(2); left > 0; left--) {
    const user = pod(drafts, `${name}-${left}`, mounts(name));
    if (isOneIn(4)) drafts.own(claim, user, isOneIn(2) ? { blockOwnerDeletion: true } : {});
  }
}

function definition({ upTo, isOneIn }: Dice, drafts: Drafts): void {
  const names = { plural: 'alphas', kind: 'Alpha' };
  const spec = { group: 'example.com', scope: 'Namespaced', names };
  const crd = 'CustomResourceDefinition/alphas.example.com';
  drafts.add(crd, { spec }, isOneIn(2) ? [CLEANUP] : [], 'wide');
  for (let left = 1 + upTo(1); left > 0; left--) {
    drafts.add(`Alpha/${drafts.fresh()}`, {}, isOneIn(3) ? [HOLD] : []);
  }
}

function namespace(_dice: Dice, drafts: Drafts): void {
  const spec = { finalizers: ['kubernetes'] };
  drafts.add('Namespace/shop', { spec, status: { phase: 'Active' } }, [], 'wide');
}

function absent({ one, isOneIn }: Dice, drafts: Drafts): void {
  const draft = drafts.add(`${one(['ConfigMap', 'Secret'] as const)}/${drafts.fresh()}`);
  const gone = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'u-gone' };
  draft.owners.push({ ...gone, blockOwnerDeletion: isOneIn(2) });
  if (isOneIn(2)) drafts.own(drafts.add(`ConfigMap/${drafts.fresh()}`), draft);
}

const MOST = 7;

function dumpBy(dice: Dice): RandomDump {
  const { upTo, one, isOneIn, some } = dice;
  const drafts = new Drafts(dice);
  tree(dice, drafts);
  for (let left = upTo(3); left > 0 && drafts.all.length < MOST; left--) {
    MODULES[upTo(MODULES.length - 1)]?.(dice, drafts);
  }
  for (const draft of drafts.all) {
    if (isOneIn(10)) draft.finalizers.add(one([HOLD, KEEP, CLAIM, 'orphan', TRACKING]));
    if (isOneIn(10)) {
      draft.going = true;
      const held = ['Pod', 'Namespace'].includes(draft.object.kind) || draft.finalizers.size > 0;
      if (!held) draft.finalizers.add(one(['foregroundDeletion', 'orphan', HOLD]));
    }
  }
  for (const draft of some(drafts.all, upTo(2))) {
    const [owner = draft] = some(drafts.all, 1);
    const isPlaced = isWide(owner) || !isWide(draft) || isOneIn(4);
    const other = isOneIn(15) ? { uid: 'u-other' } : {};
    if (isPlaced && !['Namespace', 'Node'].includes(draft.object.kind)) {
      drafts.own(draft, owner, { blockOwnerDeletion: isOneIn(2), ...other });
    }
  }
  const objects = drafts.all.map(finished);
  return { objects, words: questionAbout(dice, drafts.all) };
}

function finished({ object, finalizers, owners, going }: Draft): Manifest {
  const { metadata } = object;
  const dated = going ? { deletionTimestamp: GOING } : {};
  const more = { finalizers: [...finalizers], ownerReferences: owners, ...dated };
  return { ...object, metadata: { ...metadata, ...more } };
}

const WITHOUT = ['kubelets', 'storage-protection', 'pod-gc', 'workload-controllers'] as const;

function questionAbout({ upTo, one, isOneIn, some }: Dice, drafts: readonly Draft[]) {
  const owners = new Set(drafts.flatMap((draft) => draft.owners.map((owner) => owner.uid)));
  const above = drafts.filter(({ object }) => owners.has(object.metadata.uid));
  const containers = drafts.filter(({ object }) => /^(Namesp|CustomR)/.test(object.kind));
  const likely = [...above, ...containers];
  const asked = some(isOneIn(4) || likely.length === 0 ? drafts : likely, one([1, 1, 2, 3]));
  const held = drafts.flatMap(({ finalizers }) => [...finalizers]).filter((x) => x.includes('/'));
  const [stuck] = isOneIn(2) ? some(held, 1) : [];
  const hasNode = drafts.some(({ object }) => object.kind === 'Node');
  return [
    ...asked.map(({ object }) => `${object.kind.toLowerCase()}/${object.metadata.name}`),
    ...['--cascade', one(['background', 'foreground', 'foreground', 'orphan'])],
    ...(stuck === undefined ? [] : ['--stuck-finalizer', stuck]),
    ...(isOneIn(3) ? ['--protocol', `v1.${7 + upTo(29)}`] : []),
    ...(isOneIn(6) ? ['--workers', '2'] : []),
    ...(hasNode && isOneIn(3) ? ['--node-lost', 'n1'] : []),
    ...(isOneIn(5) ? ['--without', one(WITHOUT)] : []),
  ];
}
