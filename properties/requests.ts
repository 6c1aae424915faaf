import type { ActionInstance } from '../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  type DeleteCall,
  isBeingDeleted,
  type Setup,
} from '../model/index.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { nameOf } from './relations.ts';

/** The grace period that a request names; undefined: none; null: it is not known who asks. */
function askedGrace(
  setup: Setup,
  before: Cluster,
  { name, parameters }: ActionInstance,
): number | undefined | null {
  if (name === 'emptyNamespace') return undefined;
  const user = String(name === 'request' ? parameters.user : parameters.client);
  const begun = before.users[user] ?? 0;
  const request = setup.users[user]?.[name === 'request' ? begun : begun - 1]?.request;
  if (request?.do !== 'delete' && request?.do !== 'deleteCollection') return null;
  return request.options.gracePeriodSeconds;
}

interface Ending {
  readonly pod: ApiObject;
  /** Seconds that the pod is to have, and those that it gets. */
  readonly due: number;
  readonly given: number;
}

/** Users, and the namespace controller. */
const DELETERS: readonly string[] = ['request', 'serve', 'emptyNamespace'];

/** The running pod whose deletion begins with this step, or whose grace period gets shorter. */
function endingPod(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): Ending | null {
  if (!DELETERS.includes(action.name)) return null;
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'delete') return null;
  const pod = before.store[call.key];
  if (pod?.pod === undefined) return null;
  const now = after.store[call.key];
  if (now !== undefined && !isBeingDeleted(now)) return null;
  const asked = askedGrace(setup, before, action);
  if (asked === null || !pod.pod.scheduled || pod.pod.finished) return null;
  const given = now?.deletionGracePeriodSeconds ?? 0;
  if (!isBeingDeleted(pod)) {
    return { pod, due: asked ?? pod.pod.terminationGracePeriodSeconds ?? 0, given };
  }
  const granted = pod.deletionGracePeriodSeconds ?? 0;
  if (given >= granted) return null;
  return { pod, due: Math.min(granted, asked ?? granted), given };
}

export const GRACE_AS_ASKED: CatalogueEntry = {
  name: 'a running pod gets its grace period',
  kind: 'step',
  about:
    'When the DELETE of a pod that runs on a node takes effect, the pod has the grace period that ' +
    'the request names, or, if it names none, the one of its own spec: no less. Once it has one, ' +
    'only a DELETE that names a shorter one shortens it.',
  trigger:
    'a DELETE of a user or of the namespace controller begins the deletion of a running pod, or ' +
    'shortens its grace period',
  source:
    'Kubernetes documentation, Pod Lifecycle: pods are given the time to end gracefully; ' +
    'https://github.com/kubernetes/kubernetes/pull/100101',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: GRACE_AS_ASKED.name,
    trigger: (before, action, after) => endingPod(setup, before, action, after) !== null,
    holds: (before, action, after) => {
      const ending = endingPod(setup, before, action, after);
      return ending === null || ending.given >= ending.due;
    },
    explain: (before, action, after) => {
      const ending = endingPod(setup, before, action, after);
      if (ending === null || ending.given >= ending.due) return [];
      const { pod, due, given } = ending;
      return [`${nameOf(pod)} is to have ${due} s of grace and gets ${given} s`];
    },
  }),
};

/** A DELETE about to remove the object in the version that its client knows, as it has demanded. */
function knowingRemoval(setup: Setup, before: Cluster, action: ActionInstance): DeleteCall | null {
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'delete' || call.options.dryRun === true) return null;
  if (call.at !== 'remove' && call.at !== 'removeMarked') return null;
  if (call.options.preconditions?.resourceVersion === undefined) return null;
  return before.unchangedSince[call.client] === call.key ? call : null;
}

export const NO_CONFLICT_WITH_ITSELF: CatalogueEntry = {
  name: 'a DELETE does not conflict with itself',
  kind: 'step',
  about:
    'A DELETE that demands the resourceVersion that its client has read removes the object, if ' +
    'nobody but this DELETE has written it since.',
  trigger: 'a DELETE with a resourceVersion is to remove an object that nobody else has written',
  source: 'https://github.com/kubernetes/kubernetes/issues/85485',
  fairness: 'none',
  build: (setup) => ({
    kind: 'step',
    name: NO_CONFLICT_WITH_ITSELF.name,
    trigger: (before, action) => knowingRemoval(setup, before, action) !== null,
    holds: (before, action, after) => {
      const call = knowingRemoval(setup, before, action);
      return call === null || after.store[call.key] === undefined;
    },
    explain: (before, action, after) => {
      const call = knowingRemoval(setup, before, action);
      const object = call === null ? undefined : after.store[call.key];
      if (object === undefined) return [];
      return [`${nameOf(object)} is not removed, although nobody else has changed it`];
    },
  }),
};
