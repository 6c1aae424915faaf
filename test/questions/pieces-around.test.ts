import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pieceIn, piecesOf } from '../../input/cluster/pieces.ts';
import { PLAIN_WORLD, type World } from '../../input/cluster/worlds.ts';
import { grown } from '../../run/questions/deciding/grow.ts';
import { inPieces } from '../../run/questions/deciding/in-pieces.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { budget, words, worlds } from './deciding.ts';
import { dumpPlan } from './dump-plan.ts';

const HOLD = 'example.com/hold';

/** An object in one of two namespaces. */
interface Content {
  readonly kind: 'ConfigMap' | 'Pod';
  readonly owned: boolean;
  readonly held: boolean;
  readonly inShop: boolean;
}

/** Finalizers of a namespace, in its metadata and its spec. */
interface NamespaceFinalizers {
  readonly own: readonly string[];
  readonly spec: readonly string[];
}

/** Two namespaces with objects, some of them owned by one object outside of both. */
function textOfNamespaces(
  contents: readonly Content[],
  { own, spec }: NamespaceFinalizers = { own: [], spec: ['kubernetes'] },
): string {
  const owner = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', name: 'high' };
  const namespaces = ['shop', 'depot'].map((name) => ({
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    ...{ metadata: { name, uid: `u-${name}`, finalizers: own }, spec: { finalizers: spec } },
  }));
  const items = contents.map(({ kind, owned, held, inShop }, index) => ({
    ...{ apiVersion: 'v1', kind },
    metadata: {
      ...{ name: `o${index}`, namespace: inShop ? 'shop' : 'depot', uid: `u-${index}` },
      ...(held ? { finalizers: [HOLD] } : {}),
      ...(owned ? { ownerReferences: [{ ...owner, uid: 'u-high' }] } : {}),
    },
    ...(kind === 'Pod' ? { spec: { nodeName: 'n', terminationGracePeriodSeconds: 5 } } : {}),
  }));
  const root = {
    ...{ apiVersion: owner.apiVersion, kind: owner.kind },
    metadata: { name: owner.name, uid: 'u-high' },
  };
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...namespaces, root, ...items] });
}

/** A pod on one of two nodes. */
interface Placed {
  readonly owner: 'none' | 'node' | 'set';
  readonly on: 'a' | 'b';
  readonly held: boolean;
  readonly deleting: boolean;
  readonly tolerates: boolean;
}

/** Two nodes, of which one may not answer, a ReplicaSet and pods. */
function textOfNodes(pods: readonly Placed[], isLost: boolean): string {
  const nodes = ['a', 'b'].map((name) => ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name, uid: `u-${name}` } },
    status: {
      conditions: [{ type: 'Ready', status: isLost && name === 'a' ? 'Unknown' : 'True' }],
    },
  }));
  const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid: 'u-set' };
  const items = pods.map(({ owner, on, held, deleting, tolerates }, index) => ({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...{ name: `p${index}`, namespace: 'shop', uid: `u-p${index}` },
      ...(held ? { finalizers: [HOLD] } : {}),
      ...(deleting
        ? { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 }
        : {}),
      ...(owner === 'none'
        ? {}
        : owner === 'set'
          ? { ownerReferences: [{ ...set, controller: true, blockOwnerDeletion: true }] }
          : { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: on, uid: `u-${on}` }] }),
    },
    spec: {
      ...{ nodeName: on, terminationGracePeriodSeconds: 5 },
      ...(tolerates ? { tolerations: [{ operator: 'Exists' }] } : {}),
    },
    status: { phase: 'Running' },
  }));
  const owner = {
    ...{ apiVersion: set.apiVersion, kind: set.kind },
    metadata: { name: set.name, namespace: 'shop', uid: set.uid },
    spec: { replicas: pods.filter((pod) => pod.owner === 'set').length },
  };
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...nodes, owner, ...items] });
}

