import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf, simplified } from '../../input/cluster/pieces.ts';
import { PLAIN_WORLD, setupIn } from '../../input/cluster/worlds.ts';
import type { Cascade, Plan } from '../../input/plan.ts';
import { describeOptions, requestsOf, type Setup } from '../../model/index.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { budget, decidedAsWhole, words, worlds } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

interface Content {
  readonly kind: 'ConfigMap' | 'PersistentVolumeClaim';
  /** The number of an object of the same list, itself included; more: one that is gone. */
  readonly owners: readonly number[];
  readonly held: boolean;
  /** Whether it is being deleted already, and waits for its dependents. Absent: it is not. */
  readonly waits?: boolean;
}

interface Around {
  readonly name: string;
  readonly finalizers: readonly string[];
}

const SHOP: Around = { name: 'shop', finalizers: ['kubernetes'] };

/**
 * A DELETE of a namespace, and maybe of the first object in it.
 *
 * @param asked how that one is deleted, and the namespace as well. Null: it is not.
 */
function planOf(
  contents: readonly Content[],
  asked: Cascade | null = null,
  around = SHOP,
): Promise<Plan> {
  const { name: namespace, finalizers } = around;
  const items = contents.map(({ kind, owners, held, waits }, index) => ({
    ...{ apiVersion: 'v1', kind },
    metadata: {
      ...{ name: `o${index}`, namespace, uid: `u-${index}` },
      finalizers: [
        ...(held ? ['example.com/hold'] : []),
        ...(waits === true ? ['foregroundDeletion'] : []),
      ],
      ...(waits === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      ownerReferences: owners.map((owner) => ({
        ...{ apiVersion: 'v1', kind: contents[owner]?.kind ?? 'ConfigMap' },
        ...{ name: `o${owner}`, uid: `u-${owner}`, controller: true },
      })),
    },
  }));
  const own = {
    ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, uid: 'u-ns' } },
    spec: { finalizers },
  };
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [own, ...items] });
  const first = asked === null ? '' : ` ${contents[0]?.kind.toLowerCase()}/o0`;
  return dumpPlan(text, `ns/${namespace}${first}`, asked ?? 'background', [], namespace);
}

const FREE: Content = { kind: 'ConfigMap', owners: [], held: false };
const HELD: Content = { ...FREE, owners: [2], held: true };
const TWO_CONTROLLERS: Content = { ...HELD, owners: [0, 1] };

/** @param holders uids of pods that stay. */
async function inPiecesOf(plan: Promise<Plan>, holders: readonly string[] = []): Promise<Setup> {
  const { setup, cluster } = await plan;
  if (cluster === null) throw new Error('no plan for a cluster');
  return simplified(setupIn(setup, cluster, PLAIN_WORLD).setup, holders);
}

/** How many owners the last object has in pieces. */
async function ownersLeft(plan: Promise<Plan>): Promise<number | undefined> {
  const { objects } = await inPiecesOf(plan);
  const last = objects.findLast(({ kind }) => kind !== 'Namespace');
  return last?.ownerReferences.length;
}

/** How the first object is deleted in pieces, in the words of traces. */
async function policyLeft(plan: Promise<Plan>, holders?: readonly string[]) {
  const requests = requestsOf(await inPiecesOf(plan, holders));
  const own = requests.find((request) => request.do === 'delete' && request.key.includes('/o0'));
  return own?.do === 'delete' ? describeOptions(own.options).split('=')[1] : undefined;
}

