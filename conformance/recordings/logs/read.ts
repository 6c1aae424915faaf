import type { Limits } from '../../../checker/index.ts';
import { documents } from '../../../input/documents/documents.ts';
import {
  type Bytes,
  type ReadLimits,
  readSource,
  type Source,
} from '../../../input/documents/source.ts';
import { type Look, lookAt, UNLIMITED, workClock } from '../../../input/work-clock.ts';
import { MESSAGES } from '../../../text/messages.ts';
import { readPaths } from '../../files.ts';
import { readAuditLog } from './audit-log.ts';
import { isAuditEvent } from './audit-schema.ts';
import { bareWrites, lacksBody } from './gaps.ts';
import { jsonLines, type Line } from './json-lines.ts';
import type { Trace } from './observations.ts';
import { isRecording, readRecording } from './recording.ts';
import { sliceOf } from './slice.ts';
import { isWatchEvent, readWatchStream } from './watch-stream.ts';

export interface ReadOptions extends ReadLimits {
  /** The log may have gaps. */
  readonly partial: boolean;
  /** Of the reading. Absent: none. */
  readonly limits?: Limits;
}

const SMALLER = 'or cut the log where nothing happens, and judge the parts';

/**
 * Reads the traces of files and folders. Throws `InputError` for a file that is not a trace, for an
 * empty trace, for a folder without traces, and for a log with gaps unless gaps are allowed.
 */
export async function readTraces(
  paths: readonly string[],
  stdin: Bytes,
  options: ReadOptions,
): Promise<readonly Trace[]> {
  const look = lookAt(options.limits ?? {}, workClock(), SMALLER);
  return readPaths(
    paths,
    isTraceFile,
    async (file) => tracesIn(await readSource(file, stdin, options), { ...options, look }),
    MESSAGES.noTraces,
  );
}

const ENDINGS = ['.json', '.jsonl', '.ndjson', '.log'];

function isTraceFile(name: string): boolean {
  const plain = name.replace(/\.gz$/, '');
  return ENDINGS.some((ending) => plain.endsWith(ending));
}

/** The first value decides which kind of log it is. */
export function tracesIn(
  source: Source,
  { partial, look = UNLIMITED }: Pick<ReadOptions, 'partial'> & { readonly look?: Look },
): readonly Trace[] {
  const { file, text } = source;
  const recordings = recordingsIn(source);
  if (recordings !== null) return recordings;
  const lines: Line[] = [];
  for (const line of jsonLines(file, text)) {
    look(`reading ${file}`);
    lines.push(line);
  }
  const [first] = lines;
  if (first === undefined) throw MESSAGES.emptyTrace({ file });
  if (isAuditEvent(first.value)) return [auditTrace(file, lines, partial)];
  if (isWatchEvent(first.value)) return liveTraces(file, lines, first, partial);
  throw MESSAGES.notATrace(first.place);
}

/** Null if the source does not start with a recorded scenario. */
function recordingsIn(source: Source): readonly Trace[] | null {
  if (!/^\s*\{[^\n]{0,2000}"(runs|steps)"/s.test(source.text.slice(0, 4000))) return null;
  const found: Trace[] = [];
  for (const document of documents(source)) {
    if (!isRecording(document.value)) return null;
    found.push(...readRecording(document));
  }
  for (const trace of found) {
    if (trace.requests.length > 0) continue;
    throw MESSAGES.emptyTrace({ file: source.file, field: trace.name });
  }
  return found;
}

/** Watch events, and the audit log of the same time if it is among them: two witnesses. */
function liveTraces(
  file: string,
  lines: readonly Line[],
  first: Line,
  partial: boolean,
): readonly Trace[] {
  const requests = lines.filter(({ value }) => isAuditEvent(value));
  if (requests.length === 0) return [notEmpty(readWatchStream(file, lines), first)];
  const watch = readWatchStream(
    file,
    lines.filter(({ value }) => !isAuditEvent(value)),
  );
  const audit = sliceOf(watch, readAuditLog(file, requests), lines);
  const traces = [watch, demandWhole(audit, partial)];
  const found = traces.filter((trace) => trace.requests.length + (trace.changes ?? []).length > 0);
  if (found.length === 0) throw MESSAGES.emptyTrace({ file });
  return found;
}

function auditTrace(file: string, lines: readonly Line[], partial: boolean): Trace {
  return notEmpty(demandWhole(readAuditLog(file, lines), partial), lines[0] as Line);
}

/** Throws `InputError` for a log with gaps, unless they are allowed. */
function demandWhole(trace: Trace, partial: boolean): Trace {
  const bare = bareWrites(trace.requests);
  const [first] = bare;
  if (first !== undefined && !partial) {
    throw MESSAGES.gapsInLog(first.place, bare.length, bare.some(lacksBody));
  }
  return trace;
}

function notEmpty(trace: Trace, first: Line): Trace {
  if (trace.requests.length + (trace.changes ?? []).length > 0) return trace;
  throw MESSAGES.emptyTrace({ file: first.place.file });
}
