import type { PropertyResult, Verdict } from '../../checker/index.ts';
import type { Besides } from '../../input/cluster/beside/besides.ts';
import type { JudgedFinalizer } from '../../input/cluster/finalizers.ts';
import type { World } from '../../input/cluster/worlds.ts';
import type { Plan } from '../../input/plan.ts';
import { propertyId } from '../../input/property-names.ts';
import type { Answer, Basis, ObjectFate, Outcome, Risk } from '../../report/document/answer.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { EXIT, worst } from '../../text/exit-codes.ts';
import { groupedBy } from '../../text/layout.ts';
import { runPlan } from '../assemble.ts';
import { comparisonOf } from './comparison.ts';
import { type Budget, type Decision, isFull, isLate, wasFull } from './deciding/decision.ts';
import { planIn } from './deciding/grow.ts';
import { pauses } from './deciding/pauses.ts';
import { documentedAt } from './documented.ts';
import { doubted } from './doubted.ts';
import { type JudgedExpectations, judgedExpectations } from './expectations.ts';
import { gapsOf, missingOf, unreadCode } from './missing.ts';
import { basisOf, decideWorlds, fateOf } from './outcome.ts';
import { exitCodeFor, sentenceOf, type Told } from './sentence.ts';
import { type Known, objectsOf } from './shown-objects.ts';
import { smallerQuestions } from './smaller.ts';

/** An answer, and the checks that are its evidence. */
export interface Answered {
  readonly answer: Answer;
  readonly checks: readonly CheckReport[];
}

/** One way to delete, by its name, and the plan that does it. */
export interface Column {
  readonly name: string;
  readonly plan: Plan;
}

/** The parts of the time for the fates, for what is expected, and at most for the invariants. */
const FATES = { alone: 0.85, beside: 0.5 } as const;
const EXPECTED = 0.85;
const INVARIANTS = 0.3;

/**
 * Answers a question about a dump. All plans have the same objects and differ in what is deleted
 * how.
 *
 * @param seconds for all of it.
 * @param known searches that are done already; gets those of this question.
 */
export async function answered(
  question: Answer['question'],
  columns: readonly Column[],
  seconds: number,
  given: Omit<Budget, 'deadline' | 'known'>,
  known: Budget['known'] = new Map(),
): Promise<Answered> {
  const budget = { ...given, known };
  const checks: CheckReport[] = [];
  const outcomes: Outcome[] = [];
  const end = Date.now() + seconds * 1000;
  const objects = objectsOf(columns.map(({ plan }) => plan));
  for (const [index, { name, plan }] of columns.entries()) {
    const left = Math.max(0, end - Date.now()) / (columns.length - index);
    const deadline = Date.now() + left;
    const share = plan.expected === undefined ? FATES.alone : FATES.beside;
    const fatesUntil = Date.now() + left * share;
    const expectedUntil = Date.now() + left * EXPECTED;
    const decisions = await decideWorlds(plan, { ...budget, deadline: fatesUntil });
    const offset = checks.length;
    for (const { reports } of decisions) for (const report of reports) checks.push(report);
    const until = { ...budget, deadline: expectedUntil };
    const expected = await judgedExpectations(plan, until, checks.length);
    const invariants = await judgedInvariants(plan, decisions, {
      ...budget,
      deadline: Math.min(deadline, Date.now() + left * INVARIANTS),
    });
    for (const { reports } of [expected, invariants])
      for (const report of reports) checks.push(report);
    const { acceptBounded, limits } = given;
    const isCompared = columns.length > 1;
    const told = { name, plan, objects, acceptBounded, limits, isCompared };
    outcomes.push(outcomeOf(told, decisions, expected, invariants, offset));
  }
  const plan = columns[0]?.plan;
  if (plan === undefined) throw new Error('a question has at least one plan');
  const compared = outcomes.length > 1 ? { sentence: comparisonOf(outcomes) } : {};
  const stay = outcomes.every(({ fates }) => leavesAll(fates, objects));
  const besides = besidesSaid(plan, stay).map(({ what }) => what);
  const head = { ...headOf(question, plan, objects), besides };
  return { answer: { ...head, ...compared, outcomes }, checks };
}

