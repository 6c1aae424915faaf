/** The outcome of one conformance case: every interpreter of `conformance/facts/` returns it. */
export type CaseOutcome =
  | { readonly verdict: 'passed' }
  | Failed
  /** A limit was hit before the answer. Not passed. */
  | { readonly verdict: 'inconclusive'; readonly why: string }
  /** The case has a kind, a field or a value that no interpreter reads. Counted, never skipped. */
  | { readonly verdict: 'unsupported'; readonly why: string };

export interface Failed {
  readonly verdict: 'failed';
  /** Index of the step whose `then` does not hold; `expect` for what must hold at the end. */
  readonly step: number | 'expect';
  /** JSON values, cut down to the field that differs. */
  readonly expected: unknown;
  readonly got: unknown;
  /** The field that differs, and the part of the model that decides it. */
  readonly rule: string;
}

export const PASSED: CaseOutcome = { verdict: 'passed' };

/** Thrown for a part of a case that no interpreter reads; the case is then `unsupported`. */
export class Unsupported extends Error {}

export function unsupported(why: string): CaseOutcome {
  return { verdict: 'unsupported', why };
}

export function failed(
  step: number | 'expect',
  expected: unknown,
  got: unknown,
  rule: string,
): Failed {
  return { verdict: 'failed', step, expected, got, rule };
}
