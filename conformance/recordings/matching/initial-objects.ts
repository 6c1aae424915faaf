import { type ApiObject, FOREGROUND, ORPHAN } from '../../../model/index.ts';
import { mayCreate } from '../logs/keys.ts';
import type { SeenChange, SeenObject, SeenPlace, Trace } from '../logs/observations.ts';

/** Objects of a log as objects of the model. */

/**
 * resourceVersion and deletionTimestamp of a stored object as the log has them; null if unknown.
 */
export interface Written {
  readonly version: string | null;
  readonly deletionTimestamp: string | null;
}

export const NOT_SHOWN: Written = { version: null, deletionTimestamp: null };

export interface InitialObject {
  readonly object: ApiObject;
  readonly written: Written;
}

/**
 * The objects that existed before the log begins: the log shows them, but not their creation. Each
 * one starts as the log first shows it; if it is first shown by a change, as it would be without a
 * deletion.
 */
export function initialObjectsOf(trace: Trace): readonly InitialObject[] {
  const made = new Set<string>();
  for (const request of trace.requests) {
    if (mayCreate(request) && request.answer !== null) made.add(request.answer.uid);
  }
  for (const { type, object } of trace.changes ?? []) if (type === 'ADDED') made.add(object.uid);
  const changed = new Set<string>();
  for (const { object } of trace.changes ?? []) {
    changed.add(`${object.uid} ${object.resourceVersion}`);
  }
  const found = new Map<string, InitialObject>();
  for (const { object, ...place } of trace.initial) {
    found.set(object.uid, asShown(place, place.name, object));
  }
  for (const request of trace.requests) {
    const { answer, name } = request;
    if (answer === null || name === null || made.has(answer.uid)) continue;
    if (changed.has(`${answer.uid} ${answer.resourceVersion}`) || found.has(answer.uid)) continue;
    found.set(answer.uid, asShown(request, name, answer));
  }
  for (const change of trace.changes ?? []) {
    const { object } = change;
    if (made.has(object.uid) || found.has(object.uid)) continue;
    found.set(object.uid, {
      object: beforeChange(change),
      written: { version: null, deletionTimestamp: null },
    });
  }
  return [...found.values()];
}

function asShown(place: SeenPlace, name: string, seen: SeenObject): InitialObject {
  const { resourceVersion: version, deletionTimestamp } = seen;
  return { object: objectOf(place, name, seen), written: { version, deletionTimestamp } };
}

/** The object of a change, without its deletion. */
function beforeChange(change: SeenChange): ApiObject {
  const object = objectOf(change, change.name, change.object);
  if (change.type === 'DELETED' || object.deletionTimestamp === null) return object;
  return {
    ...object,
    finalizers: object.finalizers.filter((name) => name !== ORPHAN && name !== FOREGROUND),
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    generation: Math.max(0, object.generation - 1),
    ...(object.phase === undefined ? {} : { phase: 'Active' }),
  };
}

export function objectOf(
  { kind, namespace }: SeenPlace,
  name: string,
  seen: SeenObject,
): ApiObject {
  const deleted = seen.deletionTimestamp !== null;
  const grace = seen.deletionGracePeriodSeconds;
  const namespaceFacts = {
    phase: deleted ? ('Terminating' as const) : ('Active' as const),
    specFinalizers: seen.specFinalizers ?? ['kubernetes'],
  };
  return {
    kind: kind.name,
    namespace,
    name,
    uid: seen.uid,
    generation: kind.generation ? (seen.generation ?? 1) : 0,
    finalizers: seen.finalizers,
    ownerReferences: seen.ownerReferences,
    deletionTimestamp: deleted ? (grace ?? 0) : null,
    deletionGracePeriodSeconds: grace,
    ...(kind.storage === 'namespace' ? namespaceFacts : {}),
    ...(kind.graceful
      ? {
          pod: {
            scheduled: (grace ?? 0) > 0,
            terminationGracePeriodSeconds: null,
            finished: false,
          },
        }
      : {}),
  };
}
