import { basename } from 'node:path';
import { documents } from '../../input/documents/documents.ts';
import { rejectPrototypeKeys, shaped } from '../../input/documents/shape.ts';
import type { Source } from '../../input/documents/source.ts';
import { changedRules } from '../../input/overrides.ts';
import { PROTOCOLS } from '../../model/index.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import { GATE_ERRORS } from '../errors.ts';
import { factsOf, isOfMachine, short } from '../facts.ts';
import { cellInputs } from '../run/digest.ts';
import type { Cell, CodeDigests, Lock, PinnedCell } from '../cell.ts';
import { withoutRows } from './lock-rows.ts';
import { type CellEntry, LOCK_SCHEMA, lockSchema } from './lock-schema.ts';

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
    const found = shaped(lockSchema, nested.value, nested, []);
    if (found.suite !== basename(suite)) {
      throw GATE_ERRORS.lockOfOther(file, found.suite, basename(suite));
    }
    return {
      suite: found.suite,
      code: found.code,
      protocols: found.protocols,
      cells: new Map(
        Object.entries(found.cells).map(([name, entry]) => {
          demandSize(entry, name, nested.place(['cells', name]));
          return [name, pinnedOf(entry)];
        }),
      ),
    };
  } catch (error) {
    if (!(error instanceof InputError) || error.text.next !== undefined) throw error;
    throw GATE_ERRORS.notALock(file, error.text.what, error.text.where);
  }
}

/** Without its size, nothing but the verdicts of a cell would be compared. */
function demandSize(
  { outcome, states, transitions, depth }: CellEntry,
  name: string,
  where: Place,
): void {
  const isSized = [states, transitions, depth].every((count) => count !== undefined);
  if (isSized || isOfMachine(outcome)) return;
  throw new InputError({ what: `states, transitions or depth of ${name} are missing`, where });
}

function pinnedOf(entry: CellEntry): PinnedCell {
  const { scenario, question, protocol, rules = {}, outcome } = entry;
  const { states, transitions, depth, verdicts = {} } = entry;
  const isSized = states !== undefined && transitions !== undefined && depth !== undefined;
  return {
    scenario,
    question,
    protocol,
    rules,
    facts: {
      outcome,
      size: isSized ? { states, transitions, depth } : null,
      verdicts,
      triggered: entry.triggered ?? {},
      traces: Object.fromEntries(
        Object.entries(entry.traces ?? {}).map(([name, { steps, shape, digest }]) => [
          name,
          { length: steps, shape, digest },
        ]),
      ),
      actions: entry.actions ?? {},
      fates: entry.fates ?? {},
    },
  };
}

/** What a lock pins of a cell that has come to an end; null for a defect. */
export function pinned(cell: Cell, report: CheckReport): PinnedCell | null {
  const facts = factsOf(report);
  if (facts === null) return null;
  const { scenario, question } = cellInputs(cell);
  const { protocol, setup } = cell.plan;
  return {
    scenario: short(scenario),
    question: short(question),
    protocol,
    rules: changedRules(setup, protocol),
    facts,
  };
}

export function lockOf(
  suite: string,
  code: CodeDigests,
  cells: ReadonlyMap<string, PinnedCell>,
): Lock {
  const used = new Set([...cells.values()].map(({ protocol }) => protocol));
  return {
    suite: basename(suite),
    code: shortened(code),
    protocols: Object.fromEntries(
      [...used].flatMap((name) => {
        const rules = PROTOCOLS[name];
        return rules === undefined ? [] : [[name, rules]];
      }),
    ),
    cells,
  };
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
