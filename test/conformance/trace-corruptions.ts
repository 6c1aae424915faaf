import type {
  SeenChange,
  SeenObject,
  SeenRequest,
  Trace,
} from '../../conformance/recordings/logs/observations.ts';
import { FOREGROUND, ORPHAN } from '../../model/state/objects.ts';
import { ANSWER_CORRUPTION_KINDS, answerCorruptions } from './answer-corruptions.ts';
import { EVENT_CORRUPTION_KINDS, eventCorruptions } from './event-corruptions.ts';

/** Systematic corruptions of a trace: each is something that a real system would not do. */
export interface Corruption {
  readonly kind: CorruptionKind;
  /** The change, for messages. */
  readonly what: string;
  readonly trace: Trace;
  /**
   * Why a real system may do this after all, unless something else in the trace is against it. Null
   * if it may not: then the trace must be rejected.
   */
  readonly possible: string | null;
}

export const CORRUPTION_KINDS = [
  'change dropped',
  'request dropped',
  'dependent changes swapped',
  'dependent changes in the other order',
  'finalizer removed without a request',
  'policy of the collector',
  'owner gone before its blocking dependent',
  'delete without uid precondition',
  'object resurrected',
  'generation jumps',
  'deletionTimestamp unset',
  ...ANSWER_CORRUPTION_KINDS,
  ...EVENT_CORRUPTION_KINDS,
] as const;

export type CorruptionKind = (typeof CORRUPTION_KINDS)[number];

export function corruptions(trace: Trace): readonly Corruption[] {
  const changes = trace.changes ?? [];
  const corrupt = (
    kind: CorruptionKind,
    what: string,
    part: Partial<Trace>,
    possible: string | null = null,
  ): Corruption => ({ kind, what, trace: { ...trace, ...part }, possible });
  const found: Corruption[] = [];
  changes.forEach((change, index) => {
    const name = `${change.type} ${change.kind.name}/${change.name} (${index})`;
    found.push(corrupt('change dropped', name, { changes: changes.toSpliced(index, 1) }));
    const next = changes[index + 1];
    if (next !== undefined && areDependent(change, next)) {
      const swapped = changes.with(index, next).with(index + 1, change);
      found.push(
        corrupt('dependent changes swapped', name, { changes: swapped }),
        corrupt(
          'dependent changes in the other order',
          name,
          inOtherOrder(trace, change, next),
          whyEitherOrder(trace, change, next),
        ),
      );
    }
    for (const finalizer of change.type === 'DELETED' ? [] : change.object.finalizers) {
      const changed = withoutFinalizer(changes, index, finalizer);
      found.push(
        corrupt('finalizer removed without a request', `${finalizer} from ${name}`, {
          changes: changed,
        }),
      );
    }
    if (change.type === 'DELETED') {
      const back: SeenChange = { ...change, type: 'MODIFIED' };
      found.push(
        corrupt('object resurrected', name, { changes: changes.toSpliced(index + 1, 0, back) }),
      );
      const blocked = earlierOwner(changes, index);
      if (blocked !== null) {
        const owner = changes[blocked] as SeenChange;
        const moved = changes.toSpliced(blocked, 1).toSpliced(index, 0, owner);
        found.push(corrupt('owner gone before its blocking dependent', name, { changes: moved }));
      }
    }
    const { generation } = change.object;
    if (change.kind.generation && generation !== null) {
      const jumped = { ...change.object, generation: generation + 3 };
      const version = change.object.resourceVersion;
      found.push(
        corrupt('generation jumps', name, {
          changes: changes.with(index, { ...change, object: jumped }),
          requests: trace.requests.map((request) =>
            request.answer?.uid === change.object.uid && request.answer.resourceVersion === version
              ? { ...request, answer: { ...request.answer, generation: generation + 3 } }
              : request,
          ),
        }),
      );
    }
    if (change.type === 'MODIFIED' && change.object.deletionTimestamp !== null) {
      const alive = { ...change.object, deletionTimestamp: null };
      found.push(
        corrupt('deletionTimestamp unset', name, {
          changes: changes.with(index, { ...change, object: alive }),
        }),
      );
    }
  });
  trace.requests.forEach((request, index) => {
    const name = `${request.client} ${request.verb} ${request.kind.name}/${request.name} (${index})`;
    const dropped = { requests: trace.requests.toSpliced(index, 1) };
    found.push(corrupt('request dropped', name, dropped, whyNotMissed(trace, request)));
    if (!request.collector || request.verb !== 'delete' || request.body.is !== 'value') return;
    const body = request.body.value as Readonly<Record<string, unknown>>;
    const policy = body.propagationPolicy === 'Background' ? 'Foreground' : 'Background';
    const { preconditions: _, ...bare } = body;
    const withBody = (value: unknown): readonly SeenRequest[] =>
      trace.requests.with(index, { ...request, body: { is: 'value', value } });
    found.push(
      corrupt('policy of the collector', name, {
        requests: withBody({ ...body, propagationPolicy: policy }),
      }),
      corrupt('delete without uid precondition', name, { requests: withBody(bare) }),
    );
  });
  return [...found, ...answerCorruptions(trace), ...eventCorruptions(trace)];
}

