import { InputError } from '../text/input-error.ts';

/** Why a run cannot become a test. */
export const EXPORT_ERRORS = {
  noToken: (what: string): InputError =>
    new InputError({
      what: `${what} has no token, so no server can repeat it`,
      expected: 'a counterexample of check, which ends with a token',
    }),

  several: (names: readonly string[]): InputError =>
    new InputError({
      what: `the file has ${names.length} counterexamples`,
      expected: 'one of them',
      next: names.slice(0, 8).map((name) => `choose with --property '${name}'`),
    }),

  noClient: (step: number, what: string): InputError =>
    new InputError({
      what: `step ${step} is none that a client can do: ${what}`,
      next: 'reapcheck serve --schedule TOKEN repeats the run up to there',
    }),

  notShown: (property: string): InputError =>
    new InputError({
      what: `a client cannot see what is violated: "${property}"`,
      expected: 'a counterexample that ends with other objects than a run on a good day',
      next: 'reapcheck replay TOKEN shows the run',
    }),
} as const;
