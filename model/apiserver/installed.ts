import type { Call, Failure } from '../state/calls.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import { kindOf } from '../state/keys.ts';
import type { World } from '../state/world.ts';

/**
 * An API server that has just started serves some kinds before others. It installs the handlers of
 * custom resources and of aggregated APIs last.
 */

export function isNotInstalled(
  cluster: Cluster | ClusterDraft,
  world: World,
  kind: string,
): boolean {
  return world.notInstalled !== undefined && cluster.notInstalled[kind] !== undefined;
}

/** Mirrors the `NotFoundHandler` of kube-apiserver (1.23; until then plain `http.NotFound`). */
export function refusedUntilInstalled(
  cluster: Cluster | ClusterDraft,
  world: World,
  kind: string,
): Failure | null {
  if (!isNotInstalled(cluster, world, kind)) return null;
  if (world.rules.notInstalledKinds === 'notFound') {
    return {
      code: 404,
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
    };
  }
  return {
    code: 503,
    reason: 'ServiceUnavailable',
    message: 'the server has not installed this kind yet',
  };
}

/** The kind that a request is for, by its name in the table of kinds. */
export function kindOfCall(call: Call): string {
  switch (call.verb) {
    case 'create':
      return call.object.kind;
    case 'deleteCollection':
      return call.kind;
    case 'delete':
    case 'update':
      return kindOf(call.key);
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}
