import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { Links } from '../links.ts';
import type { deletesNode } from '../operating/machines.ts';
import { MACHINE } from '../operating/tracking.ts';
import type { Doubt } from './doubts.ts';

/** Nodes that go or stay with their machines, as the order of events decides. */
export function nodesInDoubt(
  kept: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  { trackedBy }: Pick<Links, 'trackedBy'>,
  deletes: (machine: ApiObject) => ReturnType<typeof deletesNode>,
): readonly Doubt[] {
  return kept.flatMap((machine) => {
    if (machine.kind !== MACHINE || !goes(machine) || deletes(machine) !== 'perhaps') return [];
    const why = `Cluster API deletes it with ${displayName(machine)}, unless the Cluster or its control plane is being deleted before, or no other machine of the control plane is left`;
    return trackedBy(machine).map(
      (node): Doubt => ({ object: keyOf(node), by: 'controller', why }),
    );
  });
}
