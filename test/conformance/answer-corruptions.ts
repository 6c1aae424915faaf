import type {
  SeenFinal,
  SeenObject,
  SeenRequest,
  Trace,
} from '../../conformance/recordings/logs/observations.ts';

/** Corruptions of what a trace shows of answers and of the end. A real system does none of them. */

export const ANSWER_CORRUPTION_KINDS = [
  'answer with another code',
  'answer with another uid',
  'answer with another deletionTimestamp',
  'answer without a finalizer',
  'removal seen twice',
  'write after the removal',
  'status without its owner',
  'precondition of another uid',
  'object missing at the end',
  'object of another version at the end',
] as const;

export type AnswerCorruptionKind = (typeof ANSWER_CORRUPTION_KINDS)[number];

/** A `Corruption` of one of these kinds. */
export interface AnswerCorruption {
  readonly kind: AnswerCorruptionKind;
  readonly what: string;
  readonly trace: Trace;
  readonly possible: string | null;
}

export function answerCorruptions(trace: Trace): readonly AnswerCorruption[] {
  return [
    ...trace.requests.flatMap((request, index) => ofAnswer(trace, request, index)),
    ...trace.requests.flatMap((request, index) => ofBody(trace, request, index)),
    ...ofRemovals(trace),
    ...(trace.final ?? []).flatMap((final, index) => ofEnd(trace, final, index)),
  ];
}

function ofAnswer(trace: Trace, request: SeenRequest, index: number): readonly AnswerCorruption[] {
  const { answer, code } = request;
  const what = `${request.client} ${request.verb} ${request.kind.name}/${request.name} (${index})`;
  const instead = (
    kind: AnswerCorruptionKind,
    part: Partial<SeenRequest>,
    possible: string | null = null,
  ): AnswerCorruption => ({
    kind,
    what,
    trace: { ...trace, requests: trace.requests.with(index, { ...request, ...part }) },
    possible,
  });
  const shown = (kind: AnswerCorruptionKind, part: Partial<SeenObject>): AnswerCorruption =>
    instead(
      kind,
      { answer: answer === null ? null : { ...answer, ...part } },
      isDryRun(request) ? 'the object in the answer to a dry run is not stored' : null,
    );
  const refused = { code: 409, answer: null, bareSuccess: false, message: 'conflict' };
  const codes = code < 300 ? [instead('answer with another code', refused)] : [];
  if (answer === null) return codes;
  const { finalizers, deletionTimestamp } = answer;
  return [
    ...codes,
    shown('answer with another uid', { uid: `${answer.uid}-other` }),
    ...(finalizers.length === 0
      ? []
      : [shown('answer without a finalizer', { finalizers: finalizers.slice(1) })]),
    ...(deletionTimestamp === null
      ? []
      : [
          shown('answer with another deletionTimestamp', {
            deletionTimestamp: later(deletionTimestamp),
          }),
        ]),
  ];
}

function ofBody(trace: Trace, request: SeenRequest, index: number): readonly AnswerCorruption[] {
  const { body, code, subresource, verb } = request;
  if (body.is !== 'value' || code >= 300) return [];
  const what = `${request.client} ${verb} ${request.kind.name}/${request.name} (${index})`;
  const withBody = (kind: AnswerCorruptionKind, value: object): AnswerCorruption => ({
    kind,
    what,
    trace: {
      ...trace,
      requests: trace.requests.with(index, { ...request, body: { is: 'value', value } }),
    },
    possible: null,
  });
  const value = body.value as {
    readonly metadata?: { readonly ownerReferences?: readonly unknown[] };
    readonly preconditions?: { readonly uid?: string };
  } | null;
  const uid = value?.preconditions?.uid;
  const owned = (value?.metadata?.ownerReferences ?? []).length > 0 && !request.kind.graceful;
  return [
    ...(uid === undefined
      ? []
      : [
          withBody('precondition of another uid', {
            ...value,
            preconditions: { uid: `${uid}-other` },
          }),
        ]),
    ...(subresource === 'status' && verb === 'update' && owned
      ? [
          withBody('status without its owner', {
            ...value,
            metadata: { ...value?.metadata, ownerReferences: [] },
          }),
        ]
      : []),
  ];
}

