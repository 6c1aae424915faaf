import { areWorkersPaused, hasMonitors } from '../../collector/monitors.ts';
import {
  SYNCHRONOUS_WORKER,
  stepSynchronousWorker,
  takeForSynchronousDeletion,
} from '../../collector/synchronous-worker.ts';
import type { Rules } from '../../rules/rules.ts';
import type { UpdateCall } from '../../state/calls.ts';
import type { Cluster } from '../../state/cluster.ts';
import { instancesOf } from '../../state/instances.ts';
import { type Actor, action, parameter } from '../actor.ts';
import { describeSynchronousStep, describeSynchronousTake } from './synchronous-words.ts';

function runs(rules: Rules): boolean {
  return rules.foregroundDeletion === 'synchronousQueue';
}

/**
 * The part of the collector that only some protocols have: the routine `GCFinalizer` of the proposal
 * of synchronous garbage collection, which takes owners in foreground deletion from a queue of its own.
 */
export const SYNCHRONOUS_COLLECTION: Actor = {
  actionNames: ['takeForSynchronousDeletion', 'synchronousDeletion'],
  actions: (setup, world) => {
    if (!runs(setup.rules)) return {};
    return {
      takeForSynchronousDeletion: action(
        'strong',
        instancesOf(setup).nodes.map((node) => ({ node })),
        (cluster, { node }) => {
          if (hasMonitors(world) && areWorkersPaused(cluster, world)) return;
          takeForSynchronousDeletion(cluster, node);
        },
      ),
      synchronousDeletion: action('weak', [{}], (cluster) => stepSynchronousWorker(cluster, world)),
    };
  },
  clients: ({ rules }) => (runs(rules) ? [[SYNCHRONOUS_WORKER, 'gc finalizer routine']] : []),
  isIdle: (_setup, cluster) =>
    Object.keys(cluster.synchronousDeletion).length === 0 &&
    Object.keys(cluster.synchronousWorkers).length === 0,
  acting: (_setup, before) => callInFlight(before),
  continued: (after) => callInFlight(after),
  describe: ({ names }, step, before, after) =>
    step.name === 'takeForSynchronousDeletion'
      ? describeSynchronousTake(names, after, parameter(step, 'node'))
      : describeSynchronousStep(names, before, after),
};

function callInFlight({ synchronousWorkers }: Cluster): UpdateCall | null {
  const worker = synchronousWorkers[SYNCHRONOUS_WORKER];
  return worker?.at === 'putFinalizers' ? worker.call : null;
}
