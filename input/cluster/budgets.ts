import { type ApiObject, keyOf } from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import type { Labels } from '../manifests/label-selector.ts';
import { remembered } from './lookups.ts';
import { meetsAll } from './webhooks/asked.ts';
import type { Requirement } from './webhooks/observed.ts';

/** The PodDisruptionBudgets of a namespace, in the order of the objects. */
export function budgetsOf(objects: readonly ApiObject[], namespace: string): readonly ApiObject[] {
  return byNamespace(objects).get(namespace) ?? [];
}

const byNamespace = remembered((objects: readonly ApiObject[]) =>
  groupedBy(
    objects.filter(({ kind }) => kind.startsWith(BUDGET)),
    ({ namespace }) => namespace,
  ),
);

const BUDGET = 'PodDisruptionBudget';

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