/** Between two changes there is always a version free, because each version gets one digit more. */
function ofRemovals(trace: Trace): readonly AnswerCorruption[] {
  const scaled = withMoreDigits(trace);
  const changes = scaled.changes ?? [];
  return changes.flatMap((change, index): readonly AnswerCorruption[] => {
    if (change.type !== 'DELETED') return [];
    const version = `${change.object.resourceVersion?.slice(0, -1)}5`;
    const object = { ...change.object, resourceVersion: version };
    const what = `${change.kind.name}/${change.name} (${index})`;
    const again = changes.toSpliced(index + 1, 0, { ...change, object });
    const end = Math.max(...scaled.requests.map(({ completed }) => completed));
    const patch = scaled.requests.find(({ kind }) => kind.name === change.kind.name);
    if (patch === undefined) return [];
    const late: SeenRequest = {
      ...patch,
      ...{ client: 'late', collector: false, verb: 'patch', subresource: '', query: {} },
      ...{ namespace: change.namespace, name: change.name },
      body: { is: 'value', value: { metadata: { labels: { late: 'yes' } } } },
      ...{ code: 200, answer: change.object, bareSuccess: false, message: '' },
      ...{ received: end + 10, completed: end + 20 },
    };
    return [
      { kind: 'removal seen twice', what, trace: { ...scaled, changes: again }, possible: null },
      {
        kind: 'write after the removal',
        what,
        trace: { ...scaled, requests: [...scaled.requests, late] },
        possible: changes.some((other, at) => at > index && other.name === change.name)
          ? 'the name is used again'
          : null,
      },
    ];
  });
}

function ofEnd(trace: Trace, final: SeenFinal, index: number): readonly AnswerCorruption[] {
  const finals = trace.final ?? [];
  const what = `${final.kind.name}/${final.name}`;
  const { resourceVersion } = final.object;
  const missing: AnswerCorruption = {
    kind: 'object missing at the end',
    what,
    trace: { ...trace, final: finals.toSpliced(index, 1) },
    possible: null,
  };
  if (resourceVersion === null) return [missing];
  const object = { ...final.object, resourceVersion: `${resourceVersion}1` };
  return [
    missing,
    {
      kind: 'object of another version at the end',
      what,
      trace: { ...trace, final: finals.with(index, { ...final, object }) },
      possible: null,
    },
  ];
}

function isDryRun({ body }: SeenRequest): boolean {
  return body.is === 'value' && JSON.stringify(body.value).includes('"dryRun":["All"]');
}

function later(time: string): string {
  return new Date(Date.parse(time) + 3_600_000).toISOString().replace('.000Z', 'Z');
}

/** The same trace with another 0 at the end of each resourceVersion. */
export function withMoreDigits(trace: Trace): Trace {
  const more = (object: SeenObject): SeenObject => ({
    ...object,
    resourceVersion: object.resourceVersion === null ? null : `${object.resourceVersion}0`,
  });
  const inBody = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (key, part: unknown) =>
      key === 'resourceVersion' && typeof part === 'string' && part !== '' ? `${part}0` : part,
    );
  return {
    ...trace,
    changes: trace.changes?.map((one) => ({ ...one, object: more(one.object) })) ?? null,
    final: trace.final?.map((one) => ({ ...one, object: more(one.object) })) ?? null,
    requests: trace.requests.map((request) => ({
      ...request,
      answer: request.answer === null ? null : more(request.answer),
      body:
        request.body.is === 'value'
          ? { is: 'value' as const, value: inBody(request.body.value) }
          : request.body,
    })),
  };
}
