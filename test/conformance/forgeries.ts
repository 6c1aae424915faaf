import { keyOfRequest } from '../../conformance/recordings/logs/keys.ts';
import type { SeenRequest, Trace } from '../../conformance/recordings/logs/observations.ts';
import type { Level } from './audit-lines.ts';

/** Requests that no real system logs, added to a genuine log. */
export interface Forgery {
  readonly what: string;
  /** The lowest level of an audit log that shows it. */
  readonly visibleFrom: Level;
  /** Why a lower level does not show it; null if there is none. */
  readonly hiddenBelow: string | null;
  /** Null if the trace has no place for it. */
  readonly forge: (trace: Trace) => Trace | null;
}

export const FORGERIES: readonly Forgery[] = [
  {
    what: 'the collector deletes what it has not read',
    visibleFrom: 'Metadata',
    hiddenBelow: null,
    forge: (trace) => {
      const read = trace.requests.find(({ collector, verb }) => collector && verb === 'get');
      if (read === undefined) return null;
      return after(trace, [{ ...ofCollector(read, 'delete'), name: 'never-read' }]);
    },
  },
  {
    what: 'the collector creates',
    visibleFrom: 'Metadata',
    hiddenBelow: null,
    forge: (trace) => {
      const [create] = createdObjects(trace);
      if (create === undefined) return null;
      return after(trace, [{ ...create, collector: true, client: 'gc', name: 'made' }]);
    },
  },
  ...(['get', 'delete', 'patch'] as const).map(
    (verb): Forgery => ({
      what: `${verb} is answered 200 after the object has gone`,
      visibleFrom: 'Metadata',
      hiddenBelow: null,
      forge: (trace) => {
        const missing = lastMissing(trace);
        return missing === null ? null : after(trace, [ofUser(missing, verb)]);
      },
    }),
  ),
  {
    what: 'an object is created twice',
    visibleFrom: 'Metadata',
    hiddenBelow: null,
    forge: (trace) => {
      const [create] = createdObjects(trace);
      return create === undefined ? null : cutAfter(trace, create, [create]);
    },
  },
  {
    what: 'a new object is not found',
    visibleFrom: 'Metadata',
    hiddenBelow: null,
    forge: (trace) => {
      const [create] = createdObjects(trace);
      if (create === undefined) return null;
      return cutAfter(trace, create, [{ ...ofUser(create, 'get'), code: 404 }]);
    },
  },
  {
    what: 'the collector deletes without the uid',
    visibleFrom: 'Request',
    hiddenBelow: 'the uid is in the body',
    forge: (trace) => {
      const index = trace.requests.findIndex(
        ({ collector, verb }) => collector && verb === 'delete',
      );
      const request = trace.requests[index];
      if (request === undefined) return null;
      const body = { is: 'value', value: { propagationPolicy: 'Background' } } as const;
      return { ...trace, requests: trace.requests.with(index, { ...request, body }) };
    },
  },
  {
    what: 'the collector removes the finalizer of a third party',
    visibleFrom: 'Request',
    hiddenBelow: 'the finalizers are in the bodies',
    forge: (trace) => {
      const held = createdObjects(trace).find(
        ({ answer }) =>
          answer?.finalizers.some((name) => name.includes('/')) === true &&
          answer.finalizers.every((name) => name.includes('/')),
      );
      if (held?.answer === undefined || held.answer === null) return null;
      const { resourceVersion } = held.answer;
      const value = { metadata: { resourceVersion, finalizers: null } };
      const patch: SeenRequest = {
        ...ofCollector(held, 'patch'),
        body: { is: 'value', value },
        answer: { ...held.answer, resourceVersion: `${resourceVersion}9`, finalizers: [] },
        bareSuccess: false,
      };
      return cutAfter(trace, held, [patch]);
    },
  },
  {
    what: 'the collector deletes an object whose owner lives',
    visibleFrom: 'RequestResponse',
    hiddenBelow: 'the owner and its uid are in the answers to the GETs',
    forge: (trace) => {
      const made = createdObjects(trace);
      for (const child of made) {
        const [reference, ...others] = child.answer?.ownerReferences ?? [];
        const owner = made.find(({ answer }) => answer?.uid === reference?.uid);
        if (owner === undefined || others.length > 0 || owner.received >= child.received) continue;
        if (owner.name !== reference?.name || owner.namespace !== child.namespace) continue;
        const uid = child.answer?.uid ?? '';
        const value = { preconditions: { uid }, propagationPolicy: 'Background' };
        const from = Math.min(
          ...trace.requests.map((request) =>
            request.verb === 'create' || request.verb === 'get'
              ? Number.POSITIVE_INFINITY
              : request.received,
          ),
        );
        if (child.completed >= from) continue;
        return cutAfter(trace, child, [
          { ...ofCollector(child, 'get'), answer: child.answer },
          { ...ofCollector(owner, 'get'), answer: owner.answer },
          { ...ofCollector(child, 'delete'), body: { is: 'value', value }, answer: null },
        ]);
      }
      return null;
    },
  },
];

function createdObjects(trace: Trace): readonly SeenRequest[] {
  return trace.requests.filter(
    ({ verb, subresource, code, name, answer }) =>
      verb === 'create' && subresource === '' && code === 201 && name !== null && answer !== null,
  );
}

/** The last request for an object that ends with 404, with no create of its kind after it. */
function lastMissing(trace: Trace): SeenRequest | null {
  const missing = trace.requests.filter(
    ({ code, verb, subresource }) => code === 404 && verb !== 'create' && subresource === '',
  );
  const found = missing.find((request) =>
    trace.requests.every(
      (other) =>
        other.kind.name !== request.kind.name ||
        (other.verb !== 'create' && keyOfRequest(other) !== keyOfRequest(request)) ||
        other.completed <= request.received ||
        other === request,
    ),
  );
  const written = ({ kind }: SeenRequest): boolean =>
    trace.requests.some(({ verb, kind: { name } }) => verb !== 'get' && name === kind.name);
  return found !== undefined && written(found) ? found : null;
}

function ofUser(about: SeenRequest, verb: SeenRequest['verb']): SeenRequest {
  return {
    ...about,
    client: 'mallory',
    collector: false,
    verb,
    subresource: '',
    body: verb === 'get' ? { is: 'none' } : { is: 'value', value: {} },
    code: 200,
    answer: null,
    bareSuccess: false,
    message: '',
  };
}

function ofCollector(about: SeenRequest, verb: SeenRequest['verb']): SeenRequest {
  return {
    ...ofUser(about, verb),
    client: 'generic-garbage-collector',
    collector: true,
    bareSuccess: verb === 'delete',
  };
}

/** The trace and then these requests, one after the other. */
function after(trace: Trace, added: readonly SeenRequest[]): Trace {
  const end = Math.max(...trace.requests.map(({ completed }) => completed));
  return { ...trace, changes: null, requests: [...trace.requests, ...timed(added, end)] };
}

/** The trace up to the end of this request, and then others. */
function cutAfter(trace: Trace, last: SeenRequest, added: readonly SeenRequest[]): Trace {
  const before = trace.requests.filter(({ completed }) => completed <= last.completed);
  return { ...trace, changes: null, requests: [...before, ...timed(added, last.completed)] };
}

function timed(requests: readonly SeenRequest[], from: number): readonly SeenRequest[] {
  return requests.map((request, index) => ({
    ...request,
    received: from + 10 * (index + 1),
    completed: from + 10 * (index + 1) + 5,
  }));
}
