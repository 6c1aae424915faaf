import type { Run } from './judge.ts';

export interface PropertyCases {
  readonly violated: Readonly<
    Record<string, { readonly run: Run; readonly explained: readonly string[] }>
  >;
  /** The trigger is true and the property holds. */
  readonly holds: Readonly<Record<string, Run>>;
  readonly vacuous: Readonly<Record<string, Run>>;
}

/** By name of the property. */
export type Cases = Readonly<Record<string, PropertyCases>>;
