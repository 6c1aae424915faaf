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
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import type { Setup } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import type { World } from '../../state/world.ts';
import { type Actor, action, parameter } from '../actor.ts';

/**
 * What the collector comes to watch (`GarbageCollector.Sync`, `GarbageCollector.Run`), with the
 * failures of discovery: `setup.discovery`, `setup.neverSyncs`.
 */
export const DISCOVERY: Actor = {
  actionNames: ['discover', 'failDiscovery', 'resyncMonitors', 'listMonitored', 'releaseWorkers'],
  actions: (setup, world) => {
    if (!mayList(setup) && setup.neverSyncs === undefined) return {};
    const kinds = (world.monitored ?? []).filter(
      (kind) => world.neverSyncs?.includes(kind) !== true,
    );
    return {
      releaseWorkers: action('weak', [{}], (cluster) => releaseWorkers(cluster, world)),
      ...(mayList(setup)
        ? {
            listMonitored: action(
              'weak',
              kinds.map((kind) => ({ kind })),
              (cluster, { kind }) => listMonitored(cluster, world, kind),
            ),
          }
        : {}),
      ...(setup.discovery === undefined ? {} : loop(setup.discovery, world)),
    };
  },
  clients: () => [],
  isIdle: (setup, cluster) => {
    if ((setup.discovery ?? setup.neverSyncs ?? setup.notInstalled) === undefined) return true;
    return cluster.stopped.controllers !== undefined || isSettled(cluster, surroundingsOf(setup));
  },
  budget: ({ discovery }) =>
    Object.fromEntries(answersOf(discovery).map(({ answer, times }) => [budgetKey(answer), times])),
  acting: () => null,
  continued: () => null,
  obstacle: ({ name }, { path: [part = ''] }, words) =>
    /discover/i.test(name) && /^(monitors|notInstalled)$/.test(part)
      ? `discovery has no news: ${words}`
      : words,
  describe: ({ world }, step, before, after) => {
    switch (step.name) {
      case 'discover':
        return 'gc sync: asks discovery, which shows other kinds than are watched';
      case 'failDiscovery': {
        const changes = before.syncing.round !== after.syncing.round;
        return `gc sync: asks discovery, ${failure(parameter(step, 'answer'))}${changes ? '' : '; changes nothing'}`;
      }
      case 'resyncMonitors':
        return world.rules.workersWhileUnsynced === 'paused'
          ? 'gc sync: holds the workers and sets up the monitors anew'
          : 'gc sync: sets up the monitors anew';
      case 'listMonitored':
        return `monitor of ${parameter(step, 'kind')}: LIST, has synced`;
      case 'releaseWorkers':
        return describeRelease(before, world);
      default:
        return `gc sync: ${step.name}`;
    }
  },
};

/** Whether a monitor may have to list while the model runs. */
function mayList({ discovery, notInstalled, users }: Setup): boolean {
  if (discovery !== undefined) return true;
  if (notInstalled === undefined) return false;
  const steps = Object.values(users).flat();
  return steps.some(({ request }) => request.do === 'startControllers');
}

function loop(discovery: NonNullable<Setup['discovery']>, world: World) {
  const failures = answersOf(discovery);
  return {
    discover: action('weak', [{}], (cluster: ClusterDraft) => discover(cluster, world, 'complete')),
    ...(failures.length === 0
      ? {}
      : {
          failDiscovery: action(
            'none',
            failures.map(({ answer }) => ({ answer: wordOf(answer) })),
            (cluster, { answer }) => discover(cluster, world, answerOf(answer)),
          ),
        }),
    resyncMonitors: action('weak', [{}], (cluster: ClusterDraft) => resyncMonitors(cluster, world)),
  };
}

type WrongAnswer = Exclude<DiscoveryAnswer, 'complete'>;

/** The wrong answers that discovery may give, and how often. */
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

/** Nothing of this goes on: what is paused now stays so. */
function isSettled(cluster: Cluster, world: World): boolean {
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
