import { type ApiObject, keyOf } from '../../../model/index.ts';
import { dependentsIn } from '../lookups.ts';
import type { Observation, WorkloadObservation } from '../observations.ts';

/** A workload of which the dump shows nothing. */
const UNSAID: WorkloadObservation = {
  of: 'workload',
  replicas: Number.POSITIVE_INFINITY,
  counted: null,
  selector: [],
  firstOrdinal: 0,
  ready: null,
  revision: null,
  paused: false,
  finished: false,
  failed: false,
  ...{ keepsComplete: null, keepsFailed: null },
  finishedAt: '',
  ending: false,
  ttl: null,
  failuresLeft: null,
  failuresPerIndex: null,
  managedBy: null,
  countsEnded: false,
  judgesFailures: false,
  claimTemplates: [],
  whenDeleted: 'Retain',
  whenScaled: 'Retain',
  serviceAccount: '',
  images: [],
  watches: null,
  places: [[]],
  tolerations: null,
  ofHost: false,
  inOrder: null,
};

/**
 * A Deployment makes only its newest ReplicaSet anew. Without the revisions, it is the one that has
 * replicas; if there are several, each of them may be it.
 */
export function currentReplicaSets(
  own: readonly ApiObject[],
  { revision }: WorkloadObservation,
  observations: ReadonlyMap<string, Observation>,
): readonly ApiObject[] {
  const sets = own.filter(({ kind }) => kind === 'ReplicaSet.apps');
  const observed = (set: ApiObject): WorkloadObservation => workloadOf(set, observations);
  const numbered = sets.some((set) => observed(set).revision !== null);
  if (revision !== null && numbered) {
    return sets.filter((set) => observed(set).revision === revision);
  }
  const scaled = sets.filter((set) => observed(set).replicas > 0);
  return scaled.length > 0 ? scaled : sets.length === 1 ? sets : [];
}

/** Whether this is the ReplicaSet that its Deployment makes anew. */
export function isCurrent(
  set: ApiObject,
  deployment: ApiObject,
  all: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): boolean {
  const own = dependentsIn(all).get(deployment.uid) ?? [];
  return currentReplicaSets(own, workloadOf(deployment, observations), observations).includes(set);
}

/** What the dump shows of a workload. */
export function workloadOf(
  object: ApiObject,
  observations: ReadonlyMap<string, Observation>,
): WorkloadObservation {
  const found = observations.get(keyOf(object));
  return found?.of === 'workload' ? found : UNSAID;
}
