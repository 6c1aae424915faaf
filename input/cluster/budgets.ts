import { type ApiObject, keyOf } from '../../model/index.ts';
import type { Labels } from '../manifests/label-selector.ts';
import { meetsAll } from './webhooks/asked.ts';
import type { Requirement } from './webhooks/observed.ts';

/**
 * Whether a PodDisruptionBudget is about the pod.
 *
 * @param selector of the budget.
 * @param labels by store key.
 */
export function isCovered(
  pod: ApiObject,
  budget: ApiObject,
  selector: readonly Requirement[],
  labels: ReadonlyMap<string, Labels>,
): boolean {
  return pod.namespace === budget.namespace && meetsAll(selector, labels.get(keyOf(pod)) ?? {});
}
