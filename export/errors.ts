import { InputError } from '../text/input-error.ts';
import { shellQuoted } from '../text/layout.ts';
import { hint } from '../text/messages.ts';

/** Why a run cannot become a test. */
export const EXPORT_ERRORS = {
  noToken: (what: string): InputError =>
    new InputError({
      what: `${what} has no token, so no server can repeat it`,
      expected: 'a counterexample of check, which ends with a token',
    }),

  noCounterexample: (
    input: string,
    property: string | null,
    known: readonly string[],
  ): InputError =>
    new InputError({
      what: `${input} has no counterexample${property === null ? '' : ` to "${property}"`}`,
      expected: 'a token, or a result of check in which a property is violated',
      next: property === null ? undefined : hint(property, known),
    }),

  several: (found: readonly { readonly check: number; readonly property: string }[]): InputError =>
    new InputError({
      what: `the file has ${found.length} counterexamples`,
      expected: 'one of them',
      next: found
        .slice(0, 8)
        .map(
          ({ check, property }) =>
            `choose with --check ${check + 1} --property ${shellQuoted(property)}`,
        ),
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
