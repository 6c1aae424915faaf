import * as z from 'zod';
import {
  contentTotals,
  isFinalized,
  type NamespaceCondition,
  updateConditions,
} from '../../../model/index.ts';
import { compare, compareStated, type Difference, firstOf, passedOr } from '../compare.ts';
import { parsePart } from '../fact.ts';
import { interpreter, NO_STEPS } from '../interpreter.ts';
import { unsupported } from '../outcome.ts';
import { asCondition, condition } from './shapes.ts';

const remainingType = z.strictObject({
  group: z.string().default(''),
  version: z.string().optional(),
  resource: z.string(),
  count: z.number().int().nonnegative(),
});

/** `lists` are the entries that the message lists, in this order. */
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

/** Types and states in order; of the other fields only the stated ones. */
function compareConditions(
  stated: readonly StatedCondition[],
  got: readonly NamespaceCondition[],
): Difference | null {
  const outline = (list: readonly { type: string; status: string }[]) =>
    list.map(({ type, status }) => `${type}: ${status}`);
  return (
    compare('conditions', outline(stated), outline(got)) ??
    firstOf(
      stated.map(
        ({ reason, message, lists }, index) =>
          compareStated(`conditions.${index}.reason`, reason, got[index]?.reason) ??
          compareStated(`conditions.${index}.message`, message, got[index]?.message) ??
          (lists === undefined ? null : compareLists(index, lists, got[index])),
      ),
    )
  );
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

const conditionsSchemas = {
  /** Parsed by the step. */
  given: z.unknown(),
  steps: z.tuple([z.strictObject({ do: z.enum(['updateConditions', 'processContentTotals']) })]),
  expect: z.strictObject({
    conditions: z.array(statedCondition),
    changed: z.boolean().optional(),
  }),
};

/** `namespace-conditions` */
export const interpretNamespaceConditions = interpreter(
  conditionsSchemas,
  ({ fact, steps: [step], expected }) => {
    const decidedBy = 'namespaceConditionUpdater, model/actors/namespaces/conditions.ts';
    const { conditions: stated, changed } = expected;
    if (step.do === 'processContentTotals') {
      const given = parsePart(totalsGiven, fact.given, 'given');
      if (changed !== undefined) return unsupported('expect.changed: totals change nothing');
      const got = contentTotals(given.remaining, given.finalizersRemaining);
      return passedOr(compareConditions(stated, got), decidedBy);
    }
    const given = parsePart(updateGiven, fact.given, 'given');
    const updated = updateConditions(
      given.conditions.map(asCondition),
      given.newConditions.map(asCondition),
    );
    return passedOr(
      compareConditions(stated, updated.conditions) ??
        compareStated('changed', changed, updated.changed),
      decidedBy,
    );
  },
);

const finalizedSchemas = {
  given: z.strictObject({
    table: z.array(z.strictObject({ specFinalizers: z.array(z.string()) })),
  }),
  steps: NO_STEPS,
  expect: z.strictObject({ finalized: z.array(z.boolean()) }),
};

/** `namespace-finalized` */
export const interpretNamespaceFinalized = interpreter(finalizedSchemas, ({ given, expected }) =>
  passedOr(
    compare('finalized', expected.finalized, given.table.map(isFinalized)),
    'finalized, model/actors/namespaces/conditions.ts',
  ),
);
