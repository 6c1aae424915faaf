import { spend } from '../state/budget.ts';
import type { Call } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { formatKey } from '../state/keys.ts';
import { type ApiObject, isBeingDeleted, keyOf, type ObjectKey } from '../state/objects.ts';
import type { Setup, Workload } from '../state/setup.ts';
import { workloadsOf } from '../state/workloads.ts';
import { nothingToDo } from '../words/idle.ts';
import type { Actor } from './actor.ts';
import { DECIDED_REQUESTS, decide, decidedRequest, syncAction } from './requests.ts';

const CONTROLLER = 'cronjob';

/**
 * The CronJob controller, as far as it creates and deletes: `ControllerV2.sync` of
 * `pkg/controller/cronjob/cronjob_controllerv2.go` (1.20), for workloads with
 * `controller: cronjob`. `syncCronJob` creates a Job, unless the CronJob is being deleted.
 * `cleanupFinishedJobs` deletes the oldest Jobs beyond the history limit, even if the CronJob is
 * being deleted.
 *
 * The schedule can fire at any time, and each child of the workload is created at most once. A Job
 * can count as finished at any time, so `replicas` is the history limit. Left out: concurrency
 * policies, and the caches, because a decision on an old copy equals a request that is sent late.
 */
export const CRON_JOBS: Actor = {
  actions: {
    syncCronJob: syncAction({
      about: 'The CronJob controller does its next step: it creates a Job, or deletes an old one.',
      keys: cronJobsOf,
      client: cronJobClient,
      sync: syncCronJob,
      obstacle: nothingToDo,
      describe: (_context, { key }, _before, after) => {
        const call = decidedRequest(after, cronJobClient(key));
        const creates = call?.verb === 'create';
        const job = creates ? keyOf(call.object) : call !== null && 'key' in call ? call.key : key;
        return `cronjob controller: decides to ${creates ? 'create' : 'delete'} ${formatKey(job)}`;
      },
    }),
  },
  workloadController: CONTROLLER,
  roles: [DECIDED_REQUESTS],
  clients: (setup) => cronJobsOf(setup).map((key) => [cronJobClient(key), 'cronjob controller']),
  budget: (setup) =>
    Object.fromEntries(
      workloadsOf(setup, CONTROLLER).map((cronJob) => [runsKey(cronJob), cronJob.children.length]),
    ),
  isIdle: (setup, cluster) =>
    cluster.stopped.controllers !== undefined ||
    workloadsOf(setup, CONTROLLER).every(
      (cronJob) =>
        cluster.controllers[cronJobClient(cronJob.parent.key)] === undefined &&
        nextRequest(cluster, cronJob) === null,
    ),
};

function cronJobsOf(setup: Setup): readonly ObjectKey[] {
  return workloadsOf(setup, CONTROLLER).map(({ parent }) => parent.key);
}

function cronJobClient(key: ObjectKey): string {
  return `cronjob controller for ${key}`;
}

function runsKey({ parent }: Workload): string {
  return `runs of ${parent.uid}`;
}

/** The request that the controller decides on if it syncs now. Null: none. */
function nextRequest(cluster: Cluster | ClusterDraft, cronJob: Workload): Call | null {
  const { parent, children, replicas } = cronJob;
  const client = cronJobClient(parent.key);
  const stored = cluster.store[parent.key];
  if (stored?.uid !== parent.uid) return null;
  const jobs = children.map(keyOf).filter((key) => {
    const job = cluster.store[key] as ApiObject | undefined;
    if (job === undefined || isBeingDeleted(job)) return false;
    return job.ownerReferences.some(({ uid, controller }) => uid === parent.uid && controller);
  });
  const [oldest] = jobs.slice(0, Math.max(0, jobs.length - replicas));
  if (oldest !== undefined) {
    const options = { propagationPolicy: 'Background' } as const;
    return { verb: 'delete', client, key: oldest, options, at: 'get' };
  }
  const left = cluster.budget[runsKey(cronJob)] ?? 0;
  const next = isBeingDeleted(stored) ? undefined : children[children.length - left];
  return next === undefined ? null : { verb: 'create', client, object: next };
}

function syncCronJob(cluster: ClusterDraft, key: ObjectKey, setup: Setup): void {
  const cronJob = workloadsOf(setup, CONTROLLER).find(({ parent }) => parent.key === key);
  const request = cronJob === undefined ? null : nextRequest(cluster, cronJob);
  if (cronJob === undefined || request === null) return;
  if (request.verb === 'create') spend(cluster, runsKey(cronJob));
  decide(cluster, cronJobClient(key), request);
}
