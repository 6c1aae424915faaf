import * as z from 'zod';
import { machineMegabytes } from '../../checker/index.ts';
import { isRepeatable } from '../../gate/run/run-cells.ts';
import { REDUCTION_NAMES } from '../../input/options/reductions.ts';
import { CASCADES } from '../../input/plan.ts';
import { type CheckReport, checkReportSchema } from '../../report/document/result-document.ts';
import { surveyRowSchema } from '../../report/document/survey.ts';
import { WALKS_WORKER } from '../../run/walks.ts';
import type { WorkerModule } from '../../run/worker-process.ts';
import { EXIT } from '../../text/exit-codes.ts';
import type { QueueKind } from '../code.ts';
import type { RedisAddress } from '../redis/address.ts';
import { heldSchema, holdSchema } from '../search/messages.ts';
import { mutantAnswerSchema, mutantQuestionSchema } from './mutants.ts';
import { limitsSchema, planSchema } from './plan-schema.ts';
import { shallowJson } from './shallow-json.ts';

/** What a worker adds to questions. */
export interface WorkerFacts {
  /** They share the memory of its machine. */
  readonly slots: number;
  readonly redis: RedisAddress;
  readonly silentSeconds: number;
  readonly awaySeconds: number;
}

/** The kinds of jobs. The name of a kind is what goes over the network; the module never does. */

export interface JobKind {
  readonly queue: QueueKind;
  /** The process that answers. */
  readonly module: WorkerModule;
  readonly question: z.ZodType;
  readonly answer: z.ZodType;
  /**
   * Whether another run would answer the same. Time and memory of a machine decide some answers.
   */
  readonly isRepeatable: (answer: unknown) => boolean;
  /** The question with what only the worker knows. */
  readonly completed?: (question: object, worker: WorkerFacts) => object;
}

const text = z.string();
const flag = z.boolean();
const reductionsSchema = z.array(z.enum(REDUCTION_NAMES));

const cellQuestionSchema = z.strictObject({
  plan: planSchema,
  limits: limitsSchema,
  reductions: reductionsSchema.nullable(),
  again: text,
});

const walksQuestionSchema = z.strictObject({
  plan: planSchema,
  walks: z.int().positive(),
  steps: z.int().positive(),
  seed: z.int().nonnegative(),
  limits: limitsSchema,
  again: text,
});

const surveyQuestionSchema = z.strictObject({
  columns: z
    .array(z.strictObject({ name: text, plan: planSchema }))
    .min(1)
    .max(CASCADES.length),
  seconds: z.number().positive(),
  search: z.strictObject({
    engine: z.enum(['tracked', 'naive']),
    auditEvery: z.union([z.int().nonnegative(), z.literal('thinning')]),
    reductions: reductionsSchema.exactOptional(),
  }),
  acceptBounded: flag,
  limits: limitsSchema,
  commands: z.record(text, text),
});

/** A report as JSON, as the cache of the gate has it. */
const reportJson = text.refine((json) => checkReportSchema.safeParse(parsed(json)).success);

function parsed(json: string): unknown {
  try {
    return shallowJson(json, 'a report');
  } catch {
    return null;
  }
}

function isReportRepeatable(answer: unknown): boolean {
  const { json } = answer as { readonly json?: string };
  return json !== undefined && isRepeatable(JSON.parse(json) as CheckReport);
}

/** The slots of a worker share the memory of its machine. */
function withMegabytes(question: object, { slots }: Pick<WorkerFacts, 'slots'>): object {
  const { limits } = question as { readonly limits: object };
  const megabytes = Math.max(1, machineMegabytes() / slots);
  return { ...question, limits: { megabytes, ...limits } };
}

export const JOB_KINDS = {
  cell: {
    queue: 'models',
    module: { main: 'gate/run/worker' },
    question: cellQuestionSchema,
    answer: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('report'), json: reportJson }),
      z.strictObject({ kind: z.literal('failed'), message: text }),
    ]),
    isRepeatable: isReportRepeatable,
    completed: withMegabytes,
  },
  walks: {
    queue: 'models',
    module: WALKS_WORKER,
    question: walksQuestionSchema,
    answer: z.strictObject({ json: reportJson }),
    isRepeatable: isReportRepeatable,
    completed: withMegabytes,
  },
  survey: {
    queue: 'models',
    module: { main: 'run/questions/survey-worker' },
    question: surveyQuestionSchema,
    answer: z.array(surveyRowSchema),
    isRepeatable: (answer) =>
      (answer as readonly { readonly exitCode: number }[]).every(
        ({ exitCode }) => exitCode !== EXIT.inconclusive,
      ),
    completed: withMegabytes,
  },
  hold: {
    queue: 'search',
    // Blocks are garbage soon: with one megabyte for it at first, a search takes a fifth more CPU.
    // Threads that help to collect it wait for each other, and take cores from other partitions.
    module: {
      main: 'fleet/search/partition-process',
      options: ['--min-semi-space-size=16', '--single-threaded-gc'],
    },
    question: holdSchema,
    answer: heldSchema,
    // It has no answer but that it has ended.
    isRepeatable: () => false,
    completed: (question, { redis, silentSeconds, awaySeconds, slots }) => ({
      ...withMegabytes(question, { slots }),
      ...{ redis, silentSeconds, awaySeconds },
    }),
  },
  mutant: {
    queue: 'mutants',
    module: { main: 'tools/mutate/worker', first: 'tools/mutate/register' },
    question: mutantQuestionSchema,
    answer: mutantAnswerSchema,
    isRepeatable: () => true,
  },
} as const satisfies Readonly<Record<string, JobKind>>;

export type JobKindName = keyof typeof JOB_KINDS;

export function isJobKind(name: string): name is JobKindName {
  return Object.hasOwn(JOB_KINDS, name);
}

/** The kind that a process answers. */
export function kindFor({ main }: WorkerModule): JobKindName {
  const found = Object.keys(JOB_KINDS).filter(isJobKind);
  const name = found.find((each) => JOB_KINDS[each].module.main === main);
  if (name === undefined) throw new Error(`no job of a fleet is for ${main}`);
  return name;
}
