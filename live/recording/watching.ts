import { setTimeout as pause } from 'node:timers/promises';
import { asked, type Fields, fieldsOf, textOf } from '../asking.ts';
import { BrokenConnection, type Connection, messageOf } from '../connection.ts';
import type { ServedKind } from '../reading/discovery.ts';
import { pathOf } from '../reading/listing.ts';
import { linesIn } from './lines.ts';
import { isRecordedWhole } from './recorded.ts';
import { type Version, versionIn } from './versions.ts';

/** What a watch of one kind shows. */
export interface WatchSink {
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Fields, version: Version): void;
  /** Everything up to this version has been shown. */
  reach(version: Version): void;
}

/** Why a watch cannot go on: what happened since is not known. */
export type Lost = 'expired' | 'refused' | 'gone' | 'unreadable';

/** A place to watch: a kind in one namespace, or everywhere. */
export interface WatchedPlace {
  readonly kind: ServedKind;
  /** Empty: all namespaces, or none. */
  readonly namespace: string;
}

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;
/** A watch that lasts so long is no failure. */
const WHILE = 500;
const STATUS_BYTES = 1_000_000;

/**
 * Watches from a version on, and again from where it was when the connection ends or breaks.
 * Resolves when it is stopped (null), or when something is lost. Throws `InputError` for
 * credentials that do not work.
 */
export async function watched(
  connection: Connection,
  place: WatchedPlace,
  from: Version,
  sink: WatchSink,
  signal: AbortSignal,
): Promise<Lost | null> {
  let at = from;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const begun = performance.now();
      const lost = await onceFrom(connection, place, at, signal, {
        event: (type, object, version) => {
          at = version;
          sink.event(type, object, version);
        },
        reach: (version) => {
          if (version > at) at = version;
          sink.reach(version);
        },
      });
      if (signal.aborted) return null;
      if (lost !== null) return lost;
      failures = performance.now() - begun > WHILE ? 0 : failures + 1;
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof BrokenConnection)) throw error;
      failures += 1;
    }
    // A watch that ends at once must not become a flood of requests.
    await pause(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 10)), null, {
      signal,
    }).catch(() => undefined);
  }
  return null;
}

/** One connection. Null: it has ended as watches do. */
async function onceFrom(
  connection: Connection,
  { kind, namespace }: WatchedPlace,
  from: Version,
  signal: AbortSignal,
  sink: WatchSink,
): Promise<Lost | null> {
  const query = new URLSearchParams({
    watch: '1',
    allowWatchBookmarks: 'true',
    resourceVersion: String(from),
  });
  const form = isRecordedWhole(kind.name) ? 'whole' : 'metadata';
  const stream = await connection.stream(`${pathOf(kind, namespace)}?${query}`, form, signal);
  const code = stream.statusCode ?? 0;
  if (code !== 200) {
    stream.destroy();
    return lostBy(connection, code);
  }
  try {
    for await (const line of linesIn(stream)) {
      const lost = takeLine(line, sink);
      if (lost !== null) return lost === 'again' ? null : lost;
    }
  } catch (error) {
    throw error instanceof BrokenConnection ? error : new BrokenConnection(messageOf(error));
  } finally {
    stream.destroy();
  }
  return null;
}

/** Null: the same again, later. */
async function lostBy(connection: Connection, code: number): Promise<Lost | null> {
  switch (code) {
    case 410:
      return 'expired';
    case 401:
      // Says what is wrong with the credentials, or has new ones.
      await asked(connection, '/api', 'whole', STATUS_BYTES);
      return null;
    case 403:
    case 405:
      return 'refused';
    case 404:
      return 'gone';
    default:
      return null;
  }
}

/** `again`: the watch has to begin again from where it was. */
function takeLine(line: string, sink: WatchSink): Lost | 'again' | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'again';
  }
  const { type, object: given } = fieldsOf(value);
  const object = fieldsOf(given);
  if (type === 'ERROR') return object.code === 410 ? 'expired' : 'again';
  const version = versionIn(textOf(fieldsOf(object.metadata).resourceVersion));
  if (version === null) return 'unreadable';
  switch (type) {
    case 'BOOKMARK':
      sink.reach(version);
      return null;
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      sink.event(type, object, version);
      return null;
    default:
      return 'unreadable';
  }
}
