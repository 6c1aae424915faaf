import fc from 'fast-check';
import { expect, it } from 'vitest';
import { complete } from '../../input/cluster/likeness/alike.ts';
import { keyOf } from '../../model/index.ts';
import { viewRecorder } from '../../run/questions/deciding/local-views.ts';
import { randomRuns } from '../checker/support/random-runs.ts';
import { clusterOf, object, ownedBy, setupOf } from '../properties/clusters.ts';

/** By number: the numbers of its owners, and of what the graph says depends on it. */
const nodes = fc.array(
  fc.record({
    owners: fc.uniqueArray(fc.nat(7), { maxLength: 2 }),
    dependents: fc.uniqueArray(fc.nat(9), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

it('are of what is beneath the kept objects, and name what is above and nothing beside it', () => {
  fc.assert(
    fc.property(nodes, fc.nat(5), (given, place) => {
      const objects = given.map(({ owners }, number) =>
        object('ConfigMap', `o${number}`, {
          ownerReferences: owners.map((owner) => ownedBy(`o${owner}`)),
        }),
      );
      const kept = objects[place % objects.length]!;
      const groups = [{ kept: [kept.uid], size: 3 }];
      const recorder = viewRecorder({ ...complete(setupOf(objects)), groups });
      // Slowly: again and again, until nothing is new.
      const beneath = new Set([kept.uid]);
      const aboveOf = new Map(objects.map((one) => [one.uid, new Set([one.uid])]));
      for (const _ of objects) {
        for (const { uid, ownerReferences } of objects) {
          for (const owner of ownerReferences) {
            if (beneath.has(owner.uid)) beneath.add(uid);
            const above = aboveOf.get(owner.uid);
            for (const other of above ?? []) aboveOf.get(uid)?.add(other);
          }
        }
      }
      const observed = objects.filter(({ uid }) => beneath.has(uid));
      const asked = recorder.property.parameters?.map((parameters) => parameters.object);
      expect(asked).toEqual(observed.map(keyOf));
      const dependents = Object.fromEntries(
        given.map((node, number) => [
          `uid-o${number}`,
          node.dependents.map((one) => `uid-o${one}`),
        ]),
      );
      const cluster = clusterOf(objects, { dependents } as object);
      for (const one of observed) {
        const { property } = recorder;
        if (property.kind === 'invariant') property.holds(cluster, { object: keyOf(one) });
        const [view] = [...(recorder.views.get(one.uid) ?? [])];
        const above = aboveOf.get(one.uid)!;
        // The dependents of the object itself come first: those above it, and unknown ones.
        const [, , first] = (JSON.parse(view!) as unknown[][])[0]!;
        const isSeen = (uid: string): boolean => above.has(uid) || !aboveOf.has(uid);
        expect((first as unknown[]).length).toBe(dependents[one.uid]!.filter(isSeen).length);
      }
    }),
    { numRuns: randomRuns(30) },
  );
});
