import { FLEET_ERRORS } from '../errors.ts';

/** Where Redis is, and how to get in. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly tls: boolean;
  /** The address without user and password: all that messages may show. */
  readonly shown: string;
}

const PORT = 6379;

/** The password comes from here if the URL has none, so that no list of processes shows it. */
export const PASSWORD_VARIABLE = 'REAPCHECK_REDIS_PASSWORD';

/**
 * Reads `redis://[[USER]:PASSWORD@]HOST[:PORT][/DB]`; `rediss:` is TLS. Throws `InputError`, which
 * never repeats what was given: it may have a password.
 */
export function redisAddress(
  option: string,
  given: string,
  env: Readonly<Record<string, string | undefined>>,
): RedisAddress {
  const url = URL.canParse(given) ? new URL(given) : null;
  const [, db = '0'] = url?.pathname.match(/^\/(\d{1,5})$/) ?? [];
  const hasPath = url !== null && url.pathname !== '' && url.pathname !== '/';
  const isRight =
    url !== null &&
    ['redis:', 'rediss:'].includes(url.protocol) &&
    url.hostname !== '' &&
    url.search === '' &&
    url.hash === '' &&
    (!hasPath || url.pathname === `/${db}`);
  const [username, password] = isRight
    ? [decoded(url.username), decoded(url.password)]
    : [null, null];
  if (!isRight || username === null || password === null) throw FLEET_ERRORS.wrongUrl(option);
  const port = url.port === '' ? PORT : Number(url.port);
  const fromEnv = env[PASSWORD_VARIABLE] ?? '';
  return {
    // The brackets of an IPv6 address belong to the URL.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    db: Number(db),
    username: username === '' ? null : username,
    password: password === '' ? (fromEnv === '' ? null : fromEnv) : password,
    tls: url.protocol === 'rediss:',
    shown: `${url.protocol}//${url.hostname}:${port}${Number(db) === 0 ? '' : `/${db}`}`,
  };
}

/** Null: a percent sign that encodes nothing. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** Text of others, as errors of Redis, without the password. */
export function withoutPassword(text: string, { password }: RedisAddress): string {
  return password === null ? text : text.replaceAll(password, '***');
}
