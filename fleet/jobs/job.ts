import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { FLEET_ERRORS } from '../errors.ts';
import { isJobKind, JOB_KINDS, type JobKind, type JobKindName } from './kinds.ts';
import { shallowJson } from './shallow-json.ts';

/** A job and its result as they are in Redis: JSON, compressed, within bounds. */

/** Of the JSON of a question or an answer. */
const MEGABYTES = 64;
/** Of the text in Redis, compressed. */
const PACKED_MEGABYTES = 16;
const PACKED_MOST = PACKED_MEGABYTES * 1e6;

const packed = z.string().max(PACKED_MOST);

/** The data of a job. */
export const jobSchema = z.strictObject({
  /** Limit for the work; null: none. */
  seconds: z.number().positive().nullable(),
  question: packed,
});

export type JobData = Readonly<z.output<typeof jobSchema>>;

/** What a job returns. */
export const resultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answer'),
    /** The id of the job, so that no answer is taken for that of another question. */
    of: z.string(),
    answer: packed,
    repeatable: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('late'), of: z.string() }),
]);

export type JobResult = Readonly<z.output<typeof resultSchema>>;

export interface PackedQuestion {
  /** Equal questions have equal ids, so that a retry or a second client never runs one twice. */
  readonly id: string;
  readonly question: string;
}

/** Throws `InputError` if the question is too large for a job. */
export async function packedQuestion(kind: JobKindName, question: object): Promise<PackedQuestion> {
  const json = JSON.stringify(question);
  const demand = (bytes: number, most: number): void => {
    if (bytes > most * 1e6) throw FLEET_ERRORS.tooLarge(kind, Math.ceil(bytes / 1e6), most);
  };
  demand(Buffer.byteLength(json), MEGABYTES);
  const text = await pack(json);
  demand(text.length, PACKED_MEGABYTES);
  return { id: idOf(kind, json), question: text };
}

export async function packedAnswer(
  kind: JobKindName,
  id: string,
  answer: unknown,
): Promise<JobResult> {
  const json = JSON.stringify(answer);
  const text = Buffer.byteLength(json) > MEGABYTES * 1e6 ? null : await pack(json);
  if (text === null || text.length > PACKED_MOST) throw new Error('its answer is too large');
  return {
    kind: 'answer',
    of: id,
    answer: text,
    repeatable: JOB_KINDS[kind].isRepeatable(answer),
  };
}

/** A question that has been checked. */
export interface ReadJob {
  readonly kind: JobKindName;
  readonly question: object;
  readonly seconds: number | null;
}

/** Reads a job that anybody may have written. Throws an error that says why it is refused. */
export async function readJob(name: string, id: string, data: unknown): Promise<ReadJob> {
  if (!isJobKind(name)) throw new Error('it is of no known kind');
  const { seconds, question } = checked(jobSchema, data, 'it');
  const json = await unpack(question, 'its question');
  if (idOf(name, json) !== id) throw new Error('its id is not the digest of its question');
  const kind: JobKind = JOB_KINDS[name];
  // The value itself is used, not what the schema makes of it: the order of fields stays.
  const value = shallowJson(json, 'its question');
  checked(kind.question, value, 'its question');
  return { kind: name, question: value as object, seconds };
}

/** The answer in a result that anybody may have written. Null: the work was late. */
export async function readResult(
  name: JobKindName,
  id: string,
  result: unknown,
): Promise<{ readonly answer: unknown; readonly repeatable: boolean } | null> {
  const read = checked(resultSchema, result, 'its result');
  if (read.of !== id) throw new Error('its result is that of another job');
  if (read.kind === 'late') return null;
  const answer = shallowJson(await unpack(read.answer, 'its answer'), 'its answer');
  const kind: JobKind = JOB_KINDS[name];
  checked(kind.answer, answer, 'its answer');
  return { answer, repeatable: read.repeatable };
}

function idOf(kind: string, json: string): string {
  return `${kind}-${createHash('sha256').update(json).digest('hex')}`;
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = (issue?.path ?? []).map(String).join('.');
  throw new Error(`${what} does not fit its schema${at === '' ? '' : ` at ${at.slice(0, 200)}`}`);
}

async function pack(json: string): Promise<string> {
  return (await promisify(gzip)(json)).toString('base64');
}

async function unpack(text: string, what: string): Promise<string> {
  const bytes = Buffer.from(text, 'base64');
  const most = { maxOutputLength: MEGABYTES * 1e6 };
  const json = await promisify(gunzip)(bytes, most).catch(() => {
    throw new Error(`${what} is not compressed, or has more than ${MEGABYTES} MB`);
  });
  return json.toString('utf8');
}
