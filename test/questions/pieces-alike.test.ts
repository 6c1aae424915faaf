import { describe, expect, it } from 'vitest';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { budget, decidedAsWhole, words } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

const HOLD = 'example.com/hold';
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly namespace?: string };
}

function item(apiVersion: string, kind: string, name: string, more: object = {}): Owner {
  return { apiVersion, kind, metadata: { name, namespace: 'shop', uid: `u-${name}`, ...more } };
}

function ownedBy({ apiVersion, kind, metadata: { name, uid } }: Owner) {
  return { ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] };
}

function pod(name: string, claim: string, more: object, spec: object = {}): Owner {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: claim } }];
  return {
    ...item('v1', 'Pod', name, more),
    ...{ spec: { nodeName: 'node-1', volumes, ...spec }, status: { phase: 'Running' } },
  };
}

function claim(name: string, more: object = {}): Owner {
  const finalizers = ['kubernetes.io/pvc-protection'];
  return item('v1', 'PersistentVolumeClaim', name, { finalizers, ...more });
}

function volume(name: string, claimName: string, uid: string): Owner {
  const metadata = { name, uid: `u-${name}`, finalizers: ['kubernetes.io/pv-protection'] };
  const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'shop', name: claimName, uid };
  const rest = { metadata, spec: { claimRef }, status: { phase: 'Bound' } };
  return { apiVersion: 'v1', kind: 'PersistentVolume', ...rest };
}

async function fatesOf(
  items: readonly Owner[],
  targets: string,
  finalizers: World['finalizers'] = 'act',
  stuck: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const plan = await dumpPlan(text, targets, 'background', stuck);
  return words(await inPieces(plan, { ...PLAIN_WORLD, finalizers }, budget()));
}

