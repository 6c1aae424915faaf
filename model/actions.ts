import { parameter } from './actors/actor.ts';
import { actorOf } from './actors/index.ts';
import { finalizerClient } from './apiserver/client.ts';
import type { Call, DeleteCollectionCall } from './state/calls.ts';
import type { Cluster } from './state/cluster.ts';
import type { Setup } from './state/setup.ts';
import { callOf, thirdPartyRemoval } from './users/users.ts';

/** What a step is doing to the API server, told from the states before and after it. */

export interface Step {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

/** A request for one object. */
export type ItemCall = Exclude<Call, DeleteCollectionCall>;

const COLLECTOR_ACTIONS: readonly string[] = [
  'attemptToDelete',
  'orphanDependent',
  'attemptToOrphan',
];

/** The actions by which the collector may write to the store. */
export function collectorActions({ rules }: Pick<Setup, 'rules'>): readonly string[] {
  return rules.foregroundDeletion === 'synchronousQueue'
    ? [...COLLECTOR_ACTIONS, 'synchronousDeletion']
    : COLLECTOR_ACTIONS;
}

/** The request whose handler takes its next step here, as it stands before the step; else null. */
export function actingCall(setup: Setup, before: Cluster, step: Step): Call | null {
  switch (step.name) {
    case 'request': {
      const user = parameter(step, 'user');
      const request = setup.users[user]?.[before.users[user] ?? 0]?.request;
      return request === undefined ? null : callOf(user, request, setup.rules);
    }
    case 'removeThirdPartyFinalizer':
      return thirdPartyRemoval(parameter(step, 'finalizer'), parameter(step, 'key'));
    default: {
      const actor = actorOf(step.name);
      return actor === undefined ? callInFlight(before, step) : actor.acting(setup, before, step);
    }
  }
}

/** The same request after the step; null once it has been answered. */
export function continuedCall(after: Cluster, step: Step): Call | null {
  switch (step.name) {
    case 'request':
      return after.calls[parameter(step, 'user')] ?? null;
    case 'removeThirdPartyFinalizer': {
      const client = finalizerClient(parameter(step, 'finalizer'), parameter(step, 'key'));
      return after.calls[client] ?? null;
    }
    default:
      return actorOf(step.name)?.continued(after, step) ?? callInFlight(after, step);
  }
}

/** The request that the client or worker of this step has in flight. */
function callInFlight(cluster: Cluster, step: Step): Call | null {
  switch (step.name) {
    case 'serve':
      return cluster.calls[parameter(step, 'client')] ?? null;
    case 'attemptToDelete': {
      const worker = cluster.deleteWorkers[parameter(step, 'worker')];
      return worker !== undefined && 'call' in worker ? worker.call : null;
    }
    case 'orphanDependent': {
      const worker = cluster.orphanWorkers[parameter(step, 'worker')];
      if (worker?.at !== 'patchDependents') return null;
      return worker.calls[parameter(step, 'dependent')] ?? null;
    }
    case 'attemptToOrphan': {
      const worker = cluster.orphanWorkers[parameter(step, 'worker')];
      return worker?.at === 'patchFinalizer' ? worker.call : null;
    }
    default:
      return null;
  }
}

/** The request for one object that this is, or, of a collection, that it is working on. */
export function itemCall(call: Call | null): ItemCall | null {
  return call?.verb === 'deleteCollection' ? call.current : call;
}

/** Like `actingCall`, for one object. */
export function actingItemCall(setup: Setup, before: Cluster, step: Step): ItemCall | null {
  return itemCall(actingCall(setup, before, step));
}

/** How the DELETE, PUT or PATCH of one object goes on: null once it has been answered. */
export function continuedItemCall(after: Cluster, step: Step, call: ItemCall): ItemCall | null {
  const next = itemCall(continuedCall(after, step));
  if (next === null || next.verb !== call.verb) return null;
  if (next.verb === 'create' || call.verb === 'create') return next;
  return next.key === call.key ? next : null;
}
