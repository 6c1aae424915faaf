import type { PropertyResult, Verdict } from '../checker/index.ts';
import { DRIFTS, type Drift, type DriftKind, VERDICT_CHANGES } from '../report/document/drift.ts';
import type { CellFacts, CellSize } from '../report/document/gate-document.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import { sizeText, traceText, verdictsText } from '../report/text/gate-words.ts';
import type { PinnedCell } from './cell.ts';

/**
 * How the facts of a cell differ from the pinned facts. There are no drifts exactly if they are
 * equal.
 */
export function driftsOf(
  cell: string,
  pinned: PinnedCell,
  facts: CellFacts,
  report: CheckReport,
): readonly Drift[] {
  const before = pinned.facts;
  const note = noteIn(cell);
  const kinds = new Map(report.result.properties.map(({ name, kind }) => [name, kind]));
  const bothRepeatable = before.size !== null && facts.size !== null;
  return [
    ...(pinned.isCertain ? [] : [note('resultsRestated', null, {})]),
    ...outcomeDrifts(note, before, facts),
    ...verdictDrifts(note, before, facts, kinds),
    ...fateDrifts(note, before, facts),
    ...(bothRepeatable ? sizeDrifts(note, before.size, facts.size) : []),
    ...(bothRepeatable ? actionDrifts(note, before, facts) : []),
    ...(bothRepeatable ? traceDrifts(note, before, facts) : []),
    ...(bothRepeatable && pinned.isCertain
      ? countDrift(note, 'triggerCounts', before.triggered, facts.triggered, (name) =>
          inBoth(name, before.verdicts, facts.verdicts),
        )
      : []),
  ];
}

/**
 * The drifts of a cell that the lock does not have: the cell, and every result that its scenario
 * would have to declare.
 */
export function newCellDrifts(
  cell: string,
  facts: CellFacts,
  report: CheckReport,
): readonly Drift[] {
  const note = noteIn(cell);
  const { properties } = report.result;
  const declared = (name: string): boolean => report.expectation?.verdicts[name] === 'violated';
  const undeclared = properties.filter(
    ({ name, verdict }) =>
      verdict === 'inconclusive' ||
      (verdict === 'violated' && !declared(name)) ||
      // The author of a module has written every property of it.
      (verdict === 'vacuous' && report.setup === null),
  );
  const isEmpty = properties.every(({ verdict }) => verdict === 'vacuous');
  const after = `${verdictsText(facts)}; ${sizeText(facts.size)}`;
  return [
    note(isEmpty ? 'nothingJudged' : 'newCell', null, { after }),
    ...undeclared.map(({ name, kind, verdict }) =>
      note(verdictKind('holds', verdict, kind), name, {
        after: verdictText(name, facts),
        severity: 'worse',
      }),
    ),
    ...(facts.outcome === 'complete' ? [] : [note('limitHit', facts.outcome, {})]),
  ];
}

export function goneCellDrift(cell: string, { facts, isCertain }: PinnedCell): Drift {
  return noteIn(cell)('cellGone', null, {
    before: isCertain
      ? `${verdictsText(facts)}; ${sizeText(facts.size)}`
      : 'it had the results that its scenario stated',
  });
}

type Note = (
  kind: DriftKind,
  subject: string | null,
  rest: Partial<Pick<Drift, 'before' | 'after' | 'details' | 'severity'>>,
) => Drift;

function noteIn(cell: string): Note {
  return (kind, subject, { before = null, after = null, details = [], severity }) => ({
    cell,
    kind,
    severity: severity ?? DRIFTS[kind].severity ?? 'neutral',
    subject,
    before,
    after,
    details,
  });
}

function verdictDrifts(
  note: Note,
  before: CellFacts,
  after: CellFacts,
  kinds: ReadonlyMap<string, PropertyResult['kind']>,
): readonly Drift[] {
  const gone = Object.keys(before.verdicts).filter((name) => !Object.hasOwn(after.verdicts, name));
  return [
    ...Object.entries(after.verdicts).flatMap(([name, verdict]): readonly Drift[] => {
      const texts = { after: verdictText(name, after) };
      const kind = kinds.get(name) ?? 'invariant';
      if (!Object.hasOwn(before.verdicts, name)) {
        const isBad = verdict === 'violated' || verdict === 'inconclusive';
        return [note(isBad ? verdictKind('holds', verdict, kind) : 'judgedNow', name, texts)];
      }
      const was = before.verdicts[name]!;
      if (was === verdict) return [];
      return [
        note(verdictKind(was, verdict, kind), name, {
          ...texts,
          before: verdictText(name, before),
          severity: VERDICT_CHANGES[was][verdict],
        }),
      ];
    }),
    ...gone.map((name) =>
      note('judgedNoLonger', name, {
        before: verdictText(name, before),
        severity: before.verdicts[name] === 'vacuous' ? 'neutral' : 'worse',
      }),
    ),
  ];
}

