import { NOTHING, row, type Transition } from './transition.ts';

/** The kinds that the collector watches, and the kinds that an API server knows. */
export const DISCOVERY: readonly Transition[] = [
  row(
    'discover',
    '',
    'GarbageCollector.Sync, GetDeletableResources',
    'collector/monitors.ts#discover',
    'rounds that change nothing: they are no steps',
  ),
  row(
    'failDiscovery',
    '',
    'GetDeletableResources',
    'collector/monitors.ts#discover',
    'why discovery fails: it does as often as the setup allows',
  ),
  row(
    'resyncMonitors',
    '',
    'GarbageCollector.resyncMonitors',
    'collector/monitors.ts#resyncMonitors',
    NOTHING,
  ),
  row(
    'listMonitored',
    '',
    'GraphBuilder.controllerFor',
    'collector/monitors.ts#listMonitored',
    'the order of the list: any',
  ),
  row(
    'releaseWorkers',
    '',
    'GarbageCollector.Run, GraphBuilder.IsSynced',
    'collector/monitors.ts#releaseWorkers',
    'the length of the wait: where it ends, it may end at once',
  ),
  row(
    'lagBehind',
    '',
    '--etcd-quorum-read',
    'apiserver/lag.ts#lagBehind',
    'lists and the reads of others than the collector',
  ),
  row('catchUp', '', '--etcd-quorum-read', 'apiserver/lag.ts#catchUp', NOTHING),
  row('installKind', '', 'NotFoundHandler', 'actors/collector/installation.ts', NOTHING),
];
