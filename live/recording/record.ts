import { setTimeout as pause } from 'node:timers/promises';
import { InputError } from '../../text/input-error.ts';
import { hint } from '../../text/messages.ts';
import { type Connection, messageOf } from '../connection.ts';
import { discovered, type ServedKind } from '../reading/discovery.ts';
import { AuditTail } from './audit-tail.ts';
import type { LinesFile, PartNotes, RecordingFolder, RecordingNotes } from './folder.ts';
import { type PartEnd, recordPart } from './part.ts';
import { snapshotOf } from './snapshot.ts';
import type { Lost, WatchedPlace } from './watching.ts';

export interface WantedRecording {
  /** As kubectl takes them; none: all. */
  readonly kinds: readonly string[];
  /** Of namespaced kinds; none: all. */
  readonly namespaces: readonly string[];
  /** A file that the API server writes. */
  readonly auditLog: string | null;
}

export interface RecordControl {
  readonly stop: AbortSignal;
  /** Called about four times a second. */
  readonly onProgress: (changes: number, kinds: number) => void;
  /** Called once all watches begin. */
  readonly onBegin: (kinds: number) => void;
  readonly onGap: (what: string) => void;
}

/**
 * Milliseconds: the audit log is polled, and a part that fails at once is not begun again at once.
 */
const POLL_EVERY = 1_000;
const BETWEEN_PARTS = 1_000;

/**
 * Records a cluster until it is stopped, and says in the notes what the recording does not know.
 * Where a watch loses changes, the part ends, and the next one begins with what is there then.
 * Throws `InputError`.
 */
export async function record(
  connection: Connection,
  folder: RecordingFolder,
  wanted: WantedRecording,
  control: RecordControl,
): Promise<RecordingNotes> {
  const gaps: string[] = [];
  const gap = (what: string): void => {
    gaps.push(what);
    control.onGap(what);
  };
  let notes: RecordingNotes = {
    context: connection.context,
    begun: new Date().toISOString(),
    ended: null,
    namespaces: wanted.namespaces,
    kinds: [],
    parts: [],
    notRecorded: [],
    gaps,
  };
  const say = (changed: Partial<RecordingNotes>): void => {
    notes = { ...notes, ...changed };
    folder.note(notes);
  };
  say({});
  let written = 0;
  try {
    for (let number = 1; !control.stop.aborted; number += 1) {
      if (number > 1) {
        await pause(BETWEEN_PARTS, null, { signal: control.stop }).catch(() => undefined);
        if (control.stop.aborted) break;
      }
      const { places, notRecorded } = await placesOf(connection, wanted);
      const snapshot = await snapshotOf(connection, places);
      const kinds = [...new Set(snapshot.places.map(({ place }) => place.kind.name))];
      const file = folder.open(`part-${number}.jsonl`);
      const part: PartNotes = {
        file: file.name,
        fromVersion: String(snapshot.version),
        toVersion: null,
        objectsAtStart: snapshot.places.reduce((sum, { objects }) => sum + objects.length, 0),
        changes: 0,
      };
      const { parts } = notes;
      say({
        kinds,
        parts: [...parts, part],
        notRecorded: [...notRecorded, ...snapshot.unread],
      });
      if (number === 1) control.onBegin(kinds.length);
      // Requests of kinds that are not recorded would have no objects.
      const isWhole = notes.notRecorded.length === 0;
      if (wanted.auditLog !== null && !isWhole) {
        gap(`part ${number} is without the audit log: some kinds are not recorded`);
      }
      const audit =
        wanted.auditLog === null || !isWhole ? null : auditTail(wanted.auditLog, file, gap);
      const end = await recordPart(connection, snapshot, {
        write: file.write,
        stop: control.stop,
        onProgress: (changes) => control.onProgress(written + changes, kinds.length),
        onDefinition: (name) =>
          gap(`${name} was defined during part ${number}: its objects are not in this part`),
      }).finally(() => audit?.end());
      written += end.changes;
      file.close(end.changes > 0);
      for (const each of gapsAfter(end, number)) gap(each);
      const ended = {
        ...part,
        file: end.changes > 0 ? file.name : null,
        toVersion: String(end.complete),
        changes: end.changes,
      };
      say({ parts: [...parts, ended] });
    }
  } finally {
    say({ ended: new Date().toISOString() });
  }
  return notes;
}

function gapsAfter({ lost, dropped, isComplete, complete }: PartEnd, number: number): string[] {
  const left = dropped === 0 ? '' : `, and ${dropped} that were seen after it are left out`;
  if (lost !== null) {
    return [
      `part ${number} ends at version ${complete}: ${LOST[lost.why]} of ${lost.kind}; changes between it and the next part are not known${left}`,
    ];
  }
  if (isComplete) return [];
  return [
    `part ${number} ends at version ${complete}: some watches lagged when it was stopped, so later changes are not known${left}`,
  ];
}

const LOST: Readonly<Record<Lost, string>> = {
  expired: 'the server had forgotten the next changes (410)',
  refused: 'the right to watch ended (403)',
  gone: 'the API ended (404)',
  unreadable: 'an event could not be read',
};

/** Where to watch, and the kinds that cannot be watched. */
async function placesOf(
  connection: Connection,
  { kinds: words, namespaces }: WantedRecording,
): Promise<{
  readonly places: readonly WatchedPlace[];
  readonly notRecorded: RecordingNotes['notRecorded'];
}> {
  const { kinds, unread } = await discovered(connection);
  const chosen = words.length === 0 ? kinds : words.flatMap((word) => kindsNamed(word, kinds));
  const watchable = [...new Set(chosen)].filter((kind) => kind.watchable);
  const others = chosen.filter((kind) => !kind.watchable);
  return {
    places: watchable.flatMap((kind) =>
      kind.namespaced && namespaces.length > 0
        ? namespaces.map((namespace) => ({ kind, namespace }))
        : [{ kind, namespace: '' }],
    ),
    notRecorded: [
      ...(words.length === 0 ? unread : []),
      ...others.map(({ name }) => ({ what: name, why: 'it cannot be watched' })),
    ],
  };
}

function kindsNamed(word: string, kinds: readonly ServedKind[]): readonly ServedKind[] {
  const wanted = word.toLowerCase();
  const found = kinds.filter(({ name, resource, kind }) =>
    [name, resource, kind.toLowerCase()].includes(wanted),
  );
  if (found.length > 0) return found;
  throw new InputError({
    what: `the cluster has no kind "${word}" that can be listed`,
    next:
      hint(
        wanted,
        kinds.map(({ name }) => name),
      ) ?? 'kubectl api-resources --verbs=list,watch shows them all',
  });
}

/** Copies the audit log into the file while the watches run. */
function auditTail(log: string, file: LinesFile, onGap: (what: string) => void) {
  const tail = new AuditTail(log, file.write, onGap);
  const reading = (read: () => void): void => {
    try {
      read();
    } catch (error) {
      clearInterval(polling);
      onGap(`the audit log cannot be read any more: ${messageOf(error)}`);
    }
  };
  const polling = setInterval(() => reading(() => tail.poll()), POLL_EVERY);
  return {
    end: (): void => {
      clearInterval(polling);
      reading(() => tail.close());
    },
  };
}
