import { type ApiObject, keyOf } from '../../model/index.ts';
import { groupedBy, groupedByEach } from '../../text/layout.ts';
import type { Labels } from '../manifests/label-selector.ts';
import { remembered } from './lookups.ts';
import type { Observation } from './observations.ts';
import { meetsAll } from './webhooks/asked.ts';

type Observations = ReadonlyMap<string, Observation>;

export interface Budget {
  readonly object: ApiObject;
  readonly observed: Extract<Observation, { readonly of: 'PodDisruptionBudget' }>;
}

/** What decides which budgets are about a pod. */
interface Given {
  readonly all: readonly ApiObject[];
  readonly observations: Observations;
  /** By store key. */
  readonly labels: ReadonlyMap<string, Labels>;
}

/** The PodDisruptionBudgets that are about the pod, in the order of the objects. */
export function budgetsOver(
  pod: ApiObject,
  { all, observations, labels }: Given,
): readonly Budget[] {
  const own = labels.get(keyOf(pod)) ?? {};
  const found = budgetsIn(all)(observations);
  const wanted = Object.entries(own).flatMap(([key, value]) => {
    return found.byLabel.get(JSON.stringify([pod.namespace, key, value])) ?? [];
  });
  return [...wanted, ...(found.unlabelled.get(pod.namespace) ?? [])]
    .filter(({ budget }) => meetsAll(budget.observed.selector, own))
    .sort((one, other) => one.place - other.place)
    .map(({ budget }) => budget);
}

interface Placed {
  readonly budget: Budget;
  readonly place: number;
}

/**
 * Each budget by its namespace, and by a label that it wants if there is one: there may be many. Of
 * several such labels, that which the fewest budgets want: all can want
 * `app.kubernetes.io/part-of`.
 */
const budgetsIn = remembered((all: readonly ApiObject[]) =>
  remembered((observations: Observations) => {
    const placed = all.flatMap((object, place): Placed[] => {
      const observed = observations.get(keyOf(object));
      if (observed?.of !== 'PodDisruptionBudget') return [];
      return [{ budget: { object, observed }, place }];
    });
    /** The labels of which it wants one, by requirement. */
    const wantedBy = ({ budget: { object, observed } }: Placed): readonly (readonly string[])[] =>
      observed.selector
        .filter(({ operator }) => operator === 'In')
        .map(({ key, values }) =>
          [...new Set(values)].map((value) => JSON.stringify([object.namespace, key, value])),
        );
    const counts = new Map<string, number>();
    for (const label of placed.flatMap(wantedBy).flat()) {
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
    const shared = (labels: readonly string[]): number =>
      labels.reduce((sum, label) => sum + (counts.get(label) ?? 0), 0);
    const byLabel = groupedByEach(placed, (one) => {
      const [rarest = []] = [...wantedBy(one)].sort((a, b) => shared(a) - shared(b));
      return rarest;
    });
    const unlabelled = groupedBy(
      placed.filter(({ budget }) =>
        budget.observed.selector.every(({ operator }) => operator !== 'In'),
      ),
      ({ budget }) => budget.object.namespace,
    );
    return { byLabel, unlabelled };
  }),
);
