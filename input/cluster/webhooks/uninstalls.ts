import { type ApiObject, isBeingDeleted } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { byKindIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Observation } from '../observations.ts';
import type { Admitted } from './admitted.ts';
import type { Review } from './reviews.ts';

/** What the webhook of an operator looks for before it lets the operator's own object go. */
const WORKLOADS: readonly string[] = [
  'VirtualMachineInstance.kubevirt.io',
  'VirtualMachine.kubevirt.io',
  'VirtualMachineInstanceReplicaSet.kubevirt.io',
  'DataVolume.cdi.kubevirt.io',
];

/**
 * The webhooks of KubeVirt, CDI and HyperConverged about the DELETE of an object that blocks its
 * uninstallation (`KubeVirtDeletionAdmitter.Admit`, `cdiValidatingWebhook.Admit`), and of others of
 * which `refuses` speaks. Their operators register them, so that a dump without them lacks something.
 */
export function uninstallsIn({
  all,
  kept,
  goes,
  observations,
  admitted,
}: {
  readonly all: readonly ApiObject[];
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly admitted: Admitted;
}): readonly Review[] {
  return kept.flatMap((object): readonly Review[] => {
    const marks = marksOn(observations, object);
    const blocks = marks.find(({ mark }) => mark === 'blocks');
    if (blocks?.mark !== 'blocks' || !goes(object) || isBeingDeleted(object)) return [];
    if (admitted.has(object, [])) return [];
    const { refuses } = blocks;
    if (refuses !== undefined) {
      const told = { verb: 'asked', preposition: 'about', details: refuses.why };
      const review = { by: refuses.who, ...told, reason: `: ${refuses.why}` };
      return [{ ...review, surely: [object], perhaps: [] }];
    }
    const [found] = WORKLOADS.flatMap((kind) => byKindIn(all).get(kind) ?? []);
    const there = found === undefined ? '' : `, such as ${displayName(found)}`;
    const reason = `: ${blocks.by} refuses the DELETE while there is a virtual machine or a data volume${there}`;
    const by = `the webhook of ${displayName(object)}`;
    return [
      {
        ...{ by, verb: 'asked', preposition: 'about', details: blocks.by, reason },
        ...{ surely: [object], perhaps: [] },
      },
    ];
  });
}
