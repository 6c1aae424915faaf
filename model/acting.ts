import type { Call, DeleteCollectionCall } from './apiserver/call.ts';
import { definitionClient, namespaceClient } from './controllers.ts';
import { kubeletClient, podRemoval } from './kubelet.ts';
import { nextCall } from './namespace/actor.ts';
import type { Setup } from './setup.ts';
import type { Cluster } from './state.ts';
import { worldOf } from './system.ts';
import { callOf, finalizerClient, thirdPartyRemoval } from './users.ts';

/** What a step is doing to the API server, told from the states before and after it. */

export interface Step {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
}

/** A request for one object. */
export type ItemCall = Exclude<Call, DeleteCollectionCall>;

/** The actions by which the collector may write to the store. */
export const COLLECTOR_ACTIONS: readonly string[] = [
  'attemptToDelete',
  'orphanDependent',
  'attemptToOrphan',
];

function parameter(step: Step, name: string): string {
  return String(step.parameters[name] ?? '');
}

/** The request whose handler takes its next step here, as it stands before the step; else null. */
export function actingCall(setup: Setup, before: Cluster, step: Step): Call | null {
  switch (step.name) {
    case 'request': {
      const user = parameter(step, 'user');
      const request = setup.users[user]?.[before.users[user] ?? 0]?.request;
      return request === undefined ? null : callOf(user, request);
    }
    case 'removeThirdPartyFinalizer':
      return thirdPartyRemoval(parameter(step, 'finalizer'), parameter(step, 'key'));
    case 'endGracePeriod': {
      const key = parameter(step, 'key');
      return podRemoval(key, before.store[key]?.uid ?? '');
    }
    case 'emptyNamespace':
      return nextNamespaceCall(setup, before, parameter(step, 'namespace'));
    default:
      return callInFlight(before, step);
  }
}

/** A request of the namespace controller is only in flight once its first step is done. */
function nextNamespaceCall(setup: Setup, before: Cluster, name: string): Call | null {
  const client = namespaceClient(name);
  const controller = before.controllers[client];
  if (controller === undefined || !('actor' in controller)) return null;
  return nextCall(worldOf(setup), client, controller.actor);
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
    case 'endGracePeriod':
      return after.calls[kubeletClient(parameter(step, 'key'))] ?? null;
    default:
      return callInFlight(after, step);
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
    case 'emptyNamespace':
      return controllerCall(cluster, namespaceClient(parameter(step, 'namespace')));
    case 'emptyDefinition':
      return controllerCall(cluster, definitionClient(parameter(step, 'definition')));
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

function controllerCall(cluster: Cluster, client: string): Call | null {
  const controller = cluster.controllers[client];
  if (controller === undefined) return null;
  if (controller.empties === 'namespace') {
    return 'actor' in controller ? controller.actor.call : null;
  }
  return 'call' in controller.worker ? controller.worker.call : null;
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
