import type {
  DeleteCall,
  DeleteCollectionCall,
  DeleteOptions,
  Failure,
  Progress,
} from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import { kindNamed } from '../state/kinds.ts';
import type { World } from '../state/world.ts';
import { answered, invalid } from './answers.ts';
import { refusedByDefinition } from './definition.ts';
import { stepDelete } from './delete.ts';
import { validateDeleteOptions } from './delete-options.ts';
import { listKeys } from './store.ts';

const NO_COLLECTIONS: Failure = {
  code: 405,
  reason: 'MethodNotAllowed',
  message: 'the server does not allow this method on the requested resource',
};

/**
 * DELETE of a collection: mirrors `Store.DeleteCollection` (1.20) with its default of one worker. A
 * list, then one independent DELETE after the other, in the order of the list. The list sets no
 * preconditions. The handler ignores that an object has gone; any other failure ends it.
 */
export function stepDeleteCollection(
  cluster: ClusterDraft,
  world: World,
  call: DeleteCollectionCall,
): Progress {
  switch (call.at) {
    case 'list': {
      const kind = kindNamed(world.kinds, call.kind);
      if (kind.singlyDeleted === true && world.rules.serviceCollections === 'refused') {
        return answered(NO_COLLECTIONS);
      }
      const errors = validateDeleteOptions(call.options);
      if (errors.length > 0) return answered(invalid('DeleteOptions', errors));
      const refused =
        call.internal === true ? null : refusedByDefinition(cluster, world, kind, 'delete');
      if (refused !== null) return answered(refused);
      const remaining = listKeys(cluster, call.kind, call.namespace);
      return nextItem({ ...call, at: 'items', remaining, listed: remaining.length });
    }
    case 'items':
      return stepItem(cluster, world, call);
    default:
      throw new Error(`unknown step ${JSON.stringify(call.at satisfies never)}`);
  }
}

function nextItem(call: DeleteCollectionCall): Progress {
  const [key, ...remaining] = call.remaining;
  if (key === undefined) {
    return answered({ code: 200, deleted: true, object: null, items: call.listed });
  }
  const current: DeleteCall = {
    verb: 'delete',
    client: call.client,
    key,
    options: call.options,
    ...(call.apiVersion === undefined ? {} : { apiVersion: call.apiVersion }),
    ...(call.internal === undefined ? {} : { internal: call.internal }),
    at: 'get',
  };
  return { done: false, call: { ...call, remaining, current } };
}

function stepItem(cluster: ClusterDraft, world: World, call: DeleteCollectionCall): Progress {
  if (call.current === null) return nextItem(call);
  const shared = world.rules.deleteCollectionOptions === 'shared';
  const after = (options: DeleteOptions | undefined): DeleteOptions =>
    shared && options !== undefined ? withGraceOf(call.options, options) : call.options;
  const progress = stepDelete(cluster, world, call.current);
  if (!progress.done) {
    if (progress.call.verb !== 'delete')
      throw new Error('a DELETE of a collection continued as another request');
    const current = progress.call;
    return { done: false, call: { ...call, current, options: after(current.options) } };
  }
  const { answer, options } = progress;
  if (answer.code >= 400 && answer.code !== 404) return answered(answer);
  return nextItem({ ...call, current: null, options: after(options) });
}

/**
 * Until 1.20 all items share one `DeleteOptions`, so the grace period that `BeforeDelete` writes
 * into it for one pod becomes the request of the next (kubernetes/kubernetes#100101). Nothing else
 * is written.
 */
function withGraceOf(options: DeleteOptions, item: DeleteOptions): DeleteOptions {
  if (item.gracePeriodSeconds === undefined) return options;
  return { ...options, gracePeriodSeconds: item.gracePeriodSeconds };
}
