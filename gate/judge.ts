import { type Drift, inOrder } from '../report/document/drift.ts';
import type { GateCell, ToldDrift } from '../report/document/gate-document.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import { driftText } from '../report/text/gate-words.ts';
import { EXIT, type ExitCode } from '../text/exit-codes.ts';
import { disagreements } from './agreement.ts';
import type { Cell, CellOutcome, CodeDigests, PinnedCell } from './cell.ts';
import { driftsOf, goneCellDrift, newCellDrifts } from './compare.ts';
import { NOTHING_STATED, pinnedIn, statedBy } from './lock/entry.ts';
import { pinned, shortened } from './lock/lock.ts';
import type { Lock } from './lock/lock-schema.ts';
import { reasonsFor } from './reasons.ts';

/** Everything that is known after the cells were run. */
export interface GateRun {
  readonly cells: readonly Cell[];
  /** In the order of the cells. */
  readonly outcomes: readonly CellOutcome[];
  /** Names of all cells of the suite. Other cells of the lock are gone. */
  readonly names: ReadonlySet<string>;
  readonly lock: Lock | null;
  readonly code: CodeDigests;
}

export interface Judgement {
  readonly cells: readonly GateCell[];
  readonly drifts: readonly ToldDrift[];
  readonly warnings: readonly string[];
  /** Reports of the cells in which a verdict got worse. */
  readonly reports: readonly CheckReport[];
  /** What a lock would pin now. */
  readonly pinned: ReadonlyMap<string, PinnedCell>;
  /** Exit codes of the cells without facts. */
  readonly exitCodes: readonly ExitCode[];
}

/** Compares the outcomes of the cells with what the lock pins. */
export function judged(run: GateRun): Judgement {
  const code = shortened(run.code);
  const alone = run.cells.map((cell, index) =>
    cellResult(cell, run.outcomes[index] ?? { kind: 'notRun' }, { ...run, code }),
  );
  const contradictions = disagreements(
    run.cells,
    alone.map(({ cell }) => cell.facts),
  );
  const results = alone.map((result, index): CellResult => {
    const more = contradictions[index] ?? [];
    if (more.length === 0) return result;
    return { ...result, cell: { ...result.cell, unmet: [...result.cell.unmet, ...more] } };
  });
  const { lock } = run;
  const gone = Object.entries(lock?.cells ?? {})
    .filter(([name]) => !run.names.has(name))
    .map(([name, entry]) => {
      const cell = pinnedIn(entry, lock?.properties ?? [], NOTHING_STATED, null);
      return { cell: goneCell(name, cell), drifts: [goneCellDrift(name, cell)] };
    });
  const drifts = [...results, ...gone].flatMap((result) => result.drifts);
  return {
    cells: [...results, ...gone].map(({ cell }) => cell),
    drifts: drifts.map((drift) => ({ ...drift, sentence: driftText(drift) })),
    warnings: results.flatMap(({ cell }) => warningsOf(cell)),
    reports: results.flatMap(({ report, drifts }) =>
      report !== null && drifts.some(isWorseVerdict) ? [report] : [],
    ),
    pinned: new Map(results.flatMap(({ cell, now }) => (now === null ? [] : [[cell.name, now]]))),
    exitCodes: results.flatMap(({ cell }) => exitCodesOf(cell)),
  };
}

function isWorseVerdict({ kind, severity }: Drift): boolean {
  return severity === 'worse' && !['cellGone', 'actionLost', 'judgedNoLonger'].includes(kind);
}

interface CellResult {
  readonly cell: GateCell;
  readonly drifts: readonly Drift[];
  readonly report: CheckReport | null;
  readonly now: PinnedCell | null;
}

function cellResult(
  cell: Cell,
  outcome: CellOutcome,
  { lock, code }: Pick<GateRun, 'lock' | 'code'>,
): CellResult {
  const base = {
    name: cell.name,
    scenario: cell.scenario,
    parameters: cell.parameters,
    protocol: cell.plan?.protocol ?? null,
    place: { file: cell.file, line: cell.plan?.place?.line ?? 1 },
    cached: false,
    seconds: null,
    facts: null,
    unmet: [],
    error: null,
    because: [],
    again: cell.again,
  } satisfies Partial<GateCell>;
  const without = (told: Pick<GateCell, 'status' | 'error'>): CellResult => ({
    cell: { ...base, ...told },
    drifts: [],
    report: null,
    now: null,
  });
  if (outcome.kind === 'notRun') return without({ status: 'notRun', error: null });
  if (outcome.kind === 'failed') return without({ status: 'failed', error: outcome.message });
  const { report, cached } = outcome;
  const now = pinned(cell, report);
  if (now === null) {
    const { defect } = report.result;
    if (defect === null) return without({ status: 'notRun', error: null });
    const error = `defect of the model (${defect.kind}) in ${defect.culprit}: ${defect.message}`;
    return without({ status: 'failed', error });
  }
  const before =
    lock !== null && Object.hasOwn(lock.cells, cell.name)
      ? pinnedIn(lock.cells[cell.name]!, lock.properties, statedBy(cell), now.facts)
      : undefined;
  const drifts = inOrder(
    before === undefined
      ? newCellDrifts(cell.name, now.facts, report)
      : driftsOf(cell.name, before, now.facts, report),
  );
  const because =
    lock === null || before === undefined || drifts.length === 0
      ? []
      : reasonsFor(cell, now, before, lock, code);
  return {
    cell: {
      ...base,
      status: before === undefined ? 'new' : drifts.length === 0 ? 'asPinned' : 'drifted',
      cached,
      seconds: report.result.statistics.wallSeconds,
      facts: now.facts,
      unmet: report.unmet,
      because,
    },
    drifts,
    report,
    now,
  };
}

function goneCell(name: string, { protocol, facts, isCertain }: PinnedCell): GateCell {
  return {
    name,
    scenario: name.replace(/ \[[^[]*\]$/, ''),
    parameters: [],
    protocol,
    place: null,
    status: 'gone',
    cached: false,
    seconds: null,
    facts: isCertain ? facts : null,
    unmet: [],
    error: null,
    because: [],
    again: '',
  };
}

/** An inconclusive verdict gets a warning even if it is pinned. */
function warningsOf({ name, status, facts }: GateCell): readonly string[] {
  if (status !== 'asPinned' || facts === null || facts.outcome === 'complete') return [];
  const open = Object.values(facts.verdicts).filter((verdict) => verdict === 'inconclusive').length;
  const verdicts = open === 1 ? '1 verdict is' : `${open} verdicts are`;
  return [`${name}: ends at its limit on ${facts.outcome}, as accepted; ${verdicts} inconclusive`];
}

function exitCodesOf({ status }: GateCell): readonly ExitCode[] {
  if (status === 'failed') return [EXIT.defect];
  return status === 'notRun' ? [EXIT.interrupted] : [];
}
