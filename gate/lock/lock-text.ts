import { safeJson } from '../../report/formats/json.ts';
import { inOrder } from './entry.ts';
import { rowsOf } from './lock-rows.ts';
import type { Lock } from './lock-schema.ts';

/** The only text of a lock: everything in order of its name. */
export function lockText({ schema, suite, code, rules, properties, cells }: Lock): string {
  const fields = [
    ...fieldsOf({ schema, suite }),
    field('code', block('{}', fieldsOf(code))),
    field('rules', block('{}', fieldsOf(inOrder(rules)))),
    field('properties', block('[]', properties.toSorted().map(inline))),
    field(
      'cells',
      block(
        '[]',
        Object.entries(inOrder(cells)).flatMap(([name, entry]) => rowsOf(name, entry).map(inline)),
      ),
    ),
  ];
  return `${block('{}', fields)}\n`;
}

function fieldsOf(record: object): readonly string[] {
  return Object.entries(record).map(([name, value]) => field(name, inline(value)));
}

function field(name: string, text: string): string {
  return `${safeJson(name)}: ${text}`;
}

function block([open, close]: string, lines: readonly string[]): string {
  if (lines.length === 0) return `${open}${close}`;
  const inner = ['', ...lines].join(',\n').slice(1).replaceAll('\n', '\n  ');
  return `${open}${inner}\n${close}`;
}

/** With spaces, for human readers. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return safeJson(value);
  return `{${fieldsOf(value).join(', ')}}`;
}