/** The two changes in the other order: each gets the version of the other one everywhere. */
function inOtherOrder(trace: Trace, first: SeenChange, second: SeenChange): Partial<Trace> {
  const exchanged = (object: SeenObject): SeenObject => {
    const { uid, resourceVersion } = object;
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      if (uid === one.object.uid && resourceVersion === one.object.resourceVersion) {
        return { ...object, resourceVersion: other.object.resourceVersion };
      }
    }
    return object;
  };
  const changes = trace.changes ?? [];
  const index = changes.indexOf(first);
  const inOrder = changes.with(index, second).with(index + 1, first);
  return {
    changes: inOrder.map((change) => ({ ...change, object: exchanged(change.object) })),
    requests: trace.requests.map((request) =>
      request.answer === null ? request : { ...request, answer: exchanged(request.answer) },
    ),
    final: (trace.final ?? []).map((final) => ({ ...final, object: exchanged(final.object) })),
  };
}

/** Why a missing request goes unnoticed; null if it must not. */
function whyNotMissed(trace: Trace, request: SeenRequest): string | null {
  if (request.verb === 'get') return 'an item may wait in the queue, and a worker may stall';
  const version = request.answer?.resourceVersion ?? null;
  const made = (trace.changes ?? []).some(
    ({ object, type }) =>
      type !== 'DELETED' &&
      object.uid === request.answer?.uid &&
      object.resourceVersion === version,
  );
  if (request.code >= 400) return 'it was refused, and changed nothing';
  if (
    request.body.is === 'value' &&
    JSON.stringify(request.body.value).includes('"dryRun":["All"]')
  ) {
    return 'a dry run changes nothing';
  }
  const others = trace.requests.filter(
    (other) =>
      other !== request &&
      other.kind.name === request.kind.name &&
      other.namespace === request.namespace &&
      other.received < request.completed &&
      request.received < other.completed,
  );
  if (!made && others.some(({ verb }) => verb === 'deletecollection')) {
    return 'the collection may have removed the object';
  }
  const writers = trace.requests.filter(
    ({ answer, verb }) =>
      verb !== 'get' && answer?.uid === request.answer?.uid && answer?.resourceVersion === version,
  );
  return version !== null && writers.length > 1
    ? 'another request shows the same version, so that this one may have changed nothing'
    : null;
}

/**
 * Why two changes can come in either order (their requests were concurrent); null if they cannot.
 */
function whyEitherOrder(trace: Trace, first: SeenChange, second: SeenChange): string | null {
  const writersOf = (change: SeenChange): readonly SeenRequest[] =>
    trace.requests.filter(
      ({ verb, kind, namespace, name, answer }) =>
        verb !== 'get' &&
        kind.name === change.kind.name &&
        namespace === change.namespace &&
        (name === null || name === change.name) &&
        (change.type === 'DELETED' ||
          answer === null ||
          answer.resourceVersion === change.object.resourceVersion),
    );
  const together = writersOf(first).some((a) =>
    writersOf(second).some((b) => a.received < b.completed && b.received < a.completed),
  );
  return together ? 'both requests were under way at the same time' : null;
}

/** Whether both are about the same object, or about an owner and its dependent. */
function areDependent(a: SeenChange, b: SeenChange): boolean {
  const owns = (owner: SeenChange, dependent: SeenChange): boolean =>
    dependent.object.ownerReferences.some(({ uid }) => uid === owner.object.uid);
  return a.object.uid === b.object.uid || owns(a, b) || owns(b, a);
}

/** The changes without the finalizer from this change on, although no request removes it. */
function withoutFinalizer(
  changes: readonly SeenChange[],
  from: number,
  finalizer: string,
): readonly SeenChange[] {
  const uid = changes[from]?.object.uid;
  return changes.map((change, index) =>
    index < from || change.object.uid !== uid
      ? change
      : {
          ...change,
          object: {
            ...change.object,
            finalizers: change.object.finalizers.filter((name) => name !== finalizer),
          },
        },
  );
}

/** Index of the later removal of an owner in foreground deletion that this dependent blocked. */
function earlierOwner(changes: readonly SeenChange[], index: number): number | null {
  const dependent = changes[index];
  const blocking = (dependent?.object.ownerReferences ?? []).filter(
    (reference) => reference.blockOwnerDeletion === true,
  );
  const at = changes.findIndex(
    (change, later) =>
      later > index &&
      change.type === 'DELETED' &&
      change.object.finalizers.includes(FOREGROUND) &&
      !change.object.finalizers.includes(ORPHAN) &&
      blocking.some(({ uid }) => uid === change.object.uid),
  );
  return at < 0 ? null : at;
}
