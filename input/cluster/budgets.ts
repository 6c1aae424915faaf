import { type ApiObject, keyOf } from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
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
  return [...wanted, ...(found.others.get(pod.namespace) ?? [])]
    .filter(({ budget }) => meetsAll(budget.observed.selector, own))
    .sort((one, other) => one.place - other.place)
    .map(({ budget }) => budget);
}

interface Placed {
  readonly budget: Budget;
  readonly place: number;
}

/** Each budget by its namespace, and by a label that it wants if there is one: there may be many. */
const budgetsIn = remembered((all: readonly ApiObject[]) =>
  remembered((observations: Observations) => {
    const placed = all.flatMap((object, place): Placed[] => {
      const observed = observations.get(keyOf(object));
      if (observed?.of !== 'PodDisruptionBudget') return [];
      return [{ budget: { object, observed }, place }];
    });
    const wantedBy = ({ budget: { object, observed } }: Placed): readonly string[] => {
      const wanted = observed.selector.find(({ operator }) => operator === 'In');
      return [...new Set(wanted?.values)].map((value) =>
        JSON.stringify([object.namespace, wanted?.key, value]),
      );
    };
    const byLabel = new Map<string, Placed[]>();
    for (const one of placed) {
      for (const label of wantedBy(one)) {
        const known = byLabel.get(label);
        if (known === undefined) byLabel.set(label, [one]);
        else known.push(one);
      }
    }
    const others = groupedBy(
      placed.filter(({ budget }) =>
        budget.observed.selector.every(({ operator }) => operator !== 'In'),
      ),
      ({ budget }) => budget.object.namespace,
    );
    return { byLabel, others };
  }),
);
