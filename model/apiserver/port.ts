import { kindOf } from '../state/keys.ts';
import { kindNamed } from '../state/kinds.ts';
import type { ApiServer, World } from '../state/world.ts';
import { answered, notFound } from './answers.ts';
import { advanceCall } from './handle.ts';
import { isFoundByName } from './initializers.ts';
import { refusedUntilInstalled } from './installed.ts';
import { shownObject } from './lag.ts';

/** The API server of this model. */
export const modelApiServer: ApiServer = {
  get(cluster, world, key) {
    const refused = refusedUntilInstalled(cluster, world, kindOf(key));
    if (refused !== null) return refused;
    const object = shownObject(cluster, world, key);
    return object === null || !isFoundByName(world, object) ? notFound(key) : { code: 200, object };
  },

  /**
   * The API server refuses a patch of a type that the kind does not support before it reads
   * anything.
   */
  advance(cluster, world, call) {
    if (call.verb === 'update' && call.strategicMerge === true) {
      const kind = kindNamed(world.kinds, kindOf(call.key));
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
