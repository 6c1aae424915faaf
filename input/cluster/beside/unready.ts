import { type ApiObject, isBeingDeleted, keyOf, toleratesLoss } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import type { NodeStates } from '../nodes.ts';
import type { Doubt } from './doubts.ts';

/** Of the pods of nodes that are not ready, whose kubelets run in the model. */
export function onUnreadyNodes(
  kept: readonly ApiObject[],
  { unready }: NodeStates,
  without: readonly string[],
): readonly Doubt[] {
  if (unready.size === 0 || without.includes('kubelets')) return [];
  return kept.flatMap((object): readonly Doubt[] => {
    const node = object.pod?.node ?? '';
    const why = unready.get(node);
    if (why === undefined) return [];
    const about = { object: keyOf(object), settle: `kubectl describe node ${shellQuoted(node)}` };
    const given = `if it does not, add --node-lost ${shellQuoted(node)}`;
    const ends = `if the kubelet of ${node} ends its pods: ${node} ${why}; ${given}`;
    // A pod that has ended needs no kubelet.
    if (object.pod?.finished === true) return [];
    const evicted = `taint eviction deletes it after its tolerationSeconds, unless ${node} is ready by then: ${node} ${why}`;
    const isEvicted =
      !isBeingDeleted(object) &&
      !without.includes('node-lifecycle') &&
      !toleratesLoss(object, false);
    return [
      { ...about, by: 'kubelet', why: ends },
      ...(isEvicted ? ([{ ...about, by: 'controller', why: evicted }] as const) : []),
    ];
  });
}
