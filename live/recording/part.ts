import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fieldsOf, textOf } from '../asking.ts';
import type { Connection } from '../connection.ts';
import { inParallel } from '../in-parallel.ts';
import { Merge } from './merge.ts';
import { endOfInitial, eventLine, recorded } from './recorded.ts';
import { identityOf, newestVersion, type Snapshot, versionsAt } from './snapshot.ts';
import type { Version } from './versions.ts';
import { type Lost, type WatchedPlace, watched } from './watching.ts';

/** How a part has ended. */
export interface PartEnd {
  /** The recording is complete up to this version. */
  readonly complete: Version;
  readonly changes: number;
  /** Changes that were seen and left out, as others before them were not. */
  readonly dropped: number;
  /** Why it could not go on; null: it was stopped. */
  readonly lost: { readonly kind: string; readonly why: Lost } | null;
  /** Whether it is complete up to the moment at which it was stopped. */
  readonly isComplete: boolean;
}

export interface PartOptions {
  readonly write: (line: string) => void;
  readonly stop: AbortSignal;
  /** Called about once a second with the number of changes that were written. */
  readonly onProgress: (changes: number) => void;
  /** A definition of a kind that is not watched. */
  readonly onDefinition: (name: string) => void;
}

/** Milliseconds. */
const FLUSH_EVERY = 250;
const CATCH_UP_MOST = 10_000;
const CATCH_UP_EVERY = 50;

/** Servers that send no bookmarks are asked whether a silent kind has changed. */
const WAITING_MOST = 10_000;

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/**
 * Records all places from one version on, until it is stopped or something is lost. Its lines are
 * in the order of the store, and nothing is missing between two of them. Throws `InputError`.
 */
export async function recordPart(
  connection: Connection,
  snapshot: Snapshot,
  { write, stop, onProgress, onDefinition }: PartOptions,
): Promise<PartEnd> {
  const { places, version, before } = snapshot;
  const merge = new Merge(places.length, version);
  const states = places.map(({ objects }) => new Map(objects.map(identityOf)));
  /** By uid: the first place that shows the object. Some groups show those of others again. */
  const holders = new Map<string, number>();
  const holds = (index: number, uid: string): boolean => {
    if (!holders.has(uid)) holders.set(uid, index);
    return holders.get(uid) === index;
  };
  for (const [index, { place, objects }] of places.entries()) {
    for (const object of objects) {
      if (holds(index, identityOf(object)[0])) write(eventLine('ADDED', object));
    }
    write(endOfInitial(place.kind, String(version), before));
  }
  const end = new AbortController();
  /** Something is lost: the part ends, once the other watches have shown the rest. */
  const over = new AbortController();
  // One for each watch.
  setMaxListeners(0, end.signal);
  const outcome: { lost: PartEnd['lost']; failure: unknown } = { lost: null, failure: null };
  let changes = 0;
  const flush = (): void => {
    const ready = merge.take();
    for (const { line } of ready) write(line);
    changes += ready.length;
    onProgress(changes);
  };
  const watches = places.map(async ({ place }, index) => {
    try {
      const why = await watched(connection, place, version, sinkOf(place, index), end.signal);
      if (why === null) return;
      outcome.lost ??= { kind: place.kind.name, why };
    } catch (error) {
      outcome.failure ??= error;
    }
    over.abort();
  });
  function sinkOf({ kind }: WatchedPlace, index: number) {
    return {
      event: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: object, at: Version): void => {
        const fields = fieldsOf(object);
        const [uid, own] = identityOf(fields);
        if (type === 'DELETED') states[index]?.delete(uid);
        else states[index]?.set(uid, own);
        if (holds(index, uid)) {
          merge.add(index, { version: at, line: eventLine(type, recorded(fields, kind)) });
        } else merge.reach(index, at);
        if (type === 'DELETED') holders.delete(uid);
        const isNewKind = type === 'ADDED' && kind.name === DEFINITIONS;
        if (isNewKind) onDefinition(textOf(fieldsOf(fields.metadata).name));
      },
      reach: (at: Version): void => merge.reach(index, at),
    };
  }
  const placesOnly = places.map(({ place }) => place);
  const catchUp = async (): Promise<Version> => {
    const { version: now } = await newestVersion(connection, placesOnly);
    await inParallel([...placesOnly.keys()], async (index) => {
      const place = placesOnly[index];
      const state = states[index];
      if (place === undefined || state === undefined || merge.progressOf(index) >= now) return;
      const stored = await versionsAt(connection, place, now);
      if (stored === null) return;
      const patience = performance.now() + CATCH_UP_MOST;
      while (merge.progressOf(index) < now && performance.now() < patience) {
        // All that is stored has been seen, and nothing else: the silence of the watch is complete.
        if (isSame(state, stored)) merge.reach(index, now);
        else await pause(CATCH_UP_EVERY);
      }
    });
    return now;
  };
  /** @returns the version at which it was stopped. */
  const conducting = async (): Promise<Version> => {
    const signal = AbortSignal.any([stop, over.signal]);
    while (!signal.aborted) {
      await pause(FLUSH_EVERY, null, { signal }).catch(() => undefined);
      flush();
      if (merge.waiting > WAITING_MOST) await catchUp();
    }
    return catchUp();
  };
  let stopped: Version | null = null;
  try {
    stopped = await conducting();
  } finally {
    end.abort();
    await Promise.allSettled(watches);
  }
  if (outcome.failure !== null) throw outcome.failure;
  flush();
  const { lost } = outcome;
  return {
    complete: merge.complete,
    changes,
    dropped: merge.waiting,
    lost,
    isComplete: lost === null && stopped !== null && merge.complete >= stopped,
  };
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}
