import { packageVersion } from '../input/package-files.ts';
import { GATE_SCHEMA, type GateDocument } from '../report/document/gate-document.ts';
import { EXIT, type ExitCode, worst } from '../text/exit-codes.ts';
import { plural, shellQuoted } from '../text/layout.ts';
import type { CellOutcome, CodeDigests } from './cell.ts';
import { type Judgement, judged } from './judge.ts';
import { lockOf } from './lock/lock.ts';
import { lockText } from './lock/lock-text.ts';
import type { PreparedGate } from './prepare.ts';

/** Which drift is accepted. */
export interface Acceptance {
  readonly update: boolean;
  readonly acceptWorse: boolean;
}

export interface Conclusion {
  readonly document: GateDocument;
  /** The new text of the lock; null: the file stays as it is. */
  readonly lock: string | null;
}

/** Judges the outcomes, and decides whether the lock is written. */
export function concluded(
  prepared: PreparedGate,
  outcomes: readonly CellOutcome[],
  code: CodeDigests,
  acceptance: Acceptance,
  words: readonly string[],
): Conclusion {
  const { cells, lock, suiteFile, lockFile } = prepared;
  const judgement = judged({
    cells,
    outcomes,
    names: new Set(cells.map(({ name }) => name)),
    lock: lock?.content ?? null,
    code,
  });
  const text = lockText(lockOf(suiteFile, code, cells, judgement.pinned));
  const { update, why } = updateOf(judgement, acceptance, text === lock?.text);
  const isAccepted = update === 'written' || update === 'unchanged';
  return {
    document: {
      schema: GATE_SCHEMA,
      command: ['reapcheck', ...words].map(shellQuoted).join(' '),
      version: packageVersion(),
      suite: suiteFile,
      lock: { file: lockFile, found: lock !== null, update, why },
      cells: judgement.cells,
      drifts: judgement.drifts,
      warnings: judgement.warnings,
      reports: judgement.reports,
      exitCode: exitCodeOf(judgement, isAccepted),
    },
    lock: update === 'written' ? text : null,
  };
}

/**
 * Accepted drift does not count. A result that the scenario itself does not expect always counts.
 */
function exitCodeOf({ cells, drifts, exitCodes }: Judgement, isAccepted: boolean): ExitCode {
  const isWrong = cells.some(({ unmet }) => unmet.length > 0) || (drifts.length > 0 && !isAccepted);
  return worst([...exitCodes, ...(isWrong ? [EXIT.violated] : [])]);
}

function updateOf(
  { cells, drifts }: Judgement,
  { update, acceptWorse }: Acceptance,
  isSame: boolean,
): Pick<GateDocument['lock'], 'update' | 'why'> {
  if (!update) return { update: 'notAsked', why: null };
  const refused = (why: string) => ({ update: 'refused', why }) as const;
  const count = (status: string): number => cells.filter((cell) => cell.status === status).length;
  if (count('notRun') > 0)
    return refused('The run was interrupted, and a lock is only written as a whole.');
  if (count('failed') > 0) {
    return refused(`A lock cannot pin what failed: ${plural(count('failed'), 'cell')}.`);
  }
  const worse = drifts.filter(({ severity }) => severity === 'worse');
  if (worse.length > 0 && !acceptWorse) {
    const names = [...new Set(worse.map(({ cell }) => cell))].join('; ');
    return refused(
      `--update alone accepts nothing that got worse; add --accept-worse. Worse in: ${names}`,
    );
  }
  return { update: isSame ? 'unchanged' : 'written', why: null };
}
