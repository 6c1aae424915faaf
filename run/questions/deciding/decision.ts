import { isInterrupted, megabytesWithin, type ProgressEvent } from '../../../checker/index.ts';
import type { ClusterAround } from '../../../input/cluster/around.ts';
import type { AlikeGroup } from '../../../input/cluster/likeness/alike.ts';
import type { Part, World } from '../../../input/cluster/worlds.ts';
import type { Plan } from '../../../input/plan.ts';
import type { Look } from '../../../input/work-clock.ts';
import type { Uid } from '../../../model/index.ts';
import type { CheckReport, Fate } from '../../../report/document/result-document.ts';
import { leastOf } from '../../../text/layout.ts';
import type { SearchOptions } from '../../assemble.ts';
import type { LocalViews } from './local-views.ts';

/** What was found out about one world of a plan. */
export interface Decision {
  readonly world: World;
  /** By uid, also of objects that were left out as alike. */
  readonly fates: ReadonlyMap<Uid, Fate>;
  /** How: see `Basis` of the answer. */
  readonly by: 'search' | 'bounded' | 'some' | 'parts' | 'walks' | 'none';
  /** Of `bounded`: one of the alike objects fewer gave the same fates and the same local views. */
  readonly nothingNew: boolean;
  readonly groups: readonly AlikeGroup[];
  readonly walks: number;
  /** Of `parts`: for how many of them the time was up before they were searched. */
  readonly unsearched: number;
  /** The checks that found it; one for each part. Their traces are of their setups. */
  readonly reports: readonly CheckReport[];
  /** The worlds of these checks. */
  readonly worlds: readonly World[];
  /** If parts were searched that say the same as the whole: what parts, and how many. */
  readonly apart: { readonly division: Part['division']; readonly count: number } | null;
  /** The memory was full before a search, or ended one that is not in `reports`. Absent: not so. */
  readonly isFull?: true;
  /** Of `some`: all pieces were searched, so only a search of the whole can say more. Absent: no. */
  readonly isExhausted?: true;
}

/** How to search, and until when. */
export interface Budget {
  readonly search: Omit<SearchOptions, 'limits' | 'onProgress' | 'interrupted'>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Whether a bounded answer counts as certain. */
  readonly acceptBounded: boolean;
  /** Without the seconds: the deadline has them. */
  readonly limits: SearchOptions['limits'];
  readonly onProgress: (title: string, event: ProgressEvent) => void;
  readonly interrupted: () => boolean;
  /** The checks that have ended, by what they searched. */
  readonly known: Map<string, Found>;
}

/** What a search has found. */
export interface Found {
  readonly report: CheckReport;
  readonly views: LocalViews;
}

/** The parts of a decision that most ways to decide leave empty. */
export const NOTHING = {
  ...{ nothingNew: false, groups: [], walks: 0, unsearched: 0, apart: null },
} as const;

/** Fewer milliseconds are not worth a search. */
export const LEAST = 50;

/** Whether no time is left for anything. */
export function isLate({ deadline, interrupted }: Budget): boolean {
  return deadline - Date.now() < LEAST || isInterrupted(interrupted);
}

/** As much more than the user gave may be taken before no further search begins. */
const SHARE = 1.1;

/** Megabytes that a model takes for each of its objects, with what is said of them. */
const OF_OBJECT = 0.02;

/**
 * Whether more memory is taken than the user gave, or would be by a model of so many objects: it is
 * made as a whole before a search looks at its limit.
 */
export function isFull({ limits: { megabytes } }: Budget, objects = 0): boolean {
  if (megabytes === undefined) return false;
  return megabytesWithin(megabytes) + OF_OBJECT * objects > SHARE * megabytes;
}

/** Whether the memory was the limit. */
export function wasFull({
  isFull: before,
  reports,
}: Pick<Decision, 'reports'> & { readonly isFull?: boolean }): boolean {
  return before === true || reports.some(({ result }) => result.limit?.kind === 'memory');
}

/** To plan takes about as long as to read the dump. Null: the time was up. */
export function plannedInTime(budget: Budget, planned: (look: Look) => Plan): Plan | null {
  const late = new Error('the time is up');
  try {
    return planned(() => {
      if (isLate(budget)) throw late;
    });
  } catch (error) {
    if (error !== late) throw error;
    return null;
  }
}

/** Nothing, as the time was up, or the memory full. */
export function undecided(world: World, full = false): Decision {
  const nothing = { ...NOTHING, world, fates: new Map(), reports: [], worlds: [world] };
  return { ...nothing, by: 'none', ...(full ? { isFull: true } : {}) };
}

/** The budget with a part of the time that is left. */
export function partOf(budget: Budget, share: number): Budget {
  const now = Date.now();
  return { ...budget, deadline: now + share * Math.max(0, budget.deadline - now) };
}

export function clusterOf({ cluster, title }: Plan): ClusterAround {
  if (cluster === null) throw new Error(`${title} is not a question about a dump`);
  return cluster;
}

/** The fates, and for each object that was left out that of the one that it is like. */
export function withAlike(
  found: ReadonlyMap<Uid, Fate>,
  likeness: ReadonlyMap<Uid, Uid>,
): ReadonlyMap<Uid, Fate> {
  const alike = [...likeness].flatMap(([uid, like]): [Uid, Fate][] => {
    const fate = found.get(like);
    return fate === undefined ? [] : [[uid, fate]];
  });
  return new Map([...found, ...alike]);
}

/** Up to how many alike objects all of them hold. */
export function leastAlike(decisions: readonly Decision[]): number {
  return leastOf(decisions.map(({ world }) => world.alike ?? 1));
}
