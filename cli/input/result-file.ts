import { InputError } from '../input-error.ts';
import { MESSAGES } from '../messages.ts';
import { type ResultDocument, resultDocumentSchema } from '../result-document.ts';
import { documents } from './documents.ts';
import { shaped } from './shape.ts';
import type { Source } from './source.ts';

/** Reads back what `check --format json` has printed. Throws `InputError`. */
export function readResult(source: Source): ResultDocument {
  const [document] = [...documents(source)];
  if (document === undefined) throw MESSAGES.notAResult(source.file, 'it is empty');
  const schema = (document.value as { readonly schema?: unknown } | null)?.schema;
  if (schema !== 'reapcheck.result/v1') {
    const found = typeof schema === 'string' ? `its schema is ${schema}` : 'it names no schema';
    throw MESSAGES.notAResult(source.file, found);
  }
  try {
    // The setup is judged by the model that is made of it.
    return shaped(resultDocumentSchema, document.value, document, []) as unknown as ResultDocument;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw MESSAGES.notAResult(source.file, error.text.what, error.text.where);
  }
}
