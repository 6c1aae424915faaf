import { isNotInstalled } from '../../apiserver/installed.ts';
import {
  areMonitorsSynced,
  budgetKey,
  canList,
  type DiscoveryAnswer,
  discover,
  isDiscoveryDue,
  listMonitored,
  mayRelease,
  releaseWorkers,
  resyncMonitors,
} from '../../collector/monitors.ts';
import type { Cluster } from '../../state/cluster.ts';
import type { Setup } from '../../state/setup.ts';
import { monitorsComeAndGo, surroundingsOf } from '../../state/surroundings.ts';
import type { World } from '../../state/world.ts';
import type { Reading } from '../../words/context.ts';
import { type Actor, action, orNone } from '../actor.ts';

/**
 * Which kinds the collector watches (`GarbageCollector.Sync`, `GarbageCollector.Run`), including
 * failures of discovery: `setup.discovery`, `setup.neverSyncs`, `setup.syncsLate`.
 */
export const DISCOVERY: Actor = {
  actions: {
    releaseWorkers: action<Record<never, never>>({
      fairness: 'weak',
      about: 'The workers start, or resume after a sync: every monitor has synced, or time is up.',
      parameters: (setup) => (hasLateMonitors(setup) ? [{}] : null),
      reducer: (_setup, world) => (cluster) => releaseWorkers(cluster, world),
      describe: ({ world }, _parameters, before) => describeRelease(before, world),
    }),
    listMonitored: action<{ kind: string }>({
      fairness: 'weak',
      about: 'A monitor that has been started lists the objects of its kind.',
      parameters: (setup, { monitored = [], neverSyncs = [] }) =>
        mayList(setup)
          ? monitored.filter((kind) => !neverSyncs.includes(kind)).map((kind) => ({ kind }))
          : null,
      reducer:
        (_setup, world) =>
        (cluster, { kind }) =>
          listMonitored(cluster, world, kind),
      describe: (_context, { kind }) => `monitor of ${kind}: LIST, has synced`,
    }),
    discover: action<Record<never, never>>({
      fairness: 'weak',
      about:
        'The sync loop of the collector asks discovery and finds kinds that differ from those it watches.',
      parameters: ({ discovery }) => (discovery === undefined ? null : [{}]),
      reducer: (_setup, world) => (cluster) => discover(cluster, world, 'complete'),
      obstacle: noNews,
      describe: () => 'gc sync: asks discovery, which shows other kinds than are watched',
    }),
    failDiscovery: action<{ answer: string }>({
      fairness: 'none',
      about: 'Discovery answers the sync loop with nothing, or fails for a version of a group.',
      parameters: ({ discovery }) =>
        orNone(answersOf(discovery).map(({ answer }) => ({ answer: wordOf(answer) }))),
      reducer:
        (_setup, world) =>
        (cluster, { answer }) =>
          discover(cluster, world, answerOf(answer)),
      obstacle: noNews,
      describe: (_context, { answer }, before, after) => {
        const changes = before.syncing.round !== after.syncing.round;
        return `gc sync: asks discovery, ${failure(answer)}${changes ? '' : '; changes nothing'}`;
      },
    }),
    resyncMonitors: action<Record<never, never>>({
      fairness: 'weak',
      about:
        'The sync loop pauses the workers, in versions that do so, and adapts its monitors to the answer.',
      parameters: ({ discovery }) => (discovery === undefined ? null : [{}]),
      reducer: (_setup, world) => (cluster) => resyncMonitors(cluster, world),
      describe: ({ world }) =>
        world.rules.workersWhileUnsynced === 'paused'
          ? 'gc sync: holds the workers and sets up the monitors anew'
          : 'gc sync: sets up the monitors anew',
    }),
  },
  isIdle: (setup, cluster) => {
    if (!monitorsComeAndGo(setup)) return true;
    return cluster.stopped.controllers !== undefined || isInSync(cluster, surroundingsOf(setup));
  },
  budget: ({ discovery }) =>
    Object.fromEntries(answersOf(discovery).map(({ answer, times }) => [budgetKey(answer), times])),
};

/** Whether a monitor may sync later than the others. */
function hasLateMonitors(setup: Setup): boolean {
  return mayList(setup) || setup.neverSyncs !== undefined;
}

function noNews(
  _context: unknown,
  _parameters: unknown,
  _cluster: unknown,
  { path: [part = ''] }: Reading,
  words: string,
): string {
  return /^(monitors|notInstalled)$/.test(part) ? `discovery has no news: ${words}` : words;
}

/** Whether a monitor may have to list while the model runs. */
function mayList({ discovery, syncsLate, notInstalled, users }: Setup): boolean {
  if ((discovery ?? syncsLate) !== undefined) return true;
  if (notInstalled === undefined) return false;
  const steps = Object.values(users).flat();
  return steps.some(({ request }) => request.do === 'startControllers');
}

type WrongAnswer = Exclude<DiscoveryAnswer, 'complete'>;

/** The wrong answers that discovery can give, and how often. */
function answersOf(
  discovery: Setup['discovery'],
): readonly { readonly answer: WrongAnswer; readonly times: number }[] {
  if (discovery === undefined) return [];
  const failing = Object.entries(discovery.failing).map(([failedGroup, times]) => ({
    answer: { failedGroup },
    times,
  }));
  const all = [{ answer: 'empty' as const, times: discovery.empty }, ...failing];
  return all.filter(({ times }) => times > 0);
}

function wordOf(answer: WrongAnswer): string {
  return answer === 'empty' ? 'empty' : answer.failedGroup;
}

function answerOf(word: string): WrongAnswer {
  return word === 'empty' ? 'empty' : { failedGroup: word };
}

function failure(answer: string): string {
  return answer === 'empty' ? 'which answers nothing' : `which fails for ${answer}`;
}

/** The sync loop has nothing to do, so workers that are paused now stay paused. */
function isInSync(cluster: Cluster, world: World): boolean {
  return (
    !isDiscoveryDue(cluster, world) &&
    cluster.syncing.round?.at !== 'resync' &&
    !mayRelease(cluster, world) &&
    !Object.keys(cluster.monitors).some(
      (kind) =>
        cluster.monitors[kind] === 'unsynced' &&
        (canList(cluster, world, kind) || isNotInstalled(cluster, world, kind)),
    )
  );
}

function describeRelease(before: Cluster, world: World): string {
  const synced = areMonitorsSynced(before, world);
  const why = synced
    ? 'every monitor has synced'
    : 'has waited long enough for the monitors to sync';
  return before.stopped.workers !== undefined
    ? `collector: ${why}, starts its workers`
    : `gc sync: ${why}, lets the workers go on`;
}
