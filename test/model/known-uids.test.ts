import { describe, expect, it } from 'vitest';
import { check, type Property } from '../../checker/index.ts';
import type { Cluster } from '../../model/state/cluster.ts';
import { instancesOf } from '../../model/state/instances.ts';
import { isKnown } from '../../model/state/known-uids.ts';
import { deletionModel } from '../../model/system.ts';
import { clusterOf, configMap, ownedBy } from '../properties/clusters.ts';
import { scenarios } from '../scenarios/read.ts';

/**
 * The uids that the text of a state contains. These are the known ones as long as no uid is also a
 * name.
 */
function appearingIn(cluster: Cluster, uids: readonly string[]): readonly string[] {
  const { promisedOrphans: _, ...known } = cluster;
  const controllers = Object.entries(known.controllers).map(([client, controller]) => {
    // Why requests are refused says what the state was like, not which object it was.
    const reasons: readonly string[] = ['refused', 'vain'];
    const work = Object.entries(controller).filter(([field]) => !reasons.includes(field));
    return [client, Object.fromEntries(work)];
  });
  const text = JSON.stringify({ ...known, controllers });
  return uids.filter((uid) =>
    [`"${uid}"`, `"${uid}\\"`, `(${uid})`].some((mention) => text.includes(mention)),
  );
}

const SMALL = 150;

describe('a uid', () => {
  it.each(scenarios().filter(({ expectation }) => (expectation?.states ?? SMALL) < SMALL))(
    'is known wherever it appears in a state: $name',
    async ({ setup }) => {
      const { uids } = instancesOf(setup);
      const same: Property<Cluster> = {
        kind: 'invariant',
        name: 'known by fields as by text',
        holds(cluster) {
          const appearing = new Set(appearingIn(cluster, uids));
          return uids.every((uid) => isKnown(cluster, uid) === appearing.has(uid));
        },
      };
      const { properties } = await check({ model: deletionModel(setup), properties: [same] });
      expect(properties[0]?.verdict).toBe('holds');
    },
  );

  it('is not confused with a name of the same text', () => {
    const called = clusterOf([
      configMap('uid-b', {
        uid: 'uid-a',
        finalizers: ['uid-b'],
        ownerReferences: [{ ...ownedBy('uid-b'), uid: 'uid-o' }],
      }),
    ]);
    expect(isKnown(called, 'uid-o')).toBe(true);
    expect(isKnown(called, 'uid-b')).toBe(false);
  });
});
