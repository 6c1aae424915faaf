import type { Cell, CodeDigests, PinnedCell } from './cell.ts';
import type { Lock } from './lock/lock-schema.ts';

const RULES_NAMED = 4;

const CODE_PARTS = {
  model: "the model's code changed",
  properties: 'the code of the properties changed',
  checker: "the checker's code changed",
  input: 'the code that reads the input changed',
  packages: 'packages that the code uses changed',
} as const satisfies Record<keyof CodeDigests, string>;

/** What a cell depends on and what has changed since the lock was written, one sentence each. */
export function reasonsFor(
  cell: Cell,
  now: Pick<PinnedCell, 'scenario' | 'question' | 'protocol'>,
  before: PinnedCell,
  lock: Lock,
  code: CodeDigests,
): readonly string[] {
  const parts = Object.keys(CODE_PARTS) as (keyof CodeDigests)[];
  const found = [
    ...(now.scenario === before.scenario ? [] : [`${cell.file} changed`]),
    ...(now.protocol === before.protocol
      ? []
      : [`its protocol changed from ${before.protocol ?? 'none'} to ${now.protocol ?? 'none'}`]),
    ...rulesChanged(cell, before, lock),
    ...(now.question === before.question
      ? []
      : ['what is asked of it changed: properties, limits or parameters']),
    ...parts.filter((part) => lock.code[part] !== code[part]).map((part) => CODE_PARTS[part]),
  ];
  if (found.length > 0) return found;
  return cell.module !== null
    ? [`something that ${cell.file} imports or reads changed`]
    : ['nothing that it depends on has changed since; was the lock edited by hand?'];
}

/** Compares the rules in force then and now. The protocol or the scenario sets them. */
function rulesChanged({ plan }: Cell, before: PinnedCell, lock: Lock): readonly string[] {
  const { protocol } = before;
  if (plan === null || protocol === null) return [];
  const pinned = Object.entries(lock.rules).flatMap(([rule, values]) =>
    Object.hasOwn(values, protocol) ? [[rule, values[protocol]!] as const] : [],
  );
  if (pinned.length === 0) return [];
  const was: Readonly<Record<string, string>> = { ...Object.fromEntries(pinned), ...before.rules };
  const is: Readonly<Record<string, string>> = plan.setup.rules;
  const names = [...new Set([...Object.keys(is), ...Object.keys(was)])];
  const changed = names.filter((name) => was[name] !== is[name]);
  if (changed.length > RULES_NAMED) {
    return [`${changed.length} rules changed: ${changed.join(', ')}`];
  }
  return changed.map((name) => ruleChange(name, was[name], is[name]));
}

function ruleChange(name: string, was: string | undefined, is: string | undefined): string {
  if (was === undefined) return `rule ${name} is new, with the value ${is}`;
  if (is === undefined) return `rule ${name} is gone`;
  return `rule ${name} changed from ${was} to ${is}`;
}
