import type { ApiObject } from '../../../model/index.ts';
import { byKindIn } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import { placesOf } from '../observed/selectors.ts';
import { CORDONED } from '../taints.ts';
import type { Asking } from '../webhooks/asked.ts';
import { repelledBy, type Wanted } from './fits.ts';
import type { PluginsGiven } from './plugins.ts';
import type { NewPod } from './template.ts';

type Given = PluginsGiven &
  Pick<Asking, 'labels'> & { readonly observations: ReadonlyMap<string, Observation> };

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

function unfit(
  node: ApiObject,
  { tolerations, isWhole }: NewPod['asks'],
  places: Wanted['places'],
  given: Given,
): string | null {
  if (given.goes(node)) return 'goes';
  const isKnown = tolerations.length > 0 || isWhole;
  const wanted = { places, tolerations: isKnown ? tolerations : null };
  const found = repelledBy(node, wanted, given);
  if (found === null) return null;
  if (found === 'labels') {
    return 'does not have the labels that its nodeSelector or node affinity requires';
  }
  return found.key === CORDONED
    ? 'is cordoned'
    : `has the taint ${found.key}, which it does not tolerate`;
}
