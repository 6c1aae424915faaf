import { z } from 'zod';
import type { Path, SourceDocument } from '../../input/documents/document.ts';
import { documents } from '../../input/documents/documents.ts';
import { shaped } from '../../input/documents/shape.ts';
import type { Source } from '../../input/documents/source.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { factsReportSchema, tracesReportSchema } from './conformance-documents.ts';
import type { ReportDocument } from './documents.ts';
import { gateDocumentSchema } from './gate-document.ts';
import { type ResultDocument, resultDocumentSchema } from './result-document.ts';

/** Every document that can be read back, by the id that it contains. */
const SCHEMAS = {
  'reapcheck.result/v1': resultDocumentSchema,
  'reapcheck.gate/v1': gateDocumentSchema,
  'reapcheck.facts/v1': factsReportSchema,
  'reapcheck.traces/v1': tracesReportSchema,
} as const satisfies Record<ReportDocument['schema'], z.ZodType>;

/** The published JSON Schemas: `report/document/gate.schema.json` is the one of `reapcheck.gate/v1`. */
export function publishedSchemas(): ReadonlyMap<string, object> {
  return new Map(
    Object.entries(SCHEMAS).map(([id, schema]) => [
      id.replace(/^reapcheck\.(.*)\/v1$/, '$1.schema.json'),
      z.toJSONSchema(schema, { target: 'draft-2020-12', reused: 'ref' }),
    ]),
  );
}

/** Reads back what `--format json` of some command has written. Throws `InputError`. */
export function readDocument(source: Source): ReportDocument {
  const document = onlyDocument(source);
  const schema = SCHEMAS[schemaOf(document, Object.keys(SCHEMAS) as ReportDocument['schema'][])];
  // The setup of a check is judged by the model that is made of it.
  return fitting(document, schema) as unknown as ReportDocument;
}

/** Reads back what `check --format json` has written: the document that can be replayed. */
export function readResult(source: Source): ResultDocument {
  const document = onlyDocument(source);
  const schema = SCHEMAS[schemaOf(document, ['reapcheck.result/v1'])];
  return fitting(document, schema) as unknown as ResultDocument;
}

/** Reads back a document that only one command has a use for, as it was written. */
export function readOf<Schema extends z.ZodType>(
  source: Source,
  name: string,
  schema: Schema,
): z.output<Schema> {
  const document = onlyDocument(source);
  schemaOf(document, [name]);
  fitting(document, schema);
  return document.value as z.output<Schema>;
}

function onlyDocument(source: Source): SourceDocument {
  const [document, second] = [...documents(source)];
  if (document === undefined) throw MESSAGES.notAResult(source.file, 'it is empty');
  if (second !== undefined) {
    const place = second.place([]);
    throw MESSAGES.notAResult(source.file, 'there is a second document behind the first', place);
  }
  return document;
}

function schemaOf<Schema extends string>(
  { value, file }: SourceDocument,
  known: readonly Schema[],
): Schema {
  const schema = (value as { readonly schema?: unknown } | null)?.schema;
  const found = known.find((one) => one === schema);
  if (found !== undefined) return found;
  const is = typeof schema === 'string' ? `its schema is ${schema}` : 'it names no schema';
  throw MESSAGES.notAResult(file, is, undefined, known);
}

function fitting<Schema extends z.ZodType>(document: SourceDocument, schema: Schema): unknown {
  const { value, file } = document;
  try {
    const strange = strangePlace(document);
    if (strange !== null) throw MESSAGES.notAResult(file, strange.what, strange.where);
    shaped(schema, value, document, []);
    // As it was written, so that it is written again to the letter.
    return value;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw MESSAGES.notAResult(file, error.text.what, error.text.where);
  }
}

/** Deeper than any document of reapcheck: the state of a cluster adds about ten to a trace. */
const DEEPEST = 100;

/**
 * A key named `__proto__`, which would be lost on the way, or a part that is nested so deeply that
 * walks over it would not come back. Does not recurse itself.
 */
function strangePlace(document: SourceDocument): { what: string; where: Place } | null {
  const open: { readonly part: unknown; readonly path: Path }[] = [
    { part: document.value, path: [] },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, path } = next;
    if (typeof part !== 'object' || part === null) continue;
    if (path.length > DEEPEST) {
      return { what: 'it is nested too deeply', where: document.place(path.slice(0, 2)) };
    }
    const isList = Array.isArray(part);
    for (const key of Object.keys(part)) {
      if (key === '__proto__') {
        return { what: 'there is a field named __proto__', where: document.place([...path, key]) };
      }
      const below = (part as Record<string, unknown>)[key];
      if (typeof below === 'object' && below !== null) {
        open.push({ part: below, path: [...path, isList ? Number(key) : key] });
      }
    }
  }
  return null;
}
