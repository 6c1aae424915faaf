import { formatKey, type Kind, type ObjectKey, type Rules } from '../../../model/index.ts';
import { keyOfRequest } from '../logs/keys.ts';
import type { SeenRequest, Trace } from '../logs/observations.ts';
import type { Misfit } from '../matching/differences.ts';
import type { ObjectInstant, ObjectLog } from './object-explainer.ts';
import { unknownsOf } from './unknowns.ts';

/** A log, cut into the requests that can concern each object. */
export interface ObjectPart {
  readonly key: ObjectKey;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** By index in the log. */
  readonly requests: ReadonlyMap<number, SeenRequest>;
  /** Their instants, in the order of the log. */
  readonly instants: readonly ObjectInstant[];
}

/**
 * The parts of all objects of kinds whose writes are logged. If the log shows no write of a kind,
 * its writes are taken to be left out.
 *
 * A create without a name in the log, and a DELETE of a collection, can concern every object of
 * the kind in the namespace.
 */
export function objectsOf(trace: Trace, instants: readonly ObjectInstant[]): readonly ObjectPart[] {
  const own = new Map<ObjectKey, number[]>();
  const shared = new Map<string, number[]>();
  const written = new Set<string>();
  trace.requests.forEach((request, index) => {
    if (request.verb !== 'get') written.add(request.kind.name);
    const key = keyOfRequest(request);
    if (key !== null) add(own, key, index);
    else if (request.verb !== 'create' || request.code < 400) add(shared, placeOf(request), index);
  });
  const byRequest = new Map<number, ObjectInstant[]>();
  const order = new Map<ObjectInstant, number>();
  instants.forEach((instant, index) => {
    order.set(instant, index);
    // The end of a request that never ended is not an observation.
    const request = trace.requests[instant.request];
    if (instant.at === 'completed' && request?.completed === Number.POSITIVE_INFINITY) return;
    add(byRequest, instant.request, instant);
  });
  return [...own].flatMap(([key, indices]) => {
    const first = trace.requests[indices[0] ?? -1];
    if (first === undefined || !written.has(first.kind.name)) return [];
    const all = [...indices, ...(shared.get(placeOf(first)) ?? [])].sort((a, b) => a - b);
    const requests = new Map<number, SeenRequest>();
    for (const index of all) {
      const request = trace.requests[index];
      if (request !== undefined) requests.set(index, request);
    }
    const { kind, namespace, name } = first;
    const ordered = all
      .flatMap((index) => byRequest.get(index) ?? [])
      .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
    return [{ key, kind, namespace, name: name ?? '', requests, instants: ordered }];
  });
}

function placeOf({ kind, namespace }: SeenRequest): string {
  return `${kind.name}/${namespace}`;
}

function add<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** @param misfits is filled with the misfits at the furthest instant. */
export function objectLog(part: ObjectPart, rules: Rules, misfits: Misfit[]): ObjectLog {
  const { key, kind, namespace, name, requests, instants } = part;
  let furthest = -1;
  return {
    key,
    unknowns: unknownsOf(kind, [...requests.values()]),
    dryRuns: false,
    place: { namespace, name },
    requests,
    instants,
    world: {
      kinds: { [kind.name]: kind },
      rules,
      absentOwnerCapacity: Number.POSITIVE_INFINITY,
    },
    reportMisfit(index, misfit) {
      if (index < furthest) return;
      if (index > furthest) misfits.length = 0;
      furthest = index;
      const sentence = `${formatKey(key)}: ${misfit.sentence}`;
      if (!misfits.some((known) => known.sentence === sentence))
        misfits.push({ ...misfit, sentence });
    },
  };
}
