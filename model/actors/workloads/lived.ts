import type { Cluster } from '../../state/cluster.ts';
import type { Uid } from '../../state/objects.ts';
import type { Setup } from '../../state/setup.ts';
import { madeKey } from './creation.ts';
import { childKey } from './reconciling.ts';

/**
 * Whether an object with this uid may have been stored up to now: it is there at the start, or the
 * request or the controller that creates it has got so far. Properties ask for this of uids that
 * are not stored.
 */
export function mayHaveLived(setup: Setup, cluster: Cluster, uid: Uid): boolean {
  const { objects, users, workloads = [], operators = [], programs = [] } = setup;
  if (objects.some((object) => object.uid === uid)) return true;
  const asked = Object.entries(users).some(([user, steps]) =>
    steps.some(
      ({ request }, index) =>
        request.do === 'create' && request.object.uid === uid && (cluster.users[user] ?? 0) > index,
    ),
  );
  if (asked) return true;
  const free = cluster.budget[childKey(uid)] !== undefined;
  return (
    workloads.some((workload) => {
      const index = workload.children.findIndex((child) => child.uid === uid);
      const left = cluster.budget[madeKey(workload)] ?? 0;
      return index >= 0 && !free && index < workload.children.length - left;
    }) ||
    [
      ...operators.flatMap(({ creates, createsInTeardown = [] }) => [
        ...creates,
        ...createsInTeardown,
      ]),
      ...programs.flatMap(({ creates }) => creates),
    ].some((child) => !free && child.uid === uid)
  );
}
