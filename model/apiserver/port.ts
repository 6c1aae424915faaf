import type { Call, Failure, Progress } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { kindNamed } from '../state/kinds.ts';
import type { ApiObject, ObjectKey } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { answered, notFound } from './answers.ts';
import { advanceCall } from './handle.ts';
import { isFoundByName } from './initializers.ts';
import { refusedUntilInstalled } from './installed.ts';
import { shownObject } from './lag.ts';

/**
 * The API server as the collector sees it. The workers send their requests here and handle the
 * answers; who answers is the model's own API server unless the world names another, as it does
 * where answers are given from the outside.
 */
export interface ApiServer {
  /** A live GET. */
  get(cluster: ClusterDraft, world: World, key: ObjectKey): GetAnswer;
  /** One atomic step of a writing request. */
  advance(cluster: ClusterDraft, world: World, call: Call): Progress;
}

export type GetAnswer = { readonly code: 200; readonly object: ApiObject } | Failure;

/** The API server of this model. */
export const modelApiServer: ApiServer = {
  get(cluster, world, key) {
    const refused = refusedUntilInstalled(cluster, world, key.slice(0, key.indexOf('/')));
    if (refused !== null) return refused;
    const object = shownObject(cluster, world, key);
    return object === null || !isFoundByName(world, object) ? notFound(key) : { code: 200, object };
  },

  /** A patch of a type that the kind does not take is refused before anything is looked at. */
  advance(cluster, world, call) {
    if (call.verb === 'update' && call.strategicMerge === true) {
      const kind = kindNamed(world.kinds, call.key.slice(0, call.key.indexOf('/')));
      if (kind.patchTypes === 'mergeOnly') {
        return answered({
          code: 415,
          reason: 'UnsupportedMediaType',
          message: 'the body of the request was in an unknown format',
        });
      }
    }
    return advanceCall(cluster, world, call);
  },
};

export function apiOf(world: World): ApiServer {
  return world.api ?? modelApiServer;
}
