import {
  FOREGROUND,
  type ObjectKey,
  ORPHAN,
  type OwnerReference,
  objectKey,
  type Rules,
  resolveKind,
} from '../../../model/index.ts';
import { keyOfRequest } from '../logs/keys.ts';
import type { SeenObject, SeenRequest, Trace } from '../logs/observations.ts';
import type { Difference } from '../matching/differences.ts';
import { isJson } from '../matching/json-patch.ts';

/**
 * What the collector's requests demand of each other, as far as a log without bodies shows it:
 * which requests a worker sends, that it reads an object before it deletes it, and that it deletes
 * nothing whose owner it has found alive.
 */

export interface CollectorMisfit {
  readonly request: number;
  readonly sentence: string;
  readonly difference: Difference | null;
}

/** The requests of the collector, by what they are about. */
interface CollectorLog {
  readonly trace: Trace;
  readonly gets: ReadonlyMap<ObjectKey, readonly SeenRequest[]>;
  /** Names of the kinds whose GETs by the collector are logged: then all of them are. */
  readonly readKinds: ReadonlySet<string>;
}

/** The first request that the collector cannot have sent, in the order of the log; null without. */
export function collectorMisfit(trace: Trace, rules: Rules): CollectorMisfit | null {
  const log = collectorLog(trace);
  const deleted = new Map<ObjectKey, number>();
  const order = trace.requests.map((seen, request) => ({ seen, request }));
  order.sort((a, b) => a.seen.received - b.seen.received);
  for (const { seen, request } of order) {
    if (!seen.collector) continue;
    const key = keyOfRequest(seen);
    if (key === null || !isOfWorker(seen)) {
      const sentence = `no worker of the collector sends ${seen.verb}${seen.subresource === '' ? '' : ` of ${seen.subresource}`}`;
      return { request, sentence, difference: null };
    }
    if (seen.verb !== 'delete') continue;
    const count = (deleted.get(key) ?? 0) + 1;
    deleted.set(key, count);
    const found = optionsMisfit(seen, rules) ?? deleteMisfit(log, seen, key, count, rules);
    if (found !== null) return { request, ...found };
  }
  return null;
}

type Found = Omit<CollectorMisfit, 'request'> | null;

function isOfWorker({ verb, subresource }: SeenRequest): boolean {
  return subresource === '' && verb !== 'create' && verb !== 'deletecollection';
}

function collectorLog(trace: Trace): CollectorLog {
  const gets = new Map<ObjectKey, SeenRequest[]>();
  for (const seen of trace.requests) {
    const key = keyOfRequest(seen);
    if (!seen.collector || seen.verb !== 'get' || key === null) continue;
    gets.set(key, [...(gets.get(key) ?? []), seen]);
  }
  const kinds = [...gets.values()].flat().map(({ kind }) => kind.name);
  return { trace, gets, readKinds: new Set(kinds) };
}

/** The options of every DELETE of the collector: the uid, and a policy if the version names one. */
function optionsMisfit({ body }: SeenRequest, rules: Rules): Found {
  if (body.is !== 'value' || rules.collectorDeletePrecondition === 'none') return null;
  const options = isJson(body.value) ? body.value : {};
  const { kind: _k, apiVersion: _a, preconditions, propagationPolicy, ...others } = options;
  const uid = isJson(preconditions) ? preconditions.uid : undefined;
  if (typeof uid !== 'string') {
    return {
      sentence: 'the collector deletes nothing without the uid that it has read',
      difference: { field: 'preconditions.uid', seen: uid ?? null, model: 'a uid' },
    };
  }
  if (rules.collectorDeletePolicy !== 'explicit') return null;
  const [strange] = Object.keys(others);
  if (strange !== undefined) {
    return {
      sentence: 'the collector sets no such option',
      difference: { field: strange, seen: others[strange], model: null },
    };
  }
  if (propagationPolicy !== undefined) return null;
  return {
    sentence: 'the collector names a policy in each DELETE',
    difference: { field: 'propagationPolicy', seen: null, model: 'a policy' },
  };
}

function deleteMisfit(
  log: CollectorLog,
  seen: SeenRequest,
  key: ObjectKey,
  count: number,
  rules: Rules,
): Found {
  if (!log.readKinds.has(seen.kind.name)) return null;
  const reads = (log.gets.get(key) ?? []).filter(
    ({ code, completed }) => code === 200 && completed < seen.received,
  );
  if (reads.length < count) {
    const sentence =
      reads.length === 0
        ? 'the collector reads an object before it deletes it, and has not read this one'
        : `the collector reads an object before each DELETE: this is DELETE ${count} of it, after ${reads.length} of its GETs`;
    return { sentence, difference: null };
  }
  const owned = reads.filter((read) => mayLackOwners(log, read, seen));
  if (owned.length === 0) {
    return {
      sentence: 'the collector deletes only what has owners, none of which lives',
      difference: {
        field: 'metadata.ownerReferences',
        seen: reads.at(-1)?.answer?.ownerReferences ?? null,
        model: 'owners that are gone, or that wait for their dependents',
      },
    };
  }
  if (rules.collectorDeletePolicy !== 'explicit') return null;
  if (owned.some((read) => fitsPolicy(log, read, seen))) return null;
  return {
    sentence: 'a worker would delete it with another policy',
    difference: {
      field: 'propagationPolicy',
      seen: policyOf(seen),
      model: 'the policy for the finalizers and owners that it has read',
    },
  };
}

