import { byUidIn, claimantsIn, dependentsIn, remembered } from '../../input/cluster/lookups.ts';
import { isSafe } from '../../input/cluster/replacements.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import {
  type ApiObject,
  CLAIM_FINALIZER,
  isBeingDeleted,
  keyOf,
  kindOf,
  type Setup,
} from '../../model/index.ts';
import type { Condition } from '../../report/document/answer.ts';
import { relatedTo } from './refusals.ts';

/** A claim that another pod may use before the claim is being deleted. */
interface UsedAgain {
  readonly claim: ApiObject;
  /**
   * The object whose controller makes the new pod, or the one above it that has its replicas; or
   * the pod, which is there and has no node yet.
   */
  readonly by: ApiObject;
}

/**
 * On what the end of an object depends as new pods may use a claim again: the object is the claim,
 * or goes only with it. The model has no scheduler, so its searches never bind a new pod.
 *
 * Claim protection counts a pod that has a node (`podUsesPVC`). The scheduler only refuses pods
 * whose claims are being deleted already. So a new pod that it binds earlier keeps the claim as
 * long as the pod is there.
 */
export function newUsersFor(object: ApiObject, plan: Plan): readonly Condition[] {
  const again = claimsUsedAgain(plan);
  if (again.length === 0) return [];
  const related = relatedTo(object, plan);
  return again
    .filter(({ claim }) => related.has(keyOf(claim)))
    .map(({ claim, by }): Condition => {
      const [name, owner] = [displayName(claim), displayName(by)];
      if (by.pod !== undefined) {
        const text = `if ${owner}, which has no node yet, gets one before the DELETE of ${name}, ${name} waits for the pod; delete the pod first`;
        return { kind: 'order', text };
      }
      const scale = SCALED.includes(by.kind) ? `, or scale ${owner} to 0 first` : '';
      const text = `if a new pod of ${owner} starts before the DELETE of ${name}, ${name} waits for the pod; delete ${name} first${scale}`;
      return { kind: 'order', text };
    });
}

/** Kinds that have replicas. */
const SCALED: readonly string[] = [
  ...['Deployment.apps', 'ReplicaSet.apps', 'StatefulSet.apps', 'ReplicationController'],
];

/** The protected claims that go while another pod may begin to use them; each once. */
export const claimsUsedAgain: (plan: Plan) => readonly UsedAgain[] = remembered((plan) => {
  const { setup, cluster } = plan;
  const anew = [...(cluster?.replaced ?? []), ...(cluster?.replacedBeside ?? [])];
  const replaced = new Map(anew.map(({ object, by }) => [object, by]));
  if (setup.storageProtection !== true) return [];
  const claimants = claimantsIn(setup.objects);
  const byName = new Map([...setup.objects].reverse().map((one) => [displayName(one), one]));
  return setup.objects.flatMap((claim): readonly UsedAgain[] => {
    if (claim.kind !== 'PersistentVolumeClaim' || isBeingDeleted(claim)) return [];
    if (!claim.finalizers.includes(CLAIM_FINALIZER)) return [];
    const users = (claimants.get(keyOf(claim)) ?? []).filter((pod) => !isOwn(claim, pod));
    const waiting = users.find((pod) => isPending(pod, setup));
    if (waiting !== undefined) return [{ claim, by: waiting }];
    if (isDeletedFirst(claim, plan)) return [];
    const user = users.find((pod) => replaced.has(keyOf(pod)));
    const by = byName.get((user && replaced.get(keyOf(user))) ?? '');
    return by === undefined ? [] : [{ claim, by: scaledAbove(by, plan) }];
  });
});

/** Whether the scheduler may still bind a pod, and nothing deletes it. */
function isPending(object: ApiObject, setup: Setup): boolean {
  const { pod } = object;
  return pod !== undefined && !pod.scheduled && !pod.finished && isSafe(setup, object);
}

/** Whether the claim is of an ephemeral volume of the pod, so that no pod in its place uses it. */
function isOwn({ ownerReferences }: ApiObject, pod: ApiObject): boolean {
  return ownerReferences.some(({ uid, controller }) => uid === pod.uid && controller === true);
}

/** Whether nothing makes a controller replace a pod before the claim is being deleted. */
function isDeletedFirst(claim: ApiObject, { setup }: Plan): boolean {
  const { users, objects, lostNodes = [], podGc, taintEviction } = setup;
  const [steps = [], ...others] = Object.values(users);
  const place = steps.findIndex(
    ({ request }) => request.do === 'delete' && request.key === keyOf(claim),
  );
  return (
    others.length === 0 &&
    place >= 0 &&
    steps
      .slice(0, place)
      .every(({ request }) => 'key' in request && kindOf(request.key) === claim.kind) &&
    !objects.some((one) => isBeingDeleted(one) && !isOnlyStorage(one, objects)) &&
    lostNodes.length === 0 &&
    podGc === undefined &&
    taintEviction !== true
  );
}

/** Whether no pod ends with it: a volume or claim that nothing belongs to. */
function isOnlyStorage({ kind, uid }: ApiObject, objects: readonly ApiObject[]): boolean {
  return kind.startsWith('PersistentVolume') && !dependentsIn(objects).has(uid);
}

/** A Deployment keeps up the replicas of its ReplicaSets. */
function scaledAbove(object: ApiObject, plan: Plan): ApiObject {
  // The set grows while it is read. Owners can be a cycle.
  const above = new Set([object]);
  for (const { ownerReferences } of above) {
    const controller = ownerReferences.find((reference) => reference.controller === true);
    const next = byUidIn(plan.setup.objects).get(controller?.uid ?? '');
    if (next !== undefined && SCALED.includes(next.kind)) above.add(next);
  }
  return [...above].at(-1) ?? object;
}
