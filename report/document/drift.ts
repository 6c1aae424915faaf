import type { Verdict } from '../../checker/index.ts';

/** How a result can differ from the lock, and how the gate judges the difference. */

/** `--update` pins `worse` only with `--accept-worse`. */
export const SEVERITIES = ['worse', 'better', 'neutral'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Each kind in words, with its severity. For verdicts, the table below decides. */
export const DRIFTS = {
  newViolation: {
    words: 'new violation',
    severity: 'worse',
    about: 'a property is violated that was not violated before, or that is new',
  },
  witnessLost: {
    words: 'witness lost',
    severity: 'worse',
    about: 'no run reaches an outcome any more',
  },
  limitHit: {
    words: 'limit now hit',
    severity: 'worse',
    about: 'the search ends at a limit before it is complete',
  },
  becameInconclusive: {
    words: 'became inconclusive',
    severity: 'worse',
    about: 'a limit is hit before there is an answer',
  },
  becameVacuous: {
    words: 'became vacuous',
    severity: null,
    about: 'nothing exercises the property any more',
  },
  violationGone: {
    words: 'violation gone',
    severity: 'better',
    about: 'a property holds that was violated before',
  },
  witnessFound: {
    words: 'witness found',
    severity: 'better',
    about: 'a run reaches an outcome that no run reached before',
  },
  vacuousNoLonger: {
    words: 'vacuous no longer',
    severity: 'better',
    about: 'a property is exercised, and holds',
  },
  inconclusiveNoLonger: {
    words: 'inconclusive no longer',
    severity: 'better',
    about: 'there is an answer, and the property holds',
  },
  judgedNoLonger: {
    words: 'judged no longer',
    severity: 'worse',
    about: 'a property is not judged any more',
  },
  judgedNow: {
    words: 'judged now',
    severity: 'neutral',
    about: 'a property is judged that was not judged before',
  },
  limitGone: { words: 'limit no longer hit', severity: 'better', about: 'the search is complete' },
  otherLimit: {
    words: 'another limit hit',
    severity: 'neutral',
    about: 'the search ends at another limit',
  },
  statesGrew: { words: 'states grew', severity: 'neutral', about: 'there are more states' },
  statesShrank: { words: 'states shrank', severity: 'neutral', about: 'there are fewer states' },
  shapeChanged: {
    words: 'same states, another graph',
    severity: 'neutral',
    about: 'the number of transitions or the depth changed, the number of states did not',
  },
  actionLost: {
    words: 'action no longer fires',
    severity: 'worse',
    about: 'an action has no transition any more',
  },
  actionNew: {
    words: 'action fires for the first time',
    severity: 'neutral',
    about: 'an action has transitions that it did not have before',
  },
  actionCounts: {
    words: 'transitions of actions changed',
    severity: 'neutral',
    about: 'the number of transitions of some actions changed',
  },
  counterexampleLonger: {
    words: 'counterexample longer',
    severity: 'neutral',
    about: 'a violated property takes more steps to show',
  },
  counterexampleShorter: {
    words: 'counterexample shorter',
    severity: 'neutral',
    about: 'a violated property takes fewer steps to show',
  },
  otherCounterexample: {
    words: 'another counterexample',
    severity: 'neutral',
    about: 'a different run of the same length violates the property',
  },
  triggerCounts: {
    words: 'trigger counts changed',
    severity: 'neutral',
    about: 'some properties are exercised in more or fewer states',
  },
  fateOpen: {
    words: 'fate now open',
    severity: 'worse',
    about: 'the search hits a limit before the fate of an object is known',
  },
  fateChanged: {
    words: 'fate changed',
    severity: 'neutral',
    about: 'an object of a dump has another fate',
  },
  resultsRestated: {
    words: 'stated results changed',
    severity: 'neutral',
    about: 'the scenario expects other verdicts or counts than when the lock was written',
  },
  newCell: {
    words: 'new cell',
    severity: 'neutral',
    about: 'the suite has a cell that the lock does not have',
  },
  nothingJudged: {
    words: 'new cell that judges nothing',
    severity: 'worse',
    about: 'a new cell in which every property is vacuous',
  },
  cellGone: {
    words: 'cell gone',
    severity: 'worse',
    about: 'the lock has a cell that the suite does not have',
  },
} as const satisfies Record<string, DriftTerms>;

interface DriftTerms {
  readonly words: string;
  /** Null: the table of verdicts decides. */
  readonly severity: Severity | null;
  readonly about: string;
}

export type DriftKind = keyof typeof DRIFTS;
/** In the order of reports. */
export const DRIFT_KINDS = Object.keys(DRIFTS) as readonly DriftKind[];

/**
 * From the verdict of the row to that of the column. A violation that turns into `vacuous` or
 * `inconclusive` is no progress: the fault may still be there.
 */
export const VERDICT_CHANGES: Readonly<Record<Verdict, Readonly<Record<Verdict, Severity>>>> = {
  holds: { holds: 'neutral', vacuous: 'worse', inconclusive: 'worse', violated: 'worse' },
  vacuous: { holds: 'better', vacuous: 'neutral', inconclusive: 'worse', violated: 'worse' },
  inconclusive: { holds: 'better', vacuous: 'neutral', inconclusive: 'neutral', violated: 'worse' },
  violated: { holds: 'better', vacuous: 'worse', inconclusive: 'worse', violated: 'neutral' },
};

/** One difference from the lock. */
export interface Drift {
  readonly cell: string;
  readonly kind: DriftKind;
  readonly severity: Severity;
  /** Property, action or object of the cell; null: the whole cell. */
  readonly subject: string | null;
  readonly before: string | null;
  readonly after: string | null;
  /** Further figures, one per line. */
  readonly details: readonly string[];
}

/** Worst first. */
export function inOrder(drifts: readonly Drift[]): readonly Drift[] {
  return SEVERITIES.flatMap((severity) =>
    DRIFT_KINDS.flatMap((kind) =>
      drifts.filter((drift) => drift.severity === severity && drift.kind === kind),
    ),
  );
}
