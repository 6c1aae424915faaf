import { canLag, catchUp, lagBehind } from '../../apiserver/lag.ts';
import { instancesOf } from '../../state/instances.ts';
import { formatKey } from '../../state/keys.ts';
import type { ObjectKey } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action } from '../actor.ts';

/** The member of etcd behind the collector's API server: `setup.lags`. */
export const LAG: Actor = {
  actions: {
    lagBehind: action<{ key: ObjectKey }>({
      fairness: 'none',
      about: 'The member of etcd that the collector reads from lags behind for one object.',
      parameters: keysThatLag,
      reducer:
        () =>
        (cluster, { key }) =>
          lagBehind(cluster, key),
      describe: (_context, { key }) =>
        `etcd member of the collector: lags, goes on showing ${formatKey(key)} as it is now`,
    }),
    catchUp: action<{ key: ObjectKey }>({
      fairness: 'weak',
      about: 'A member of etcd that lags has caught up on one object.',
      parameters: keysThatLag,
      reducer:
        () =>
        (cluster, { key }) =>
          catchUp(cluster, key),
      describe: (_context, { key }) =>
        `etcd member of the collector: has caught up on ${formatKey(key)}`,
    }),
  },
  isIdle: (setup, cluster) => !canLag(setup) || Object.keys(cluster.lagging).length === 0,
  budget: (setup) => (canLag(setup) ? { lag: setup.lags ?? 0 } : {}),
};

function keysThatLag(setup: Setup, world: World): readonly { key: ObjectKey }[] | null {
  return canLag(world) ? instancesOf(setup).keys.map((key) => ({ key })) : null;
}
