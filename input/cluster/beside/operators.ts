import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  thirdPartyFinalizers,
} from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { workloadsOf } from '../finalizers.ts';
import { type KnownFinalizer, knownFinalizer } from '../known/index.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/**
 * Workloads that go and run the owner of a finalizer that objects have which stay: their deletion
 * hangs from then on. Those that go as well are judged with the finalizer.
 */
export function unattendedIn(
  { all, kept, goes }: BesidesGiven,
  table: readonly KnownFinalizer[],
): readonly Besides[] {
  const going = kept.filter((object) => goes(object) && WORKLOADS.includes(object.kind));
  if (going.length === 0) return [];
  const held = all.flatMap((object) =>
    goes(object) ? [] : thirdPartyFinalizers(object).map((finalizer) => ({ object, finalizer })),
  );
  const groups = groupedBy(held, ({ object, finalizer }) =>
    knownFinalizer(finalizer, table, object.kind),
  );
  return [...groups].flatMap(([known, group]): readonly Besides[] => {
    const [first] = group;
    if (known === null || first === undefined) return [];
    const [gone, ...others] = workloadsOf(known, going);
    const rest = workloadsOf(known, all).filter(
      (object) => !goes(object) && !isBeingDeleted(object) && !isPart(object),
    );
    if (gone === undefined || rest.length > 0) return [];
    const more = group.length === 1 ? '' : ` and ${plural(group.length - 1, 'other object')}`;
    const [has, stays] = group.length === 1 ? ['has', 'stays'] : ['have', 'stay'];
    const with_ = others.length === 0 ? '' : ` and ${others.length} more`;
    const what = `${displayName(gone)}${with_} may run ${known.owner.replace(/,$/, '')}: without it, the deletion of ${displayName(first.object)}${more} hangs, which ${stays} and ${has} ${first.finalizer}; delete what has it first`;
    return [{ object: keyOf(gone), what }];
  });
}

const WORKLOADS: readonly string[] = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];

/** Whether an object is only kept up by another one. */
function isPart({ ownerReferences }: ApiObject): boolean {
  return ownerReferences.some(({ kind }) => kind === 'ReplicaSet' || kind === 'Deployment');
}
