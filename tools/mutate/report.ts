import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import type { Trial } from './run.ts';
import { type KnownSurvivor, knownSurvivor } from './survivors.ts';

/** The strength of the specification: the fate of each mutant, as data. */
export interface MutationReport {
  readonly schema: 'reapcheck.mutants/v1';
  readonly version: string;
  /** See `triedDigest`. */
  readonly tried: string;
  /** Null: all mutants were tried. */
  readonly sample: { readonly count: number; readonly seed: number } | null;
  readonly counts: Readonly<Record<Trial['fate']['fate'], number>>;
  /** Survivors known to be equivalent. */
  readonly equivalent: number;
  /**
   * The share of killed mutants among those that change behaviour and are not known to be
   * equivalent; null if there are none.
   */
  readonly score: number | null;
  readonly trials: readonly (Trial & { readonly known: KnownSurvivor | null })[];
  /** Mutants that an interruption or a limit left out. */
  readonly notRun: number;
  readonly exitCode: ExitCode;
}

/** The share of the mutants with changed behaviour that must be killed. */
export const BAR = 0.9;

/** @param unfinished the exit code if not all were tried. */
export function mutationReport(
  version: string,
  tried: string,
  sample: MutationReport['sample'],
  trials: readonly Trial[],
  notRun: number,
  unfinished: ExitCode = EXIT.interrupted,
): MutationReport {
  const counted = (fate: Trial['fate']['fate']): number =>
    trials.filter((trial) => trial.fate.fate === fate).length;
  const known = trials.map((trial) => ({
    ...trial,
    known: trial.fate.fate === 'survived' ? knownSurvivor(trial.words) : null,
  }));
  const equivalent = known.filter((trial) => trial.known?.kind === 'equivalent').length;
  const killed = counted('killed');
  const judged = killed + counted('survived') - equivalent;
  const score = judged === 0 ? null : killed / judged;
  const isStrong = score === null || score >= BAR;
  return {
    schema: 'reapcheck.mutants/v1',
    version,
    tried,
    sample,
    counts: {
      killed,
      survived: counted('survived'),
      unseen: counted('unseen'),
      unchanged: counted('unchanged'),
      notReached: counted('notReached'),
      broken: counted('broken'),
    },
    equivalent,
    score,
    trials: known,
    notRun,
    exitCode: notRun > 0 ? unfinished : isStrong ? EXIT.asExpected : EXIT.violated,
  };
}
