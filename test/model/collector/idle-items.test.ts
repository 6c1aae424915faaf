import fc from 'fast-check';
import { expect, it } from 'vitest';
import { handleAlone, withoutIdleItems } from '../../../model/collector/idle-items.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { equalJson } from '../../../model/state/equal.ts';
import { type ApiObject, FOREGROUND, ORPHAN } from '../../../model/state/objects.ts';
import type { World } from '../../../model/state/world.ts';
import { configMap, world } from '../apiserver/fixtures.ts';
import { stored, told } from './fixtures.ts';

/** Handles one item after the other, each in the whole cluster. */
function oneByOne(cluster: Cluster, given: World): Cluster {
  let reduced = cluster;
  for (const id of Object.keys(cluster.attemptToDelete)) {
    const handled = handleAlone(reduced, given, id);
    const { attemptToDelete: before, ...rest } = reduced;
    const { attemptToDelete: after, ...left } = handled;
    const { [id]: _, ...others } = before;
    if (equalJson(rest, left) && equalJson(others, after)) reduced = handled;
  }
  return reduced;
}

const UIDS = ['a', 'b', 'c', 'd'] as const;
const uid = fc.constantFrom(...UIDS);

/** An object, and whether it is still there when its event is handled. */
const seen = fc
  .record({
    uid,
    name: uid,
    owners: fc.uniqueArray(fc.record({ name: uid, uid, blockOwnerDeletion: fc.boolean() }), {
      maxLength: 2,
      selector: (owner) => owner.uid,
    }),
    deletion: fc.constantFrom(null, 'held', FOREGROUND, ORPHAN),
    isStored: fc.boolean(),
  })
  .map(({ owners, deletion, isStored, ...names }): { object: ApiObject; isStored: boolean } => ({
    object: configMap(names.name, {
      uid: names.uid,
      ownerReferences: owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...owner })),
      finalizers: deletion === null ? [] : [deletion],
      deletionTimestamp: deletion === null ? null : 0,
    }),
    isStored,
  }));

it('items are idle by themselves if they are idle beside all others', () => {
  const given = world();
  const counts = { queued: 0, kept: 0 };
  fc.assert(
    fc.property(fc.array(seen, { minLength: 2, maxLength: 6 }), (events) => {
      const objects = events.flatMap(({ object, isStored }) => (isStored ? [object] : []));
      const cluster = told(stored(...objects), given, ...events.map(({ object }) => object));
      const reduced = withoutIdleItems(cluster, given, () => undefined);
      expect(reduced).toEqual(oneByOne(cluster, given));
      counts.queued += Object.keys(cluster.attemptToDelete).length;
      counts.kept += Object.keys(reduced.attemptToDelete).length;
    }),
    { numRuns: 300 },
  );
  expect(counts.kept).toBeGreaterThan(50);
  expect(counts.queued - counts.kept).toBeGreaterThan(50);
});
