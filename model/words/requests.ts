import {
  describeChange as describeBody,
  describeOptions,
  subresource,
} from '../apiserver/describe.ts';
import type { Call, DeleteOptions, ItemCall, Progress, UpdateCall } from '../state/calls.ts';
import type { Cluster } from '../state/cluster.ts';
import { formatKey, splitKey } from '../state/keys.ts';
import { type ApiObject, keyOf, type OwnerReference } from '../state/objects.ts';
import type { Names } from './names.ts';

/**
 * Requests in Kubernetes' words: as they are sent, and what the API server does with them later.
 */

/** The line of a step in which a request is sent or continues. */
export function describeRequest(
  names: Names,
  call: Call,
  progress: Progress,
  before: Cluster,
  changes: boolean,
): string {
  const actor = names.client(call.client);
  if (isBeginning(call)) {
    const stored = 'key' in call ? before.store[call.key] : undefined;
    return `${actor}: ${sent(names, call, stored)}${outcome(progress, changes)}`;
  }
  const item = call.verb === 'deleteCollection' ? call.current : call;
  const what = item === null ? 'looks for the next object' : furtherStep(item, progress, changes);
  return `API server: ${what} (${method(call)} of ${actor})${outcome(progress, changes)}`;
}

function isBeginning(call: Call): boolean {
  switch (call.verb) {
    case 'create':
      return call.at === undefined;
    case 'delete':
      return call.at === 'get' && call.marked !== true;
    case 'deleteCollection':
      return call.at === 'list';
    case 'update':
      return call.at === 'update';
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

function method(call: Call): string {
  switch (call.verb) {
    case 'create':
      return 'POST';
    case 'delete':
      return 'DELETE';
    case 'deleteCollection':
      return 'DELETE collection';
    case 'update':
      return call.put ? 'PUT' : 'PATCH';
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

function sent(names: Names, call: Call, stored: ApiObject | undefined): string {
  switch (call.verb) {
    case 'create':
      return `POST ${formatKey(keyOf(call.object))}${dryRun(call)}`;
    case 'delete':
      return `DELETE ${formatKey(call.key)}${options(call.options)}`;
    case 'deleteCollection': {
      const place = call.namespace === '' ? '' : ` in ${call.namespace}`;
      return `DELETE collection ${call.kind}${place}${options(call.options)}`;
    }
    case 'update': {
      const place = `${formatKey(call.key)}${subresource(call.change)}`;
      const change = describeChange(names, call, stored);
      const version = call.resourceVersion ? ['resourceVersion as read'] : [];
      const parts = [place, ...(change === '' ? [] : [change]), ...version];
      return `${method(call)} ${parts.join(', ')}${dryRun(call)}`;
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

/**
 * The values of preconditions are left out: they are the uid and the version of the named object.
 */
function options(given: DeleteOptions): string {
  const { preconditions = {}, ...rest } = given;
  const demanded = Object.keys(preconditions).map((field) => ` preconditions.${field}`);
  return [describeOptions(rest), ...demanded].join('');
}

function dryRun(call: { readonly dryRun?: boolean }): string {
  return call.dryRun === true ? ' dryRun=All' : '';
}

function describeChange(
  names: Names,
  { change, key }: UpdateCall,
  stored: ApiObject | undefined,
): string {
  const owners = (references: readonly OwnerReference[]): string =>
    references.map((reference) => names.owner(reference, splitKey(key)[1])).join(', ');
  switch (change.do) {
    case 'addFinalizer':
      return `adds finalizer ${change.finalizer}`;
    case 'removeFinalizer':
      return `removes finalizer ${change.finalizer}`;
    case 'setFinalizers':
      return describeFinalizers(change.finalizers, stored?.finalizers ?? []);
    case 'setOwnerReferences':
      return `ownerReferences=[${owners(change.ownerReferences)}]`;
    case 'removeOwners':
      return `removes owner ${change.uids.map((uid) => names.uid(uid)).join(', ')}`;
    case 'unblockOwners': {
      const named = owners(change.ownerReferences);
      return named === '' ? 'changes nothing' : `sets blockOwnerDeletion=false for ${named}`;
    }
    case 'adopt':
      return `adds owner ${owners([change.reference])}`;
    case 'finalizeNamespace':
      // The name of the subresource says it.
      return change.specFinalizers === undefined ? '' : describeBody(change);
    default:
      return describeBody(change);
  }
}

/** If a list only lacks entries, the words name the entries that it lacks. */
function describeFinalizers(list: readonly string[], stored: readonly string[]): string {
  const removed = stored.filter((name) => !list.includes(name));
  const onlyRemoves = removed.length > 0 && list.every((name) => stored.includes(name));
  return onlyRemoves
    ? `removes finalizer ${removed.join(', ')}`
    : `finalizers=[${list.join(', ')}]`;
}

function furtherStep(call: ItemCall, progress: Progress, changes: boolean): string {
  if (call.verb === 'create') return `stores ${formatKey(keyOf(call.object))}`;
  const name = formatKey(call.key);
  switch (call.at) {
    case 'get':
      return `reads ${name}`;
    case 'terminate':
      return `marks ${name} as being deleted`;
    case 'update': {
      const stored = progress.done || !('at' in progress.call) || progress.call.at !== 'remove';
      return stored || changes ? `updates ${name}` : `finds no finalizers left on ${name}`;
    }
    case 'remove':
    case 'removeMarked':
      return progress.done ? `removes ${name}` : `finds ${name} changed, begins again`;
    default:
      throw new Error(`unknown step ${JSON.stringify(call satisfies never)}`);
  }
}

function outcome(progress: Progress, changes: boolean): string {
  if (!progress.done) return '';
  const { answer } = progress;
  if (answer.code >= 400 && 'reason' in answer) return ` -> ${answer.code} ${answer.reason}`;
  if ('items' in answer && answer.items === 0) return ' -> none there';
  return changes ? '' : ` -> ${answer.code}, no change`;
}

/** Why the handler of a request for this object has chosen its next step. */
export function describeDecision(
  before: ItemCall | null,
  after: ItemCall,
  object: ApiObject | undefined,
): string | null {
  if (after.verb === 'create' || object === undefined) return null;
  if (before !== null && before.verb === after.verb && before.at === after.at) return null;
  const name = formatKey(after.key);
  switch (after.at) {
    case 'remove':
      return after.verb === 'update'
        ? `${name} has no finalizers left: it is to be removed`
        : `${name} has no finalizers: it is to be removed`;
    case 'removeMarked':
      return `the grace period of ${name} is 0: it is to be removed`;
    case 'terminate':
      return `${name} is not being deleted yet: it is to be marked`;
    case 'update':
      return after.verb === 'update'
        ? null
        : `${name} is to be updated: ${whyUpdate(after, object)}`;
    case 'get':
      return null;
    default:
      throw new Error(`unknown step ${JSON.stringify(after satisfies never)}`);
  }
}

function whyUpdate(call: { readonly options: DeleteOptions }, object: ApiObject): string {
  const { options: given } = call;
  if (object.finalizers.length > 0) return `it has finalizers`;
  if (given.propagationPolicy === 'Foreground') return 'it gets foregroundDeletion';
  if (given.propagationPolicy === 'Orphan' || given.orphanDependents === true) {
    return 'it gets orphan';
  }
  return object.pod === undefined ? 'it gets a finalizer' : 'it has a grace period';
}
