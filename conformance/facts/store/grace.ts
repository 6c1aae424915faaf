import { z } from 'zod';
import {
  type ApiObject,
  beforeDelete,
  markAsDeleting,
  podGracePeriod,
} from '../../../model/index.ts';
import { compare } from '../collector/compare-state.ts';
import { passedOr } from '../collector/trace.ts';
import { type Fact, type Interpreter, type Parsed, parseWith } from '../fact.ts';
import { type CaseOutcome, unsupported } from '../outcome.ts';
import { asDeleteOptions, deleteOptions } from './shapes.ts';

/** Times are seconds relative to `now`. */
const deletionFields = z.strictObject({
  deletionTimestamp: z.number().nullable().optional(),
  deletionGracePeriodSeconds: z.number().int().nullable().optional(),
  generation: z.number().int().nonnegative().optional(),
});

const graceGiven = z.strictObject({
  now: z.number(),
  object: deletionFields,
  options: deleteOptions,
});

function objectOf(fields: z.infer<typeof deletionFields>): ApiObject {
  return {
    kind: 'Pod',
    namespace: 'default',
    name: 'given',
    uid: 'uid of given',
    generation: fields.generation ?? 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: fields.deletionTimestamp ?? null,
    deletionGracePeriodSeconds: fields.deletionGracePeriodSeconds ?? null,
    pod: { terminationGracePeriodSeconds: null, scheduled: true, finished: false },
  };
}

/** Only what is stated is compared. */
function asStated(
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
  decidedBy: string,
): CaseOutcome {
  const differences = Object.entries(expected).map(([field, value]) =>
    value === undefined ? null : compare(field, value, got[field] ?? null),
  );
  return passedOr(differences.find((difference) => difference !== null) ?? null, decidedBy);
}

/** `given` and `expect` of a case without steps. */
function partsOf<Given, Expected>(
  fact: Fact,
  givenSchema: z.ZodType<Given>,
  expectSchema: z.ZodType<Expected>,
): Parsed<{ readonly given: Given; readonly expected: Expected }> {
  const given = parseWith(givenSchema, fact.given, 'given');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given;
  if (expected.outcome !== null) return expected;
  if (fact.steps.length > 0) {
    return { value: null, outcome: unsupported('steps: this kind has none') };
  }
  return { value: { given: given.value, expected: expected.value }, outcome: null };
}

const beforeDeleteExpect = deletionFields.extend({
  graceful: z.boolean().optional(),
  pending: z.boolean().optional(),
  gracePeriodSeconds: z.number().int().nullable().optional(),
});

/** `before-delete`: the decision before a DELETE, of a kind that can be deleted gracefully. */
export const interpretBeforeDelete: Interpreter = (fact, rules) => {
  const parts = partsOf(fact, graceGiven, beforeDeleteExpect);
  if (parts.outcome !== null) return parts.outcome;
  const { given, expected } = parts.value;
  const { now, object, options } = given;
  const check = beforeDelete(rules, true, objectOf(object), asDeleteOptions(options), now);
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = check.object;
  const got = {
    graceful: check.graceful,
    pending: check.pending,
    gracePeriodSeconds: check.options.gracePeriodSeconds,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
  };
  return asStated(expected, got, 'BeforeDelete, model/apiserver/graceful.ts');
};

/** `mark-deleting`: an object that still has finalizers. The options play no part. */
export const interpretMarkDeleting: Interpreter = (fact) => {
  const parts = partsOf(fact, graceGiven, deletionFields);
  if (parts.outcome !== null) return parts.outcome;
  const { given, expected } = parts.value;
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = markAsDeleting(
    objectOf(given.object),
    given.now,
  );
  const got = { deletionTimestamp, deletionGracePeriodSeconds, generation };
  return asStated(expected, got, 'markAsDeleting, model/apiserver/graceful.ts');
};

const podGiven = z.strictObject({
  pod: z.strictObject({
    nodeName: z.string().optional(),
    phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']).optional(),
    terminationGracePeriodSeconds: z.number().int().nullable().optional(),
  }),
  options: deleteOptions,
});

/** `pod-grace` */
export const interpretPodGrace: Interpreter = (fact, rules) => {
  const parts = partsOf(
    fact,
    podGiven,
    z.strictObject({ gracePeriodSeconds: z.number().int().optional() }),
  );
  if (parts.outcome !== null) return parts.outcome;
  const { given, expected } = parts.value;
  const { nodeName = '', phase, terminationGracePeriodSeconds = null } = given.pod;
  const pod = {
    terminationGracePeriodSeconds,
    scheduled: nodeName !== '',
    finished: phase === 'Succeeded' || phase === 'Failed',
  };
  const gracePeriodSeconds = podGracePeriod(rules, pod, asDeleteOptions(given.options));
  const decidedBy = 'podStrategy.CheckGracefulDelete, model/apiserver/graceful.ts';
  return asStated(expected, { gracePeriodSeconds }, decidedBy);
};
