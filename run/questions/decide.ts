import { type ProgressEvent, simulate } from '../../checker/index.ts';
import type { AlikeGroup } from '../../input/cluster/alike.ts';
import type { ClusterAround } from '../../input/cluster/around.ts';
import { PLAIN_WORLD, setupIn, type World, worldWords } from '../../input/cluster/worlds.ts';
import type { Plan } from '../../input/plan.ts';
import type { Uid } from '../../model/index.ts';
import type { CheckReport, Fate } from '../../report/document/result-document.ts';
import { reportOn, runPlan, type SearchOptions } from '../assemble.ts';

/** What was found out about one world of a plan. */
export interface Decision {
  readonly world: World;
  /** By uid, also of objects that were left out as alike. */
  readonly fates: ReadonlyMap<Uid, Fate>;
  /** How: see `Basis` of the answer. */
  readonly by: 'search' | 'alike' | 'walks' | 'none';
  readonly groups: readonly AlikeGroup[];
  readonly walks: number;
  /** The check that found it: its traces are of this setup. */
  readonly report: CheckReport;
}

/** How to search, and until when. */
export interface Budget {
  readonly search: Omit<SearchOptions, 'limits' | 'onProgress' | 'interrupted'>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Without the seconds: the deadline has them. */
  readonly limits: SearchOptions['limits'];
  readonly onProgress: (title: string, event: ProgressEvent) => void;
  readonly interrupted: () => boolean;
}

/** Fewer milliseconds are not worth a search. */
const LEAST = 50;
/** The part of the time that is left for random walks if the search does not end. */
const WALKING = 0.2;
const WALKS = 200;
const STEPS = 4000;
const SEED = 1;

/**
 * Finds the fates of all objects of a plan in a world. Searches the model with one, two, three … of
 * the objects that are alike, until it has searched the whole model, the time is up, or nothing new
 * appears and the whole would take too long. Without any search that ends, walks at random.
 */
export async function decide(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  const begun = Date.now();
  const searchUntil = budget.deadline - WALKING * Math.max(0, budget.deadline - begun);
  let best: Decision | null = null;
  let before: Attempt | null = null;
  for (let most = 1; ; most += 1) {
    const left = searchUntil - Date.now();
    if (left < LEAST || budget.interrupted()) break;
    if (before !== null && best !== null && isHopeless(before, left)) break;
    const attempt: Attempt = await searched(plan, { ...world, alike: most }, left, budget, before);
    if (attempt.decision === null) break;
    best = attempt.decision;
    before = attempt;
    if (best.by === 'search') break;
  }
  return best ?? (await walked(plan, world, budget));
}

/** One search with a number of alike objects. */
interface Attempt {
  /** Null: a limit was hit. */
  readonly decision: Decision | null;
  readonly most: number;
  readonly milliseconds: number;
  /** How many times as long as the search with one object fewer. */
  readonly growth: number;
  readonly largest: number;
  readonly isNew: boolean;
}

/** A search of less than this always grows further. */
const CHEAP = 300;

/** Whether the next search will not end in time, or would only repeat what is known. */
function isHopeless(
  { milliseconds, growth, most, largest, isNew }: Attempt,
  left: number,
): boolean {
  if (most < 2 || milliseconds < CHEAP) return false;
  const next = milliseconds * growth;
  const whole = milliseconds * growth ** (largest - most);
  return next > left || (!isNew && most >= 3 && whole > left);
}

async function searched(
  plan: Plan,
  world: World,
  left: number,
  budget: Budget,
  before: Attempt | null,
): Promise<Attempt> {
  const begun = Date.now();
  const current = planIn(plan, world);
  const { groups, likeness } = current;
  const search = { ...budget.search, ...limited(plan, left, budget) };
  const report = await runPlan(current.plan, search, '');
  const milliseconds = Math.max(1, Date.now() - begun);
  const isDone = report.result.outcome === 'complete' && report.fates.every(isDecided);
  const by = groups.length === 0 ? 'search' : 'alike';
  const fates = fatesOf(report, likeness);
  const words = (decision: Decision | null | undefined): string =>
    JSON.stringify([...(decision?.fates ?? [])].map(([uid, { fate }]) => [uid, fate]).sort());
  const decision = isDone ? ({ world, fates, by, groups, walks: 0, report } as const) : null;
  return {
    decision,
    most: world.alike ?? 0,
    milliseconds,
    growth: before === null ? 1 : milliseconds / before.milliseconds,
    largest: Math.max(1, ...groups.map(({ size }) => size)),
    isNew: words(decision) !== words(before?.decision),
  };
}

function isDecided({ fate }: Fate): boolean {
  return fate !== 'open';
}

async function walked(plan: Plan, world: World, budget: Budget): Promise<Decision> {
  const left = Math.max(LEAST, budget.deadline - Date.now());
  const { limits, ...events } = limited(plan, left, budget);
  const current = planIn(plan, { ...world, alike: null });
  const report = await reportOn(current.plan, '', (question) =>
    simulate({ ...question, ...events, walks: WALKS, steps: STEPS, seed: SEED, limits }),
  );
  const walks = report.result.simulation?.walks ?? 0;
  const fates = fatesOf(report, current.likeness);
  return { world, fates, by: walks > 0 ? 'walks' : 'none', groups: [], walks, report };
}

/** The plan in a world. Its token names the world, so that a trace can be executed again. */
export function planIn(
  plan: Plan,
  world: World,
): { readonly plan: Plan } & Omit<ReturnType<typeof setupIn>, 'setup'> {
  const { setup, groups, likeness } = setupIn(plan.setup, clusterOf(plan), world);
  const actual = groups.length === 0 ? { ...world, alike: null } : world;
  const { subject } = plan;
  const isPlain = JSON.stringify(actual) === JSON.stringify(PLAIN_WORLD);
  return {
    groups,
    likeness,
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

function clusterOf({ cluster, title }: Plan): ClusterAround {
  if (cluster === null) throw new Error(`${title} is not a question about a dump`);
  return cluster;
}

function fatesOf({ fates }: CheckReport, likeness: ReadonlyMap<Uid, Uid>): ReadonlyMap<Uid, Fate> {
  const found = new Map(fates.map((fate) => [fate.uid, fate]));
  const alike = [...likeness].flatMap(([uid, like]): [Uid, Fate][] => {
    const fate = found.get(like);
    return fate === undefined ? [] : [[uid, fate]];
  });
  return new Map([...found, ...alike]);
}

function limited(
  { title }: Plan,
  milliseconds: number,
  { limits, onProgress, interrupted }: Budget,
): Pick<SearchOptions, 'limits' | 'onProgress' | 'interrupted'> & {
  readonly limits: SearchOptions['limits'];
} {
  return {
    limits: { ...limits, seconds: milliseconds / 1000 },
    onProgress: (event) => onProgress(title, event),
    interrupted,
  };
}
