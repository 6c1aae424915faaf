import type {
  SeenObject,
  SeenRequest,
  Trace,
} from '../../conformance/recordings/logs/observations.ts';
import { tracesIn } from '../../conformance/recordings/logs/read.ts';

/** The requests of a trace as the audit log of an API server shows them at a level. */

export type Level = 'Metadata' | 'Request' | 'RequestResponse';

export const LEVELS: readonly Level[] = ['Metadata', 'Request', 'RequestResponse'];

/** @param levelOf the level of the audit policy for a request. */
export function auditText(trace: Trace, levelOf: (request: SeenRequest) => Level): string {
  return trace.requests
    .map((request, index) => JSON.stringify(auditEvent(request, index, levelOf(request))))
    .join('\n');
}

/** The trace as it is read back from that log. */
export function auditTrace(trace: Trace, levelOf: (request: SeenRequest) => Level): Trace {
  const text = auditText(trace, levelOf);
  const [read] = tracesIn({ file: `${trace.name}.jsonl`, text }, { partial: true });
  if (read === undefined) throw new Error('an audit log has one trace');
  return read;
}

const GC_AGENT = 'kube-controller-manager/v1.20.2 (linux/amd64) generic-garbage-collector';

function auditEvent(request: SeenRequest, index: number, level: Level): object {
  const { kind, code, verb, answer } = request;
  const [apiVersion = 'v1'] = kind.apiVersions;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const failed = code >= 400;
  const status = {
    metadata: {},
    code,
    ...(failed ? { status: 'Failure', message: request.message } : {}),
    ...(request.bareSuccess ? { status: 'Success' } : {}),
  };
  const query = new URLSearchParams({ ...request.query }).toString();
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level,
    auditID: `request-${index}`,
    stage: 'ResponseComplete',
    requestURI: `/api/${kind.resource}${query === '' ? '' : `?${query}`}`,
    verb,
    user: { username: request.client },
    userAgent: request.collector ? GC_AGENT.replace(') ', ')/') : 'client/v1',
    objectRef: {
      resource: kind.resource,
      subresource: request.subresource,
      namespace: request.namespace,
      name: request.name ?? '',
      apiGroup: group,
      apiVersion: version,
    },
    responseStatus: status,
    ...(level === 'Metadata' || request.body.is !== 'value'
      ? {}
      : { requestObject: request.body.value }),
    ...(level !== 'RequestResponse'
      ? {}
      : { responseObject: answer === null ? { kind: 'Status' } : shown(request, answer) }),
    requestReceivedTimestamp: clock(request.received),
    stageTimestamp: clock(request.completed),
  };
}

function shown({ kind, name, namespace }: SeenRequest, object: SeenObject): object {
  const { phase, specFinalizers, ...metadata } = object;
  return {
    apiVersion: kind.apiVersions[0],
    kind: kind.kind,
    metadata: { name: name ?? '', namespace, ...metadata },
    ...(phase === null ? {} : { status: { phase } }),
    ...(specFinalizers === null ? {} : { spec: { finalizers: specFinalizers } }),
  };
}

/** Microseconds as a time of the day, as the recordings have them, or since 1970. */
function clock(microseconds: number): string {
  const seconds = new Date(Math.floor(microseconds / 1e6) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(microseconds % 1e6).padStart(6, '0')}Z`;
}
