import {
  type ApiObject,
  type Change,
  type DeleteOptions,
  equalJson,
  formatKey,
  type KindTable,
  kindOf,
  type ObjectKey,
  splitKey,
  type UpdateCall,
} from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import { manifestOf } from './manifest.ts';
import { keyOfRequest, type RecordedRequest } from './recorder.ts';

/** A request in the language of scenarios, or why there are no words for it. */
export type Written =
  | { readonly entry: Body /** What the entry does not say. */; readonly lost: string | null }
  | { readonly entry: null; readonly why: string };

export interface Surroundings {
  readonly kinds: KindTable;
  /** Keys of the objects of the scenario: those at the start, and those that requests create. */
  readonly known: ReadonlySet<ObjectKey>;
  /** What is stored when the request begins. */
  readonly stored: ReadonlyMap<ObjectKey, ApiObject>;
}

/** The request as an entry of `requests`, without its user. */
export function writtenRequest({ call }: RecordedRequest, around: Surroundings): Written {
  switch (call.verb) {
    case 'create':
      if (call.dryRun === true) return none('a dry run of a POST stores nothing');
      return entry({ create: manifestOf(call.object, around.kinds) });
    case 'update':
      if (call.dryRun === true) return none('a dry run of a PUT or PATCH stores nothing');
      if (!around.known.has(call.key)) return unknown(call.key);
      return writtenUpdate(call, around);
    case 'delete':
      if (!around.known.has(call.key)) return unknown(call.key);
      return entry({
        delete: targetOf(call.key, around),
        ...version(call.key, call.apiVersion, around),
        ...writtenOptions(call.options),
      });
    case 'deleteCollection': {
      const { kind, namespace, apiVersion } = call;
      const isKnown = [...around.known].some((key) => kindOf(key) === kind);
      if (!isKnown) return none(`there never was a ${kind}`);
      return entry({
        deleteCollection: kind,
        ...(namespace === '' ? {} : { namespace }),
        ...version(`${kind}//`, apiVersion, around),
        ...writtenOptions(call.options),
      });
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

/** The request in words, for notes. */
export function wordsOf({ number, call }: RecordedRequest): string {
  const key = keyOfRequest(call);
  const verb =
    call.verb === 'update'
      ? call.put
        ? 'PUT'
        : 'PATCH'
      : call.verb === 'create'
        ? 'POST'
        : 'DELETE';
  const target =
    key === null ? `of ${call.verb === 'deleteCollection' ? call.kind : ''}` : formatKey(key);
  return `request ${number}, ${verb} ${target}`;
}

/** `KIND/NAME`, with the namespace where the name alone would not do. */
export function targetOf(key: ObjectKey, { known }: Pick<Surroundings, 'known'>): string {
  const [kind, namespace, name] = splitKey(key);
  const isPlain = ![...known].some((other) => {
    const [otherKind, , otherName] = splitKey(other);
    return other !== key && otherKind === kind && otherName === name;
  });
  return isPlain || namespace === '' ? `${kind}/${name}` : `${kind}/${name}.${namespace}`;
}

function entry(given: Body, lost: string | null = null): Written {
  return { entry: given, lost };
}

function none(why: string): Written {
  return { entry: null, why };
}

function unknown(key: ObjectKey): Written {
  return none(`there never was a ${formatKey(key)}`);
}

function version(key: ObjectKey, apiVersion: string | undefined, { kinds }: Surroundings): Body {
  const preferred = kinds[kindOf(key)]?.apiVersions[0];
  return apiVersion === undefined || apiVersion === preferred ? {} : { apiVersion };
}

function writtenOptions({ preconditions, ...options }: DeleteOptions): Body {
  if (preconditions === undefined) return options;
  const { uid, resourceVersion } = preconditions;
  return {
    ...options,
    preconditions: {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion: 'asRead' }),
    },
  };
}

function writtenUpdate(call: UpdateCall, around: Surroundings): Written {
  const stored = around.stored.get(call.key);
  const { fields, lost } = writtenChange(call.change, stored);
  const given: Body = {
    update: targetOf(call.key, around),
    ...(call.put ? { put: true } : {}),
    ...(call.uid === null ? {} : { uid: call.uid }),
    ...(call.resourceVersion ? { resourceVersion: 'asRead' } : {}),
    ...fields,
  };
  return entry(given, lost);
}

interface WrittenChange {
  readonly fields: Body;
  readonly lost: string | null;
}

function writtenChange(change: Change, stored: ApiObject | undefined): WrittenChange {
  switch (change.do) {
    case 'nothing':
      return { fields: {}, lost: null };
    case 'setMetadata':
      return writtenMetadata(change, stored);
    case 'finalizeNamespace':
      return { fields: {}, lost: 'it finalizes a namespace' };
    case 'setNamespaceStatus':
      return { fields: { touch: true }, lost: 'it sets the status of a namespace' };
    default:
      return { fields: { touch: true }, lost: `it is a change of the form ${change.do}` };
  }
}

function writtenMetadata(
  change: Extract<Change, { do: 'setMetadata' }>,
  stored: ApiObject | undefined,
): WrittenChange {
  const { finalizers = [], ownerReferences = [], other, pod, volume } = change;
  const grace = stored?.deletionGracePeriodSeconds ?? null;
  const changesGrace = (change.deletionGracePeriodSeconds ?? grace) !== grace;
  const lost = [
    ...(pod === undefined ? [] : ['it changes what deletion reads of a pod']),
    ...(volume === undefined ? [] : ['it changes the claim of a volume']),
    ...(change.observedGeneration === undefined ? [] : ['it changes status.observedGeneration']),
    ...(change.deletionTimestamp === undefined && !changesGrace
      ? []
      : ['it sets fields of the deletion']),
    ...(other === 'spec'
      ? ['it changes the spec; the entry says only that something changes']
      : []),
  ];
  const before = stored ?? { finalizers: [], ownerReferences: [] };
  const newFinalizers = !equalJson(before.finalizers, finalizers);
  const newOwners = !equalJson(before.ownerReferences, ownerReferences);
  const owners = { setOwnerReferences: ownerReferences };
  const both = { ...owners, setFinalizers: finalizers };
  const touch =
    other === 'same' && pod === undefined && volume === undefined ? {} : { touch: true };
  const fields =
    newFinalizers && newOwners
      ? both
      : newOwners
        ? owners
        : newFinalizers
          ? finalizerChange(before.finalizers, finalizers)
          : touch;
  return { fields, lost: lost.length === 0 ? null : lost.join('; ') };
}

/** One finalizer that comes or goes says more than two lists. */
function finalizerChange(before: readonly string[], after: readonly string[]): Body {
  const [added, ...moreAdded] = after.filter((name) => !before.includes(name));
  const [removed, ...moreRemoved] = before.filter((name) => !after.includes(name));
  const without = before.filter((name) => name !== removed);
  if (removed !== undefined && moreRemoved.length === 0 && equalJson(without, after)) {
    return { removeFinalizer: removed };
  }
  if (added !== undefined && moreAdded.length === 0 && equalJson([...before, added], after)) {
    return { addFinalizer: added };
  }
  return { setFinalizers: after };
}
