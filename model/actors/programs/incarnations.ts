import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { isKnown } from '../../state/known-uids.ts';
import { type ApiObject, keyOf, type ObjectKey, type OwnerReference } from '../../state/objects.ts';
import type { ControllerProgram, ProgramTask } from '../../state/programs/program.ts';
import { childKey } from '../workloads/reconciling.ts';

/** The uids of what controllers create. A model has finitely many. */

/**
 * The object of this name that can be created next: first those that were never created, each with
 * a uid of its own, then, if uids return, one whose uid nothing in the state knows any more, which
 * is as good as new.
 */
export function freeIncarnation(
  cluster: Cluster | ClusterDraft,
  { creates, described }: ControllerProgram,
  key: ObjectKey,
): ApiObject | null {
  const templates = creates.filter((object) => keyOf(object) === key);
  // An earlier process may have sent the POST of one of them.
  const sent = Object.values(cluster.calls).flatMap((call) =>
    call.verb === 'create' ? [call.object.uid] : [],
  );
  return (
    templates.find(
      ({ uid }) => cluster.budget[childKey(uid)] !== undefined && !sent.includes(uid),
    ) ??
    (described?.uidsReturn === false
      ? undefined
      : templates.find(({ uid }) => !isKnown(cluster, uid))) ??
    null
  );
}

/** The object that a POST of the next incarnation creates. */
export function incarnation(template: ApiObject, references: readonly OwnerReference[]): ApiObject {
  const own = template.ownerReferences.filter(
    ({ uid }) => !references.some((reference) => reference.uid === uid),
  );
  return { ...template, ownerReferences: [...own, ...references] };
}

/** The tasks without those that would create an object once more than the controller can. */
export function possibleTasks(
  cluster: Cluster | ClusterDraft,
  program: ControllerProgram,
  tasks: readonly ProgramTask[],
): readonly ProgramTask[] {
  if (program.described?.uidsReturn !== false) return tasks;
  return tasks.filter(
    (task) => task.do !== 'create' || freeIncarnation(cluster, program, task.key) !== null,
  );
}
