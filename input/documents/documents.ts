import { ofMachine } from '../work-clock.ts';
import type { LookWithin, SourceDocument } from './document.ts';
import { dotDocuments, looksLikeDot } from './dot-documents.ts';
import { isJson, jsonDocuments } from './json-documents.ts';
import { demandFewLevels } from './levels.ts';
import type { Source } from './source.ts';
import { yamlDocuments } from './yaml-documents.ts';

/**
 * All documents of a source, in JSON or YAML, or one for each vertex of the collector's graph in
 * DOT. Throws `InputError`.
 *
 * @param look at the limits, while a source is read that may be large. Default: at the machine's.
 */
export function* documents(
  source: Source,
  look: LookWithin = looking(source),
): Generator<SourceDocument> {
  for (const document of documentsIn(source, look)) {
    demandFewLevels(document, look);
    yield document;
  }
}

function looking({ file }: Source): LookWithin {
  return (bytes) => ofMachine(`reading ${file}`, bytes);
}

function documentsIn(source: Source, look: LookWithin): Iterable<SourceDocument> {
  if (looksLikeDot(source)) return dotDocuments(source, look);
  return looksLikeJson(source, look) ? jsonDocuments(source, look) : yamlDocuments(source, look);
}

function looksLikeJson(source: Source, look: LookWithin): boolean {
  const first = source.text.match(/^\s*(\S)/)?.[1];
  if (first !== '{' && first !== '[') return false;
  // A YAML file may begin with a flow mapping that is not JSON.
  if (/\.ya?ml$/i.test(source.file)) return isJson(source.text, look);
  return true;
}
