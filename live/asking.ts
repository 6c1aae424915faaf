import { setTimeout as pause } from 'node:timers/promises';
import {
  type Answer,
  BrokenConnection,
  type Connection,
  type Form,
  type Room,
} from './connection.ts';
import { LIVE_ERRORS } from './errors.ts';

const TRIES = 4;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

/** Answers after which another try can help, as client-go takes them. */
const TRANSIENT: readonly number[] = [429, 500, 502, 503, 504];

/** Asks again if the server is busy or the connection breaks. Throws `InputError`. */
export async function asked(
  connection: Connection,
  path: string,
  form: Form,
  most: number,
  room?: Room,
): Promise<Answer> {
  const { closed } = connection;
  for (let attempt = 1; ; attempt += 1) {
    const wait = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
    try {
      const answer = await connection.get(path, form, most, room);
      if (answer.code === 401) {
        connection.renew();
        if (attempt === 1) continue;
        throw LIVE_ERRORS.notAuthenticated(connection.context, whyRefused(answer));
      }
      if (attempt === TRIES || !TRANSIENT.includes(answer.code)) return answer;
      const { retryAfterSeconds } = answer;
      await pause(
        retryAfterSeconds === null ? wait : Math.min(LONGEST_PAUSE, retryAfterSeconds * 1000),
        undefined,
        { signal: closed },
      );
    } catch (error) {
      if (!(error instanceof BrokenConnection) || closed.aborted) throw error;
      if (attempt === TRIES) throw LIVE_ERRORS.unreachable(connection.context, error.message);
      await pause(wait, undefined, { signal: closed });
    }
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a mapping; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `403 Forbidden`. The message of the server is left out: it names the user. */
export function whyRefused({ code, body }: Pick<Answer, 'code' | 'body'>): string {
  const reason = textOf(fieldsOf(body).reason);
  return /^[A-Za-z]{1,40}$/.test(reason) ? `${code} ${reason}` : String(code);
}
