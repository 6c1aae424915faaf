import * as z from 'zod';
import { ACTOR_NAMES } from '../../input/cluster/actor-names.ts';
import { knownFinalizerSchema } from '../../input/cluster/known/index.ts';
import { CASCADES } from '../../input/plan.ts';
import { VARIANTS } from '../../input/scenarios/terms.ts';
import { objectSchema, referenceSchema } from '../../input/setup/object-schema.ts';
import { setupSchema } from '../../input/setup/setup-schema.ts';

/**
 * The plan in a job: `Plan` in input/plan.ts. Any client of Redis can make one up, so each
 * field is checked, and an unknown one refused. A path is only text to show: nothing opens it.
 */

const text = z.string();
const texts = z.array(text);

const overridesSchema = z.strictObject({
  protocol: text.exactOptional(),
  rules: z.array(z.strictObject({ name: text, value: text })),
  stuckFinalizers: texts,
  finalizerTable: text.exactOptional(),
  deleteWorkers: z.int().positive().exactOptional(),
  relists: z.int().nonnegative().exactOptional(),
  around: z
    .strictObject({
      with: z.array(z.enum(ACTOR_NAMES)),
      without: z.array(z.enum(ACTOR_NAMES)),
      lostNodes: texts,
      cooperative: texts,
      admitted: texts,
    })
    .exactOptional(),
  world: z
    .strictObject({
      finalizers: z.enum(['act', 'may']),
      owners: z.enum(['there', 'gone']),
      alike: z.int().positive().nullable(),
      part: z
        .strictObject({
          division: z.enum(['trees', 'chains']),
          number: z.int().nonnegative(),
          leaving: z.array(z.int().nonnegative()).nullable(),
        })
        .nullable(),
    })
    .exactOptional(),
});

const subjectSchema = z.strictObject({
  inputs: texts,
  initial: z.int().nonnegative().exactOptional(),
  museum: z.boolean(),
  variant: z.enum(VARIANTS).nullable(),
  deletions: texts,
  cascade: z.enum(CASCADES),
  grace: z.int().nonnegative().exactOptional(),
  namespace: text.nullable(),
  expected: text.exactOptional(),
  overrides: overridesSchema,
});

const replacedSchema = z.strictObject({ object: text, by: text, sameName: z.boolean() });

/** What is said of a finalizer, and of each group of objects that have it. */
const judgedRow = {
  judgement: z.enum(['cooperative', 'unknown', 'stuck']),
  evidence: text,
  settle: text.nullable(),
  held: z
    .strictObject({
      by: z.enum([
        ...(['paused', 'hooked', 'used', 'drained', 'beneath', 'unconfirmed'] as const),
        ...(['lacking', 'hooks', 'elsewhere', 'unseen', 'refused'] as const),
      ]),
      objects: z.array(objectSchema),
      why: text,
      sure: z.literal(true).exactOptional(),
      pause: text.exactOptional(),
      settle: text.exactOptional(),
      asks: text.exactOptional(),
      lacks: z.strictObject({ kind: text, name: text, namespace: text }).exactOptional(),
    })
    .nullable(),
  runs: z.boolean(),
  known: knownFinalizerSchema.nullable(),
  objects: texts,
  reached: z.boolean(),
  runner: objectSchema.nullable(),
  byHand: z.boolean().exactOptional(),
} as const;

const clusterSchema = z.strictObject({
  actors: z.array(
    z.strictObject({
      name: z.enum(ACTOR_NAMES),
      runs: z.boolean(),
      evidence: text,
      overrule: text,
    }),
  ),
  finalizers: z.array(
    z.strictObject({ ...judgedRow, finalizer: text, rows: z.array(z.strictObject(judgedRow)) }),
  ),
  unknownOwners: z.array(
    z.strictObject({
      reference: referenceSchema,
      dependents: texts,
      namespace: text,
      settle: text,
    }),
  ),
  doubtfulOwners: z.array(
    z.strictObject({
      ...{ reference: referenceSchema, dependents: texts, settle: text },
      doubt: z.enum(['kind', 'version']),
    }),
  ),
  lostNodes: texts,
  replaced: z.array(replacedSchema),
  replacedBeside: z.array(replacedSchema),
  unknownContents: z.array(
    z.strictObject({
      object: text,
      kind: text,
      why: text,
      settle: text,
      reported: text.exactOptional(),
    }),
  ),
  incomplete: z.array(z.strictObject({ what: text, settle: text })),
  unread: z.array(z.strictObject({ what: text, settle: text })),
  tracking: z.array(
    z.strictObject({
      ...{ object: text, finalizer: text, tracked: texts, pausing: texts, waitsFor: texts },
      waves: z.record(text, z.int()),
    }),
  ),
  besides: z.array(
    z.strictObject({
      object: text,
      what: text,
      strands: z
        .strictObject({ names: texts, begun: z.boolean(), until: text.exactOptional() })
        .exactOptional(),
      loses: text.exactOptional(),
      asks: z.strictObject({ text, settle: text }).exactOptional(),
      unasked: z.literal(true).exactOptional(),
      expected: z.int().positive().exactOptional(),
      remade: text.exactOptional(),
      unmade: texts.exactOptional(),
      ifOrphansGo: z.literal(true).exactOptional(),
    }),
  ),
  doubts: z.array(
    z.strictObject({
      object: text,
      by: z.enum([
        'admission',
        'refusal',
        'update',
        'controller',
        'release',
        'operator',
        'protection',
        'kubelet',
      ]),
      why: text,
      settle: text.exactOptional(),
      atEnd: z.literal(true).exactOptional(),
    }),
  ),
  refused: z.array(
    z.strictObject({
      object: text,
      by: z.enum(['webhook', 'server', 'policy']),
      why: text,
      settle: text,
      isSure: z.boolean(),
      silence: text.exactOptional(),
    }),
  ),
  admitted: texts,
  unavailableApis: z.array(
    z.strictObject({
      name: text,
      groupVersion: text,
      condition: z.strictObject({ type: text, status: text, reason: text, message: text }),
    }),
  ),
});

export const planSchema = z.strictObject({
  title: text,
  about: text.nullable(),
  source: text.nullable(),
  protocol: text,
  setup: setupSchema,
  properties: texts,
  asked: texts,
  expectation: z
    .strictObject({
      states: z.int().exactOptional(),
      transitions: z.int().exactOptional(),
      depth: z.int().exactOptional(),
      verdicts: z.record(text, z.enum(['holds', 'violated', 'vacuous'])),
      because: z.record(text, text),
      counterexample: z
        .strictObject({ property: text, length: z.int().exactOptional(), mustShow: texts })
        .exactOptional(),
    })
    .nullable(),
  fates: z.boolean(),
  cut: texts,
  unread: text.exactOptional(),
  warnings: texts,
  given: text.nullable(),
  subject: subjectSchema.nullable(),
  cluster: clusterSchema.nullable(),
  museum: z
    .strictObject({ entry: text, title: text, variant: z.enum(VARIANTS), property: text })
    .nullable(),
  place: z
    .strictObject({ file: text, line: z.int(), properties: z.record(text, z.int()) })
    .nullable(),
});

export const limitsSchema = z.strictObject({
  states: z.int().positive().exactOptional(),
  depth: z.int().nonnegative().exactOptional(),
  seconds: z.number().positive().exactOptional(),
  megabytes: z.number().positive().exactOptional(),
});
