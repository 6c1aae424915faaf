import type {
  SeenChange,
  SeenObject,
  SeenRequest,
  Trace,
} from '../../conformance/recordings/logs/observations.ts';

/** Corruptions of watch events, of answers to other requests, and of repeated events. */

export const EVENT_CORRUPTION_KINDS = [
  'answers of two clients swapped',
  'event of another uid',
  'event with a finalizer from nowhere',
  'event without an owner',
  'event with another grace period',
  'version goes backwards',
  'removal without its final state',
  'change told twice',
  'success with another code',
  'removal by the collector twice',
  'removed object at the end',
  'finalizer from nowhere at the end',
  'warning from nowhere',
] as const;

export type EventCorruptionKind = (typeof EVENT_CORRUPTION_KINDS)[number];

/** A `Corruption` of one of these kinds. */
export interface EventCorruption {
  readonly kind: EventCorruptionKind;
  readonly what: string;
  readonly trace: Trace;
  readonly possible: null;
}

const STRANGE = 'example.test/strange';

export function eventCorruptions(trace: Trace): readonly EventCorruption[] {
  const changes = trace.changes ?? [];
  return [
    ...changes.flatMap((change, index) => ofChange(trace, changes, change, index)),
    ...trace.requests.flatMap((request, index) => ofRequest(trace, request, index)),
    ...ofEnd(trace, changes),
  ];
}

function ofChange(
  trace: Trace,
  changes: readonly SeenChange[],
  change: SeenChange,
  index: number,
): readonly EventCorruption[] {
  const { type, object } = change;
  const what = `${type} ${change.kind.name}/${change.name} (${index})`;
  const told = (kind: EventCorruptionKind, others: readonly SeenChange[]): EventCorruption => ({
    ...{ kind, what, trace: { ...trace, changes: others }, possible: null },
  });
  const shown = (kind: EventCorruptionKind, part: Partial<SeenObject>): EventCorruption =>
    told(kind, changes.with(index, { ...change, object: { ...object, ...part } }));
  const { uid, finalizers, ownerReferences, deletionGracePeriodSeconds: grace } = object;
  const other = changes.find((one) => one.object.uid !== uid);
  const isOwned = ownerReferences.length > 0;
  return [
    ...(other === undefined ? [] : [shown('event of another uid', { uid: other.object.uid })]),
    shown('event with a finalizer from nowhere', { finalizers: [...finalizers, STRANGE] }),
    ...(isOwned
      ? [shown('event without an owner', { ownerReferences: ownerReferences.slice(1) })]
      : []),
    ...(grace === null
      ? []
      : [shown('event with another grace period', { deletionGracePeriodSeconds: grace + 7 })]),
    ...(index === 0 ? [] : [shown('version goes backwards', { resourceVersion: '1' })]),
    ...(type === 'DELETED' && (isOwned || finalizers.length > 0)
      ? [shown('removal without its final state', { finalizers: [], ownerReferences: [] })]
      : []),
    ...(type === 'MODIFIED'
      ? [told('change told twice', changes.toSpliced(index, 0, change))]
      : []),
  ];
}

/** A code of success that Kubernetes has for other requests. */
const OTHER_SUCCESS: Readonly<Partial<Record<SeenRequest['verb'], number>>> = {
  create: 200,
  delete: 202,
};

function ofRequest(trace: Trace, request: SeenRequest, index: number): readonly EventCorruption[] {
  const { requests } = trace;
  const { answer, verb, code, client } = request;
  const what = `${client} ${verb} ${request.kind.name}/${request.name} (${index})`;
  const sent = (kind: EventCorruptionKind, others: readonly SeenRequest[]): EventCorruption => ({
    ...{ kind, what, trace: { ...trace, requests: others }, possible: null },
  });
  const place = requests.findIndex(
    (other, at) =>
      at > index &&
      other.verb === verb &&
      other.client !== client &&
      other.answer !== null &&
      other.answer.uid !== answer?.uid,
  );
  const other = requests[place];
  const otherCode = OTHER_SUCCESS[verb];
  const { received, completed } = request;
  const again = { ...request, received: completed + 1, completed: 2 * completed - received + 1 };
  return [
    ...(answer === null || other === undefined
      ? []
      : [
          sent(
            'answers of two clients swapped',
            requests
              .with(index, { ...request, answer: other.answer, code: other.code })
              .with(place, { ...other, answer, code }),
          ),
        ]),
    ...(code < 300 && otherCode !== undefined
      ? [sent('success with another code', requests.with(index, { ...request, code: otherCode }))]
      : []),
    ...(request.collector && verb === 'delete' && request.bareSuccess
      ? [sent('removal by the collector twice', requests.toSpliced(index + 1, 0, again))]
      : []),
  ];
}

function ofEnd(trace: Trace, changes: readonly SeenChange[]): readonly EventCorruption[] {
  const finals = trace.final ?? [];
  const ended = (kind: EventCorruptionKind, what: string, part: Partial<Trace>) => ({
    ...{ kind, what, trace: { ...trace, ...part }, possible: null },
  });
  const kept = new Set(
    finals.map(({ kind, namespace, name }) => `${kind.name} ${namespace} ${name}`),
  );
  const removed = changes.filter(
    ({ type, kind, namespace, name }) =>
      type === 'DELETED' && !kept.has(`${kind.name} ${namespace} ${name}`),
  );
  const [{ kind, namespace, name } = { kind: null, namespace: '', name: '' }] = changes;
  return [
    ...removed.map((gone) =>
      ended('removed object at the end', gone.name, { final: [...finals, gone] }),
    ),
    ...finals.map((final, index) => {
      const finalizers = [...final.object.finalizers, STRANGE];
      const object = { ...final.object, finalizers };
      return ended('finalizer from nowhere at the end', final.name, {
        final: finals.with(index, { ...final, object }),
      });
    }),
    ...(trace.warnings.length > 0 || kind === null
      ? []
      : [
          ended('warning from nowhere', name, {
            warnings: [{ reason: 'OwnerRefInvalidNamespace', kind: kind.name, namespace, name }],
          }),
        ]),
  ];
}