/** Whether all stay but what is asked to go. */
function leavesAll(fates: readonly ObjectFate[], objects: readonly Known[]): boolean {
  return fates.every(({ fate }, index) => objects[index]?.shown.asked === true || fate === 'stays');
}

function besidesSaid({ cluster }: Plan, stay: boolean): readonly Besides[] {
  return (cluster?.besides ?? []).filter(({ ifOrphansGo }) => !(ifOrphansGo === true && stay));
}

/** The answer to a question about no objects. */
export function nothingAsked(question: Answer['question'], plan: Plan): Answered {
  const outcome: Outcome = {
    name: 'none',
    sentence: '',
    basis: { kind: 'search', text: 'there is nothing to search' },
    fates: [],
    risks: [],
    invariants: invariantsOf({ reports: [], isComplete: true }),
    exitCode: unreadCode(plan),
  };
  return { answer: { ...headOf(question, plan, []), outcomes: [outcome] }, checks: [] };
}

export function headOf(
  question: Answer['question'],
  plan: Plan,
  objects: readonly Known[],
): Omit<Answer, 'outcomes'> {
  const { cluster } = plan;
  return {
    question,
    title: titleOf(question, plan),
    targets: objects.filter(({ shown }) => shown.asked).map(({ shown }) => shown.name),
    objects: objects.map(({ shown }) => shown),
    missing: missingOf(question, plan),
    actors: cluster?.actors ?? [],
    // Those of the control plane itself are no news, nor are those of what nothing deletes.
    finalizers: (cluster?.finalizers ?? [])
      .flatMap(saidOf)
      .filter(
        ({ judgement, known, reached }) =>
          reached && (judgement !== 'cooperative' || known?.runs !== 'control plane'),
      )
      .map(({ finalizer, judgement, evidence, known }) => ({
        finalizer,
        judgement,
        evidence,
        owner: known?.owner ?? null,
        leaves: known?.leaves ?? null,
        overrule:
          judgement === 'stuck'
            ? `--cooperative-finalizer ${finalizer}`
            : `--stuck-finalizer ${finalizer}`,
      })),
    besides: (cluster?.besides ?? []).map(({ what }) => what),
    protocol: plan.protocol,
  };
}

/** What there is to say of a finalizer: once, unless its owners act for some objects only. */
function saidOf(judged: JudgedFinalizer): readonly Omit<JudgedFinalizer, 'rows'>[] {
  if (judged.judgement === 'cooperative') return [judged];
  const { finalizer, rows } = judged;
  const reached = rows.filter((row) => row.reached);
  const different = groupedBy(reached, ({ judgement, evidence }) => `${judgement} ${evidence}`);
  if (different.size < 2) return [judged];
  return [...different.values()]
    .flatMap(([row]) => (row === undefined ? [] : [{ ...row, finalizer }]))
    .sort((a, b) => Number(a.judgement === 'cooperative') - Number(b.judgement === 'cooperative'));
}

/** Of a comparison, the title of a plan names only one of the policies. */
function titleOf(question: Answer['question'], { title }: Plan): string {
  if (question !== 'compare') return title;
  return `compare policies: ${title.slice(0, title.lastIndexOf(','))}`;
}

/** More alike objects than this rarely break an invariant that fewer do not break. */
const ALIKE_MOST = 3;

/**
 * Judges the invariants in the plain world; if some owners are doubtful, in the one that serves
 * their kinds. An unserved kind breaks promises about dependents, and the fates say that already. Takes
 * one, two, three of the objects that are alike as the time allows, but no more than the fates
 * needed. None: no search would end.
 */