function verdictKind(before: Verdict, after: Verdict, kind: PropertyResult['kind']): DriftKind {
  switch (after) {
    case 'violated':
      return kind === 'witness' ? 'witnessLost' : 'newViolation';
    case 'inconclusive':
      return 'becameInconclusive';
    case 'vacuous':
      return 'becameVacuous';
    case 'holds':
      if (before === 'vacuous') return 'vacuousNoLonger';
      if (before === 'inconclusive') return 'inconclusiveNoLonger';
      return kind === 'witness' ? 'witnessFound' : 'violationGone';
    default:
      throw new Error(`unknown verdict ${after satisfies never}`);
  }
}

/** `holds`, `violated in 7 steps`. */
function verdictText(name: string, { verdicts, traces }: CellFacts): string {
  const verdict = verdicts[name] ?? 'not judged';
  const trace = Object.hasOwn(traces, name) ? traces[name] : undefined;
  if (trace === undefined) return verdict;
  return verdict === 'holds'
    ? `holds, shown in ${traceText(trace)}`
    : `${verdict} in ${traceText(trace)}`;
}

function outcomeDrifts(note: Note, before: CellFacts, after: CellFacts): readonly Drift[] {
  if (before.outcome === after.outcome) return [];
  const texts = { before: before.outcome, after: after.outcome };
  if (before.outcome === 'complete') return [note('limitHit', after.outcome, texts)];
  if (after.outcome === 'complete') return [note('limitGone', before.outcome, texts)];
  return [note('otherLimit', after.outcome, texts)];
}

function fateDrifts(note: Note, before: CellFacts, after: CellFacts): readonly Drift[] {
  const names = new Set([...Object.keys(before.fates), ...Object.keys(after.fates)]);
  return [...names].flatMap((name): readonly Drift[] => {
    const was = before.fates[name] ?? null;
    const is = after.fates[name] ?? null;
    if (was === is) return [];
    return [note(is === 'open' ? 'fateOpen' : 'fateChanged', name, { before: was, after: is })];
  });
}

function sizeDrifts(note: Note, before: CellSize | null, after: CellSize | null): readonly Drift[] {
  if (before === null || after === null) return [];
  const isSame =
    before.transitions === after.transitions &&
    before.depth === after.depth &&
    before.states === after.states;
  if (isSame) return [];
  const texts = { before: sizeText(before), after: sizeText(after) };
  const grown = after.states - before.states;
  if (grown === 0) return [note('shapeChanged', null, texts)];
  const factor =
    grown > 0 ? after.states / before.states : before.states / Math.max(after.states, 1);
  return [note(grown > 0 ? 'statesGrew' : 'statesShrank', factor.toFixed(1), texts)];
}

function actionDrifts(note: Note, before: CellFacts, after: CellFacts): readonly Drift[] {
  const lost = Object.entries(before.actions).filter(
    ([name]) => !Object.hasOwn(after.actions, name),
  );
  const found = Object.entries(after.actions).filter(
    ([name]) => !Object.hasOwn(before.actions, name),
  );
  return [
    ...lost.map(([name, count]) => note('actionLost', name, { before: String(count), after: '0' })),
    ...found.map(([name, count]) => note('actionNew', name, { before: '0', after: String(count) })),
    ...countDrift(note, 'actionCounts', before.actions, after.actions, (name) =>
      inBoth(name, before.actions, after.actions),
    ),
  ];
}

function traceDrifts(note: Note, before: CellFacts, after: CellFacts): readonly Drift[] {
  const names = new Set([...Object.keys(after.traces), ...Object.keys(before.traces)]);
  return [...names].flatMap((name): readonly Drift[] => {
    // A change of the verdict changes the trace as well. One drift is enough.
    if (before.verdicts[name] !== after.verdicts[name]) return [];
    const was = before.traces[name];
    const is = after.traces[name];
    if (was?.digest === is?.digest && was?.length === is?.length) return [];
    const texts = {
      before: was === undefined ? 'none' : traceText(was),
      after: is === undefined ? 'none' : traceText(is),
    };
    const longer = (is?.length ?? 0) - (was?.length ?? 0);
    if (was === undefined || is === undefined || longer === 0) {
      return [note('otherCounterexample', name, texts)];
    }
    return [note(longer > 0 ? 'counterexampleLonger' : 'counterexampleShorter', name, texts)];
  });
}

function countDrift(
  note: Note,
  kind: DriftKind,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  counts: (name: string) => boolean,
): readonly Drift[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])].filter(counts);
  const details = names.flatMap((name) => {
    const [was, is] = [before[name] ?? 0, after[name] ?? 0];
    return was === is ? [] : [`${name}: ${was} -> ${is}`];
  });
  return details.length === 0 ? [] : [note(kind, String(details.length), { details })];
}

function inBoth(
  name: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): boolean {
  return Object.hasOwn(before, name) && Object.hasOwn(after, name);
}
