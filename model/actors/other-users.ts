import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { formatKey } from '../state/keys.ts';
import type { ObjectKey } from '../state/objects.ts';
import type { DependentsEnd, Setup } from '../state/setup.ts';
import { type ActionDefinition, type Actor, action, orNone } from './actor.ts';

interface OfClaim {
  readonly [name: string]: string;
  readonly claim: ObjectKey;
}

/**
 * Pods that are not objects of the model and use claims: `setup.otherUsers`. Claim protection finds
 * one in its cache until it has seen the last of them go. Mirrors what `podUsesPVC` (1.20) reads.
 */
export const OTHER_USERS: Actor = {
  actions: {
    releaseClaim: lastOne('leave', 'weak'),
    mayReleaseClaim: lastOne('mayStay', 'none'),
  },
  isIdle: () => true,
  budget: ({ otherUsers = {} }) =>
    Object.fromEntries(Object.keys(otherUsers).map((claim) => [usersKey(claim), 1])),
};

/**
 * Whether a pod that is not an object of the model uses the claim, as far as claim protection sees.
 */
export function hasOtherUsers(cluster: Cluster | ClusterDraft, claim: ObjectKey): boolean {
  return cluster.budget[usersKey(claim)] !== undefined;
}

/** The entry of the budget: present until the last of them is gone. */
function usersKey(claim: ObjectKey): string {
  return `other users of ${claim}`;
}

function lastOne(end: DependentsEnd, fairness: ActionDefinition['fairness']): ActionDefinition {
  return action<OfClaim>({
    fairness,
    about:
      end === 'leave'
        ? 'Claim protection sees that the last of the pods that are not objects of the model is gone.'
        : 'The same, if it ever happens (pods that may stay).',
    parameters: (setup) => orNone(claimsOf(setup, end)),
    reducer:
      () =>
      (cluster, { claim }) => {
        delete cluster.budget[usersKey(claim)];
      },
    describe: (_context, { claim }) =>
      `claim protection: the last other pod of ${formatKey(claim)} is gone`,
  });
}

function claimsOf({ otherUsers = {} }: Setup, end: DependentsEnd): readonly OfClaim[] {
  return Object.entries(otherUsers).flatMap(([claim, found]) => (found === end ? [{ claim }] : []));
}
