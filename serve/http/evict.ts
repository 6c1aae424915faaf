import { equalJson, objectKey } from '../../model/index.ts';
import { type Body, bodyIn, isBody, metadataOf, textIn, valueAt } from '../cluster/body.ts';
import type { Stored } from '../cluster/stored-objects.ts';
import { isFinished, timeText, type View } from '../cluster/views.ts';
import { type AskedDeletion, deleteOptions, isDryRun } from '../requests/delete-options.ts';
import { labelChoice } from '../requests/label-selector.ts';
import { badRequest, methodNotAllowed, StatusError } from '../requests/status.ts';
import { reply } from './ask.ts';
import { type ApiRequest, type Reply, resourceOf, type Served } from './context.ts';
import { askDeletion } from './remove.ts';
import { storedAt, update } from './write.ts';

const VERSIONS = ['policy/v1', 'policy/v1beta1'];
const BUDGET = 'PodDisruptionBudget.policy';
/** `EvictionsRetry`. */
const TRIES = 20;
/** `MaxDisruptedPodSize`. */
const MOST_DISRUPTED = 2000;

const VIOLATES = "Cannot evict pod as it would violate the pod's disruption budget.";

/**
 * POST of `pods/NAME/eviction`: a DELETE of the pod, if its PodDisruptionBudget allows it. Mirrors
 * `EvictionREST.Create` (1.33). Nobody computes the status of a budget here, as in envtest. Throws
 * `StatusError`.
 */
export async function evict(served: Served, request: ApiRequest): Promise<Reply> {
  const { method, route } = request;
  if (method !== 'POST') throw methodNotAllowed(method, `pods/${route.name}/eviction`);
  const options = optionsIn(request);
  const isDry = options.options.dryRun === true;
  const pods = resourceOf(served, route);
  for (let tries = 1; ; tries++) {
    const stored = storedAt(served, request, pods);
    const budget = isBeyondBudgets(stored.view) ? null : budgetOf(served, stored);
    const isSpared = budget !== null && needsNoBudget(stored.view, budget);
    if (budget !== null && !isSpared) await decrement(served, request, budget, isDry);
    const demandsRead = budget === null ? canBecomeReady(stored.view) : isSpared;
    const isOwn = demandsRead && options.resourceVersion === null;
    const asked = isOwn ? atRevision(options, stored) : options;
    const answered = await askDeletion(served, request, pods, asked);
    const failed = 'answer' in answered && 'reason' in answered.answer ? answered.answer : null;
    if (failed?.reason === 'Conflict' && isOwn && !isStale(options, stored)) {
      if (isSpared) throw beingProcessed(textIn(budget.metadata, 'name'));
      if (tries < TRIES) continue;
    }
    reply(served, answered, pods, route.apiVersion, keyOf(request));
    return { code: 201, body: evicted() };
  }
}

