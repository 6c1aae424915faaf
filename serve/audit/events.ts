import type { Body } from '../cluster/body.ts';

/** A request and its answer, as an audit log has them. Times are microseconds since 1970. */
export interface AuditedRequest {
  readonly verb: string;
  readonly uri: string;
  readonly user: string;
  readonly userAgent: string;
  /** Null: the request is for no resource. */
  readonly object: AuditedObject | null;
  /** Undefined: it has no body. */
  readonly body: unknown;
  readonly received: number;
}

export interface AuditedObject {
  readonly apiVersion: string;
  /** Plural. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AuditedAnswer {
  readonly code: number;
  /** Of an error. */
  readonly message?: string;
  readonly body: Body | null;
  readonly completed: number;
}

/** Writes one line for each answered request. */
export type AuditSink = (line: string) => void;

/** A log in the format of `audit.k8s.io/v1`, at the level RequestResponse. */
export class AuditLog {
  readonly #sink: AuditSink;
  #count = 0;
  #last = 0;

  constructor(sink: AuditSink) {
    this.#sink = sink;
  }

  /** The time in microseconds. No two calls give the same, and later calls give more. */
  now(): number {
    this.#last = Math.max(this.#last + 1, Date.now() * 1_000);
    return this.#last;
  }

  add(request: AuditedRequest, answer: AuditedAnswer): void {
    this.#count += 1;
    const { object, body } = request;
    const [group, version] = object === null ? ['', ''] : groupAndVersion(object.apiVersion);
    const failed = answer.code >= 400;
    const isStatus = answer.body?.kind === 'Status' && !failed;
    const event = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: `reapcheck-${this.#count}`,
      stage: 'ResponseComplete',
      requestURI: request.uri,
      verb: request.verb,
      user: { username: request.user },
      userAgent: request.userAgent,
      ...(object === null
        ? {}
        : {
            objectRef: {
              resource: object.resource,
              ...(object.subresource === '' ? {} : { subresource: object.subresource }),
              ...(object.namespace === '' ? {} : { namespace: object.namespace }),
              ...(object.name === '' ? {} : { name: object.name }),
              ...(group === '' ? {} : { apiGroup: group }),
              apiVersion: version,
            },
          }),
      responseStatus: {
        metadata: {},
        ...(failed ? { status: 'Failure', message: answer.message ?? '' } : {}),
        ...(isStatus ? { status: 'Success' } : {}),
        code: answer.code,
      },
      ...(body === undefined ? {} : { requestObject: body }),
      ...(answer.body === null ? {} : { responseObject: answer.body }),
      requestReceivedTimestamp: timeText(request.received),
      stageTimestamp: timeText(answer.completed),
    };
    this.#sink(`${JSON.stringify(event)}\n`);
  }
}

function groupAndVersion(apiVersion: string): readonly [string, string] {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? ['', group] : [group, version];
}

function timeText(microseconds: number): string {
  const seconds = new Date(Math.floor(microseconds / 1e6) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(microseconds % 1e6).padStart(6, '0')}Z`;
}
