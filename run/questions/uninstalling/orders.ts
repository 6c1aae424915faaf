import type { Group } from '../../../input/manifests/release.ts';
import { groupedBy } from '../../../text/layout.ts';
import { isLate } from '../deciding/decision.ts';
import { type Search, type Stage, stageOf } from './stages.ts';

/** With more kinds than this, there are too many orders of them. */
const MOST_KINDS = 12;

/** An order is searched among at most so many deletions of a group. */
const MOST_STAGES = 120;

/**
 * The instances of one kind may need those of another one until they are gone: topics of Strimzi
 * need their cluster, whose deletion ends their operator.
 */
function byKind(groups: readonly Group[]): readonly Group[] | null {
  const instances = groups.find(({ name }) => name === 'instances');
  const kinds = groupedBy(instances?.objects ?? [], ({ kind }) => kind);
  if (instances === undefined || kinds.size < 2 || kinds.size > MOST_KINDS) return null;
  const parts = [...kinds].map(([kind, objects]): Group => ({ name: 'instances', kind, objects }));
  return groups.flatMap((group) => (group === instances ? parts : [group]));
}

/** One that is certain, if there is any. */
export async function bestOrder(state: Search, groups: readonly Group[]): Promise<Order> {
  const clean = await ordered(state, groups, ['clean']);
  if (clean.verdict === 'clean') return clean;
  const parts = byKind(groups);
  const apart = parts && (await ordered(state, parts, ['clean']));
  if (apart?.verdict === 'clean') return apart;
  return ordered(state, groups, ['clean', 'depends']);
}

/** The best that begins with this group. */
export function beginningWith(state: Search, group: Group): Promise<Order> {
  const { groups } = state.release;
  const given = { state, groups, passes: ['clean'] as const, failed: new Map() };
  return beginWith(given, group, groups, NOTHING);
}

interface Order {
  readonly verdict: Stage['verdict'];
  readonly stages: readonly Stage[];
  readonly why: string;
  /** A group of it ends at no place: nothing that goes before it helps. */
  readonly isFinal?: true;
}

interface Given {
  readonly state: Search;
  readonly groups: readonly Group[];
  /** The verdicts of stages after which the next group can be deleted. */
  readonly passes: readonly Stage['verdict'][];
  /** By uids of what is gone: that no order of the rest was found. */
  readonly failed: Map<string, Order>;
}

type Gone = ReadonlySet<string>;

const NOTHING: Gone = new Set();

function ordered(state: Search, groups: readonly Group[], passes: Given['passes']): Promise<Order> {
  return cleanOrder({ state, groups, passes, failed: new Map() }, groups, NOTHING, null);
}

/**
 * An order of these groups, once others are gone. To try all orders would take too long. What a
 * deletion has spoilt, others do not mend; what neither goes at first nor at last goes nowhere.
 *
 * @param before what was gone before the last deletion; null: this is the first one.
 */
async function cleanOrder(
  given: Given,
  groups: readonly Group[],
  gone: Gone,
  before: Gone | null,
): Promise<Order> {
  const left = groups.filter(({ objects }) => objects.some(({ uid }) => !gone.has(uid)));
  if (left.length === 0) return { verdict: 'clean', stages: [], why: '' };
  const key = JSON.stringify([...gone].sort());
  const known = given.failed.get(key);
  if (known !== undefined) return known;
  const order = await firstOf(given, left, gone, before);
  if (!given.passes.includes(order.verdict)) given.failed.set(key, order);
  return order;
}

async function firstOf(
  given: Given,
  left: readonly Group[],
  gone: Gone,
  before: Gone | null,
): Promise<Order> {
  const { state, passes } = given;
  const failing: Group[] = [];
  let failed: Order | null = null;
  for (const group of left) {
    const order = await beginWith(given, group, left, gone);
    if (passes.includes(order.verdict) || order.isFinal === true) return order;
    if (!(await goesAt(given, group, gone))) {
      failing.push(group);
      if (before !== null && (await goesAt(given, group, before))) return order;
    }
    if (failed === null || (failed.verdict === 'stuck' && order.verdict !== 'stuck')) {
      failed = order;
    }
  }
  if (failed === null) return { verdict: 'unknown', stages: [], why: 'nothing was tried' };
  const isDeadEnd = failing.length === left.length;
  if (!isDeadEnd || isOver(state)) return failed;
  for (const group of failing) {
    if (await goesAt(given, group, NOTHING)) continue;
    const first = await stageOf(state, group, NOTHING);
    // Why it does not even go at first says the most.
    const { verdict, why } = first ?? failed;
    return { verdict, stages: failed.stages, why, isFinal: true };
  }
  return failed;
}

async function goesAt({ state, passes }: Given, group: Group, gone: Gone): Promise<boolean> {
  const stage = isOver(state) ? null : await stageOf(state, group, gone);
  return stage !== null && passes.includes(stage.verdict);
}

function isOver({ budget, known }: Search): boolean {
  return isLate(budget) || known.size >= MOST_STAGES;
}

async function beginWith(
  given: Given,
  group: Group,
  groups: readonly Group[],
  gone: Gone,
): Promise<Order> {
  const { state, passes } = given;
  const stage = isOver(state) ? null : await stageOf(state, group, gone);
  if (stage === null) {
    const why = isLate(state.budget) ? 'the time was up' : 'there are too many orders to try';
    return { verdict: 'unknown', stages: [], why };
  }
  const { verdict, why } = stage;
  if (!passes.includes(verdict)) return { verdict, stages: [stage], why };
  const rest = groups.filter((other) => other !== group);
  const order = await cleanOrder(given, rest, stage.gone, gone);
  const together = order.verdict === 'clean' ? verdict : order.verdict;
  const isFinal = order.isFinal === true ? ({ isFinal: true } as const) : {};
  return {
    ...{ verdict: together, stages: [stage, ...order.stages], why: order.why || why },
    ...isFinal,
  };
}