function evicted(): Body {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

function keyOf({ route }: ApiRequest): string {
  return objectKey('Pod', route.namespace, route.name);
}

/** Throws `StatusError`. */
function optionsIn({ body, route, query }: ApiRequest): AskedDeletion {
  if (!isBody(body)) throw badRequest('the body of the request must be an Eviction');
  const [version, kind] = [textIn(body, 'apiVersion'), textIn(body, 'kind')];
  if ((version !== '' && !VERSIONS.includes(version)) || (kind !== '' && kind !== 'Eviction')) {
    throw badRequest(
      `the API version in the data (${version}, Kind=${kind}) does not match the expected one (policy/v1, Kind=Eviction)`,
    );
  }
  const { name, namespace = '' } = metadataOf(body);
  if (name !== route.name) throw badRequest('name in URL does not match name in Eviction object');
  if (![null, '', route.namespace].includes(namespace as string | null)) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  const given = body.deleteOptions ?? {};
  if (!isBody(given)) throw badRequest('deleteOptions must be DeleteOptions');
  const asked = query.getAll('dryRun');
  const own = Array.isArray(given.dryRun) ? given.dryRun : [];
  if (own.length > 0 && asked.length > 0 && !equalJson(own, asked)) {
    // Kubernetes names no reason either.
    const message = `Non-matching dry-run options in request and content: [${asked}] and [${own}]`;
    throw new StatusError(500, '', message);
  }
  const { options, resourceVersion } = deleteOptions(given, new URLSearchParams());
  const isDry = isDryRun([...own.map(String), ...asked]);
  return { options: isDry ? { ...options, dryRun: true } : options, resourceVersion };
}

/** `canIgnorePDB`: the disruption is there already, or the pod does not run yet. */
function isBeyondBudgets(pod: View): boolean {
  const phase = valueAt(pod, 'status.phase');
  return phase === 'Pending' || !canBecomeReady(pod);
}

/** `shouldEnforceResourceVersion`: whether a budget may count the pod soon. */
function canBecomeReady(pod: View): boolean {
  const isOver = isFinished(valueAt(pod, 'status.phase'));
  return !isOver && pod.metadata.deletionTimestamp === undefined;
}

/** The budget that chooses the pod. Null: none does. Throws `StatusError` if more than one does. */
function budgetOf({ cluster }: Served, { object, view: pod }: Stored): View | null {
  const budgets = cluster.keys(BUDGET, object.namespace).flatMap((key): readonly View[] => {
    const view = cluster.get(key)?.view;
    if (view === undefined) return [];
    const isChosen = labelChoice(valueAt(view, 'spec.selector'));
    return isChosen?.(bodyIn(pod.metadata, 'labels')) === true ? [view] : [];
  });
  if (budgets.length < 2) return budgets[0] ?? null;
  const message =
    'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
  throw new StatusError(500, '', message);
}

/** A pod that is not ready is no loss where the budget says so, or has enough others. */
function needsNoBudget(pod: View, budget: View): boolean {
  const conditions = valueAt(pod, 'status.conditions');
  const isReady =
    Array.isArray(conditions) &&
    conditions.some((one) => isBody(one) && one.type === 'Ready' && one.status === 'True');
  if (isReady) return false;
  if (valueAt(budget, 'spec.unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const desired = numberIn(budget, 'status.desiredHealthy');
  return desired > 0 && numberIn(budget, 'status.currentHealthy') >= desired;
}

/**
 * `checkAndDecrement`, in one transaction. Throws `StatusError` if the budget forbids the eviction.
 */
async function decrement(
  served: Served,
  request: ApiRequest,
  { metadata }: View,
  isDry: boolean,
): Promise<void> {
  const { route } = request;
  const name = textIn(metadata, 'name');
  const now = timeText(served.cluster.clock());
  const of = { apiVersion: 'policy/v1', resource: 'poddisruptionbudgets', name };
  const written: ApiRequest = {
    ...request,
    route: { ...route, ...of, subresource: 'status' },
    query: new URLSearchParams(isDry ? { dryRun: 'All' } : {}),
  };
  const disrupted = ({ view }: Stored): Body => ({
    ...view,
    status: statusAfter(view, name, route.name, now),
  });
  await update(served, written, 'status', disrupted, { put: true, uid: null });
}

/** The status of the budget after one more disruption. Throws `StatusError` if it allows none. */
function statusAfter(budget: View, name: string, pod: string, now: string): Body {
  const status = bodyIn(budget, 'status');
  const { generation } = budget.metadata;
  if (numberIn(budget, 'status.observedGeneration') < Number(generation)) {
    throw beingProcessed(name);
  }
  const allowed = numberIn(budget, 'status.disruptionsAllowed');
  if (allowed < 0) throw forbidden(name, 'pdb disruptions allowed is negative');
  const disruptedPods = bodyIn(status, 'disruptedPods');
  if (Object.keys(disruptedPods).length > MOST_DISRUPTED) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(name, why);
  }
  if (allowed === 0) {
    const [desired, current] = ['desiredHealthy', 'currentHealthy'].map((field) =>
      numberIn(budget, `status.${field}`),
    );
    throw tooMany(
      `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`,
      0,
    );
  }
  return {
    ...status,
    disruptionsAllowed: allowed - 1,
    disruptedPods: { ...disruptedPods, [pod]: now },
    ...(allowed === 1 ? { conditions: withoutAllowance(status, now) } : {}),
  };
}

/** `UpdateDisruptionAllowedCondition`, where nothing is allowed any more. */
function withoutAllowance(status: Body, now: string): readonly unknown[] {
  const conditions = Array.isArray(status.conditions) ? status.conditions : [];
  const isThis = (one: unknown): boolean => isBody(one) && one.type === 'DisruptionAllowed';
  const old: unknown = conditions.find(isThis);
  const was = isBody(old) ? old : {};
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: status.observedGeneration ?? 0,
    lastTransitionTime: was.status === 'False' ? was.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return old === undefined
    ? [...conditions, condition]
    : conditions.map((one) => (isThis(one) ? condition : one));
}

function numberIn(view: View, path: string): number {
  const value = valueAt(view, path);
  return typeof value === 'number' ? value : 0;
}

function beingProcessed(name: string): StatusError {
  return tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
}

function tooMany(why: string, retryAfterSeconds: number): StatusError {
  return new StatusError(429, 'TooManyRequests', VIOLATES, {
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
    causes: [{ reason: 'DisruptionBudget', message: why }],
  });
}

function forbidden(name: string, why: string): StatusError {
  const details = { name, group: 'policy', kind: 'poddisruptionbudget' };
  const message = `poddisruptionbudget.policy "${name}" is forbidden: ${why}`;
  return new StatusError(403, 'Forbidden', message, details);
}

/** The options, for the pod as it was read. */
function atRevision({ options }: AskedDeletion, { kept }: Stored): AskedDeletion {
  const preconditions = { ...options.preconditions, resourceVersion: true as const };
  return { options: { ...options, preconditions }, resourceVersion: String(kept.revision) };
}

/** Whether the client has asked for another pod of this name. */
function isStale({ options }: AskedDeletion, { object }: Stored): boolean {
  const uid = options.preconditions?.uid;
  return uid !== undefined && uid !== object.uid;
}
