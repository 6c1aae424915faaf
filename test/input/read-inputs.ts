import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Collection, readCollection } from '../../input/collections/collection.ts';
import { type Dump, readDump } from '../../input/manifests/dump.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { displayName } from '../../input/manifests/names.ts';
import { type ApiObject, BUILT_IN_KINDS } from '../../model/index.ts';
import { temporaryFile } from '../cli/run-cli.ts';

/** A folder of `test/dumps-input`, which imitates what a tool writes. */
export function tree(name: string): string {
  return join(dirname(fileURLToPath(import.meta.url)), '..', 'dumps-input', name);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Reads files and folders as a question about a dump does. */
export async function readInputs(inputs: readonly string[], maxMegabytes = 64): Promise<Dump> {
  const collection = await readCollection(inputs, nothing(), { maxMegabytes });
  return readDump(collection, new KindCatalogue(BUILT_IN_KINDS));
}

/** What is read from one file with this text. */
export function collectionOf(text: string): Collection {
  const file = 'dump.yaml';
  return { inputs: [file], sources: [{ file, text }], leftOut: [] };
}

/** The dump of one file with this text. */
export function readText(text: string, name = 'dump.yaml'): Promise<Dump> {
  return readInputs([temporaryFile(name, text)]);
}

export function namesIn(dump: Dump): readonly string[] {
  return dump.objects.map(({ object }) => displayName(object)).sort();
}

export function objectIn(dump: Dump, name: string): ApiObject {
  const found = dump.objects.find(({ object }) => displayName(object) === name);
  if (found === undefined) throw new Error(`${name} is not among ${namesIn(dump).join(', ')}`);
  return found.object;
}
