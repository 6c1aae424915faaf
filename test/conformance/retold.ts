import { keyOfChange } from '../../conformance/recordings/logs/keys.ts';
import type {
  SeenChange,
  SeenObject,
  SeenRequest,
  Trace,
} from '../../conformance/recordings/logs/observations.ts';
import { withMoreDigits } from './answer-corruptions.ts';
import type { Draws } from './simulated-setups.ts';

/** Ways to tell of the same behaviour in another way. What comes out is as true as what went in. */

/** Other uids, other versions in the same order, and another clock. */
export function renamed(trace: Trace): Trace {
  const uids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const { requests, changes, initial, final } = withMoreDigits(trace);
  const from = Math.min(...requests.map(({ received }) => received));
  const told = { requests, changes, initial, final };
  const text = JSON.stringify(told).replace(uids, (uid) => [...uid].reverse().join(''));
  const others = JSON.parse(text) as typeof told;
  return {
    ...trace,
    ...others,
    requests: others.requests.map((request) => ({
      ...request,
      received: 17 + 3 * (request.received - from),
      completed: 17 + 3 * (request.completed - from),
    })),
  };
}

/** What users ask is on its way for longer, in both directions: up to a second. */
export function slower(trace: Trace, draws: Draws): Trace {
  return {
    ...trace,
    requests: trace.requests.map((request) =>
      request.collector || draws.below(2) === 0
        ? request
        : {
            ...request,
            received: request.received - draws.below(1_000_000),
            completed: request.completed + draws.below(1_000_000),
          },
    ),
  };
}

/**
 * Both at the same time in one cluster; null if they have a namespace in common, or if one of them
 * has a restart, or a name that is used again: then nothing shows when the first object went.
 */
export function atOnce(one: Trace, other: Trace): Trace | null {
  const places = (trace: Trace): readonly string[] =>
    trace.requests.map(({ namespace, name, kind }) => (kind.namespaced ? namespace : (name ?? '')));
  const own = new Set(places(one));
  const again = [one, other].some(usesNamesAgain);
  if (again || one.restarts + other.restarts > 0 || places(other).some((place) => own.has(place))) {
    return null;
  }
  const [first, second] = [sinceStart(one), sinceStart(other)];
  const merged = [...timedChanges(first), ...timedChanges(second)].sort((a, b) => a.at - b.at);
  const versions = new Map(
    merged.map(({ change: { object } }, index) => [versionOf(object), String(1_000_000 + index)]),
  );
  const numbered = (object: SeenObject): SeenObject => ({
    ...object,
    resourceVersion: versions.get(versionOf(object)) ?? object.resourceVersion,
  });
  const inBody = (trace: Trace, request: SeenRequest): SeenRequest['body'] => {
    if (request.body.is !== 'value') return request.body;
    const known = new Map(
      (trace.changes ?? []).map(({ object }) => [object.resourceVersion, versionOf(object)]),
    );
    const value: unknown = JSON.parse(JSON.stringify(request.body.value), (key, part: unknown) =>
      key === 'resourceVersion' && typeof part === 'string'
        ? (versions.get(known.get(part) ?? '') ?? part)
        : part,
    );
    return { is: 'value', value };
  };
  const requests = [first, second].flatMap((trace) =>
    trace.requests.map((request) => ({
      ...request,
      answer: request.answer === null ? null : numbered(request.answer),
      body: inBody(trace, request),
    })),
  );
  return {
    ...one,
    name: `${one.name} and ${other.name}`,
    kinds: { ...one.kinds, ...other.kinds },
    requests,
    changes: merged.map(({ change }) => ({ ...change, object: numbered(change.object) })),
    initial: [...one.initial, ...other.initial],
    final: [...(one.final ?? []), ...(other.final ?? [])].map((left) => ({
      ...left,
      object: numbered(left.object),
    })),
    warnings: [...one.warnings, ...other.warnings],
  };
}

function usesNamesAgain({ changes }: Trace): boolean {
  const gone = (changes ?? []).filter(({ type }) => type === 'DELETED').map(keyOfChange);
  const added = (changes ?? []).filter(({ type }) => type === 'ADDED').map(keyOfChange);
  return added.some((key, index) => added.indexOf(key) < index && gone.includes(key));
}

function versionOf({ uid, resourceVersion }: SeenObject): string {
  return `${uid} ${resourceVersion}`;
}

function sinceStart(trace: Trace): Trace {
  const from = Math.min(...trace.requests.map(({ received }) => received));
  return {
    ...trace,
    requests: trace.requests.map((request) => ({
      ...request,
      received: request.received - from,
      completed: request.completed - from,
    })),
  };
}

/** The changes with a time before which each had happened, in their order. */
function timedChanges(
  trace: Trace,
): readonly { readonly at: number; readonly change: SeenChange }[] {
  const shown = (change: SeenChange): number => {
    const writers = trace.requests.filter(({ verb, code }) => verb !== 'get' && code < 300);
    const exact = writers.filter(
      ({ answer }) => answer !== null && versionOf(answer) === versionOf(change.object),
    );
    if (exact.length > 0) return Math.min(...exact.map(({ completed }) => completed));
    const possible = writers.filter(
      ({ kind, name }) => kind.name === change.kind.name && (name ?? change.name) === change.name,
    );
    return Math.max(0, ...possible.map(({ completed }) => completed));
  };
  let next = Number.POSITIVE_INFINITY;
  return (trace.changes ?? [])
    .toReversed()
    .map((change) => {
      next = Math.min(next, shown(change));
      return { at: next, change };
    })
    .toReversed();
}
