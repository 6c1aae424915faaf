import { isOutcome } from '../../input/scenarios/outcomes.ts';
import { grouped, plural } from '../../text/layout.ts';
import { DRIFTS, type Drift } from '../document/drift.ts';
import type { CellFacts, CellSize, ToldDrift, TraceFact } from '../document/gate-document.ts';
import { countsOf } from './summary.ts';

/** The words for drifts, and for the figures in them. */

export function sizeText(size: CellSize | null): string {
  if (size === null) return 'a size that depends on the machine';
  const { states, transitions, depth } = size;
  return `${plural(states, 'state')}, ${plural(transitions, 'transition')}, depth ${grouped(depth)}`;
}

const SHAPES = {
  path: '',
  stutter: ', after which nothing changes',
  lasso: ', in a loop',
} as const satisfies Record<TraceFact['shape'], string>;

/** `7 steps`, `7 steps, in a loop`. */
export function traceText({ length, shape }: TraceFact): string {
  return `${plural(length, 'step')}${SHAPES[shape]}`;
}

export function verdictsText({ verdicts }: CellFacts): string {
  return countsOf(Object.values(verdicts));
}

/** The sentence of a drift, which starts with its kind. */
export function driftText(drift: Drift): string {
  const { words } = DRIFTS[drift.kind];
  // A trace that reaches an outcome is an example, not a counterexample.
  const isExample = drift.subject !== null && isOutcome(drift.subject);
  const kind = isExample ? words.replace('counterexample', 'example') : words;
  return `${kind}${sentenceAfter(drift)}`;
}

const ALIKE = 4;
const NAMED = 3;

/** The sentences of one cell; many properties with the same drift share one. */
export function sentencesOf(drifts: readonly ToldDrift[]): readonly string[] {
  const groups = new Map<string, ToldDrift[]>();
  for (const drift of drifts) {
    const { kind, before, after, details } = drift;
    const key = JSON.stringify([kind, before, after, details]);
    groups.set(key, [...(groups.get(key) ?? []), drift]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < ALIKE ? group.map(({ sentence }) => sentence) : [sharedSentence(group)],
  );
}

function sharedSentence(group: readonly ToldDrift[]): string {
  const [{ kind, before, after }] = group as [ToldDrift];
  const names = group.slice(0, NAMED).map(({ subject }) => `"${subject}"`);
  const change = before === null ? '' : ` (${before} -> ${after ?? 'nothing'})`;
  return `${DRIFTS[kind].words}: ${group.length} properties${change}, such as ${names.join(', ')}`;
}

function sentenceAfter({ kind, subject, before, after, details }: Drift): string {
  const property = `: "${subject}"`;
  const was = before === null ? '' : `; before, ${pastText(before)}`;
  switch (kind) {
    case 'newViolation':
    case 'witnessLost':
    case 'becameInconclusive':
    case 'becameVacuous':
    case 'violationGone':
    case 'witnessFound':
    case 'vacuousNoLonger':
    case 'inconclusiveNoLonger':
      return `${property} ${presentText(after ?? '')}${was}`;
    case 'judgedNow':
      return `${property} ${presentText(after ?? '')}`;
    case 'judgedNoLonger':
      return `${property}${was}`;
    case 'limitHit':
      return `: the search ends at its limit on ${subject}${before === null ? '' : '; before, it was complete'}`;
    case 'limitGone':
      return `: the search is complete; before, it ended at its limit on ${subject}`;
    case 'otherLimit':
      return `: on ${after}; before, on ${before}`;
    case 'statesGrew':
    case 'statesShrank':
      return `${Number(subject) >= 1.1 ? ` ${subject} x` : ''}: ${after}; before, ${before}`;
    case 'shapeChanged':
      return `: ${after}; before, ${before}`;
    case 'actionLost':
      return `: ${subject}, before in ${plural(Number(before), 'transition')}`;
    case 'actionNew':
      return `: ${subject}, in ${plural(Number(after), 'transition')}`;
    case 'counterexampleLonger':
    case 'counterexampleShorter':
      return `${property} takes ${after}; before, ${before}`;
    case 'otherCounterexample':
      return `${property} takes ${after}${before === after ? ' as before' : `; before, ${before}`}`;
    case 'triggerCounts':
    case 'actionCounts':
      return `: ${some(details)}`;
    case 'fateOpen':
    case 'fateChanged':
      return `: ${subject} ${fateText(after)}; before, ${fateText(before)}`;
    case 'resultsRestated':
      return ': the scenario expects other verdicts or counts than when the lock was written';
    case 'newCell':
    case 'nothingJudged':
      return `: ${after}`;
    case 'cellGone':
      return `: the suite no longer has it; before, ${before}`;
    default:
      throw new Error(`unknown drift ${kind satisfies never}`);
  }
}

function some(details: readonly string[]): string {
  const more = details.length - NAMED;
  const named = details.slice(0, NAMED).join('; ');
  return more > 0 ? `${named} and ${more} more` : named;
}

function presentText(verdict: string): string {
  if (verdict.startsWith('holds')) return verdict;
  return verdict === 'vacuous' ? 'is exercised by nothing' : `is ${verdict}`;
}

function pastText(verdict: string): string {
  if (verdict.startsWith('holds')) return verdict.replace('holds', 'it held');
  return verdict === 'vacuous' ? 'nothing exercised it' : `it was ${verdict}`;
}

const FATES: Readonly<Record<string, string>> = {
  goes: 'goes',
  stays: 'stays',
  either: 'may go or stay',
  open: 'may go or stay: a limit was hit first',
};

function fateText(fate: string | null): string {
  return fate === null ? 'was not there' : (FATES[fate] ?? fate);
}
