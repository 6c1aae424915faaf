import * as z from 'zod';
import {
  type ApiObject,
  beforeDelete,
  markAsDeleting,
  podGracePeriod,
} from '../../../model/index.ts';
import { compareFields, passedOr } from '../compare.ts';
import { newObject } from '../fixtures.ts';
import { interpreter, NO_STEPS } from '../interpreter.ts';
import { asDeleteOptions, deleteOptions } from './shapes.ts';

/** Times are in seconds relative to `now`. */
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
  return newObject(
    { kind: 'Pod', namespace: 'default', name: 'given', uid: 'uid of given' },
    {
      generation: fields.generation ?? 0,
      deletionTimestamp: fields.deletionTimestamp ?? null,
      deletionGracePeriodSeconds: fields.deletionGracePeriodSeconds ?? null,
      pod: { terminationGracePeriodSeconds: null, scheduled: true, finished: false },
    },
  );
}

const beforeDeleteSchemas = {
  given: graceGiven,
  steps: NO_STEPS,
  expect: deletionFields.extend({
    graceful: z.boolean().optional(),
    pending: z.boolean().optional(),
    gracePeriodSeconds: z.number().int().nullable().optional(),
  }),
};

/** `before-delete`: the decision before a DELETE, for a kind that can be deleted gracefully. */
export const interpretBeforeDelete = interpreter(
  beforeDeleteSchemas,
  ({ given, expected, rules }) => {
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
    return passedOr(compareFields('', expected, got), 'BeforeDelete, model/apiserver/graceful.ts');
  },
);

const markDeletingSchemas = { given: graceGiven, steps: NO_STEPS, expect: deletionFields };

/** `mark-deleting`: an object that still has finalizers. The options are not used. */
export const interpretMarkDeleting = interpreter(markDeletingSchemas, ({ given, expected }) => {
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = markAsDeleting(
    objectOf(given.object),
    given.now,
  );
  const got = { deletionTimestamp, deletionGracePeriodSeconds, generation };
  return passedOr(compareFields('', expected, got), 'markAsDeleting, model/apiserver/graceful.ts');
});

const podSchemas = {
  given: z.strictObject({
    pod: z.strictObject({
      nodeName: z.string().optional(),
      phase: z.enum(['', 'Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']).optional(),
      terminationGracePeriodSeconds: z.number().int().nullable().optional(),
    }),
    options: deleteOptions,
  }),
  steps: NO_STEPS,
  expect: z.strictObject({ gracePeriodSeconds: z.number().int().optional() }),
};

/** `pod-grace`: the grace period that a DELETE grants to a pod. */
export const interpretPodGrace = interpreter(podSchemas, ({ given, expected, rules }) => {
  const { nodeName = '', phase, terminationGracePeriodSeconds = null } = given.pod;
  const pod = {
    terminationGracePeriodSeconds,
    scheduled: nodeName !== '',
    finished: phase === 'Succeeded' || phase === 'Failed',
  };
  const gracePeriodSeconds = podGracePeriod(rules, pod, asDeleteOptions(given.options));
  return passedOr(
    compareFields('', expected, { gracePeriodSeconds }),
    'podStrategy.CheckGracefulDelete, model/apiserver/graceful.ts',
  );
});
