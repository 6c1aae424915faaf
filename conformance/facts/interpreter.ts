import * as z from 'zod';
import type { Rules } from '../../model/index.ts';
import { type Fact, parsePart } from './fact.ts';
import { type CaseOutcome, Unsupported, unsupported } from './outcome.ts';

/** Runs one case through the model and compares, step by step. */
export type Interpreter = (
  fact: Fact,
  rules: Rules,
  interrupted: () => boolean,
  others?: readonly unknown[],
) => Promise<CaseOutcome>;

/** The schemas of the three parts of a case. */
interface Schemas<Given, Steps, Expected> {
  readonly given: z.ZodType<Given>;
  readonly steps: z.ZodType<Steps>;
  readonly expect: z.ZodType<Expected>;
}

/** The parsed parts of a case, and what it is judged with. */
export interface Case<Given, Steps, Expected> {
  readonly given: Given;
  readonly steps: Steps;
  readonly expected: Expected;
  readonly fact: Fact;
  readonly rules: Rules;
  /** Long judgements call it now and then; true makes them inconclusive. */
  readonly interrupted: () => boolean;
  /** The cases that are judged with this one, as read: a case may name the steps of another. */
  readonly others: readonly unknown[];
}

/** For kinds of case that have no steps. */
export const NO_STEPS = z
  .array(z.unknown())
  .max(0, { error: 'a case of this kind has no steps', abort: true });

/** For kinds of case that state everything in their steps. */
export const NOTHING_EXPECTED = z.strictObject({});

/**
 * The common frame of all interpreters: parses the parts of a case in the order `given`, `steps`,
 * `expect`, and turns `Unsupported` into an outcome.
 */
export function interpreter<Given, Steps, Expected>(
  schemas: Schemas<Given, Steps, Expected>,
  interpret: (parts: Case<Given, Steps, Expected>) => CaseOutcome | Promise<CaseOutcome>,
): Interpreter {
  return async (fact, rules, interrupted, others = []) => {
    try {
      return await interpret({
        given: parsePart(schemas.given, fact.given, 'given'),
        steps: parsePart(schemas.steps, fact.steps, 'steps'),
        expected: parsePart(schemas.expect, fact.expect, 'expect'),
        fact,
        rules,
        interrupted,
        others,
      });
    } catch (error) {
      if (error instanceof Unsupported) return unsupported(error.message);
      throw error;
    }
  };
}
