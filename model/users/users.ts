import { kubectlOptions, waiterOf } from '../actors/kubectl.ts';
import { loseNode } from '../actors/nodes/kubelet.ts';
import { regainChild } from '../actors/workloads/creation.ts';
import { finalizerClient, proceed } from '../apiserver/client.ts';
import { serveVersion } from '../collector/versions.ts';
import { isQuiet } from '../quiescence.ts';
import type { Rules } from '../rules/rules.ts';
import type { Call, UpdateCall } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { isFact } from '../state/facts.ts';
import type { Setup, UserRequest } from '../state/setup.ts';
import type { World } from '../state/world.ts';
import { startControllers, stopControllers } from './restart.ts';

/** Clients of the API server other than the collector. */

/** A user begins the next step of its program; the first step of the request is done at once. */
export function beginRequest(
  cluster: ClusterDraft,
  world: World,
  setup: Setup,
  user: string,
): void {
  if (cluster.calls[user] !== undefined || waiterOf(cluster, user) !== null) return;
  const begun = cluster.users[user] ?? 0;
  const step = setup.users[user]?.[begun];
  if (step === undefined) return;
  const ready = step.after.every((wait) => finishedSteps(cluster, wait.user) >= wait.steps);
  if (!ready) return;
  const { request } = step;
  if (request.do === 'settle' && !isQuiet(setup, cluster as Cluster)) return;
  if (request.do === 'await' && !request.facts.every((fact) => isFact(cluster as Cluster, fact))) {
    return;
  }
  if (!switchControllers(cluster, world, request)) return;
  if (request.do === 'loseNode' && !loseNode(cluster, setup, request.node)) return;
  if (request.do === 'serveVersion') serveVersion(cluster, world, request.kind, request.version);
  if (request.do === 'read') cluster.unchangedSince[user] = request.key;
  cluster.users[user] = begun + 1;
  const call = callOf(user, request, setup.rules);
  if (call !== null) proceed(cluster, world, user, call, step);
}

/** @returns false where the step has to wait: what is to end or start has done so already. */
function switchControllers(cluster: ClusterDraft, world: World, request: UserRequest): boolean {
  if (request.do === 'stopControllers') return stopControllers(cluster, world);
  return request.do === 'startControllers' ? startControllers(cluster, world) : true;
}

function finishedSteps(cluster: ClusterDraft, user: string): number {
  const busy = cluster.calls[user] !== undefined || waiterOf(cluster, user) !== null;
  return (cluster.users[user] ?? 0) - (busy ? 1 : 0);
}

/** The API server does the next step of the request in flight of this client. */
export function serve(
  cluster: ClusterDraft,
  world: World,
  client: string,
  setup: Pick<Setup, 'users' | 'workloads'>,
): void {
  const call = cluster.calls[client] as Call | undefined;
  if (call === undefined) return;
  const step = setup.users[client]?.[(cluster.users[client] ?? 0) - 1];
  const answer = proceed(cluster, world, client, call, step);
  if (call.verb === 'create' && answer !== null) regainChild(cluster, setup, client, answer);
}

/** The request as it is sent; null for steps that send none that writes. */
export function callOf(client: string, request: UserRequest, rules: Rules): Call | null {
  switch (request.do) {
    case 'kubectlDelete': {
      const options = kubectlOptions(rules, request.flags);
      return options && { verb: 'delete', client, key: request.key, options, at: 'get' };
    }
    case 'create':
      return { verb: 'create', client, object: request.object };
    case 'delete':
      return {
        verb: 'delete',
        client,
        key: request.key,
        options: request.options,
        ...(request.apiVersion === undefined ? {} : { apiVersion: request.apiVersion }),
        at: 'get',
      };
    case 'update':
      return {
        verb: 'update',
        client,
        key: request.key,
        change: request.change,
        uid: request.uid,
        put: request.put,
        resourceVersion: request.resourceVersion,
        at: 'update',
      };
    case 'deleteCollection':
      return {
        verb: 'deleteCollection',
        client,
        kind: request.kind,
        namespace: request.namespace,
        options: request.options,
        ...(request.apiVersion === undefined ? {} : { apiVersion: request.apiVersion }),
        at: 'list',
        remaining: [],
        current: null,
        listed: 0,
      };
    case 'loseNode':
    case 'read':
    case 'settle':
    case 'await':
    case 'serveVersion':
    case 'stopControllers':
    case 'startControllers':
      return null;
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

/**
 * A cooperative owner of a third-party finalizer has done its work and removes it with a PATCH.
 * What it does before that is its own; that it only acts once deletion has begun is the contract of
 * finalizers.
 */
export function removeThirdPartyFinalizer(
  cluster: ClusterDraft,
  world: World,
  finalizer: string,
  key: string,
): void {
  const object = cluster.store[key];
  const client = finalizerClient(finalizer, key);
  if (object === undefined || object.deletionTimestamp === null) return;
  if (!object.finalizers.includes(finalizer) || cluster.calls[client] !== undefined) return;
  proceed(cluster, world, client, thirdPartyRemoval(finalizer, key));
}

/** The PATCH with which the owner of a finalizer takes it off. */
export function thirdPartyRemoval(finalizer: string, key: string): UpdateCall {
  return {
    verb: 'update',
    client: finalizerClient(finalizer, key),
    key,
    change: { do: 'removeFinalizer', finalizer },
    uid: null,
    put: false,
    resourceVersion: false,
    at: 'update',
  };
}
