import type { Recording } from '../../conformance/recordings/logs/recording-schema.ts';
import type { ApiObject } from '../../model/state/objects.ts';
import type { CollectorWarning } from '../../model/state/world.ts';
import type { SentRequest, SimulatedAnswer } from './simulated-requests.ts';
import { KINDS } from './simulated-setups.ts';

export interface LoggedRequest {
  readonly request: SentRequest;
  readonly received: number;
  readonly completed: number;
  readonly answer: SimulatedAnswer;
}

export interface LoggedChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
  readonly version: string;
}

/** What a run shows to the outside. */
export interface SimulatedRun {
  readonly requests: readonly LoggedRequest[];
  readonly changes: readonly LoggedChange[];
  readonly left: readonly { readonly object: ApiObject; readonly version: string }[];
  readonly warnings: readonly CollectorWarning[];
  readonly restarts: number;
  readonly relists: number;
  /** All steps in order, for messages. */
  readonly steps: readonly string[];
}

/** The recording of a simulated run, in the format of recordings of real runs. */
export function recordingOf(name: string, run: SimulatedRun): Recording {
  return {
    name,
    group: 'simulated',
    description: 'a random run of the model',
    kubernetes: 'simulated',
    gcWorkers: 20,
    steps: Array.from({ length: run.restarts }, () => ({ do: 'kcm', action: 'start' })),
    runsRecorded: 1,
    runs: [
      {
        run: 1,
        requests: run.requests.map(requestOf),
        watch: run.changes.map(watchOf),
        events: run.warnings.map(({ reason, dependent }) => ({
          component: 'garbage-collector-controller',
          count: 1,
          involved: `${dependent.kind}/${dependent.name}`,
          message: 'ownerRef does not exist in namespace',
          namespace: dependent.namespace,
          reason,
          type: 'Warning',
        })),
        final: run.left.map(({ object, version }) => ({
          ...metadataOf(object, version),
          id: object.name,
          kind: KINDS[object.kind]?.kind ?? object.kind,
          name: object.name,
          namespace: object.namespace,
        })),
      },
    ],
  };
}

function requestOf({ request, received, completed, answer }: LoggedRequest) {
  const [kind = '', namespace = '', name = ''] = request.key.split('/');
  const { object, version, message } = answer;
  return {
    actor: request.actor,
    verb: request.verb,
    resource: resourceOf(kind),
    name: request.verb === 'deletecollection' ? null : name,
    namespace,
    ...(request.body === undefined ? {} : { body: request.body }),
    code: answer.code,
    received: clock(received),
    completed: clock(completed),
    ...(object === null ? { message } : { response: metadataOf(object, version) }),
  };
}

function watchOf({ type, object, version }: LoggedChange) {
  return {
    type,
    resource: resourceOf(object.kind),
    name: object.name,
    namespace: object.namespace,
    object: metadataOf(object, version),
  };
}

function resourceOf(kind: string): string {
  return KINDS[kind]?.resource ?? kind;
}

function metadataOf(object: ApiObject, version: string | null) {
  const { uid, generation, finalizers, ownerReferences, deletionTimestamp } = object;
  return {
    uid,
    resourceVersion: version,
    ...(KINDS[object.kind]?.generation === true ? { generation } : {}),
    finalizers: [...finalizers],
    ownerReferences: ownerReferences.map((reference) => ({ ...reference })),
    deletionTimestamp:
      deletionTimestamp === null
        ? null
        : new Date(Date.UTC(2026, 0, 1) + deletionTimestamp * 1000).toISOString(),
    deletionGracePeriodSeconds: object.deletionGracePeriodSeconds,
  };
}

/** A step of the simulation takes a microsecond. */
function clock(time: number): string {
  return `12:00:00.${String(time).padStart(6, '0')}`;
}
