import type { Step } from '../actions.ts';
import { actorOf } from '../actors/index.ts';
import { waiterOf } from '../actors/kubectl.ts';
import type { Cluster } from '../state/cluster.ts';
import { formatKey } from '../state/keys.ts';
import type { Setup, UserStep } from '../state/setup.ts';
import { LAST_READ } from '../words/idle.ts';
import { describeReading, type Reading } from './readings.ts';
import type { Context } from './steps.ts';

/**
 * Why a step cannot be done, told from what its reducer has read last before it gave up. Where the
 * step stands in a program or in a plan, that is said with it.
 */
export function describeObstacle(
  context: Context,
  step: Step,
  cluster: Cluster,
  reading: Reading | null,
): string {
  if (reading === null) return 'it never does anything in this model';
  const words = describeReading(context, cluster, reading);
  switch (step.name) {
    case 'request':
    case 'startControllers':
      return userWords(context.setup, step, cluster, reading, words);
    case 'takeForDelete':
    case 'takeForOrphan':
      return isOtherWorker(step, reading) && reading.value === undefined
        ? `${words} and takes what there is first`
        : words;
    case 'removeThirdPartyFinalizer':
      return reading.path[2] === 'finalizers'
        ? `${formatKey(reading.path[1] ?? '')} does not have finalizer ${String(step.parameters.finalizer)}`
        : words;
    default:
      if (reading.aspect === 'written' && !QUEUES.includes(reading.path[0] ?? '')) {
        return `it would change nothing: ${words}`;
      }
      return actorOf(step.name)?.obstacle?.(step, reading, words) ?? words;
  }
}

/** That something is in there is what is not quiet. */
const BUSY: readonly string[] = [
  'calls',
  'deleteWorkers',
  'orphanWorkers',
  'attemptToOrphan',
  'watch',
  'graphChanges',
];

/** An empty queue is the reason itself. */
const QUEUES: readonly string[] = ['watch', 'unseen'];

function isOtherWorker(step: Step, { path: [part, worker] }: Reading): boolean {
  return (
    (part === 'deleteWorkers' || part === 'orphanWorkers') && worker !== step.parameters.worker
  );
}

function userWords(
  setup: Setup,
  step: Step,
  cluster: Cluster,
  reading: Reading,
  words: string,
): string {
  const user = String(step.parameters.user);
  const begun = cluster.users[user] ?? 0;
  const next = setup.users[user]?.[begun];
  if (cluster.calls[user] !== undefined && reading.path[0] === 'calls') return words;
  if (waiterOf(cluster, user) !== null && reading.path[0] === 'controllers') {
    return `kubectl of ${user} waits until its object is gone`;
  }
  if (next === undefined) return `${user} has sent all requests`;
  const starts = next.request.do === 'startControllers';
  if (starts !== (step.name === 'startControllers')) {
    return starts
      ? `the next thing that ${user} does is to start the controller manager`
      : `the next request of ${user} is another one`;
  }
  const wait = waitedFor(next, reading);
  if (wait !== undefined) {
    return `${user} waits until request ${wait.steps} of ${wait.user} is answered`;
  }
  switch (next.request.do) {
    case 'settle': {
      const what = BUSY.includes(reading.path[0] ?? '') ? `: ${words}` : `; ${LAST_READ} ${words}`;
      return `${user} waits until all is quiet${what}`;
    }
    case 'await':
      return `${user} waits for what is not so yet; ${LAST_READ} ${words}`;
    default:
      return words;
  }
}

/** The wait of this step whose user the reading is about. */
function waitedFor(
  { after }: UserStep,
  { path: [part = '', key = ''] }: Reading,
): UserStep['after'][number] | undefined {
  if (!['users', 'calls', 'controllers'].includes(part)) return undefined;
  return after.find(({ user }) => key === user || key.endsWith(` ${user}`));
}
