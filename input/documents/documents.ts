import type { SourceDocument } from './document.ts';
import { isJson, jsonDocuments } from './json-documents.ts';
import type { Source } from './source.ts';
import { yamlDocuments } from './yaml-documents.ts';

/** All documents of a source, in JSON or YAML. Throws `InputError`. */
export function documents(source: Source): Iterable<SourceDocument> {
  return looksLikeJson(source) ? jsonDocuments(source) : yamlDocuments(source);
}

function looksLikeJson(source: Source): boolean {
  const first = source.text.match(/^\s*(\S)/)?.[1];
  if (first !== '{' && first !== '[') return false;
  // A YAML file may begin with a flow mapping that is not JSON.
  if (/\.ya?ml$/i.test(source.file)) return isJson(source.text);
  return true;
}
