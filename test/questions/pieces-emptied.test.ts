import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simplified } from '../../input/cluster/pieces.ts';
import { PLAIN_WORLD, setupIn } from '../../input/cluster/worlds.ts';
import type { Plan } from '../../input/plan.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { budget, decidedAsWhole, words, worlds } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

interface Content {
  readonly kind: 'ConfigMap' | 'PersistentVolumeClaim';
  /** The number of an object of the same list, itself included; more: one that is gone. */
  readonly owners: readonly number[];
  readonly held: boolean;
}

interface Around {
  readonly name: string;
  readonly finalizers: readonly string[];
}

const SHOP: Around = { name: 'shop', finalizers: ['kubernetes'] };

/** A DELETE in the background of a namespace, and maybe of the first object in it. */
function planOf(contents: readonly Content[], isAsked = false, around = SHOP): Promise<Plan> {
  const { name: namespace, finalizers } = around;
  const items = contents.map(({ kind, owners, held }, index) => ({
    ...{ apiVersion: 'v1', kind },
    metadata: {
      ...{ name: `o${index}`, namespace, uid: `u-${index}` },
      finalizers: held ? ['example.com/hold'] : [],
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
  const first = isAsked ? ` ${contents[0]?.kind.toLowerCase()}/o0.${namespace}` : '';
  return dumpPlan(text, `ns/${namespace}${first}`, 'background');
}

const FREE: Content = { kind: 'ConfigMap', owners: [], held: false };
const HELD: Content = { ...FREE, owners: [2], held: true };
const TWO_CONTROLLERS: Content = { ...HELD, owners: [0, 1] };

/** How many owners the last object has in pieces. */
async function ownersLeft(plan: Promise<Plan>): Promise<number | undefined> {
  const { setup, cluster } = await plan;
  if (cluster === null) throw new Error('no plan for a cluster');
  const { objects } = simplified(setupIn(setup, cluster, PLAIN_WORLD).setup);
  const last = objects.findLast(({ kind }) => kind !== 'Namespace');
  return last?.ownerReferences.length;
}

describe('pieces of a namespace that is surely emptied', () => {
  it('have the fates of the whole', async () => {
    const content = fc.record({
      kind: fc.constant('ConfigMap' as const),
      owners: fc.nat(2).map((owner) => [owner]),
      held: fc.boolean(),
    });
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(
        ...[fc.array(content, { minLength: 1, maxLength: 2 }), fc.boolean(), worlds],
        async (contents, isAsked, world) => {
          if (await decidedAsWhole(await planOf(contents, isAsked), world)) decided++;
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
    expect(await ownersLeft(planOf([FREE, HELD], false, { ...SHOP, name: 'default' }))).toBe(1);
    // It goes as soon as the owner of this finalizer lets go, with its contents left behind.
    const early = { ...SHOP, finalizers: ['example.com/spec'] };
    expect(await ownersLeft(planOf([FREE, HELD], false, early))).toBe(1);
    // No finalizer can be taken off: the API server refuses the references.
    expect(await ownersLeft(planOf([FREE, FREE, TWO_CONTROLLERS]))).toBe(2);
    // A claim that its pod owns waits only until that is shut down.
    expect(await ownersLeft(planOf([FREE, { ...HELD, kind: 'PersistentVolumeClaim' }]))).toBe(1);
  });
});
