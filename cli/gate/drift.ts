import type { Verdict } from '../../checker/index.ts';

/** What can come out otherwise than the lock has it, and how it is judged. */

/** `worse` is accepted with `--accept-worse` only. */
export const SEVERITIES = ['worse', 'better', 'neutral'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Each kind in words, and its severity; of verdicts, the table below decides. */
export const DRIFTS = {
  newViolation: { words: 'new violation', severity: 'worse' },
  witnessLost: { words: 'witness lost', severity: 'worse' },
  becameInconclusive: { words: 'became inconclusive', severity: 'worse' },
  becameVacuous: { words: 'became vacuous', severity: null },
  violationGone: { words: 'violation gone', severity: 'better' },
  witnessFound: { words: 'witness found', severity: 'better' },
  vacuousNoLonger: { words: 'vacuous no longer', severity: 'better' },
  inconclusiveNoLonger: { words: 'inconclusive no longer', severity: 'better' },
  judgedNoLonger: { words: 'judged no longer', severity: 'worse' },
  judgedNow: { words: 'judged now', severity: 'neutral' },
  limitHit: { words: 'limit now hit', severity: 'worse' },
  limitGone: { words: 'limit no longer hit', severity: 'better' },
  otherLimit: { words: 'another limit hit', severity: 'neutral' },
  statesGrew: { words: 'states grew', severity: 'neutral' },
  statesShrank: { words: 'states shrank', severity: 'neutral' },
  shapeChanged: { words: 'same states, another graph', severity: 'neutral' },
  actionLost: { words: 'action no longer fires', severity: 'worse' },
  actionNew: { words: 'action fires for the first time', severity: 'neutral' },
  actionCounts: { words: 'transitions of actions changed', severity: 'neutral' },
  counterexampleLonger: { words: 'counterexample longer', severity: 'neutral' },
  counterexampleShorter: { words: 'counterexample shorter', severity: 'neutral' },
  otherCounterexample: { words: 'another counterexample', severity: 'neutral' },
  triggerCounts: { words: 'trigger counts changed', severity: 'neutral' },
  fateOpen: { words: 'fate now open', severity: 'worse' },
  fateChanged: { words: 'fate changed', severity: 'neutral' },
  newCell: { words: 'new cell', severity: 'neutral' },
  nothingJudged: { words: 'new cell that judges nothing', severity: 'worse' },
  cellGone: { words: 'cell gone', severity: 'worse' },
} as const satisfies Record<string, { readonly words: string; readonly severity: Severity | null }>;

export type DriftKind = keyof typeof DRIFTS;
export const DRIFT_KINDS = Object.keys(DRIFTS) as readonly DriftKind[];

/**
 * From the verdict of the row to that of the column. A violation that is lost sight of is no better
 * than before: what was wrong may still be.
 */
export const VERDICT_CHANGES: Readonly<Record<Verdict, Readonly<Record<Verdict, Severity>>>> = {
  holds: { holds: 'neutral', vacuous: 'worse', inconclusive: 'worse', violated: 'worse' },
  vacuous: { holds: 'better', vacuous: 'neutral', inconclusive: 'worse', violated: 'worse' },
  inconclusive: { holds: 'better', vacuous: 'neutral', inconclusive: 'neutral', violated: 'worse' },
  violated: { holds: 'better', vacuous: 'worse', inconclusive: 'worse', violated: 'neutral' },
};

/** One thing that has come out otherwise. */
export interface Drift {
  readonly cell: string;
  readonly kind: DriftKind;
  readonly severity: Severity;
  /** Which property, action or object of the cell; null: the cell as a whole. */
  readonly subject: string | null;
  readonly before: string | null;
  readonly after: string | null;
  /** Further figures, one a line. */
  readonly details: readonly string[];
}
