import { z } from 'zod';
import {
  contentTotals,
  isFinalized,
  type NamespaceCondition,
  updateConditions,
} from '../../../model/index.ts';
import { compare, type Difference } from '../collector/compare-state.ts';
import { passedOr } from '../collector/trace.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { unsupported } from '../outcome.ts';
import { asCondition, condition } from './shapes.ts';

const remainingType = z.strictObject({
  group: z.string().default(''),
  version: z.string().optional(),
  resource: z.string(),
  count: z.number().int().nonnegative(),
});

/** `lists` are the entries that the message names, in this order. */
const statedCondition = z.strictObject({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string().optional(),
  message: z.string().optional(),
  lists: z
    .array(
      z.union([z.strictObject({ finalizer: z.string(), count: z.number().int() }), remainingType]),
    )
    .optional(),
});

type StatedCondition = z.infer<typeof statedCondition>;

/** Types and states in order; of the rest what is stated. */
function compareConditions(
  stated: readonly StatedCondition[],
  got: readonly NamespaceCondition[],
): Difference | null {
  const outline = (list: readonly { type: string; status: string }[]) =>
    list.map(({ type, status }) => `${type}: ${status}`);
  const difference = compare('conditions', outline(stated), outline(got));
  if (difference !== null) return difference;
  for (const [index, expected] of stated.entries()) {
    const found = got[index];
    const detail =
      (expected.reason === undefined
        ? null
        : compare(`conditions.${index}.reason`, expected.reason, found?.reason)) ??
      (expected.message === undefined
        ? null
        : compare(`conditions.${index}.message`, expected.message, found?.message)) ??
      (expected.lists === undefined ? null : compareLists(index, expected.lists, found));
    if (detail !== null) return detail;
  }
  return null;
}

function compareLists(
  index: number,
  lists: NonNullable<StatedCondition['lists']>,
  found: NamespaceCondition | undefined,
): Difference | null {
  const entries = lists.map((entry) =>
    'finalizer' in entry
      ? `${entry.finalizer} in ${entry.count} resource instances`
      : `${entry.resource}.${entry.group} has ${entry.count} resource instances`,
  );
  const message = found?.message ?? '';
  const named = message.slice(message.indexOf(': ') + 2);
  return compare(`conditions.${index}.lists`, entries.join(', '), named);
}

const updateGiven = z.strictObject({
  newConditions: z.array(condition),
  conditions: z.array(condition),
});

const totalsGiven = z.strictObject({
  remaining: z.array(remainingType),
  finalizersRemaining: z.record(z.string(), z.number().int().nonnegative()),
});

const steps = z.tuple([
  z.strictObject({ do: z.enum(['updateConditions', 'processContentTotals']) }),
]);

/** `namespace-conditions` */
export const interpretNamespaceConditions: Interpreter = (fact) => {
  const taken = parseWith(steps, fact.steps, 'steps');
  const expected = parseWith(
    z.strictObject({ conditions: z.array(statedCondition), changed: z.boolean().optional() }),
    fact.expect,
    'expect',
  );
  if (taken.outcome !== null) return taken.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const decidedBy = 'namespaceConditionUpdater, model/actors/namespaces/conditions.ts';
  const { conditions: stated, changed } = expected.value;
  if (taken.value[0].do === 'processContentTotals') {
    const given = parseWith(totalsGiven, fact.given, 'given');
    if (given.outcome !== null) return given.outcome;
    if (changed !== undefined) return unsupported('expect.changed: totals change nothing');
    const { remaining, finalizersRemaining } = given.value;
    return passedOr(
      compareConditions(stated, contentTotals(remaining, finalizersRemaining)),
      decidedBy,
    );
  }
  const given = parseWith(updateGiven, fact.given, 'given');
  if (given.outcome !== null) return given.outcome;
  const updated = updateConditions(
    given.value.conditions.map(asCondition),
    given.value.newConditions.map(asCondition),
  );
  return passedOr(
    compareConditions(stated, updated.conditions) ??
      (changed === undefined ? null : compare('changed', changed, updated.changed)),
    decidedBy,
  );
};

const finalizedGiven = z.strictObject({
  table: z.array(z.strictObject({ specFinalizers: z.array(z.string()) })),
});

/** `namespace-finalized` */
export const interpretNamespaceFinalized: Interpreter = (fact) => {
  const given = parseWith(finalizedGiven, fact.given, 'given');
  const expected = parseWith(
    z.strictObject({ finalized: z.array(z.boolean()) }),
    fact.expect,
    'expect',
  );
  if (given.outcome !== null) return given.outcome;
  if (expected.outcome !== null) return expected.outcome;
  if (fact.steps.length > 0) return unsupported('steps: this kind has none');
  return passedOr(
    compare('finalized', expected.value.finalized, given.value.table.map(isFinalized)),
    'finalized, model/actors/namespaces/conditions.ts',
  );
};
