import { escaped } from '../../text/escape.ts';
import { wrapped } from '../../text/layout.ts';

/**
 * A whole state, of any shape, as it may come from a file: a heading for each section that is not
 * empty, and a line for each entry, both sorted by name.
 */
export function stateLines(state: unknown, indent: string): string[] {
  const line = (text: string, deeper: string): string[] =>
    wrapped(escaped(text), `${indent}${deeper}`, `${indent}${deeper}  `);
  if (!isRecord(state)) return line(valueText(state), '');
  return sortedEntries(state).flatMap(([section, content]) => {
    if (!isRecord(content)) return line(`${section}: ${valueText(content)}`, '');
    // A stream without events is left out like a section without entries.
    const entries = sortedEntries(content).filter(
      ([, value]) => !(Array.isArray(value) && value.length === 0),
    );
    if (entries.length === 0) return [];
    return [
      ...line(section, ''),
      // A set is a record of its members with the value true.
      ...entries.flatMap(([key, value]) =>
        line(value === true ? key : `${key}: ${valueText(value)}`, '  '),
      ),
    ];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortedEntries(record: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** JSON with blanks, so that it can be wrapped into lines, and with sorted keys. */
function valueText(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_key, part: unknown) => (isRecord(part) ? Object.fromEntries(sortedEntries(part)) : part),
    1,
  );
  return text === undefined ? 'nothing' : text.replaceAll(/\n\s*/g, ' ');
}
