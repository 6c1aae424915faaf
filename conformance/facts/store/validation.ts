import { z } from 'zod';
import {
  type FieldError,
  type Metadata,
  validateMetadata,
  validateMetadataUpdate,
} from '../../../model/index.ts';
import { compare, type Difference } from '../collector/compare-state.ts';
import { passedOr } from '../collector/trace.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { unsupported } from '../outcome.ts';
import { asReference, ownerReference } from '../shapes.ts';

/** A number is an absolute stamp that only has to be compared. */
const stamp = z.union([z.number(), z.literal('set'), z.literal('unset'), z.null()]);

const metadata = z.strictObject({
  finalizers: z.array(z.string()).optional(),
  ownerReferences: z.array(ownerReference).optional(),
  deletionTimestamp: stamp.optional(),
  deletionGracePeriodSeconds: z.number().int().nullable().optional(),
  generation: z.number().int().optional(),
});

const expectation = z.strictObject({
  accepted: z.boolean(),
  errors: z
    .array(
      z.strictObject({
        field: z.string(),
        type: z.enum(['Invalid', 'Forbidden']),
        reason: z.string().optional(),
        names: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});

function metadataOf(stated: z.infer<typeof metadata>): Metadata {
  const { deletionTimestamp: at = null } = stated;
  return {
    finalizers: stated.finalizers ?? [],
    ownerReferences: (stated.ownerReferences ?? []).map(asReference),
    deletionTimestamp: at === 'set' ? 0 : at === 'unset' ? null : at,
    deletionGracePeriodSeconds: stated.deletionGracePeriodSeconds ?? null,
    generation: stated.generation ?? 0,
  };
}

/** Fields and types in any order; names and reason must be mentioned. */
function compareErrors(
  stated: z.infer<typeof expectation>,
  errors: readonly FieldError[],
): Difference | null {
  const shown = (list: readonly { field: string; type: string }[]) =>
    list.map(({ field, type }) => `${field}: ${type}`).sort();
  const accepted = compare('accepted', stated.accepted, errors.length === 0);
  if (accepted !== null || stated.errors === undefined) return accepted;
  const difference = compare('errors', shown(stated.errors), shown(errors));
  if (difference !== null) return difference;
  for (const expected of stated.errors) {
    const words = [...(expected.names ?? []), ...(expected.reason ?? '').split(' ')];
    const mentions = errors.some(
      ({ field, type, message }) =>
        field === expected.field &&
        type === expected.type &&
        words.every((word) => message.includes(word)),
    );
    if (!mentions) return { field: 'errors', expected, got: errors };
  }
  return null;
}

const DECIDED_BY = 'ValidateObjectMeta, model/apiserver/validation.ts';

/** `validate-update` */
export const interpretValidateUpdate: Interpreter = (fact, rules) => {
  const given = parseWith(z.strictObject({ old: metadata, new: metadata }), fact.given, 'given');
  const expected = parseWith(expectation, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (expected.outcome !== null) return expected.outcome;
  if (fact.steps.length > 0) return unsupported('steps: this kind has none');
  const next = metadataOf(given.value.new);
  const errors = validateMetadataUpdate(rules, next, metadataOf(given.value.old));
  return passedOr(compareErrors(expected.value, errors), DECIDED_BY);
};

/** `validate-object`: by the rules that every kind shares. */
export const interpretValidateObject: Interpreter = (fact) => {
  const given = parseWith(z.strictObject({ object: metadata }), fact.given, 'given');
  const expected = parseWith(expectation, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (expected.outcome !== null) return expected.outcome;
  if (fact.steps.length > 0) return unsupported('steps: this kind has none');
  const errors = validateMetadata(metadataOf(given.value.object), 'qualified');
  return passedOr(compareErrors(expected.value, errors), DECIDED_BY);
};