async function judgedInvariants(
  plan: Plan,
  decisions: readonly Decision[],
  budget: Budget,
): Promise<JudgedInvariants> {
  const owners = (plan.cluster?.doubtfulOwners ?? []).length > 0 ? 'gone' : 'there';
  const first = decisions.find(({ world }) => world.owners === owners);
  const judged: CheckReport[] = [];
  if (first === undefined || first.by === 'none' || first.by === 'walks') {
    return { reports: judged, isComplete: false, isFull: decisions.some(wasFull) };
  }
  const pause = pauses();
  for (const [place, world] of first.worlds.entries()) {
    await pause();
    if (isLate(budget)) return { reports: judged, isComplete: false };
    if (isFull(budget)) return { reports: judged, isComplete: false, isFull: true };
    const most = Math.min(ALIKE_MOST, world.alike ?? ALIKE_MOST);
    const share = Math.max(0, budget.deadline - Date.now()) / (first.worlds.length - place);
    const deadline = Date.now() + share;
    judged.push(...(await invariantsIn(plan, world, most, { ...budget, deadline })));
  }
  return { reports: judged, isComplete: true };
}

interface JudgedInvariants {
  readonly reports: readonly CheckReport[];
  /** Whether they were judged in all parts that were searched for the fates. */
  readonly isComplete: boolean;
  /** Whether the memory was full before a search. Absent: not so. */
  readonly isFull?: boolean;
}

async function invariantsIn(
  plan: Plan,
  world: World,
  most: number,
  budget: Budget,
): Promise<readonly CheckReport[]> {
  const { limits, onProgress, interrupted, deadline } = budget;
  let best: CheckReport | null = null;
  for (let alike = 1; alike <= most; alike += 1) {
    const current = planIn(plan, { ...world, alike });
    const seconds = Math.max(0, deadline - Date.now()) / 1000;
    const report = await runPlan(
      { ...current.plan, properties: plan.properties, fates: false },
      {
        ...budget.search,
        limits: { ...limits, seconds },
        onProgress: (event) => onProgress(plan.title, event),
        interrupted,
      },
      '',
    );
    const isDone = report.result.outcome === 'complete';
    if (best === null || isDone) best = report;
    if (!isDone || current.groups.length === 0 || interrupted()) break;
  }
  return best === null ? [] : [best];
}

function outcomeOf(
  question: {
    readonly name: string;
    readonly plan: Plan;
    readonly objects: readonly Known[];
    readonly acceptBounded: boolean;
    readonly limits: Budget['limits'];
    readonly isCompared: boolean;
  },
  decisions: readonly Decision[],
  expected: JudgedExpectations,
  invariants: JudgedInvariants,
  offset: number,
): Outcome {
  const { name, plan, objects, acceptBounded, limits, isCompared } = question;
  const told = objects.map(
    ({ object, shown }): Told => ({
      object: shown,
      fate: doubted(object, plan, fateOf(object, plan, decisions)),
    }),
  );
  const basis = basisOf(decisions, plan, acceptBounded);
  const isCertain = basis.kind === 'search' || (basis.kind === 'bounded' && basis.accepted);
  const gaps = gapsOf(plan).map(({ what }) => what);
  const fates = told.map(({ fate }) => fate);
  const besides = besidesSaid(plan, leavesAll(fates, objects));
  const stranded = besides.flatMap(({ strands = [] }) => strands);
  const judged = limitedTo(basis, decisions, invariantsOf(invariants));
  const risks = eachOnce([
    ...expected.risks,
    ...decisions.flatMap((decision, index) => {
      const before = decisions
        .slice(0, index)
        .reduce((sum, { reports }) => sum + reports.length, 0);
      return orderRisks(decision, offset + before);
    }),
    ...invariants.reports.flatMap((report, index) => {
      const before = decisions.reduce((sum, { reports }) => sum + reports.length, 0);
      return brokenRisks(report, offset + before + expected.reports.length + index);
    }),
  ]);
  const undocumented = risks.some(({ documented }) => documented === null);
  const codes = [
    exitCodeFor(told, isCertain && gaps.length === 0 && !stranded.some(({ begun }) => begun)),
    ...(undocumented ? [EXIT.violated] : []),
    expected.exitCode,
    ...decisions
      .flatMap(({ reports }) => reports.map(({ exitCode }) => exitCode))
      .filter((code) => code === EXIT.defect),
  ];
  const smaller = smallerQuestions(plan, { basis, fates, decisions, isCompared }, limits);
  return {
    name,
    sentence: sentenceOf(told, basis, gaps, besides),
    basis,
    fates,
    risks,
    ...(expected.found.length === 0 ? {} : { expected: expected.found }),
    invariants: judged,
    ...(smaller.length === 0 ? {} : { smaller: [...smaller] }),
    exitCode: worst(codes),
  };
}

