import { z } from 'zod';
import type { Rules } from '../../model/index.ts';
import { type CaseOutcome, unsupported } from './outcome.ts';

const step = z.looseObject({ do: z.string() });

/** One conformance case: the envelope that every kind of case shares. */
const factSchema = z.strictObject({
  id: z.string().min(1),
  area: z.string().min(1),
  kind: z.string().min(1),
  title: z.string(),
  source: z.strictObject({
    file: z.string(),
    test: z.string().nullable(),
    case: z.union([z.string(), z.number()]).nullable(),
    version: z.string(),
    commit: z.string().optional(),
  }),
  /** Start state and fixed conditions; each kind has its own form. */
  given: z.unknown(),
  steps: z.array(step),
  expect: z.unknown(),
  /** Paths whose values upstream does not assert. Not checked. */
  observed: z.array(z.string()).optional(),
  /** The fact is newer than release 1.20.2. */
  since: z.string().optional(),
  /** Named releases and how they deviate. */
  differsIn: z
    .record(
      z.string(),
      z.union([
        z.strictObject({ firstStep: z.number().int().nonnegative(), what: z.string() }),
        z.strictObject({ expect: z.record(z.string(), z.unknown()) }),
      ]),
    )
    .optional(),
  assumes: z.array(z.string()).optional(),
  notes: z.array(z.string()).optional(),
});

/** `then` of a step, what must hold right after it, is called `stated` from here on. */
export type Fact = z.infer<typeof factSchema>;

/** Drives one case through the model and compares, step by step. */
export type Interpreter = (
  fact: Fact,
  rules: Rules,
  interrupted: () => boolean,
) => CaseOutcome | Promise<CaseOutcome>;

export type Parsed<Value> =
  | { readonly value: Value; readonly outcome: null }
  | { readonly value: null; readonly outcome: CaseOutcome };

/** Reads a part of a case; what the schema does not know makes the case unsupported. */
export function parseWith<Value>(
  schema: z.ZodType<Value>,
  part: unknown,
  where: string,
): Parsed<Value> {
  const result = schema.safeParse(part);
  if (result.success) return { value: result.data, outcome: null };
  const [issue] = result.error.issues;
  const path = [where, ...(issue?.path ?? []).map(String)].join('.');
  return { value: null, outcome: unsupported(`${path}: ${issue?.message ?? 'not understood'}`) };
}

/** Reads the envelope. */
export function parseFact(part: unknown): Parsed<Fact> {
  const parsed = parseWith(factSchema, part, 'case');
  if (parsed.outcome !== null) return parsed;
  const { steps, ...rest } = parsed.value;
  const named = z.array(step).safeParse(renamed(steps));
  if (!named.success) return { value: null, outcome: unsupported('steps: not understood') };
  return { value: { ...rest, steps: named.data }, outcome: null };
}

/** An object with a key `then` would pass for a promise; steps may hold steps (`branches`). */
function renamed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(renamed);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === 'stated') return ['unknown field stated', value];
      return key === 'then' ? ['stated', renamed(value)] : [key, renamed(value)];
    }),
  );
}
