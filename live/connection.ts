import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { KubeConfig } from '@kubernetes/client-node';
import { InputError } from '../text/input-error.ts';
import { hint } from '../text/messages.ts';
import { type ClientNode, clientNode } from './client-node.ts';
import { LIVE_ERRORS } from './errors.ts';

/** Which cluster, as kubectl takes it. */
export interface WantedCluster {
  readonly context: string;
  /** Null: `KUBECONFIG`, or `~/.kube/config`. */
  readonly kubeconfig: string | null;
}

/** An answer of the API server, whole. */
export interface Answer {
  readonly code: number;
  /** Undefined: it is not JSON. */
  readonly body: unknown;
  /** The clock of the server, if it said. */
  readonly date: string | null;
  readonly retryAfterSeconds: number | null;
}

export type Form = 'whole' | 'metadataList' | 'metadata';

/** With the whole form as a second choice: whatever comes is reduced. */
const ACCEPT: Readonly<Record<Form, string>> = {
  whole: 'application/json',
  metadataList:
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;q=0.5',
  metadata: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;q=0.5',
};

/** Milliseconds without a byte. A watch gets a bookmark every minute. */
const IDLE_MOST = { get: 60_000, stream: 300_000 } as const;

/** Milliseconds for which a token of a plugin is taken to be valid. */
const FRESH = 60_000;

export class BrokenConnection extends Error {}

/** Throws unless there is room for so many bytes more. */
export type Room = (bytes: number) => void;

/** A connection to a cluster that can only read: it has no other method than GET. */
export class Connection {
  readonly context: string;
  readonly #config: KubeConfig;
  readonly #server: string;
  #options: { readonly value: RequestOptions; readonly at: number } | null = null;
  readonly #closed = new AbortController();

  private constructor(context: string, config: KubeConfig, server: string) {
    this.context = context;
    this.#config = config;
    this.#server = server.replace(/\/+$/, '');
  }

  /** Reads the kubeconfig; connects when something is asked for. Throws `InputError`. */
  static async to(
    { context, kubeconfig }: WantedCluster,
    load: () => Promise<ClientNode> = clientNode,
  ): Promise<Connection> {
    const { KubeConfig } = await load();
    const config = new KubeConfig();
    try {
      if (kubeconfig === null) config.loadFromDefault();
      else config.loadFromFile(kubeconfig);
    } catch (error) {
      throw LIVE_ERRORS.badKubeconfig(kubeconfig, whereItIsBad(error));
    }
    const known = config.contexts.map(({ name }) => name);
    if (!known.includes(context)) {
      throw new InputError({
        what: `the kubeconfig has no context "${context}"`,
        next: hint(context, known) ?? 'kubectl config get-contexts shows them all',
      });
    }
    config.setCurrentContext(context);
    const server = config.getCurrentCluster()?.server;
    if (typeof server !== 'string' || !/^https?:\/\//.test(server)) {
      throw LIVE_ERRORS.badKubeconfig(kubeconfig, `context "${context}" names no server`);
    }
    return new Connection(context, config, server);
  }

  /**
   * GETs a path and reads the whole answer. Throws `BrokenConnection` if there is none, and
   * `InputError` for credentials that do not work.
   *
   * @param most bytes that the answer may have.
   * @param room is asked before bytes are taken.
   */
  async get(path: string, form: Form, most: number, room: Room = () => {}): Promise<Answer> {
    const message = await this.#open(path, form, IDLE_MOST.get, this.closed);
    const chunks: Buffer[] = [];
    let size = 0;
    const zipped = message.headers['content-encoding'] === 'gzip';
    const stream = zipped ? pipeline(message, createGunzip(), () => undefined) : message;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > most) {
          message.destroy();
          throw LIVE_ERRORS.tooLarge(this.context, Math.round(most / 1e6));
        }
        chunks.push(chunk);
        room(0);
      }
    } catch (error) {
      throw error instanceof InputError ? error : new BrokenConnection(messageOf(error));
    }
    room(PARSED * size);
    const retry = Number(message.headers['retry-after']);
    return {
      code: message.statusCode ?? 0,
      body: parsed(Buffer.concat(chunks).toString('utf8')),
      date: timeOf(message.headers.date),
      retryAfterSeconds: Number.isFinite(retry) && retry >= 0 ? retry : null,
    };
  }

  /** GETs a path and leaves the answer to be read as it comes. Throws as `get` does. */
  stream(path: string, form: Form, signal: AbortSignal): Promise<IncomingMessage> {
    return this.#open(path, form, IDLE_MOST.stream, signal);
  }

  async #open(
    path: string,
    form: Form,
    idle: number,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const url = new URL(`${this.#server}${path}`);
    const options = await this.#authenticated();
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = {
      ...options.headers,
      accept: ACCEPT[form],
      'user-agent': 'reapcheck',
      ...(idle === IDLE_MOST.get ? { 'accept-encoding': 'gzip' } : {}),
    };
    return new Promise((resolve, reject) => {
      const method = 'GET';
      const request = send(url, { ...options, headers, method, signal }, resolve);
      request.setTimeout(idle, () => request.destroy(new Error('the server does not answer')));
      request.on('error', (error) => reject(new BrokenConnection(messageOf(error))));
      request.end();
    });
  }

  /** Aborted as soon as nothing more is asked. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Ends what is still asked for, which would keep the process from its end. */
  close(): void {
    this.#closed.abort();
  }

  /** The server does not take the credentials any more: there may be new ones. */
  renew(): void {
    this.#options = null;
  }

  /** Plugins of kubeconfigs hand out tokens that expire. */
  async #authenticated(): Promise<RequestOptions> {
    const now = performance.now();
    if (this.#options !== null && now - this.#options.at < FRESH) return this.#options.value;
    const value: RequestOptions = {};
    try {
      await this.#config.applyToHTTPSOptions(value);
    } catch (error) {
      throw LIVE_ERRORS.notAuthenticated(this.context, whyNoCredential(error));
    }
    this.#options = { value, at: now };
    return value;
  }
}

/** The text and the values of an answer of JSON take so many times its bytes. */
const PARSED = 4;

/** RFC 3339, as in objects. */
function timeOf(date: string | undefined): string | null {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Messages of YAML's parser show the lines around the error, which may hold a token. */
function whereItIsBad(error: unknown): string {
  const { reason, mark } = (error ?? {}) as {
    readonly reason?: unknown;
    readonly mark?: { readonly line?: unknown };
  };
  if (typeof reason !== 'string') return firstLine(messageOf(error));
  return typeof mark?.line === 'number' ? `line ${mark.line + 1}: ${reason}` : reason;
}

/** What a login plugin has printed may be a token. */
function whyNoCredential(error: unknown): string {
  if (error instanceof SyntaxError) return 'its login plugin printed no credential';
  return firstLine(messageOf(error));
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 200);
}

export function messageOf(error: unknown): string {
  const { message, code } = (error ?? {}) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  // Node reports a refused connection to several addresses without a message.
  if (typeof message === 'string' && message !== '') return message;
  return typeof code === 'string' ? code : String(error);
}
