import { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import {
  type Bytes,
  decodedSource,
  isFolder,
  type ReadLimits,
  readBytes,
  type Source,
} from '../documents/source.ts';
import { ofMachine } from '../work-clock.ts';
import { archiveFiles, isArchive } from './archive.ts';
import { folderFiles } from './folder.ts';
import { Selection } from './selection.ts';

/** Everything that one question reads: files, folders and archives. */
export interface Collection {
  /** The inputs as the user named them; `<stdin>` for `-`. */
  readonly inputs: readonly string[];
  readonly sources: readonly Source[];
  /** Files that were left out. One sentence for each reason. */
  readonly leftOut: readonly string[];
  /** Only of a cluster. */
  readonly live?: LiveReading;
  /** Seconds of work that the reading of a cluster took. */
  readonly worked?: number;
}

/** What is known of a cluster beyond its objects when it has just been read. */
export interface LiveReading {
  /** When it was read, by its own clock (RFC 3339). Null: it did not say. */
  readonly readAt: string | null;
  /** Kinds of objects that could not be read, one entry for each reason. */
  readonly unread: readonly Gap[];
}

/** Something that the input does not show, and that can change the answer. */
export interface Gap {
  /** One sentence without its full stop. */
  readonly what: string;
  /** A command that settles it. */
  readonly settle: string;
}

export type CollectionLimits = Pick<ReadLimits, 'maxMegabytes' | 'look'>;

/**
 * Reads inputs: each is a file, a folder (a backup of Velero, a tree of must-gather, what
 * `kubectl cluster-info dump` writes, manifests), a tar archive of one, or `-` for stdin. Throws
 * `InputError`.
 */
export async function readCollection(
  inputs: readonly string[],
  stdin: Bytes,
  { maxMegabytes, look = ofMachine }: CollectionLimits,
): Promise<Collection> {
  const sources: Source[] = [];
  const names: string[] = [];
  const selection = new Selection();
  let readBefore = 0;
  const limits = (): ReadLimits => ({ maxMegabytes, readBefore, look });
  for (const input of inputs) {
    if (input !== '-' && (await isFolder(input))) {
      names.push(input);
      const files = await folderFiles(input, selection);
      for (const file of files) {
        const read = await readBytes(file, stdin, limits());
        readBefore += read.bytes.length;
        sources.push({ ...decodedSource(read, look), isFound: true });
      }
      if (files.length === 0) throw noFiles(input, 'folder');
      continue;
    }
    const read = await readBytes(input, stdin, limits());
    names.push(read.name);
    readBefore += read.bytes.length;
    if (!isArchive(read.bytes)) {
      sources.push(decodedSource(read, look));
      continue;
    }
    look(`reading ${read.name}`, read.bytes.length);
    const files = await archiveFiles(read, selection);
    if (files.length === 0) throw noFiles(read.name, 'archive');
    for (const file of files) sources.push({ ...decodedSource(file, look), isFound: true });
  }
  if (sources.length === 0) throw MESSAGES.empty(names);
  return { inputs: names, sources, leftOut: selection.sentences() };
}

function noFiles(name: string, what: 'folder' | 'archive'): InputError {
  return new InputError({
    what: `the ${what} ${name} has no YAML, JSON or DOT files`,
    expected:
      'manifests, a backup of Velero, a tree of must-gather, or what kubectl cluster-info dump --output-directory writes',
  });
}
