/**
 * What one conformance case came to. This file is the one shape that every interpreter of
 * `conformance/facts/` answers with; it holds no interpreter itself.
 */
export type CaseOutcome =
  | { readonly verdict: 'passed' }
  | Failed
  /** A limit was hit before the answer. Not passed. */
  | { readonly verdict: 'inconclusive'; readonly why: string }
  /** A kind, a field or a value that no interpreter reads: counted, never passed over. */
  | { readonly verdict: 'unsupported'; readonly why: string };

export interface Failed {
  readonly verdict: 'failed';
  /** Index of the step whose `then` does not hold; `expect` for what must hold at the end. */
  readonly step: number | 'expect';
  /** JSON values, cut down to the field that differs. */
  readonly expected: unknown;
  readonly got: unknown;
  /** The field that differs and the part of the model that decides it. */
  readonly rule: string;
}

export const PASSED: CaseOutcome = { verdict: 'passed' };

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
