import type { SourceDocument } from './document.ts';
import { isJson, jsonDocuments } from './json-documents.ts';
import type { Source } from './source.ts';
import { yamlDocuments } from './yaml-documents.ts';

/** All documents of a source: JSON (several may follow each other) or YAML. */
export function documents(source: Source): Iterable<SourceDocument> {
  return looksLikeJson(source) ? jsonDocuments(source) : yamlDocuments(source);
}

function looksLikeJson(source: Source): boolean {
  const first = source.text.match(/^\s*(\S)/)?.[1];
  if (first !== '{' && first !== '[') return false;
  // A flow mapping at the top of a YAML file is JSON as a rule, but need not be.
  if (/\.ya?ml$/i.test(source.file)) return isJson(source.text);
  return true;
}
