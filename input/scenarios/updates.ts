import type * as z from 'zod';
import {
  type ApiObject,
  type Change,
  keyOf,
  type OwnerReference,
  type UserRequest,
} from '../../model/index.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import type { ownerReferenceSchema } from '../manifests/manifest-schema.ts';
import { finalizerFault } from '../manifests/names.ts';
import type { Cast } from './objects.ts';
import { CHANGES, type UpdateRequest } from './schema.ts';

/** Context for reading one request of the file. */
export interface RequestReading {
  readonly document: SourceDocument;
  readonly cast: Cast;
  readonly path: Path;
  place(...field: Path): Place;
}

/** Reads the updates of a scenario. */

/** A PUT can replace both. */
const LISTS: readonly string[] = ['setOwnerReferences', 'setFinalizers'];

export function readUpdate(request: UpdateRequest, reading: RequestReading): UserRequest {
  const object = reading.cast.find(request.update, reading.place('update'));
  return {
    do: 'update',
    key: keyOf(object),
    change: readChange(request, object, reading),
    put: request.put ?? false,
    uid: request.uid ?? null,
    resourceVersion: request.resourceVersion !== undefined,
  };
}

function readChange(request: UpdateRequest, object: ApiObject, reading: RequestReading): Change {
  const changes = CHANGES.filter((name) => request[name] !== undefined);
  const isBothLists = changes.every((name) => LISTS.includes(name));
  if (changes.length > 1 && !isBothLists) {
    throw new InputError({
      what: `this update has several changes: ${changes.join(', ')}`,
      where: reading.place(),
      expected: `one change per request, or ${LISTS.join(' and ')}`,
    });
  }
  const { addOwner, removeOwner, setOwnerReferences } = request;
  const { addFinalizer, removeFinalizer, setFinalizers } = request;
  if (addOwner !== undefined) {
    const added =
      typeof addOwner === 'string'
        ? referenceTo(addOwner, reading)
        : referenceOf(addOwner, object, reading, 'addOwner');
    return { do: 'setOwnerReferences', ownerReferences: [...object.ownerReferences, added] };
  }
  if (removeOwner !== undefined) {
    return { do: 'removeOwners', uids: [ownerUid(removeOwner, object, reading)] };
  }
  for (const [index, name] of (setFinalizers ?? []).entries()) {
    checkFinalizer(name, reading.place('setFinalizers', index));
  }
  if (setOwnerReferences !== undefined) {
    const ownerReferences = setOwnerReferences.map((reference, index) =>
      referenceOf(reference, object, reading, 'setOwnerReferences', index),
    );
    if (setFinalizers !== undefined) {
      return { do: 'setMetadata', finalizers: setFinalizers, ownerReferences, other: 'same' };
    }
    return { do: 'setOwnerReferences', ownerReferences };
  }
  if (addFinalizer !== undefined) {
    checkFinalizer(addFinalizer, reading.place('addFinalizer'));
    return { do: 'addFinalizer', finalizer: addFinalizer };
  }
  if (removeFinalizer !== undefined) return { do: 'removeFinalizer', finalizer: removeFinalizer };
  if (setFinalizers !== undefined) return { do: 'setFinalizers', finalizers: setFinalizers };
  if (request.scale !== undefined) return { do: 'scale', replicas: request.scale };
  if (request.matchesSelectors !== undefined) {
    return { do: 'relabel', matches: request.matchesSelectors };
  }
  return { do: request.touch === true ? 'touch' : 'nothing' };
}

/** The API server may still reject the update, but the name must be a valid finalizer name. */
function checkFinalizer(name: string, where: Place): void {
  const fault = finalizerFault(name, false);
  if (fault !== null) {
    throw new InputError({
      what: `"${name}" is not a valid finalizer name`,
      where,
      expected: fault,
    });
  }
}

function referenceTo(text: string, reading: RequestReading): OwnerReference {
  return reading.cast.referenceTo(text, reading.place('addOwner'));
}

function referenceOf(
  written: z.output<typeof ownerReferenceSchema>,
  object: ApiObject,
  reading: RequestReading,
  ...field: Path
): OwnerReference {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = written;
  const reference: OwnerReference = {
    apiVersion,
    kind,
    name,
    uid: uid ?? '',
    ...(typeof controller === 'boolean' ? { controller } : {}),
    ...(typeof blockOwnerDeletion === 'boolean' ? { blockOwnerDeletion } : {}),
  };
  return reading.cast.complete(reference, object.namespace, reading.place(...field));
}

/** The uid of an owner in the file, or of a missing owner that the object references. */
function ownerUid(text: string, object: ApiObject, reading: RequestReading): string {
  const named = object.ownerReferences.find(({ kind, name }) => `${kind}/${name}` === text);
  return named?.uid ?? reading.cast.find(text, reading.place('removeOwner')).uid;
}
