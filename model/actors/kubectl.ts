import type { Rules } from '../rules/rules.ts';
import type { Answer, DeleteOptions } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import type { ControllerRole } from '../state/controllers.ts';
import { setState, stateOf } from '../state/controllers.ts';
import { formatKey } from '../state/keys.ts';
import type { ObjectKey, Uid } from '../state/objects.ts';
import type { KubectlFlags, Setup } from '../state/setup.ts';
import { type Actor, action, orNone } from './actor.ts';

/** `kubectl delete`: what it sends, and how it waits (`cmd/delete`, `cmd/wait`). */

/** A client that has sent its DELETE and polls until the object is gone. */
export interface Waiter {
  readonly role: 'waiter';
  readonly key: ObjectKey;
  /** The uid in the answer to the DELETE. */
  readonly uid: Uid;
}

const WAITER: ControllerRole<Waiter> = {
  role: 'waiter',
  inManager: false,
  next: ({ key }) => `waits until ${formatKey(key)} is gone`,
};

export const KUBECTL: Actor = {
  actions: {
    pollDeletion: action<{ user: string }>({
      fairness: 'weak',
      about: 'A kubectl that waits for a deletion finds the object gone.',
      parameters: (setup) => orNone(waitingUsers(setup).map((user) => ({ user }))),
      reducer:
        (_setup, { rules }) =>
        (cluster, { user }) =>
          poll(cluster, rules, user),
      obstacle: (_context, _parameters, _cluster, { path: [part, key = ''] }, words) =>
        part === 'store' ? `${formatKey(key)} is still there` : words,
      describe: (_context, { user }, before) => {
        const key = waiterOf(before, user)?.key ?? '';
        const found = before.store[key] === undefined ? '404' : 'another uid';
        return `${user}: kubectl GET ${formatKey(key)} -> ${found}, has waited long enough`;
      },
    }),
  },
  roles: [WAITER],
  isIdle: (setup, cluster) =>
    waitingUsers(setup).every((user) => {
      const waiter = waiterOf(cluster, user);
      return waiter === null || !countsAsGone(cluster, setup.rules, waiter);
    }),
};

/** Users whose kubectl can ever wait. */
export function waitingUsers(setup: Setup): readonly string[] {
  return Object.keys(setup.users).filter((user) =>
    setup.users[user]?.some(({ request }) => request.do === 'kubectlDelete' && request.flags.wait),
  );
}

function waiterName(user: string): string {
  return `kubectl of ${user}`;
}

/** What this user's kubectl waits for. Null: nothing. */
export function waiterOf(cluster: Cluster | ClusterDraft, user: string): Waiter | null {
  return stateOf(cluster, waiterName(user), WAITER);
}

/**
 * The DeleteOptions of `kubectl delete`: mirrors `DeleteResult` (1.20) and `getCascadingStrategy`.
 * Until 1.19 `--cascade` was true or false; until 1.10 it was sent as orphanDependents. Null: this
 * kubectl does not know the spelling, and sends nothing.
 *
 * Left out: until 1.10 kubectl itself first scaled some kinds down.
 */
export function kubectlOptions(
  rules: Rules,
  { cascade, gracePeriod, dryRun }: KubectlFlags,
): DeleteOptions | null {
  const grace = {
    ...(gracePeriod === undefined ? {} : { gracePeriodSeconds: gracePeriod }),
    ...(dryRun === undefined ? {} : { dryRun }),
  };
  const orphans = cascade === 'false' || cascade === 'orphan';
  if (rules.kubectlCascade !== 'strategy' && cascade !== 'true' && cascade !== 'false') return null;
  switch (rules.kubectlCascade) {
    case 'orphanDependents':
      return { ...grace, orphanDependents: orphans };
    case 'boolean':
      return { ...grace, propagationPolicy: orphans ? 'Orphan' : 'Background' };
    case 'strategy':
      if (cascade === 'foreground') return { ...grace, propagationPolicy: 'Foreground' };
      return { ...grace, propagationPolicy: orphans ? 'Orphan' : 'Background' };
    default:
      throw new Error(`unknown rule value ${rules.kubectlCascade satisfies never}`);
  }
}

/** The DELETE has been answered: kubectl waits, unless the answer was an error. */
export function beginWaiting(
  cluster: ClusterDraft,
  user: string,
  key: ObjectKey,
  answer: Answer,
): void {
  if (!('object' in answer) || answer.object === null) return;
  const waiter: Waiter = { role: 'waiter', key, uid: answer.object.uid };
  setState(cluster, waiterName(user), waiter);
}

/** Mirrors `IsDeleted` (1.20): another uid counts as gone; in 1.11.0 only a 404 did. */
function countsAsGone(
  cluster: Cluster | ClusterDraft,
  rules: Rules,
  { key, uid }: Waiter,
): boolean {
  const stored = cluster.store[key];
  return stored === undefined || (rules.kubectlWait === 'byUid' && stored.uid !== uid);
}

/** One GET of a waiting kubectl. A GET that still finds the object changes nothing. */
function poll(cluster: ClusterDraft, rules: Rules, user: string): void {
  const waiter = waiterOf(cluster, user);
  if (waiter !== null && countsAsGone(cluster, rules, waiter)) {
    delete cluster.controllers[waiterName(user)];
  }
}
