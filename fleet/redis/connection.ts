import { isIP } from 'node:net';
import type { Redis } from 'ioredis';
import { FLEET_ERRORS } from '../errors.ts';
import { type RedisAddress, withoutPassword } from './address.ts';
import type { IoRedis } from './libraries.ts';

const CONNECT_MILLISECONDS = 5_000;
/**
 * After an error, such as a full Redis, it is tried again. BullMQ by itself would wait 15 seconds.
 */
export const RETRY_MILLISECONDS = 500;
/**
 * A connection on which nothing comes back for so long is cut and made anew: a network that drops
 * packets says nothing. Blocking commands of BullMQ end earlier.
 */
const SILENT_MILLISECONDS = 15_000;
const REFUSED =
  /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH|ERR DB index is out of range)/;
/** One that all users of a fleet may read. */
const A_KEY = 'bull:reapcheck';
/** BullMQ knows an error of a connection by these words, which are those of ioredis. */
const CLOSED = 'Connection is closed.';

export interface Connection {
  readonly redis: Redis;
  /** Why Redis did not answer last, without the password; null: it did. */
  trouble(): string | null;
  close(): void;
}

export interface ConnectionOptions {
  /** After so many seconds without Redis, the connection ends for good. */
  readonly awaySeconds: number;
  /** Called once if it ends so. */
  readonly onEnd: () => void;
  /** Also if it was never there: who gave a wrong address need not wait for the end. */
  readonly onAway?: (why: string) => void;
  readonly onBack?: () => void;
}

/**
 * Connects, and again whenever the connection breaks, for a bounded time. Duplicates, as BullMQ
 * makes them for blocking commands, have the same bound. Throws `InputError` if Redis is not there
 * or does not let us in.
 */
export async function connected(
  { Redis }: IoRedis,
  address: RedisAddress,
  { awaySeconds, onEnd, onAway, onBack }: ConnectionOptions,
): Promise<Connection> {
  const { host, port, db, username, password, tls, shown } = address;
  let trouble: string | null = null;
  let isClosed = false;
  let isOpen = false;
  // For each connection its own: one that breaks later grants the others no more time.
  const retryStrategy = () => {
    let since = Date.now();
    return (times: number): number | null => {
      if (isClosed) return null;
      if (times === 1) since = Date.now();
      return Date.now() - since > awaySeconds * 1000 ? null : RETRY_MILLISECONDS;
    };
  };
  const lasting = new LastingConnections(retryStrategy);
  const redis = lasting.add(
    new Redis({
      ...{ host, port, db, lazyConnect: true },
      ...(username === null ? {} : { username }),
      ...(password === null ? {} : { password }),
      // A certificate is not asked for by an address: RFC 6066.
      ...(tls ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
      connectTimeout: CONNECT_MILLISECONDS,
      socketTimeout: SILENT_MILLISECONDS,
      keepAlive: SILENT_MILLISECONDS,
      // BullMQ demands it: a command waits for the connection, for which there is a bound above.
      maxRetriesPerRequest: null,
      retryStrategy: retryStrategy(),
    }),
  );
  const why = (error: Error): string =>
    withoutPassword((error as NodeJS.ErrnoException).code ?? error.message, address);
  let isAway = false;
  redis.on('close', () => {
    if (isAway || isClosed) return;
    isAway = true;
    onAway?.(trouble ?? 'the connection was closed');
  });
  redis.on('ready', () => {
    trouble = null;
    if (isAway) onBack?.();
    isAway = false;
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      if (isOpen) return;
      isClosed = true;
      lasting.end();
      reject(error);
    };
    redis.on('error', (error: Error) => {
      trouble = why(error);
      demandRights(error);
    });
    const demandRights = (error: Error): void => {
      const text = withoutPassword(error.message, address);
      if (REFUSED.test(text)) fail(FLEET_ERRORS.refused(shown, text));
    };
    redis.once('ready', async () => {
      // BullMQ without INFO tries again for ever, and nothing else in its process goes on.
      await Promise.all([redis.info(), redis.exists(A_KEY)]).catch(demandRights);
      if (isClosed) return;
      isOpen = true;
      resolve();
    });
    atEnd(redis, () => fail(FLEET_ERRORS.notThere(shown, awaySeconds, trouble)));
    // The error events say more than the rejection.
    redis.connect().catch(() => undefined);
  });
  atEnd(redis, () => {
    if (!isClosed) onEnd();
  });
  return {
    redis,
    trouble: () => trouble,
    close: () => {
      isClosed = true;
      lasting.end();
    },
  };
}

type Retry = () => (times: number) => number | null;

/** A connection and its duplicates. All of them end, whatever Redis does. */
class LastingConnections {
  private readonly open = new Set<Redis>();
  private readonly retry: Retry;
  private isEnded = false;

  /** @param retry makes the strategy of a duplicate. */
  constructor(retry: Retry) {
    this.retry = retry;
  }

  add(redis: Redis): Redis {
    settlesAtEnd(redis);
    this.open.add(redis);
    atEnd(redis, () => void this.open.delete(redis));
    const connect = redis.connect.bind(redis);
    redis.connect = () => {
      if (this.isEnded) return Promise.reject(new Error(CLOSED));
      this.open.add(redis);
      return connect();
    };
    const disconnect = redis.disconnect.bind(redis);
    redis.disconnect = (reconnect = false) => {
      // By itself, it would only stop to try again, and what waits for its end would wait for ever.
      // One that has not begun ends at once.
      if (!reconnect && redis.status === 'reconnecting') redis.status = 'wait';
      disconnect(reconnect);
    };
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (override) => {
      const other = this.add(duplicate({ ...override, retryStrategy: this.retry() }));
      if (this.isEnded) other.disconnect();
      // BullMQ listens only until it has closed.
      return other.on('error', () => undefined);
    };
    return redis;
  }

  /** Also those that BullMQ has closed: it may have been about to connect again. */
  end(): void {
    this.isEnded = true;
    for (const redis of this.open) redis.disconnect();
  }
}

/**
 * A command that Redis has not answered waits for the next connection. If that ends before it is
 * ready, the command gets no answer, and BullMQ waits for ever: its timers kept workers alive.
 */
function settlesAtEnd(redis: Redis): void {
  type Command = Parameters<Redis['sendCommand']>[0];
  const waiting = new Set<Command>();
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    if (!waiting.has(command)) {
      waiting.add(command);
      const settled = (): void => void waiting.delete(command);
      command.promise.then(settled, settled);
    }
    return send(command, stream);
  };
  atEnd(redis, () => {
    for (const command of waiting) command.reject(new Error(CLOSED));
  });
}

/** ioredis tells of the end a bit later. The connection may have been opened again by then. */
function atEnd(redis: Redis, then: () => void): void {
  redis.on('end', () => {
    if (redis.status === 'end') then();
  });
}
