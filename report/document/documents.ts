import * as z from 'zod';
import { type CheckResult, checkResultSchema } from '../../checker/index.ts';
import type { Path, SourceDocument } from '../../input/documents/document.ts';
import { documents } from '../../input/documents/documents.ts';
import { shaped } from '../../input/documents/shape.ts';
import type { Source } from '../../input/documents/source.ts';
import { type Look, ofMachine } from '../../input/work-clock.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import {
  type FactsReport,
  factsReportSchema,
  type TracesReport,
  tracesReportSchema,
} from './conformance-documents.ts';
import { type GateDocument, gateDocumentSchema } from './gate-document.ts';
import { libraryDocument } from './library-result.ts';
import { type ResultDocument, resultDocumentSchema } from './result-document.ts';

/** Every document that a command writes. The field `schema` says which one it is. */
export type ReportDocument = ResultDocument | GateDocument | FactsReport | TracesReport;

/** The schema of each document, by the id in its field `schema`. */
const SCHEMAS = {
  'reapcheck.result/v1': resultDocumentSchema,
  'reapcheck.gate/v1': gateDocumentSchema,
  'reapcheck.facts/v1': factsReportSchema,
  'reapcheck.traces/v1': tracesReportSchema,
} as const satisfies Record<ReportDocument['schema'], z.ZodType>;

/**
 * The published JSON Schemas: `report/document/gate.schema.json` is the one of `reapcheck.gate/v1`.
 */
export function publishedSchemas(): ReadonlyMap<string, object> {
  return new Map(
    Object.entries(SCHEMAS).map(([id, schema]) => [
      id.replace(/^reapcheck\.(.*)\/v1$/, '$1.schema.json'),
      z.toJSONSchema(schema),
    ]),
  );
}

/**
 * Reads a document that a command wrote with `--format json`, or a result of the library. Throws
 * `InputError`.
 */
export function readDocument(source: Source, look?: Look): ReportDocument {
  const document = onlyDocument(source, look);
  const known = Object.keys(SCHEMAS) as ReportDocument['schema'][];
  const name = schemaOf(document, [...known, LIBRARY]);
  if (name === LIBRARY) return ofLibrary(document);
  const schema = SCHEMAS[name];
  // The types of a setup are narrower than its schema: building the model checks the rest.
  const report = fitting(document, schema) as unknown as ReportDocument;
  if (judgedIn(report) === 0) throw MESSAGES.nothingJudged(source.file, isCutShort(report));
  return report;
}

/** How much was judged: no document about nothing is green. */
function judgedIn(report: ReportDocument): number {
  switch (report.schema) {
    case 'reapcheck.result/v1':
      return report.answer === null ? report.checks.length : 1;
    case 'reapcheck.gate/v1':
      return report.cells.length;
    case 'reapcheck.facts/v1':
      return report.cases.length;
    case 'reapcheck.traces/v1':
      return report.traces.length;
    default:
      throw new Error(`unknown document ${report satisfies never}`);
  }
}

/** Whether it is empty because a limit or an interruption came first. */
function isCutShort(report: ReportDocument): boolean {
  return 'notRun' in report && report.notRun.length > 0;
}

/** The result of `check` of the library, which programs may store. */
const LIBRARY = 'reapcheck.check/v1';

function ofLibrary(document: SourceDocument): ResultDocument {
  const result = fitting(document, checkResultSchema) as unknown as CheckResult;
  return libraryDocument(result, document.file);
}

/** Reads the document of `check`, which can be replayed. */
export function readResult(source: Source, look?: Look): ResultDocument {
  const document = onlyDocument(source, look);
  const name = schemaOf(document, ['reapcheck.result/v1', LIBRARY]);
  if (name === LIBRARY) return ofLibrary(document);
  const schema = SCHEMAS[name];
  return fitting(document, schema) as unknown as ResultDocument;
}

/** Reads a document that only one command uses. Returns it exactly as it was written. */
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

function onlyDocument(source: Source, look = ofMachine): SourceDocument {
  const reading = (bytes?: number): void => look(`reading ${source.file}`, bytes);
  const [document, second] = [...documents(source, reading)];
  if (document === undefined) throw MESSAGES.notAResult(source.file, 'it is empty');
  if (second !== undefined) {
    const place = second.place([]);
    throw MESSAGES.notAResult(source.file, 'there is a second document behind the first', place);
  }
  // To validate makes a copy, and nothing can look while it works.
  look(`validating ${source.file}`, source.text.length);
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
    // The value itself and not the parsed copy, so that it can be written again unchanged.
    return value;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw MESSAGES.notAResult(file, error.text.what, error.text.where);
  }
}

/** No document of reapcheck is nested as deeply; a cluster state adds about ten levels. */
const DEEPEST = 100;

/**
 * Finds a key named `__proto__`, which parsing would drop, or a part so deeply nested that
 * recursive
 * functions would overflow the stack. It does not recurse itself.
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
