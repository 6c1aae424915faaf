import { type CheckResult, checkDistinct, simulate } from '../../../checker/index.ts';
import type { AlikeSetup } from '../../../input/cluster/likeness/alike.ts';
import { PLAIN_WORLD, setupIn, type World, worldWords } from '../../../input/cluster/worlds.ts';
import type { Plan } from '../../../input/plan.ts';
import { allFinalizers, type Uid } from '../../../model/index.ts';
import type { CheckReport, Fate } from '../../../report/document/result-document.ts';
import { greatestOf } from '../../../text/layout.ts';
import { type PlanQuestion, reportOn, type SearchOptions } from '../../assemble.ts';
import {
  type Budget,
  clusterOf,
  type Decision,
  type Found,
  isFull,
  isLate,
  NOTHING,
  undecided,
  withAlike,
} from './decision.ts';
import { haveSameViews, type LocalViews, VIEWS, viewRecorder } from './local-views.ts';

/** Nobody reads the traces of these walks, so they are left out. */
const WALKING = { walks: 200, steps: 4000, seed: 1, shorten: false } as const;

/** How far a search may go: until when, in milliseconds, and with how many alike objects. */
interface Reach {
  readonly latest?: number;
  readonly most?: number;
}

/**
 * Searches the model with one, two, three … of the objects that are alike, until it has searched
 * the whole model, the time is up, or nothing new appears and the whole would take too long. Null:
 * no search has ended.
 *
 * @param latest for larger searches, once the first one has ended.
 * @param most no more of the alike objects than this.
 */
export async function grown(
  plan: Plan,
  world: World,
  budget: Budget,
  { latest = budget.deadline, most: highest = Number.POSITIVE_INFINITY }: Reach = {},
): Promise<Decision | null> {
  const until = (): number => (best === null ? budget.deadline : latest);
  let best: Decision | null = null;
  let before: Attempt | null = null;
  for (let most = 1; ; ) {
    const own = { ...budget, deadline: until() };
    if (isLate(own)) break;
    const attempt: Attempt | null = await searched(plan, { ...world, alike: most }, own, before);
    if (attempt === null || attempt.decision === null) break;
    best = attempt.decision;
    before = attempt;
    const next = best.by === 'search' ? null : nextNumber(attempt, until() - Date.now());
    if (next === null || next > highest) break;
    most = next;
  }
  return best;
}

/** One search with a number of alike objects. */
interface Attempt {
  /** Null: a limit was hit. */
  readonly decision: Decision | null;
  readonly most: number;
  readonly milliseconds: number;
  readonly states: number;
  /** How many times as many states as with one object fewer. */
  readonly growth: number;
  readonly largest: number;
  readonly views: LocalViews;
}

/** Searches of fewer states say little about how long a state takes: most of it is the start. */
const FEW_STATES = 2000;
const MILLISECONDS_OF_A_STATE = 0.15;
/** By how much the exponent of the growth itself grows with each further object. */
const ACCELERATION = 0.1;

/** How long a search with so many more of the alike objects will take, in milliseconds. */
function expected({ milliseconds, states, growth }: Attempt, more: number): number {
  const perState = milliseconds / states;
  const each = states < FEW_STATES ? Math.min(perState, MILLISECONDS_OF_A_STATE) : perState;
  const exponent = more + (ACCELERATION * more * (more + 1)) / 2;
  return Math.max(milliseconds, each * states * growth ** exponent);
}

/**
 * How many of the alike objects to search next: all, if that will end in the time and nothing new
 * has appeared; otherwise one more. Null: that will not end in the time, or would only repeat what
 * is known. If one more is all of them, it is tried in any case, as only the whole is certain.
 */
function nextNumber(attempt: Attempt, left: number): number | null {
  const { most, largest, decision } = attempt;
  const isWholeInReach = expected(attempt, largest - most) < left;
  if (decision?.nothingNew === true && isWholeInReach) return largest;
  if (most + 1 === largest) return largest;
  if (decision?.nothingNew === true) return null;
  return most < 2 || expected(attempt, 1) < left ? most + 1 : null;
}

/** Null: the memory has no room for the model. */
async function searched(
  plan: Plan,
  world: World,
  budget: Budget,
  before: Attempt | null,
): Promise<Attempt | null> {
  const begun = Date.now();
  const current = planIn(plan, world);
  if (isFull(budget, current.plan.setup.objects.length)) return null;
  const { groups, likeness } = current;
  const { report, views, isDone } = await searchOnce(current, before !== null, budget);
  const milliseconds = Math.max(1, Date.now() - begun);
  const by = groups.length === 0 ? 'search' : 'bounded';
  const fates = fatesOf(report, likeness);
  const words = (known: ReadonlyMap<Uid, Fate> | undefined): string =>
    JSON.stringify([...(known ?? [])].map(([uid, { fate }]) => [uid, fate]).sort());
  const nothingNew =
    by === 'bounded' &&
    before !== null &&
    words(before.decision?.fates) === words(fates) &&
    haveSameViews(before.views, views);
  const { states } = report.result.statistics;
  return {
    decision: isDone
      ? { ...NOTHING, world, fates, by, nothingNew, groups, reports: [report], worlds: [world] }
      : null,
    most: world.alike ?? 0,
    milliseconds,
    states,
    growth: before === null ? 1 : Math.max(1, states / Math.max(1, before.states)),
    largest: greatestOf(
      groups.map(({ size }) => size),
      1,
    ),
    views,
  };
}

