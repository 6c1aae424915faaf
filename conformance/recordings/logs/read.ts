import { documents } from '../../../input/documents/documents.ts';
import {
  type Bytes,
  type ReadLimits,
  readSource,
  type Source,
} from '../../../input/documents/source.ts';
import { MESSAGES } from '../../../text/messages.ts';
import { readPaths } from '../../files.ts';
import { readAuditLog } from './audit-log.ts';
import { isAuditEvent } from './audit-schema.ts';
import { bareWrites, lacksBody } from './gaps.ts';
import { jsonLines, type Line } from './json-lines.ts';
import type { Trace } from './observations.ts';
import { isRecording, readRecording } from './recording.ts';
import { isWatchEvent, readWatchStream } from './watch-stream.ts';

export interface ReadOptions extends ReadLimits {
  /** The log may have gaps. */
  readonly partial: boolean;
}

/**
 * Reads the traces of files and folders. Throws `InputError` for a file that is not a trace, for an
 * empty trace, for a folder without traces, and for a log with gaps unless gaps are allowed.
 */
export async function readTraces(
  paths: readonly string[],
  stdin: Bytes,
  options: ReadOptions,
): Promise<readonly Trace[]> {
  return readPaths(
    paths,
    isTraceFile,
    async (file) => tracesIn(await readSource(file, stdin, options), options),
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
  { partial }: Pick<ReadOptions, 'partial'>,
): readonly Trace[] {
  const { file, text } = source;
  const recordings = recordingsIn(source);
  if (recordings !== null) return recordings;
  const lines = [...jsonLines(file, text)];
  const [first] = lines;
  if (first === undefined) throw MESSAGES.emptyTrace({ file });
  if (isAuditEvent(first.value)) return [auditTrace(file, lines, partial)];
  if (isWatchEvent(first.value)) return [notEmpty(readWatchStream(file, lines), first)];
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

function auditTrace(file: string, lines: readonly Line[], partial: boolean): Trace {
  const trace = readAuditLog(file, lines);
  const bare = bareWrites(trace.requests);
  const [first] = bare;
  if (first !== undefined && !partial) {
    throw MESSAGES.gapsInLog(first.place, bare.length, bare.some(lacksBody));
  }
  return notEmpty(trace, lines[0] as Line);
}

function notEmpty(trace: Trace, first: Line): Trace {
  if (trace.requests.length + (trace.changes ?? []).length > 0) return trace;
  throw MESSAGES.emptyTrace({ file: first.place.file });
}
