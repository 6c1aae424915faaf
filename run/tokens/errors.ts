import { InputError } from '../../text/input-error.ts';

/** What can be wrong with a token. */
export const TOKEN_ERRORS = {
  noSuchRun: (word: string): InputError =>
    new InputError({
      what: `"${word}" is no token, and there is no such file`,
      expected: 'a token, which begins with rt1:, or what check --format json has written',
    }),

  badToken: (detail: string): InputError =>
    new InputError({
      what: `this is no token of reapcheck: ${detail}`,
      expected: 'the whole word after "reapcheck replay" that a counterexample ends with',
    }),

  tokenOfOtherFormat: (format: string): InputError =>
    new InputError({
      what: `a token of format ${format} is not known here`,
      next: 'replay it with the version of reapcheck that has printed it',
    }),

  tokenOfOther: (input: string, what: string): InputError =>
    new InputError({
      what: `the token is of another ${input}: ${what}`,
      next: 'check it anew, which prints a token of how it is now',
    }),

  tokenStops: (step: number, why: string): InputError =>
    new InputError({
      what: `the token cannot be followed beyond step ${step - 1}: ${why}`,
      next: 'reapcheck replay TOKEN shows what is possible there now',
    }),
} as const;