/** Objects that go on some runs and stay on others, each with a run on which it stays. */
function orderRisks(decision: Decision, check: number): readonly Risk[] {
  const { reports, world, fates: decided } = decision;
  // With owners that may never act, or that may be gone, the order of events is not what decides.
  if (world.finalizers === 'may' || world.owners === 'gone') return [];
  return reports.flatMap(({ fates }, index) =>
    fates
      // A check of a part may leave open what the others decide.
      .filter(({ fate, uid }) => fate === 'either' && decided.get(uid)?.fate === 'either')
      .map(({ object, goes }) => ({
        text: `${object} goes or stays, as the order of events decides`,
        documented: null,
        check: check + index,
        property: goes.name,
      })),
  );
}

function brokenRisks({ result, setup }: CheckReport, check: number): readonly Risk[] {
  return result.properties
    .filter((property) => property.verdict === 'violated' && !isFateLike(property))
    .map((property) => {
      const documented = setup === null ? null : documentedAt(property, setup);
      const text =
        documented === null ? `violated: ${property.name}` : `as documented, ${property.broken[0]}`;
      return { text, documented, check, property: property.name };
    });
}

/** Several parts of the objects can have the same risk. */
function eachOnce(risks: readonly Risk[]): readonly Risk[] {
  return [...new Map([...risks].reverse().map((risk) => [risk.text, risk])).values()].reverse();
}

/** That an invariant holds for some of the objects says nothing certain about all of them. */
function limitedTo(
  basis: Basis,
  decisions: readonly Decision[],
  judged: Outcome['invariants'],
): Outcome['invariants'] {
  if (judged.held === 0) return judged;
  const isOfPieces = decisions.some(({ apart }) => apart?.division === 'pieces');
  if (isOfPieces) return { ...judged, text: `${judged.text}, in each chain of owners by itself` };
  if (basis.kind !== 'bounded') return judged;
  const most = Math.min(basis.most, ALIKE_MOST);
  return { ...judged, text: `${judged.text}, for up to ${most} alike objects` };
}

/** Properties about what the fates of the objects say already, with reasons. */
const IN_FATES: ReadonlySet<string> = new Set(['every-deletion-finishes', 'nothing-stuck']);

function isFateLike({ name }: PropertyResult): boolean {
  return IN_FATES.has(propertyId(name) ?? '');
}

/** The verdicts of all parts taken together: the worst one counts. */
const WORST: readonly Verdict[] = ['violated', 'inconclusive', 'holds', 'vacuous'];

export function invariantsOf(judged: JudgedInvariants): Outcome['invariants'] {
  const { reports, isComplete } = judged;
  const within = wasFull(judged) ? 'in the memory' : 'in the time';
  const verdicts = new Map<string, Verdict>();
  for (const property of reports.flatMap(({ result }) => result.properties)) {
    if (isFateLike(property)) continue;
    const both = [
      verdicts.get(property.name),
      property.verdict,
      ...(isComplete ? [] : ['inconclusive' as const]),
    ];
    verdicts.set(property.name, WORST.find((verdict) => both.includes(verdict)) ?? 'inconclusive');
  }
  if (verdicts.size === 0) {
    const text = `not checked: no search ended ${within}`;
    return { held: 0, notExercised: 0, undecided: 0, violated: [], text };
  }
  const named = (verdict: Verdict): readonly string[] =>
    [...verdicts].filter(([, found]) => found === verdict).map(([name]) => name);
  const violated = named('violated');
  const held = named('holds').length;
  const notExercised = named('vacuous').length;
  const undecided = named('inconclusive').length;
  return {
    held,
    notExercised,
    undecided,
    violated: [...violated],
    text: [
      `${held} hold`,
      ...(violated.length === 0 ? [] : [`${violated.length} violated`]),
      ...(undecided === 0 ? [] : [`${undecided} not decided ${within}`]),
      ...(notExercised === 0 ? [] : [`${notExercised} never exercised`]),
    ].join(', '),
  };
}
