import { type ApiObject, keyOf } from '../../../model/index.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import type { Observation } from '../observations.ts';
import type { placesOf } from '../observed/selectors.ts';
import { repellingOf, type Taint } from '../taints.ts';
import { meetsAll } from '../webhooks/asked.ts';

/** What decides which nodes take a pod. Resources are not counted. */
export interface Wanted {
  readonly places: ReturnType<typeof placesOf>;
  /** Null: the dump may lack them. */
  readonly tolerations: readonly unknown[] | null;
}

interface Given {
  /** By store key. */
  readonly labels: ReadonlyMap<string, Labels>;
  readonly observations: ReadonlyMap<string, Observation>;
}

/**
 * What of a node keeps such a pod off: its labels, or the first of its taints; null: nothing that
 * the dump shows (`NodeAffinity` and `TaintToleration` of the scheduler, 1.34).
 */
export function repelledBy(
  node: ApiObject,
  { places, tolerations }: Wanted,
  { labels, observations }: Given,
): 'labels' | Taint | null {
  // Every node has labels: without them, the dump was reduced.
  const own = labels.get(keyOf(node));
  const isMet = own === undefined || places.length === 0;
  if (!isMet && !places.some((place) => meetsAll(place, own))) return 'labels';
  const seen = observations.get(keyOf(node));
  if (tolerations === null || seen?.of !== 'Node') return null;
  return repellingOf(seen.taints, tolerations) ?? null;
}
