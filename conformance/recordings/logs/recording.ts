import * as z from 'zod';
import type { SourceDocument } from '../../../input/documents/document.ts';
import { shaped } from '../../../input/documents/shape.ts';
import { LogKinds } from './log-kinds.ts';
import type { SeenChange, SeenFinal, SeenRequest, SeenWarning, Trace } from './observations.ts';
import {
  type RecordedMetadata,
  type RecordedRun,
  type Recording,
  recordingSchema,
} from './recording-schema.ts';
import { seenMetadata } from './seen-object.ts';

/** Reads a recorded scenario: one trace for each of its runs. */
export function readRecording(document: SourceDocument): readonly Trace[] {
  const recording = shaped(recordingSchema, document.value, document, []);
  return recording.runs.map((run, index) => readRun(recording, run, index, document));
}

export function isRecording(value: unknown): boolean {
  return z.looseObject({ runs: z.array(z.unknown()), steps: z.array(z.unknown()) }).safeParse(value)
    .success;
}

function readRun(
  recording: Recording,
  run: RecordedRun,
  index: number,
  document: SourceDocument,
): Trace {
  const kinds = new LogKinds();
  for (const { body, resource, namespace } of run.requests) {
    const manifest = typed.safeParse(body);
    if (!manifest.success) continue;
    kinds.learn(manifest.data.apiVersion, manifest.data.kind, resource, Boolean(namespace));
  }
  const kindOf = (resource: string, namespace: string | null | undefined) =>
    kinds.of(resource, null, Boolean(namespace));
  const place = (list: string, at: number) => ({
    file: document.file,
    field: `runs[${index}].${list}[${at}]`,
  });
  const requests = run.requests.map((request, at): SeenRequest => {
    const kind = kindOf(request.resource, request.namespace);
    return {
      place: place('requests', at),
      client: request.actor,
      collector: request.actor === 'gc',
      verb: request.verb,
      subresource: request.subresource ?? '',
      kind,
      namespace: kind.namespaced ? (request.namespace ?? '') : '',
      name: request.name ?? null,
      apiVersion: null,
      body:
        request.body === undefined || request.body === null
          ? { is: 'none' }
          : { is: 'value', value: request.body },
      query: {},
      // A recorded scenario does not show selectors. The namespace controller has none.
      selects: request.verb === 'deletecollection' && request.actor !== 'nsc',
      code: request.code,
      answer: request.response === undefined ? null : metadataOf(request.response),
      answerLogged: true,
      bareSuccess: request.code < 300 && request.response === undefined,
      message: request.message ?? '',
      received: microseconds(request.received),
      completed: microseconds(request.completed),
    };
  });
  const changes = run.watch.map((event, at): SeenChange => {
    const kind = kindOf(event.resource, event.namespace);
    return {
      place: place('watch', at),
      type: event.type,
      kind,
      namespace: kind.namespaced ? (event.namespace ?? '') : '',
      name: event.name,
      object: metadataOf(event.object),
      pod: null,
    };
  });
  return {
    name: `${recording.name} run ${run.run}`,
    kinds: kinds.table(),
    requests: sinceMidnight(requests),
    requestsLogged: true,
    changes,
    initial: [],
    final: finalOf(run, kinds),
    warnings: run.events.map((event) => warningOf(event, kinds)),
    restarts: restartsIn(recording.steps),
    relists: 0,
  };
}

const typed = z.looseObject({ apiVersion: z.string().min(1), kind: z.string().min(1) });

function metadataOf(metadata: RecordedMetadata) {
  return seenMetadata(metadata, metadata.phase ?? null, metadata.specFinalizers ?? null);
}

/** The remaining objects. Recordings show their kinds without a group. */
function finalOf(run: RecordedRun, kinds: LogKinds): readonly SeenFinal[] {
  const table = Object.values(kinds.table());
  return run.final.flatMap((left) => {
    const kind = table.find((candidate) => candidate.kind === left.kind);
    if (kind === undefined) return [];
    return [
      {
        kind,
        namespace: kind.namespaced ? (left.namespace ?? '') : '',
        name: left.name,
        object: seenMetadata(left),
      },
    ];
  });
}

function warningOf(event: RecordedRun['events'][number], kinds: LogKinds): SeenWarning {
  const [kind = '', name = ''] = event.involved.split('/');
  const known = Object.values(kinds.table()).find((candidate) => candidate.kind === kind);
  return {
    reason: event.reason,
    kind: known?.name ?? kind,
    namespace: known?.namespaced === false ? '' : (event.namespace ?? ''),
    name,
  };
}

const restartStep = z.looseObject({ do: z.literal('kcm'), action: z.literal('start') });

/** Counts the starts of the controller manager among the steps, at any depth. */
function restartsIn(steps: unknown): number {
  if (typeof steps !== 'object' || steps === null) return 0;
  const own = restartStep.safeParse(steps).success ? 1 : 0;
  return Object.values(steps).reduce((sum: number, step) => sum + restartsIn(step), own);
}

function microseconds(clock: string): number {
  const [hours = '0', minutes = '0', seconds = '0'] = clock.split(':');
  return Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1e6);
}

const DAY = 24 * 3600 * 1e6;

/**
 * The times in a recording are times of day, so a run may cross midnight. A run takes less than
 * half a day.
 */
function sinceMidnight(requests: readonly SeenRequest[]): readonly SeenRequest[] {
  const first = requests[0]?.received ?? 0;
  const later = (time: number) => (time < first - DAY / 2 ? time + DAY : time);
  return requests.map((request) => ({
    ...request,
    received: later(request.received),
    completed: later(request.completed),
  }));
}
