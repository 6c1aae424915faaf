import { canLag, catchUp, lagBehind } from '../../apiserver/lag.ts';
import { instancesOf } from '../../state/instances.ts';
import { formatKey } from '../../state/keys.ts';
import { type Actor, action, parameter } from '../actor.ts';

/** The member of etcd behind the collector's API server: `setup.lags`. */
export const LAG: Actor = {
  actionNames: ['lagBehind', 'catchUp'],
  actions: (setup, world) => {
    if (!canLag(world)) return {};
    const keys = instancesOf(setup).keys.map((key) => ({ key }));
    return {
      lagBehind: action('none', keys, (cluster, { key }) => lagBehind(cluster, key)),
      catchUp: action('weak', keys, (cluster, { key }) => catchUp(cluster, key)),
    };
  },
  clients: () => [],
  isIdle: (setup, cluster) => !canLag(setup) || Object.keys(cluster.lagging).length === 0,
  budget: (setup) => (canLag(setup) ? { lag: setup.lags ?? 0 } : {}),
  acting: () => null,
  continued: () => null,
  describe: (_context, step) => {
    const name = formatKey(parameter(step, 'key'));
    return step.name === 'catchUp'
      ? `etcd member of the collector: has caught up on ${name}`
      : `etcd member of the collector: lags, goes on showing ${name} as it is now`;
  },
};
