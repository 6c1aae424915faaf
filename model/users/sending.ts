import { isLost } from '../actors/nodes/kubelet.ts';
import type { Cluster } from '../state/cluster.ts';
import type { Setup, UserStep } from '../state/setup.ts';
import { readyRequest } from './users.ts';

/**
 * What "every user has sent its requests" means to a question about what always happens. Users may
 * stop early, so such a question is asked of runs in which no user can send another request. A user
 * that waits, perhaps for ever, cannot: without these runs, an object that blocks a waiting client
 * for ever would make "always" true.
 */
export interface Sending {
  /** Each user has sent all of its requests, or has to wait. */
  isSent(cluster: Cluster): boolean;
  /** A user that had to wait can send again, so the run may be one in which it stops early. */
  canSendAgain(cluster: Cluster): boolean;
}

export function sendingOf(setup: Setup): Sending {
  const users = Object.keys(setup.users);
  if (!Object.values(setup.users).some(canBlock)) {
    // Every request is answered, so a user that has not sent all requests can send the next one.
    const isSent = (cluster: Cluster): boolean =>
      users.every((user) => (cluster.users[user] ?? 0) === setup.users[user]?.length);
    return { isSent, canSendAgain: () => false };
  }
  const canSendAgain = (cluster: Cluster): boolean =>
    users.some((user) => canSend(setup, cluster, user));
  return { isSent: (cluster) => !canSendAgain(cluster), canSendAgain };
}

/** Whether a request of this program can have to wait for more than the answer before it. */
function canBlock(steps: readonly UserStep[]): boolean {
  return steps.some(({ request, after }, index) => {
    const before = steps[index - 1]?.request;
    return (
      after.length > 0 ||
      WAITING.has(request.do) ||
      (before?.do === 'kubectlDelete' && before.flags.wait)
    );
  });
}

const WAITING: ReadonlySet<UserStep['request']['do']> = new Set([
  'settle',
  'await',
  'stopControllers',
  'startControllers',
  'loseNode',
]);

function canSend(setup: Setup, cluster: Cluster, user: string): boolean {
  const request = readyRequest(setup, cluster, user);
  switch (request?.do) {
    case undefined:
      return false;
    case 'stopControllers':
      return cluster.stopped.controllers === undefined;
    case 'startControllers':
      return cluster.stopped.controllers !== undefined;
    case 'loseNode':
      return !isLost(cluster, request.node);
    default:
      return true;
  }
}