/** A node that does not answer, and pods on it that its eviction would remove at once. */
const LOST = {
  ...item('v1', 'Node', 'lost'),
  ...{ metadata: { name: 'lost', uid: 'u-lost' } },
  ...{ status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
};
const ON_LOST = { nodeName: 'lost', terminationGracePeriodSeconds: 0 };

describe('pieces that look alike', () => {
  it('are told apart by whether the claim of a volume has been made again', async () => {
    // The second claim has the name of the one that the volume was bound to.
    const items = [claim('c1'), claim('c2'), volume('v1', 'c1', 'u-c1'), volume('v2', 'c2', 'old')];
    expect(await fatesOf(items, 'pv/v1 pv/v2')).toMatchObject({ 'u-v1': 'stays', 'u-v2': 'goes' });
    const top = { ...item('v1', 'Node', 'top'), metadata: { name: 'top', uid: 'u-top' } };
    const owned = items.map((one) =>
      one.kind === 'PersistentVolume'
        ? { ...one, metadata: { ...one.metadata, ...ownedBy(top) } }
        : one,
    );
    expect(await fatesOf([top, ...owned], 'node/top')).toMatchObject({
      ...{ 'u-top': 'goes', 'u-v1': 'stays', 'u-v2': 'goes' },
    });
  });

  it('are told apart by whether the pod that owns a claim is the one that uses it', async () => {
    const top = item('v1', 'ConfigMap', 'top');
    const held = { ...DELETED, ...ownedBy(top), finalizers: [HOLD] };
    const pods = [pod('p1', 'c1', held), pod('p2', 'c3', held), pod('p3', 'c2', held)];
    const claims = pods.map((owner, index) =>
      claim(`c${index + 1}`, { ...DELETED, ...ownedBy(owner) }),
    );
    // Only its owner, once shut down, does not hold a claim back.
    expect(await fatesOf([top, ...pods, ...claims], 'cm/top', 'never')).toMatchObject({
      ...{ 'u-c1': 'goes', 'u-c2': 'stays', 'u-c3': 'stays' },
    });
  });

  it('are told apart by whether a DaemonSet has made a pod, whatever its group', async () => {
    const group = 'apps.example.com/v1';
    const [daemons, others] = [item(group, 'DaemonSet', 'd'), item(group, 'Clones', 'o')];
    const items = [
      ...[LOST, daemons, others, claim('c1'), claim('c2')],
      ...[pod('p1', 'c1', ownedBy(daemons), ON_LOST), pod('p2', 'c2', ownedBy(others), ON_LOST)],
    ];
    expect(await fatesOf(items, 'pvc/c1 pvc/c2')).toMatchObject({
      ...{ 'u-p1': 'stays', 'u-c1': 'stays', 'u-p2': 'goes', 'u-c2': 'goes' },
    });
  });
});

/** A node that a request deletes and that `HOLD` keeps, and a pod on it. */
function nodeWithPod(name: string, state: object = {}, taints: readonly object[] = []) {
  const node = { ...LOST, ...state, metadata: { name, uid: `u-${name}`, finalizers: [HOLD] } };
  const spec = { nodeName: name, volumes: [], terminationGracePeriodSeconds: 30 };
  return [{ ...node, spec: { taints } }, pod(`p-${name}`, '', {}, spec)];
}

describe('pieces with nodes of other names', () => {
  const READY = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
  const TAINT = { key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' };

  it('are told apart by whether the kubelet of the node runs', async () => {
    const items = [...nodeWithPod('a', READY), ...nodeWithPod('b')];
    const targets = 'pod/p-a pod/p-b node/a node/b';
    expect(await fatesOf(items, targets, 'never')).toMatchObject({
      ...{ 'u-p-a': 'goes', 'u-p-b': 'stays', 'u-a': 'stays', 'u-b': 'stays' },
    });
  });

  it('are told apart by whether the node is out of service', async () => {
    const items = [...nodeWithPod('a', {}, [TAINT]), ...nodeWithPod('b')];
    const targets = 'pod/p-a pod/p-b';
    expect(await fatesOf(items, targets)).toMatchObject({ 'u-p-a': 'goes', 'u-p-b': 'stays' });
  });

  it('are searched once if nothing else tells them apart', async () => {
    const items = ['a', 'b', 'c'].flatMap((name) => nodeWithPod(name));
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const plan = await dumpPlan(text, 'node/a node/b node/c', 'background');
    const found = await inPieces(plan, PLAIN_WORLD, budget());
    expect(found?.by).toBe('search');
    // A node, and a pod with its node.
    expect(found?.reports.length).toBe(2);
  });
});

describe('a pod that is shut down', () => {
  const NEVER = 'example.com/never';
  const node = { ...LOST, metadata: { ...LOST.metadata, finalizers: [HOLD] } };
  // Pod gc shuts it down if its node is gone; it never goes.
  const stuck = { ...DELETED, deletionGracePeriodSeconds: 30, finalizers: [NEVER] };
  const owner = pod('p1', 'c1', stuck, { nodeName: 'lost', terminationGracePeriodSeconds: 30 });
  const released = claim('c1', { ...DELETED, ...ownedBy(owner) });

  it('releases the claim that it owns, and so the volume', async () => {
    const bound = volume('v1', 'c1', 'u-c1');
    const volumes = [{ ...bound, metadata: { ...bound.metadata, ...DELETED } }];
    const items = [node, owner, released, ...volumes];
    const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const plan = await dumpPlan(text, 'node/lost', 'background', [NEVER]);
    // Pieces need not decide it.
    expect(await decidedAsWhole(plan, { ...PLAIN_WORLD, finalizers: 'may' })).toBe(false);
  });

  it('takes no setup apart in which something is owned by it and by its claim', async () => {
    const [first, second] = [owner, released].map((one) => ownedBy(one).ownerReferences);
    const below = { ownerReferences: [...first!, { ...second![0]!, controller: false }] };
    const items = [node, owner, released, item('v1', 'ConfigMap', 'below', below)];
    expect(await fatesOf(items, 'node/lost', 'may', [NEVER])).toEqual({});
  });
});

describe('an owner in a piece', () => {
  it('tolerates the loss of its node as in the whole', async () => {
    const daemons = item('apps/v1', 'DaemonSet', 'd');
    const set = item('example.com/v1', 'Other', 'o');
    const owner = pod('p1', 'c1', { ...ownedBy(daemons), finalizers: [HOLD] }, ON_LOST);
    const items = [
      ...[LOST, daemons, set, owner, claim('c1', ownedBy(owner))],
      pod('p2', 'c1', ownedBy(set), ON_LOST),
    ];
    expect(await fatesOf(items, 'pvc/c1', 'never')).toMatchObject({
      ...{ 'u-p1': 'stays', 'u-p2': 'goes', 'u-c1': 'stays' },
    });
  });

  it('has the claim of its volume', async () => {
    const bound = volume('v1', 'c1', 'u-c1');
    const items = [claim('c1'), bound, item('v1', 'ConfigMap', 'below', ownedBy(bound))];
    expect(await fatesOf(items, 'pv/v1')).toMatchObject({ 'u-v1': 'stays', 'u-below': 'stays' });
  });
});
