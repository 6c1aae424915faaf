import fc from 'fast-check';
import { produce } from 'immer';
import { expect, test } from 'vitest';
import type { Cluster, ClusterDraft } from '../../model/state/cluster.ts';
import { EMPTY_CLUSTER } from '../../model/state/cluster.ts';
import { changedBy, servedState } from '../../serve/cluster/state.ts';

/**
 * A state of the server does what immer does with a plain one, and older states stay as they were.
 */

type Parts = Record<string, Record<string, { list: number[]; deep: { n: number } } | true>>;
type Step = (draft: Parts) => void;

const parts = ['graph', 'store', 'watch'] as const;
const part = fc.constantFrom(...parts);
const key = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(part, key, fc.nat(3)).map(
    ([of, at, n]): Step =>
      (draft) => {
        draft[of]![at] = { list: [n], deep: { n } };
      },
  ),
  fc.tuple(part, key).map(
    ([of, at]): Step =>
      (draft) => {
        draft[of]![at] = true;
      },
  ),
  fc.tuple(part, key).map(
    ([of, at]): Step =>
      (draft) => {
        delete draft[of]![at];
      },
  ),
  fc.tuple(part, key, fc.nat(2)).map(
    ([of, at, n]): Step =>
      (draft) => {
        const entry = draft[of]![at];
        if (typeof entry !== 'object') return;
        entry.list.push(n);
        entry.deep.n = n;
      },
  ),
  // The same object under two keys: the next step changes one of them.
  fc.tuple(part, key, part, key).map(
    ([of, at, to, there]): Step =>
      (draft) => {
        const entry = draft[of]![at];
        if (entry !== undefined) draft[to]![there] = entry;
      },
  ),
  // What is changed and changed back has not changed.
  fc.tuple(part, key).map(
    ([of, at]): Step =>
      (draft) => {
        const entry = draft[of]![at];
        if (typeof entry !== 'object') return;
        entry.list.push(9);
        entry.list.pop();
      },
  ),
  // All but the first by name: the entries of a state have no order.
  part.map(
    (of): Step =>
      (draft) => {
        const [, ...others] = Object.keys(draft[of]!).sort();
        draft[of] = Object.fromEntries(others.map((at) => [at, draft[of]![at]!]));
      },
  ),
  fc.tuple(part, part).map(
    ([of, to]): Step =>
      (draft) => {
        const size = Object.keys(draft[of]!).filter((at) => at in draft[of]!).length;
        draft[to]!.size = { list: [size], deep: { n: size } };
      },
  ),
);

test('random steps change it as immer changes a plain state', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 8 }), (steps) => {
      let plain: Cluster = EMPTY_CLUSTER;
      let served = servedState(EMPTY_CLUSTER);
      const history = [{ plain, served }];
      for (const together of steps) {
        const reduce = (draft: ClusterDraft): void => {
          for (const one of together) one(draft as unknown as Parts);
        };
        const before = plain;
        plain = produce(plain, reduce);
        const changed = changedBy(served, reduce);
        const names = [...(changed?.changes.get('store') ?? [])].sort();
        const text = (cluster: Cluster, name: string): string | undefined =>
          JSON.stringify(cluster.store[name]);
        const all = [
          ...new Set([...Object.keys(before.store), ...Object.keys(plain.store)]),
        ].sort();
        expect(names).toEqual(all.filter((name) => text(before, name) !== text(plain, name)));
        served = changed?.state ?? served;
        history.push({ plain, served });
      }
      // In both directions, so that each is read when it is an older one and when it is the newest.
      for (const each of [...history, ...history.toReversed()]) {
        expect({ ...each.served.cluster }).toEqual(each.plain);
      }
    }),
    { numRuns: 500 },
  );
});

test('it cannot be written from outside', () => {
  const { cluster } = servedState({ ...EMPTY_CLUSTER, users: { alice: 1 } });
  const users = cluster.users as Record<string, number>;
  expect(() => {
    users.alice = 2;
  }).toThrow('cannot be written');
  expect(() => delete users.alice).toThrow('cannot be written');
  expect(cluster.users).toEqual({ alice: 1 });
});
