import { InputError } from '../../text/input-error.ts';

/** The errors of tokens. */
export const TOKEN_ERRORS = {
  noSuchRun: (word: string): InputError =>
    new InputError({
      what: `"${word}" is neither a token nor a file that exists`,
      expected: 'a token, which begins with rt1:, or a JSON result of check',
    }),

  badToken: (detail: string): InputError =>
    new InputError({
      what: `this is not a reapcheck token: ${detail}`,
      expected: 'the whole word after "reapcheck replay" at the end of a counterexample',
    }),

  tokenOfOtherFormat: (format: string): InputError =>
    new InputError({
      what: `this version of reapcheck does not know the token format ${format}`,
      next: 'replay it with the version of reapcheck that printed it',
    }),

  tokenOfOther: (input: string, what: string): InputError =>
    new InputError({
      what: `the token was made for another version of ${input}: ${what}`,
      next: 'check the input again to get a new token',
    }),

  tokenStops: (step: number, why: string): InputError =>
    new InputError({
      what: `the token cannot be replayed beyond step ${step - 1}: ${why}`,
      next: 'reapcheck replay TOKEN shows which steps are possible there now',
    }),
} as const;