function policyOf({ body }: SeenRequest): unknown {
  return body.is === 'value' && isJson(body.value) ? body.value.propagationPolicy : null;
}

/** Whether the object that this GET shows may have had owners, none of which lived. */
function mayLackOwners(log: CollectorLog, read: SeenRequest, deletion: SeenRequest): boolean {
  const { answer } = read;
  if (answer === null) return true;
  const { ownerReferences } = answer;
  return (
    ownerReferences.length > 0 &&
    ownerReferences.every((owner) => mayNotLive(log, read, deletion, owner))
  );
}

function keyOfOwner({ trace }: CollectorLog, read: SeenRequest, owner: OwnerReference) {
  const kind = resolveKind(trace.kinds, owner.apiVersion, owner.kind);
  if (kind === null || (kind.namespaced && read.namespace === '')) return null;
  return { kind, key: objectKey(kind.name, kind.namespaced ? read.namespace : '', owner.name) };
}

/**
 * Whether a worker may have found that the owner does not exist, or that it waits for its
 * dependents: by a GET, or from an event about its removal.
 */
function mayNotLive(
  log: CollectorLog,
  read: SeenRequest,
  deletion: SeenRequest,
  owner: OwnerReference,
): boolean {
  const place = keyOfOwner(log, read, owner);
  if (place === null) return true;
  const gets = (log.gets.get(place.key) ?? []).filter(
    ({ completed }) => completed < deletion.received,
  );
  // The collector remembers an absent owner, even if an object with that uid is created later.
  if (gets.some((get) => get.code === 404)) return true;
  if (livesAfter(log, place.key, owner, deletion)) return false;
  if (!log.readKinds.has(place.kind.name)) return true;
  if (gets.some((get) => showsOther(get, owner))) return true;
  if (gets.some((get) => get.received > read.received && mayWait(get))) return true;
  return mayHaveGone(log, place.key, deletion);
}

/** A later answer that shows the owner, not in deletion: it lived at the DELETE. */
function livesAfter(
  { trace }: CollectorLog,
  key: ObjectKey,
  owner: OwnerReference,
  deletion: SeenRequest,
): boolean {
  return trace.requests.some(
    (request) =>
      request.verb === 'get' &&
      request.received > deletion.received &&
      keyOfRequest(request) === key &&
      request.answer?.uid === owner.uid &&
      request.answer.deletionTimestamp === null,
  );
}

/** A GET that shows another object under the owner's name, or does not show which. */
function showsOther({ code, answer, answerLogged }: SeenRequest, owner: OwnerReference): boolean {
  if (code !== 200) return false;
  return answer === null ? !answerLogged : answer.uid !== owner.uid;
}

function mayWait({ code, answer, answerLogged }: SeenRequest): boolean {
  if (code !== 200) return false;
  return answer === null ? !answerLogged : isWaiting(answer);
}

function isWaiting({ deletionTimestamp, finalizers }: SeenObject): boolean {
  return deletionTimestamp !== null && finalizers.includes(FOREGROUND);
}

/** Whether a request of the log may have removed the owner before. */
function mayHaveGone({ trace }: CollectorLog, key: ObjectKey, deletion: SeenRequest): boolean {
  return trace.requests.some((request) => {
    if (request.verb === 'get' || request.verb === 'create') return false;
    if (request.received >= deletion.received) return false;
    const own = keyOfRequest(request);
    if (own !== null) return own === key;
    return key.startsWith(`${request.kind.name}/${request.namespace}/`);
  });
}

/** Whether a worker that has read this sends the policy that the DELETE names. */
function fitsPolicy(log: CollectorLog, read: SeenRequest, deletion: SeenRequest): boolean {
  const policy = policyOf(deletion);
  if (read.answer === null || policy === null) return true;
  const { finalizers, ownerReferences } = read.answer;
  switch (policy) {
    case 'Orphan':
      return finalizers.includes(ORPHAN);
    case 'Background':
      return !finalizers.includes(ORPHAN) && !finalizers.includes(FOREGROUND);
    case 'Foreground':
      return (
        finalizers.includes(FOREGROUND) ||
        ownerReferences.some((owner) => {
          const place = keyOfOwner(log, read, owner);
          if (place === null || !log.readKinds.has(place.kind.name)) return true;
          return (log.gets.get(place.key) ?? []).some(
            (get) =>
              get.received > read.received && get.completed < deletion.received && mayWait(get),
          );
        })
      );
    default:
      return false;
  }
}
