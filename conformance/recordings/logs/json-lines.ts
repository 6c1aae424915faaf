import type * as z from 'zod';
import { demandDistinctKeys } from '../../../input/documents/json-documents.ts';
import { InputError, type Place } from '../../../text/input-error.ts';

/** Input with one JSON value per line. */
export interface Line {
  readonly value: unknown;
  readonly place: Place;
}

/**
 * Throws `InputError` with the line number for a line that is not JSON, and for a duplicate field.
 * Skips empty lines.
 */
export function* jsonLines(file: string, text: string): Generator<Line> {
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length : end + 1;
    number++;
    if (line.trim() === '') continue;
    const place = { file, line: number, column: 1 };
    const value = parsed(line, place);
    demandDistinctKeys(line, (offset) => ({ ...place, column: offset + 1 }));
    yield { value, place };
  }
}

function parsed(line: string, place: Place): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/ in JSON at position.*$/s, '') : '';
    throw new InputError({
      what: `this line is not valid JSON: ${why.slice(0, 80)}`,
      where: place,
      expected: 'one event a line, as the API server writes them',
    });
  }
}

/** Parses the value with a schema. Throws `InputError` with the line and the field. */
export function shapedLine<Schema extends z.ZodType>(
  schema: Schema,
  { value, place }: Line,
  what: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = (issue?.path ?? []).map(String).join('.');
  throw new InputError({
    what: `this is not ${what}: ${field === '' ? '' : `${field}: `}${issue?.message ?? ''}`,
    where: place,
  });
}
