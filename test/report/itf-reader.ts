import * as z from 'zod';

/**
 * A reader of the Informal Trace Format, strict, as its description (ADR-015 of Apalache) has it.
 */

const state = z.record(z.string(), z.unknown());

const traceSchema = z.strictObject({
  '#meta': z.record(z.string(), z.unknown()).exactOptional(),
  params: z.array(z.string()).exactOptional(),
  vars: z.array(z.string()),
  states: z.array(state).min(1),
  loop: z.int().nonnegative().exactOptional(),
});

export interface ReadTrace {
  /** Values of the variables, by name. */
  readonly states: readonly Readonly<Record<string, unknown>>[];
  readonly loop: number | null;
}

export function readItf(text: string): ReadTrace {
  const { vars, states, loop } = traceSchema.parse(JSON.parse(text));
  if (loop !== undefined && loop >= states.length) throw new Error('the loop starts after the end');
  return {
    states: states.map((one) => {
      const names = Object.keys(one).filter((name) => name !== '#meta');
      if (names.length !== vars.length || !vars.every((name) => Object.hasOwn(one, name))) {
        throw new Error(`variables ${vars}, but a state has ${names}`);
      }
      return recordOf(vars.map((name) => [name, plainValue(one[name])]));
    }),
    loop: loop ?? null,
  };
}

/** The value of an expression. Maps become records, and sets become records of `true`. */
export function plainValue(expression: unknown): unknown {
  if (typeof expression === 'string' || typeof expression === 'boolean') return expression;
  if (Array.isArray(expression)) return expression.map(plainValue);
  if (typeof expression !== 'object' || expression === null) {
    throw new Error(`${JSON.stringify(expression)} is no expression`);
  }
  const entries = Object.entries(expression);
  const special = entries.find(([key]) => key.startsWith('#'));
  if (special === undefined)
    return recordOf(entries.map(([key, value]) => [key, plainValue(value)]));
  if (entries.length !== 1) throw new Error(`${special[0]} is not alone`);
  return specialValue(...special);
}

function specialValue(word: string, value: unknown): unknown {
  switch (word) {
    case '#bigint':
      return Number(
        BigInt(
          z
            .string()
            .regex(/^-?\d+$/)
            .parse(value),
        ),
      );
    case '#set':
      return recordOf(list(value).map((key) => [key, true]));
    case '#map':
      return recordOf(list(value).map((pair) => pairOf(pair)));
    case '#tup':
      return list(value).map(plainValue);
    case '#unserializable':
      return JSON.parse(z.string().parse(value));
    default:
      throw new Error(`${word} is no word of the format`);
  }

  function pairOf(given: unknown): readonly [unknown, unknown] {
    const [key, content] = z.tuple([z.unknown(), z.unknown()]).parse(given);
    return [key, plainValue(content)];
  }

  function list(given: unknown): readonly unknown[] {
    return z.array(z.unknown()).parse(given);
  }
}

function recordOf(
  entries: readonly (readonly [unknown, unknown])[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(entries.map(([key, value]) => [z.string().parse(key), value]));
}
