import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AuditLog } from '../audit/events.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import { parseBody } from '../requests/parse.ts';
import { badRequest, StatusError, statusBody } from '../requests/status.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { audited } from './audited.ts';
import { Backlog } from './backlog.ts';
import type { Naming, Served } from './context.ts';
import { type Answer, demandServed, handlePlain, handleResource } from './handle.ts';
import { checkHost } from './hosts.ts';
import { sentTo } from './operator.ts';
import { routeOf } from './route.ts';

/** The limit of kube-apiserver for the body of a request. */
const MOST_BYTES = 3 * 1024 * 1024;

/** A request must be complete after this time. */
const REQUEST_MILLISECONDS = 60_000;

export interface ServerOptions {
  readonly cluster: ServedCluster;
  readonly schedule: Schedule;
  readonly protocol: string;
  /** The address that it listens on. */
  readonly address: string;
  readonly naming: Naming;
  /** Gets the requests of the clients. Null: nothing is logged. */
  readonly audit: AuditLog | null;
  /** Called with what went wrong inside the server; the client gets a Status. */
  readonly onDefect: (error: Error) => void;
}

/** The HTTP server around the model. It does not listen yet. */
export function serverOf(options: ServerOptions): FastifyInstance {
  const { cluster, schedule, protocol, naming } = options;
  const served: Served = {
    cluster,
    schedule,
    protocol,
    backlog: new Backlog(),
    ...naming,
  };
  const app = fastify({
    bodyLimit: MOST_BYTES,
    requestTimeout: REQUEST_MILLISECONDS,
    forceCloseConnections: true,
    // Without a Host, the handler answers with a Status, and not Node.js without one.
    http: { requireHostHeader: false },
    clientErrorHandler,
    frameworkErrors: (error, _request, reply) => {
      send(reply, statusOf(error, options));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => {
    send(reply, statusOf(error as Error, options));
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    checkHost(options.address, request.headers.host, request.headers.origin);
    answer(request, reply, await answerTo(served, request, options.audit));
  };
  app.route({ method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '*', handler });
  app.setNotFoundHandler((request, reply) => {
    send(
      reply,
      new StatusError(405, 'MethodNotAllowed', `the server does not know ${request.method}`),
    );
  });
  app.addHook('onClose', () => schedule.stop());
  app.server.on('connect', (_request, socket: Socket) => {
    refuse(socket, new StatusError(405, 'MethodNotAllowed', 'the server does not know CONNECT'));
  });
  return app;
}

async function answerTo(
  served: Served,
  request: FastifyRequest,
  audit: AuditLog | null,
): Promise<Answer> {
  const { url, isOfOperator } = sentTo(request.raw.url ?? '/', served.schedule);
  const mark = url.indexOf('?');
  const route = routeOf(mark < 0 ? url : url.slice(0, mark));
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const [contentType = ''] = (request.headers['content-type'] ?? '').split(';');
  // What is not served is not read either.
  if (route.of === 'resource') demandServed(served, route);
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const body = parseBody(bytes, contentType.trim().toLowerCase());
  const { method } = request;
  const accept = request.headers.accept ?? '';
  if (route.of === 'plain') {
    const address = request.headers.host ?? '';
    return handlePlain(served, { method, path: route.path, accept, body, address });
  }
  const userAgent = request.headers['user-agent'] ?? '';
  const asked = {
    method,
    route,
    query,
    accept,
    contentType: contentType.trim().toLowerCase(),
    body,
    userAgent,
    isOfOperator,
  };
  const handle = (): Promise<Answer> => handleResource(served, asked);
  return audit === null ? handle() : audited(audit, asked, url, handle);
}

function answer(request: FastifyRequest, reply: FastifyReply, given: Answer): void {
  if ('text' in given) {
    reply.type('text/plain; charset=utf-8').send(given.text);
  } else if ('bytes' in given) {
    reply.type(given.type).send(Buffer.from(given.bytes));
  } else if ('begin' in given) {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
    });
    raw.flushHeaders();
    given.begin({
      waiting: () => raw.writableLength,
      write: (text) => void raw.write(text),
      end: () => void raw.end(),
      abort: () => void raw.destroy(),
      onClose: (closed) => void request.raw.socket.once('close', closed),
    });
  } else {
    const { warnings = [] } = given;
    if (warnings.length > 0) reply.header('warning', warnings.map(warningOf));
    reply
      .code(given.code)
      .type(given.type ?? 'application/json')
      .send(JSON.stringify(given.body));
  }
}

/** `net.NewWarningHeader` of apimachinery. A header has no characters beyond ASCII. */
function warningOf(text: string): string {
  return `299 - "${text.replaceAll(/[^ -~]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`;
}

function send(reply: FastifyReply, error: StatusError): void {
  const { retryAfterSeconds } = error.details ?? {};
  if (typeof retryAfterSeconds === 'number') reply.header('retry-after', retryAfterSeconds);
  reply
    .code(error.code)
    .type('application/json')
    .send(JSON.stringify(statusBody(error)));
}

/** Every error is a Status: of the request, of the HTTP library, or a defect of this server. */
function statusOf(error: Error, { onDefect }: ServerOptions): StatusError {
  if (error instanceof StatusError) return error;
  const code = (error as { readonly statusCode?: number }).statusCode ?? 500;
  if (code === 413) {
    return new StatusError(413, 'RequestEntityTooLarge', `limit is ${MOST_BYTES} bytes`);
  }
  if (code >= 400 && code < 500) return badRequest(error.message);
  onDefect(error);
  return new StatusError(500, 'InternalError', `Internal error occurred: ${error.message}`);
}

/** What is no HTTP, or does not arrive in time. */
function clientErrorHandler(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = isSlow
    ? new StatusError(408, 'Timeout', 'the request was not complete in time')
    : badRequest('the request is not HTTP');
  refuse(socket, status);
  socket.destroy(error);
}

/** Answers where no handler can. */
function refuse(socket: Socket, status: StatusError): void {
  if (!socket.writable) return;
  const text = JSON.stringify(statusBody(status));
  socket.end(
    `HTTP/1.1 ${status.code} ${status.reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
