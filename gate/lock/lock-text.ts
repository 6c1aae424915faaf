import { safeJson } from '../../report/formats/json.ts';
import type { Lock, PinnedCell } from '../cell.ts';
import { rowsOf } from './lock-rows.ts';
import { type CellEntry, LOCK_SCHEMA, type LockFile } from './lock-schema.ts';

/** The one text of a lock: everything in order of its name, a line for each fact. */
export function lockText({ suite, code, protocols, cells }: Lock): string {
  const content = {
    schema: LOCK_SCHEMA,
    suite,
    code,
    protocols: inOrder(protocols, (rules) => inOrder(rules, (value) => value)),
    cells: inOrder(Object.fromEntries(cells), entryOf),
  } satisfies LockFile;
  return lockFileText(content);
}

/** Of what is in order already. */
export function lockFileText({ protocols, cells, code, ...rest }: LockFile): string {
  const fields = [
    ...fieldsOf(rest),
    field('code', block('{}', fieldsOf(code))),
    field('protocols', block('[]', rowsOf(protocols, 2).map(inline))),
    field('cells', block('[]', rowsOf(cells, 3).map(inline))),
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

function entryOf({ facts, ...inputs }: PinnedCell): CellEntry {
  const { scenario, question, protocol, rules } = inputs;
  return {
    scenario,
    question,
    protocol,
    ...unlessEmpty('rules', rules, (value) => value),
    outcome: facts.outcome,
    ...facts.size,
    ...unlessEmpty('verdicts', facts.verdicts, (verdict) => verdict),
    ...unlessEmpty('triggered', facts.triggered, (times) => times),
    ...unlessEmpty('traces', facts.traces, ({ length, shape, digest }) => ({
      steps: length,
      shape,
      digest,
    })),
    ...unlessEmpty('actions', facts.actions, (times) => times),
    ...unlessEmpty('fates', facts.fates, (fate) => fate),
  };
}

function unlessEmpty<Name extends string, Value, Told>(
  name: Name,
  record: Readonly<Record<string, Value>>,
  tell: (value: Value) => Told,
): { readonly [Key in Name]?: Record<string, Told> } {
  if (Object.keys(record).length === 0) return {};
  return { [name]: inOrder(record, tell) } as { readonly [Key in Name]: Record<string, Told> };
}

function inOrder<Value, Told>(
  record: Readonly<Record<string, Value>>,
  tell: (value: Value) => Told,
): Record<string, Told> {
  const names = Object.keys(record).sort();
  return Object.fromEntries(names.map((name) => [name, tell(record[name]!)]));
}

/** With spaces, as it is read by people. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return safeJson(value);
  return `{${fieldsOf(value).join(', ')}}`;
}
