import * as z from 'zod';
import { InputError } from '../../../text/input-error.ts';
import {
  type AuditEvent,
  answeredObjectSchema,
  auditEventSchema,
  typedSchema,
} from './audit-schema.ts';
import { type Line, shapedLine } from './json-lines.ts';
import { LogKinds } from './log-kinds.ts';
import type { SeenBody, SeenRequest, SeenVerb, Trace } from './observations.ts';
import { seenWhole } from './seen-object.ts';

/**
 * Reads the audit log of an API server: the requests for single objects, and DELETEs of
 * collections.
 */
export function readAuditLog(file: string, lines: readonly Line[]): Trace {
  const events = requestEvents(lines);
  const kinds = new LogKinds();
  for (const { event } of events) learnKinds(kinds, event);
  const requests: SeenRequest[] = [];
  for (const { event, line } of events) {
    const request = requestOf(event, line, kinds);
    if (request !== null) requests.push(request);
  }
  return {
    name: file,
    kinds: kinds.table(),
    requests,
    requestsLogged: true,
    changes: null,
    initial: [],
    final: null,
    warnings: [],
    restarts: 0,
    relists: 0,
  };
}

interface ReadEvent {
  readonly event: AuditEvent;
  readonly line: Line;
}

/** One event for each request: its last stage. */
function requestEvents(lines: readonly Line[]): readonly ReadEvent[] {
  const last = new Map<string, ReadEvent>();
  for (const line of lines) {
    const event = shapedLine(auditEventSchema, line, 'an audit event');
    const known = last.get(event.auditID);
    if (known !== undefined && known.event.stage !== 'RequestReceived') {
      if (event.stage === 'RequestReceived') continue;
      if (known.event.stage === event.stage) {
        throw new InputError({
          what: `the request ${event.auditID} appears twice in the log`,
          where: line.place,
        });
      }
    }
    last.set(event.auditID, { event, line });
  }
  return [...last.values()];
}

function learnKinds(kinds: LogKinds, { objectRef, requestObject, responseObject }: AuditEvent) {
  if (objectRef === undefined || objectRef.subresource !== '') return;
  for (const body of [requestObject, responseObject]) {
    const typed = typedSchema.safeParse(body);
    const options = ['Status', 'DeleteOptions', 'Table', 'PartialObjectMetadata'];
    if (!typed.success || options.includes(typed.data.kind)) continue;
    if (typed.data.kind.endsWith('List')) continue;
    const { apiVersion, kind } = typed.data;
    kinds.learn(apiVersion, kind, objectRef.resource, objectRef.namespace !== '');
  }
}

const VERBS: readonly string[] = [
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'get',
] satisfies readonly SeenVerb[];

function isVerb(verb: string): verb is SeenVerb {
  return VERBS.includes(verb);
}

/** Subresources that do not touch the stored object. */
const BESIDES = ['log', 'exec', 'attach', 'portforward', 'proxy', 'token'];

/** Null for requests that neither change nor show a single object. */
function requestOf(event: AuditEvent, line: Line, kinds: LogKinds): SeenRequest | null {
  const { objectRef, verb } = event;
  if (objectRef === undefined || objectRef.resource === '' || !isVerb(verb)) return null;
  if (BESIDES.includes(objectRef.subresource)) return null;
  const query = Object.fromEntries(new URLSearchParams(event.requestURI.split('?')[1] ?? ''));
  const collector = isCollector(event);
  // A GET with a resourceVersion may be answered from a cache.
  if (verb === 'get' && (query.resourceVersion !== undefined || objectRef.name === '')) return null;
  const kind = kinds.of(objectRef.resource, objectRef.apiGroup, objectRef.namespace !== '');
  const shown = answeredObjectSchema.safeParse(event.responseObject);
  const object = shown.success && isOf(shown.data, kind.kind) ? shown.data : null;
  const name =
    objectRef.name || object?.metadata.name || (verb === 'create' ? sentName(event) : '');
  const version = objectRef.apiVersion;
  return {
    place: line.place,
    client: clientOf(event),
    collector,
    verb,
    subresource: objectRef.subresource,
    kind,
    namespace: kind.namespaced ? objectRef.namespace : '',
    name: verb === 'deletecollection' || name === '' ? null : name,
    apiVersion: objectRef.apiGroup === '' ? version : `${objectRef.apiGroup}/${version}`,
    body: bodyOf(event, verb),
    query,
    selects: query.labelSelector !== undefined || query.fieldSelector !== undefined,
    code: event.responseStatus?.code ?? 0,
    answer: object === null ? null : seenWhole(object),
    answerLogged: event.level === 'RequestResponse',
    bareSuccess: event.responseStatus?.status === 'Success',
    message: event.responseStatus?.message ?? '',
    received: microseconds(event.requestReceivedTimestamp),
    completed:
      event.stage === 'RequestReceived'
        ? Number.POSITIVE_INFINITY
        : microseconds(event.stageTimestamp),
  };
}

function sentName({ requestObject }: AuditEvent): string {
  const sent = z.looseObject({ metadata: z.looseObject({ name: z.string() }) });
  return sent.safeParse(requestObject).data?.metadata.name ?? '';
}

/** False for answers of subresources that are another kind of object, such as Scale or Binding. */
function isOf(object: { readonly kind?: string | undefined }, kind: string): boolean {
  return object.kind === undefined || object.kind === kind;
}

function bodyOf({ level, requestObject }: AuditEvent, verb: SeenVerb): SeenBody {
  if (verb === 'get') return { is: 'none' };
  if (level === 'Metadata' || level === 'None') return { is: 'notLogged' };
  if (requestObject === undefined || requestObject === null) return { is: 'none' };
  return { is: 'value', value: requestObject };
}

const COLLECTOR = 'generic-garbage-collector';

/**
 * The collector is recognized by the name of its client, or of its service account if it has its
 * own.
 */
function isCollector({ user, userAgent }: AuditEvent): boolean {
  return userAgent.endsWith(`/${COLLECTOR}`) || user.username.endsWith(`:${COLLECTOR}`);
}

/** Controllers usually share a user; the end of the user agent distinguishes them. */
function clientOf({ user, userAgent }: AuditEvent): string {
  const part = userAgent.split('/').at(-1) ?? '';
  return part.endsWith('-controller') || part === COLLECTOR ? part : user.username;
}

function microseconds(time: string): number {
  const [seconds = '', fraction = ''] = time.slice(0, -1).split('.');
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
