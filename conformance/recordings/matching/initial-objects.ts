import { type ApiObject, FOREGROUND, ORPHAN } from '../../../model/index.ts';
import type { SeenChange, SeenObject, SeenPlace, Trace } from '../logs/observations.ts';
import type { Written } from '../search/trace-state.ts';

/** Objects that a log shows, as objects of the model. */

export interface Present {
  readonly object: ApiObject;
  readonly written: Written;
}

/**
 * Objects that were there before the log begins: it shows them, but not how they came. They are
 * taken as they are first shown; if that is by the event of a change, then as they would be without
 * a deletion.
 */
export function presentBefore(trace: Trace): readonly Present[] {
  const made = new Set<string>();
  for (const { verb, subresource, answer } of trace.requests) {
    if (verb === 'create' && subresource === '' && answer !== null) made.add(answer.uid);
  }
  for (const { type, object } of trace.changes ?? []) if (type === 'ADDED') made.add(object.uid);
  const changed = new Set<string>();
  for (const { object } of trace.changes ?? []) {
    changed.add(`${object.uid} ${object.resourceVersion}`);
  }
  const present = new Map<string, Present>();
  for (const { object, ...place } of trace.present) {
    present.set(object.uid, {
      object: objectOf(place, place.name, object),
      written: {
        version: object.resourceVersion,
        deletionTimestamp: object.deletionTimestamp,
      },
    });
  }
  for (const request of trace.requests) {
    const { answer, name } = request;
    if (answer === null || name === null || made.has(answer.uid)) continue;
    if (changed.has(`${answer.uid} ${answer.resourceVersion}`) || present.has(answer.uid)) continue;
    present.set(answer.uid, {
      object: objectOf(request, name, answer),
      written: { version: answer.resourceVersion, deletionTimestamp: answer.deletionTimestamp },
    });
  }
  for (const change of trace.changes ?? []) {
    const { object } = change;
    if (made.has(object.uid) || present.has(object.uid)) continue;
    present.set(object.uid, {
      object: beforeChange(change),
      written: { version: null, deletionTimestamp: null },
    });
  }
  return [...present.values()];
}

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
