import * as z from 'zod';
import { Unsupported } from './outcome.ts';

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
  /** Paths whose values the test of Kubernetes does not assert. Not checked. */
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

/** A parsed case. The `then` of a step (what must hold right after it) is renamed to `stated`. */
export type Fact = z.infer<typeof factSchema>;

/** Parses the envelope of a case. Throws `Unsupported`. */
export function parseFact(part: unknown): Fact {
  const { steps, ...rest } = parsePart(factSchema, part, 'case');
  const renamed = z.array(step).safeParse(withStated(steps));
  if (!renamed.success) throw new Unsupported('steps: not understood');
  return { ...rest, steps: renamed.data };
}

/** Parses a part of a case. Throws `Unsupported` with the path of what the schema does not know. */
export function parsePart<Value>(schema: z.ZodType<Value>, part: unknown, where: string): Value {
  const result = schema.safeParse(part);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [where, ...(issue?.path ?? []).map(String)].join('.');
  throw new Unsupported(`${path}: ${issue?.message ?? 'not understood'}`);
}

/** An object with a key `then` would be taken for a promise. Steps may hold steps (`branches`). */
function withStated(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withStated);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === 'stated') return ['unknown field stated', value];
      return key === 'then' ? ['stated', withStated(value)] : [key, withStated(value)];
    }),
  );
}