describe('pieces', () => {
  it('have the nodes of their pods, with pod gc and taint eviction, and the fates of the whole', async () => {
    const pod: fc.Arbitrary<Placed> = fc.record({
      owner: fc.constantFrom('none', 'node', 'set'),
      on: fc.constantFrom('a', 'a', 'b'),
      ...{ held: fc.boolean(), deleting: fc.boolean(), tolerates: fc.boolean() },
    });
    const none = { held: false, deleting: false, tolerates: false };
    const lost: Placed = { owner: 'set', on: 'a', ...none };
    const acting = fc.oneof(worlds, fc.constant<World>({ ...PLAIN_WORLD, finalizers: 'never' }));
    const pods = fc.array(pod, { minLength: 1, maxLength: 2 });
    const target = fc.constantFrom('node/a', 'node/a rs/set', 'rs/set', 'node/a node/b');
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(
        ...[pods, fc.boolean(), target, acting],
        async (some, isLost, targets, world) => {
          const plan = await dumpPlan(textOfNodes(some, isLost), targets, 'background');
          const pieces = await inPieces(plan, world, budget());
          if (pieces === null) return;
          decided++;
          const whole = await grown(plan, world, budget());
          expect(words(pieces)).toEqual(words(whole!));
        },
      ),
      {
        ...{ numRuns: randomRuns(6), seed: 4 },
        // Pod gc must see that the node which does not answer is there.
        examples: [
          [[lost, { ...lost, owner: 'none', on: 'b' }], true, 'node/b rs/set', PLAIN_WORLD],
        ],
      },
    );
    expect(decided).toBeGreaterThan(1);
  });

  it('know that a node which is lost takes its pods from their owner', async () => {
    const pod = { owner: 'set', on: 'a', held: false, deleting: false, tolerates: false } as const;
    const attachedIf = async (isLost: boolean): Promise<readonly unknown[]> => {
      const text = textOfNodes([pod, { ...pod, tolerates: true }, { ...pod, held: true }], isLost);
      const { setup } = await dumpPlan(text, 'rs/set', 'foreground');
      const shown = { left: [], kept: [], waiting: [], released: [], used: [], deleted: [] };
      return (piecesOf(setup) ?? []).map(
        (piece) => pieceIn(setup, piece, shown).otherDependents?.['u-set']?.attached,
      );
    };
    expect(await attachedIf(false)).toContain(true);
    expect(new Set(await attachedIf(true))).toEqual(new Set([undefined]));
  });

  it('of several namespaces have only their own, and the fates of the whole', async () => {
    const content = fc.record({
      kind: fc.constantFrom('ConfigMap' as const, 'Pod' as const),
      ...{ owned: fc.boolean(), held: fc.boolean(), inShop: fc.boolean() },
    });
    const contents = fc.array(content, { maxLength: 2 });
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(contents, worlds, fc.boolean(), async (some, world, stuck) => {
        const held = some.some((one) => one.held);
        const plan = await dumpPlan(
          ...[textOfNamespaces(some), 'ns/shop ns/depot', 'background' as const],
          stuck && held ? [HOLD] : [],
        );
        const pieces = await inPieces(plan, world, budget());
        if (pieces?.by !== 'search') return;
        decided++;
        const whole = await grown(plan, world, budget());
        expect(words(pieces)).toEqual(words(whole!));
      }),
      { numRuns: randomRuns(4), seed: 4 },
    );
    expect(decided).toBeGreaterThan(1);
  });

  it.each([
    ['foreground', { own: [HOLD], spec: ['kubernetes'] }],
    ['orphan', { own: ['hold'], spec: ['kubernetes'] }],
    ['foreground', { own: [], spec: [] }],
  ] as const)('of a namespace have the fates of the whole, %s, %o', async (cascade, finalizers) => {
    const content = { kind: 'ConfigMap', owned: true, held: false, inShop: true } as const;
    const text = textOfNamespaces([content], finalizers);
    const plan = await dumpPlan(text, 'ns/shop ns/depot', cascade);
    const pieces = words(await inPieces(plan, PLAIN_WORLD, budget()));
    const whole = words(await grown(plan, PLAIN_WORLD, budget()));
    const isDecided = finalizers.spec.length > 0;
    expect(isDecided ? [whole] : [{}, whole]).toContainEqual(pieces);
  });
});