describe('pieces of a namespace that is surely emptied', () => {
  it('have the fates of the whole', async () => {
    const content = fc.record({
      kind: fc.constant('ConfigMap' as const),
      owners: fc.nat(2).map((owner) => [owner]),
      held: fc.boolean(),
    });
    const cascades = fc.constantFrom(null, 'background' as const, 'foreground' as const);
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(
        ...[fc.array(content, { minLength: 1, maxLength: 2 }), cascades, worlds],
        async (contents, asked, world) => {
          if (await decidedAsWhole(await planOf(contents, asked), world)) decided++;
        },
      ),
      { numRuns: 3, seed: 4 },
    );
    expect(decided).toBe(3);
  });

  it('decide a long chain of finalizers', async () => {
    const chain = Array.from({ length: 12 }, (_, owner) => ({ ...HELD, owners: [owner] }));
    const plan = await planOf([FREE, ...chain]);
    const found = words(await inPieces(plan, { ...PLAIN_WORLD, finalizers: 'act' }, budget()));
    expect(Object.values(found)).toEqual(Array.from({ length: 14 }, () => 'goes'));
  });

  it('lack owners only where nothing reads them and the namespace is emptied', async () => {
    expect(await ownersLeft(planOf([FREE, HELD]))).toBe(0);
    // The API server refuses to delete this one, and its contents stay.
    expect(await ownersLeft(planOf([FREE, HELD], null, { ...SHOP, name: 'default' }))).toBe(1);
    // It goes as soon as the owner of this finalizer lets go, with its contents left behind.
    const early = { ...SHOP, finalizers: ['example.com/spec'] };
    expect(await ownersLeft(planOf([FREE, HELD], null, early))).toBe(1);
    // No finalizer can be taken off: the API server refuses the references.
    expect(await ownersLeft(planOf([FREE, FREE, TWO_CONTROLLERS]))).toBe(2);
    // A claim that its pod owns waits only until that is shut down.
    expect(await ownersLeft(planOf([FREE, { ...HELD, kind: 'PersistentVolumeClaim' }]))).toBe(1);
  });

  it('have them where something waits already', async () => {
    const plan = await planOf([{ ...FREE, owners: [2], waits: true }]);
    expect(await decidedAsWhole(plan, { ...PLAIN_WORLD, finalizers: 'may' })).toBe(true);
  });

  it('wait for dependents only where the namespace is not surely emptied', async () => {
    const contents = [
      { ...FREE, waits: true },
      { ...HELD, owners: [0] },
    ];
    const finalizersOf = async (around: Around, holders: readonly string[] = []) => {
      const { objects } = await inPiecesOf(planOf(contents, null, around), holders);
      return objects.find(({ name }) => name === 'o0')?.finalizers;
    };
    expect(await finalizersOf(SHOP)).toEqual([]);
    expect(await finalizersOf({ ...SHOP, name: 'default' })).toEqual(['foregroundDeletion']);
    expect(await finalizersOf(SHOP, ['u-1'])).toEqual(['foregroundDeletion']);
  });

  it('delete in the foreground only where the namespace is not surely emptied', async () => {
    expect(await policyLeft(planOf([FREE, HELD], 'foreground'))).toBe(
      'Foreground (here as Background)',
    );
    expect(await policyLeft(planOf([FREE, HELD], 'orphan'))).toBe('Orphan');
    const others = { ...SHOP, name: 'default' };
    expect(await policyLeft(planOf([FREE, HELD], 'foreground', others))).toBe('Foreground');
    // A pod that stays keeps the controller from the other contents.
    expect(await policyLeft(planOf([FREE, HELD], 'foreground'), ['u-1'])).toBe('Foreground');
  });
});

describe('pieces beside a namespace that is emptied', () => {
  it('wait for dependents where its controller deletes nothing', async () => {
    const plan = await planBeside('other', 'ConfigMap');
    expect(await decidedAsWhole(plan, PLAIN_WORLD)).toBe(true);
    const piecesBeside = async (namespace: string) =>
      piecesOf(await inPiecesOf(planBeside(namespace, 'ClusterRole')));
    expect(await piecesBeside('other')).not.toBe(null);
    // The owner waits, and the controller deletes its dependent.
    expect(await piecesBeside('shop')).toBe(null);
  });
});

/** A namespace that is being deleted, and an object in one that owns nothing else. */
function planBeside(namespace: string, kind: 'ConfigMap' | 'ClusterRole'): Promise<Plan> {
  const isWide = kind === 'ClusterRole';
  const apiVersion = isWide ? 'rbac.authorization.k8s.io/v1' : 'v1';
  const gone = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  const items = [
    {
      ...{ apiVersion: 'v1', kind: 'Namespace', spec: { finalizers: ['kubernetes'] } },
      metadata: { name: 'shop', uid: 'u-ns', ...gone },
    },
    {
      ...{ apiVersion, kind },
      metadata: { name: 'a', uid: 'u-a', ...(isWide ? {} : { namespace }) },
    },
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: {
        ...{ name: 'b', namespace, uid: 'u-b' },
        ownerReferences: [{ apiVersion, kind, name: 'a', uid: 'u-a', blockOwnerDeletion: true }],
      },
    },
  ];
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  return dumpPlan(text, isWide ? 'clusterrole/a' : 'cm/a', 'foreground', [], namespace);
}
