import { type ApiObject, keyOf } from '../../../model/index.ts';
import { byKindIn } from '../lookups.ts';
import { placesOf } from '../observed/selectors.ts';
import { CORDONED, repellingOf, taintsOf } from '../taints.ts';
import { type Asking, meetsAll } from '../webhooks/asked.ts';
import type { PluginsGiven } from './plugins.ts';
import type { NewPod } from './template.ts';

type Given = PluginsGiven & Pick<Asking, 'labels'>;

/**
 * Why the scheduler finds no node for a new pod: one clause, of the first node; null: some node may
 * do, or the dump does not show it. Resources are not counted.
 */
export function unplacedPod({ spec, asks }: NewPod, given: Given): string | null {
  const { all, goes } = given;
  const nodes = byKindIn(all).get('Node') ?? [];
  if (nodes.length === 0 || asks.names.nodeName !== null) return null;
  // A dump with a part of the nodes: the pods on the others say so.
  const names = new Set(nodes.map(({ name }) => name));
  const isPart = all.some(({ pod }) => pod?.node !== undefined && !names.has(pod.node));
  if (isPart) return null;
  const places = placesOf(spec);
  const reasons = nodes.map((node) => ({ node, why: unfit(node, asks, places, given) }));
  if (reasons.some(({ why }) => why === null)) return null;
  const words = reasons.map(({ node, why }) => `${node.name} ${goes(node) ? 'goes' : why}`);
  const more = words.length - SHOWN;
  return [...words.slice(0, SHOWN), ...(more > 0 ? [`${more} more do not do either`] : [])].join(
    ', ',
  );
}

const SHOWN = 2;

/** `NodeAffinity`, `NodeUnschedulable` and `TaintToleration` of the scheduler. */
function unfit(
  node: ApiObject,
  { tolerations, isWhole }: NewPod['asks'],
  places: ReturnType<typeof placesOf>,
  { goes, labels, stored }: Given,
): string | null {
  if (goes(node)) return 'goes';
  const own = labels.get(keyOf(node));
  // Every node has labels: without them, the dump was reduced.
  if (own !== undefined && !places.some((place) => meetsAll(place, own))) {
    return 'does not have the labels that its nodeSelector or node affinity requires';
  }
  // Otherwise the dump may lack what the pod tolerates.
  if (tolerations.length === 0 && !isWhole) return null;
  const repelling = repellingOf(taintsOf(stored.manifestOf(node)), tolerations);
  if (repelling?.key === CORDONED) return 'is cordoned';
  return repelling === undefined
    ? null
    : `has the taint ${repelling.key}, which it does not tolerate`;
}