/** Searches a plan, unless the same has been searched before. */
export async function searchOnce(
  current: ReturnType<typeof planIn>,
  isLarge: boolean,
  budget: Budget,
): Promise<Found & { readonly isDone: boolean }> {
  const key = questionOf(current.plan);
  const result = budget.known.get(key) ?? (await searchedFor(current, isLarge, budget));
  const { outcome } = result.report.result;
  const isDone = outcome === 'complete' && result.report.fates.every(isDecided);
  if (isDone) budget.known.set(key, result);
  return { ...result, isDone };
}

/** Searches a plan with all reductions, and records its local views if objects were left out. */
async function searchedFor(
  current: ReturnType<typeof planIn>,
  isLarge: boolean,
  budget: Budget,
): Promise<Found> {
  const { plan, groups, classes } = current;
  const recorder = viewRecorder({ ...current, setup: plan.setup });
  const { engine } = budget.search;
  // In a small search it costs more than it saves. The naive engine takes every step.
  const reduced: Pick<SearchOptions, 'reductions'> =
    isLarge && engine === 'tracked' ? { reductions: ['symmetry', 'confluence'] } : {};
  const search = {
    ...reduced,
    ...budget.search,
    ...limited(plan, budget.deadline - Date.now(), budget),
  };
  const answer = async ({ properties, ...question }: PlanQuestion): Promise<CheckResult> => {
    const all = groups.length === 0 ? properties : [...properties, recorder.property];
    const result = await checkDistinct({ ...search, ...question, properties: all }, 1);
    return { ...result, properties: result.properties.filter(({ name }) => name !== VIEWS) };
  };
  const report = await reportOn(plan, '', answer, search);
  return { report, views: classes.size === 0 ? new Map() : recorder.views };
}

/** Worlds differ in a few objects only, so many searches of their parts are the same. */
function questionOf({ setup }: Plan): string {
  const { name: _name, finalizers, ...rest } = setup;
  const named = new Set(setup.objects.flatMap(allFinalizers));
  const judged = Object.entries(finalizers).filter(([finalizer]) => named.has(finalizer));
  return JSON.stringify([rest, judged]);
}

function isDecided({ fate }: Fate): boolean {
  return fate !== 'open';
}

export async function walked(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  if (isLate(budget)) return undecided(world);
  // One of each group of alike objects: more walks in the same time.
  const current = planIn(plan, { ...world, alike: 1 });
  if (isFull(budget, current.plan.setup.objects.length)) return undecided(world, true);
  const { limits, ...events } = limited(plan, budget.deadline - Date.now(), budget);
  const report = await reportOn(
    current.plan,
    '',
    (question) => simulate({ ...question, ...events, ...WALKING, limits }),
    { limits, interrupted: events.interrupted },
  );
  const walks = report.result.simulation?.walks ?? 0;
  // A walk has thousands of steps: megabytes for each object in a document.
  const bare = { ...report, fates: report.fates.map(withoutTraces) };
  const fates = fatesOf(bare, current.likeness);
  const by = walks > 0 ? 'walks' : 'none';
  return { ...NOTHING, world, fates, by, walks, reports: [bare], worlds: [world] };
}

export function withoutTraces({ goes, mayGo, ...fate }: Fate): Fate {
  return { ...fate, goes: { ...goes, trace: null }, mayGo: { ...mayGo, trace: null } };
}

/**
 * The plan in a world. Its token names the world, so that a trace can be executed again.
 *
 * @param own the setup in that world, if it is known.
 */
export function planIn(
  plan: Plan,
  world: World,
  own: AlikeSetup = setupIn(plan.setup, clusterOf(plan), world),
): { readonly plan: Plan } & Omit<AlikeSetup, 'setup'> {
  const { setup, groups, likeness, classes } = own;
  const actual: World = groups.length === 0 ? { ...world, alike: null } : world;
  const { subject } = plan;
  const isPlain = JSON.stringify(actual) === JSON.stringify(PLAIN_WORLD);
  return {
    groups,
    likeness,
    classes,
    plan: {
      ...plan,
      title: [plan.title, ...worldWords(actual)].join('; '),
      properties: [],
      setup,
      subject:
        subject === null || isPlain
          ? subject
          : { ...subject, overrides: { ...subject.overrides, world: actual } },
    },
  };
}

function fatesOf({ fates }: CheckReport, likeness: ReadonlyMap<Uid, Uid>): ReadonlyMap<Uid, Fate> {
  const found = fates.flatMap((fate) =>
    (fate.members ?? [fate]).map(({ uid }) => [uid, fate] as const),
  );
  return withAlike(new Map(found), likeness);
}

/** The options of a search of so many milliseconds. */
function limited(
  { title }: Plan,
  milliseconds: number,
  { limits, onProgress, interrupted }: Budget,
): Required<Pick<SearchOptions, 'limits' | 'onProgress' | 'interrupted'>> {
  return {
    // The time can be up by now.
    limits: { ...limits, seconds: Math.max(0, milliseconds) / 1000 },
    onProgress: (event) => onProgress(title, event),
    interrupted,
  };
}
