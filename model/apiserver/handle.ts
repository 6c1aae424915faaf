import type { Call, ItemCall, Progress } from '../state/calls.ts';
import type { ClusterDraft } from '../state/cluster.ts';
import type { World } from '../state/world.ts';
import { answered } from './answers.ts';
import { stepCreate } from './create.ts';
import { stepDelete } from './delete.ts';
import { stepDeleteCollection } from './delete-collection.ts';
import { kindOfCall, refusedUntilInstalled } from './installed.ts';
import { stepUpdate } from './update.ts';

/**
 * The API server performs the next atomic step of a request: one access to etcd, with every
 * decision that follows from it (kube-apiserver 1.20, `registry/generic/registry/store.go`).
 *
 * @returns the request after the step, or the answer.
 */
export function advanceCall(cluster: ClusterDraft, world: World, call: Call): Progress {
  const progress = step(cluster, world, call);
  if (call.verb !== 'deleteCollection' && hasBegunRemoval(call) && isNotFound(progress)) {
    cluster.unearned[call.client] = call.key;
  }
  return progress;
}

function isNotFound(progress: Progress): boolean {
  return progress.done && progress.answer.code === 404;
}

/** Whether the request has decided to remove the object, or has marked the object for that. */
export function hasBegunRemoval(
  call: ItemCall,
): call is Exclude<ItemCall, { readonly verb: 'create' }> {
  switch (call.verb) {
    case 'create':
      return false;
    case 'update':
      return call.at === 'remove';
    case 'delete':
      return call.at === 'removeMarked' || call.marked === true;
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

function step(cluster: ClusterDraft, world: World, call: Call): Progress {
  const refused = refusedUntilInstalled(cluster, world, kindOfCall(call));
  if (refused !== null) return answered(refused);
  switch (call.verb) {
    case 'create':
      return stepCreate(cluster, world, call);
    case 'delete':
      return stepDelete(cluster, world, call);
    case 'deleteCollection':
      return stepDeleteCollection(cluster, world, call);
    case 'update':
      return stepUpdate(cluster, world, call);
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}
