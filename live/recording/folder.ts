import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../input/documents/source.ts';
import { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';

/**
 * What the file `recording.txt` says, as JSON for people: what is recorded, and all that the
 * recording does not know. It is no `.json`, as the judge of a folder would take it for a
 * recording.
 */
export interface RecordingNotes {
  readonly context: string;
  readonly begun: string;
  /** Null: it goes on, or the process was killed. */
  readonly ended: string | null;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  readonly parts: readonly PartNotes[];
  /** Kinds that exist and are not in it. */
  readonly notRecorded: readonly { readonly what: string; readonly why: string }[];
  readonly gaps: readonly string[];
}

export interface PartNotes {
  /** Null: nothing has changed, so there is nothing to judge. */
  readonly file: string | null;
  readonly fromVersion: string;
  readonly toVersion: string | null;
  readonly objectsAtStart: number;
  readonly changes: number;
}

/** Only the owner may read it: names alone can be confidential. */
const MODE = 0o600;
const NOTES = 'recording.txt';

/** A file of JSON lines. */
export interface LinesFile {
  readonly name: string;
  write(line: string): void;
  /** @param keep false: it has nothing worth to be judged. */
  close(keep: boolean): void;
}

/** The folder of a recording. No name in it comes from the cluster. */
export class RecordingFolder {
  readonly path: string;

  /** Throws `InputError` unless the folder is new or empty. */
  constructor(path: string) {
    this.path = path;
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      if (readdirSync(path).length === 0) return;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw MESSAGES.outputNotWritable(path, error.code);
    }
    throw new InputError({
      what: `the folder ${path} is not empty`,
      expected: 'a new or an empty folder',
      next: 'give --out another folder: recordings do not mix',
    });
  }

  open(name: string): LinesFile {
    const file = join(this.path, name);
    const descriptor = openSync(file, 'wx', MODE);
    return {
      name,
      write: (line) => void writeSync(descriptor, `${line}\n`),
      close: (keep) => {
        closeSync(descriptor);
        if (!keep) rmSync(file);
      },
    };
  }

  note(notes: RecordingNotes): void {
    writeFileSync(join(this.path, NOTES), `${JSON.stringify(notes, null, 2)}\n`, { mode: MODE });
  }
}
