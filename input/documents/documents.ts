import type { SourceDocument } from './document.ts';
import { dotDocuments, looksLikeDot } from './dot-documents.ts';
import { isJson, jsonDocuments } from './json-documents.ts';
import { demandFewLevels } from './levels.ts';
import type { Source } from './source.ts';
import { yamlDocuments } from './yaml-documents.ts';

/**
 * All documents of a source, in JSON or YAML, or one for each vertex of the collector's graph in
 * DOT. Throws `InputError`.
 *
 * @param look at the limits, while a source is read that may be large.
 */
export function* documents(source: Source, look?: () => void): Generator<SourceDocument> {
  for (const document of documentsIn(source, look)) {
    demandFewLevels(document);
    yield document;
  }
}

function documentsIn(source: Source, look?: () => void): Iterable<SourceDocument> {
  if (looksLikeDot(source)) return dotDocuments(source);
  return looksLikeJson(source) ? jsonDocuments(source, look) : yamlDocuments(source);
}

function looksLikeJson(source: Source): boolean {
  const first = source.text.match(/^\s*(\S)/)?.[1];
  if (first !== '{' && first !== '[') return false;
  // A YAML file may begin with a flow mapping that is not JSON.
  if (/\.ya?ml$/i.test(source.file)) return isJson(source.text);
  return true;
}
