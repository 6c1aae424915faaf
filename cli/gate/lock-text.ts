import { safeJson } from '../render/json.ts';
import type { CellFacts, Lock, PinnedCell } from './cell.ts';
import { type CellEntry, LOCK_SCHEMA, type LockFile } from './lock-schema.ts';

/** The one text of a lock: everything in order of its name, a line for each fact. */
export function lockText({ suite, code, protocols, cells }: Lock): string {
  const usual = mostJudged([...cells.values()]);
  const content = {
    schema: LOCK_SCHEMA,
    suite,
    code,
    protocols: inOrder(protocols, (rules) => inOrder(rules, (value) => value)),
    properties: usual,
    cells: inOrder(Object.fromEntries(cells), (cell) => entryOf(cell, usual)),
  } satisfies LockFile;
  return `${linesOf(content, '')}\n`;
}

/** The properties that most cells are judged by. */
function mostJudged(cells: readonly PinnedCell[]): string[] {
  const times = new Map<string, number>();
  for (const cell of cells) {
    const key = JSON.stringify(judgedIn(cell.facts));
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  const [most] = [...times].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most === undefined ? [] : (JSON.parse(most[0]) as string[]);
}

function judgedIn({ verdicts }: CellFacts): string[] {
  return Object.keys(verdicts).sort();
}

function entryOf({ facts, ...inputs }: PinnedCell, usual: readonly string[]): CellEntry {
  const { scenario, question, protocol, rules } = inputs;
  const judged = judgedIn(facts);
  const isUsual = JSON.stringify(judged) === JSON.stringify(usual);
  return {
    scenario,
    question,
    protocol,
    ...unlessEmpty('rules', rules, (value) => value),
    outcome: facts.outcome,
    ...facts.size,
    ...(isUsual ? {} : { judged }),
    ...unlessEmpty('verdicts', told(facts.verdicts), (verdict) => verdict),
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

/** Vacuous is what has no verdict. */
function told(verdicts: CellFacts['verdicts']): NonNullable<CellEntry['verdicts']> {
  return Object.fromEntries(
    Object.entries(verdicts).flatMap(([name, verdict]) =>
      verdict === 'vacuous' ? [] : [[name, verdict]],
    ),
  );
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

/** Below cells, their names, and what a cell has, everything is one fact. */
const FACT_DEPTH = 4;

function linesOf(value: unknown, indent: string, depth = 0): string {
  if (typeof value !== 'object' || value === null) return safeJson(value);
  if (depth >= FACT_DEPTH) return inline(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(([name, part]) => {
    const label = isList ? '' : `${safeJson(name)}: `;
    return `${inner}${label}${linesOf(part, inner, depth + 1)}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  return lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function inline(value: object): string {
  const parts = Object.entries(value).map(([name, part]) => `${safeJson(name)}: ${safeJson(part)}`);
  return `{${parts.join(', ')}}`;
}
