import { basename } from 'node:path';
import { documents } from '../../input/documents/documents.ts';
import { rejectPrototypeKeys, shaped } from '../../input/documents/shape.ts';
import type { Source } from '../../input/documents/source.ts';
import { changedRules } from '../../input/overrides.ts';
import { PROTOCOLS } from '../../model/index.ts';
import { PROPERTIES } from '../../properties/index.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { InputError } from '../../text/input-error.ts';
import type { Cell, CodeDigests, PinnedCell } from '../cell.ts';
import { GATE_ERRORS } from '../errors.ts';
import { factsOf, short } from '../facts.ts';
import { cellInputs } from '../run/digest.ts';
import { entryOf, inOrder, NOTHING_STATED, propertyKey, statedBy } from './entry.ts';
import { withoutRows } from './lock-rows.ts';
import { LOCK_SCHEMA, type Lock, lockSchema } from './lock-schema.ts';

/** Reads the lock of a suite. Throws `InputError`. */
export function readLock(source: Source, suite: string): Lock {
  const { file } = source;
  try {
    const [document] = [...documents(source)];
    if (document === undefined) throw GATE_ERRORS.notALock(file, 'it is empty');
    const schema = (document.value as { readonly schema?: unknown } | null)?.schema;
    if (typeof schema === 'string' && schema !== LOCK_SCHEMA) {
      throw GATE_ERRORS.otherLock(file, schema, LOCK_SCHEMA);
    }
    rejectPrototypeKeys(document.value, document, []);
    const nested = withoutRows(document);
    const lock = shaped(lockSchema, nested.value, nested, []);
    if (lock.suite !== basename(suite)) {
      throw GATE_ERRORS.lockOfOther(file, lock.suite, basename(suite));
    }
    return lock;
  } catch (error) {
    if (!(error instanceof InputError) || error.text.next !== undefined) throw error;
    throw GATE_ERRORS.notALock(file, error.text.what, error.text.where);
  }
}

/** What a lock pins of a cell whose search has ended; null for a defect. */
export function pinned(cell: Cell, report: CheckReport): PinnedCell | null {
  const facts = factsOf(report);
  if (facts === null) return null;
  const { scenario, question } = cellInputs(cell);
  const { plan } = cell;
  return {
    scenario: short(scenario),
    question: short(question),
    protocol: plan?.protocol ?? null,
    rules: plan === null ? {} : changedRules(plan.setup, plan.protocol),
    facts,
    isCertain: true,
  };
}

/** @param found what each cell pins now, by its name. */
export function lockOf(
  suite: string,
  code: CodeDigests,
  cells: readonly Cell[],
  found: ReadonlyMap<string, PinnedCell>,
): Lock {
  const properties = PROPERTIES.map(({ name }) => propertyKey(name)).sort();
  const stated = new Map(cells.map((cell) => [cell.name, statedBy(cell)]));
  return {
    schema: LOCK_SCHEMA,
    suite: basename(suite),
    code: shortened(code),
    rules: rulesOf(new Set([...found.values()].flatMap(({ protocol }) => protocol ?? []))),
    properties,
    cells: Object.fromEntries(
      [...found].map(([name, cell]) => [
        name,
        entryOf(cell, stated.get(name) ?? NOTHING_STATED, properties),
      ]),
    ),
  };
}

/** The value of each rule in each of the protocols. */
function rulesOf(protocols: ReadonlySet<string>): Lock['rules'] {
  const rules: Record<string, Record<string, string>> = {};
  for (const protocol of [...protocols].sort()) {
    for (const [rule, value] of Object.entries(PROTOCOLS[protocol] ?? {})) {
      rules[rule] = { ...rules[rule], [protocol]: value };
    }
  }
  return inOrder(rules);
}

export function shortened(code: CodeDigests): CodeDigests {
  const { checker, model, properties, input, packages } = code;
  return {
    checker: short(checker),
    model: short(model),
    properties: short(properties),
    input: short(input),
    packages: short(packages),
  };
}
