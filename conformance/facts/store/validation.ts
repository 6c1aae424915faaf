import * as z from 'zod';
import {
  type FieldError,
  type Metadata,
  validateMetadata,
  validateMetadataUpdate,
} from '../../../model/index.ts';
import { compare, type Difference, passedOr } from '../compare.ts';
import { interpreter, NO_STEPS } from '../interpreter.ts';
import { asReference, ownerReference } from '../shapes.ts';

/** A number is an absolute time that is only compared. */
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

/**
 * Fields and types in any order. The message must contain the names and the words of the reason.
 */
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

const updateSchemas = {
  given: z.strictObject({ old: metadata, new: metadata }),
  steps: NO_STEPS,
  expect: expectation,
};

/** `validate-update` */
export const interpretValidateUpdate = interpreter(updateSchemas, ({ given, expected, rules }) => {
  const errors = validateMetadataUpdate(rules, metadataOf(given.new), metadataOf(given.old));
  return passedOr(compareErrors(expected, errors), DECIDED_BY);
});

const objectSchemas = {
  given: z.strictObject({ object: metadata }),
  steps: NO_STEPS,
  expect: expectation,
};

/** `validate-object`: by the rules that all kinds share. */
export const interpretValidateObject = interpreter(objectSchemas, ({ given, expected }) => {
  const errors = validateMetadata(metadataOf(given.object), 'qualified');
  return passedOr(compareErrors(expected, errors), DECIDED_BY);
});
