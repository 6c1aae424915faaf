import { setImmediate } from 'node:timers/promises';
import type { Clock, SearchProgress } from '../../progress.ts';
import type { PreparedQuestion } from '../../question.ts';
import type { Slot } from '../../values/slots.ts';
import { Estimate } from './estimate.ts';
import { BY_ALL_SLOTS, OWNER_SLOTS_MOST, type OwnerRule } from './owners.ts';
import { type Sample, sampled } from './sample.ts';

/** Values of slots in the states of a sample: to weigh more takes too long. */
const MOST_READ = 50_000_000;

/** Slots among which is chosen: those that change most rarely for what they tell. */
const CANDIDATES = 24;
/** With all slots of a section, which are no more, there are no more than there may be. */
const MOST_SLOTS = OWNER_SLOTS_MOST / 2;
/** So many larger sets are tried after the best one. */
const PATIENCE = 3;
const SALTS = 8;
const SALT_STEP = 0x9e3779b1;

/** Slots that were chosen together, and what the search would cost. */
interface Tried {
  readonly slots: readonly Slot[];
  /** Of their prints, by state. */
  readonly sums: Int32Array;
  readonly cost: number;
}

interface Salted extends Pick<Tried, 'slots' | 'cost'> {
  readonly salt: number;
}

/**
 * Chooses the slots that decide which partition owns a state. With few slots that rarely change,
 * most successors of a state have its owner, so they need not be sent. With too few, some
 * partitions have many more states of a layer than others, which wait for them. Both are estimated
 * from a sample of the graph. No result depends on the choice.
 */
export async function chosenOwners<State>(
  prepared: Pick<PreparedQuestion<State>, 'question' | 'within'>,
  partitions: number,
  clock: Clock,
  progress: SearchProgress,
  seconds?: number,
): Promise<OwnerRule> {
  if (partitions === 1) return BY_ALL_SLOTS;
  const sample = await sampled(prepared, clock, progress, seconds);
  if (sample === null || sample.expanded.length === 0) return BY_ALL_SLOTS;
  if (sample.slots.length * sample.count > MOST_READ) return BY_ALL_SLOTS;
  const estimate = new Estimate(sample, partitions);
  const sets = setsOf(sample, estimate);
  let chosen: Tried = { slots: [], sums: new Int32Array(sample.count), cost: 0 };
  let best: Salted | null = null;
  let worse = 0;
  while (worse < PATIENCE && chosen.slots.length < MOST_SLOTS) {
    const next: Tried[] = [];
    for (const set of sets) {
      await setImmediate();
      const more = set.filter((slot) => !chosen.slots.includes(slot));
      if (more.length === 0) continue;
      const sums = estimate.sumsWith(chosen.sums, more);
      next.push({ slots: [...chosen.slots, ...more], sums, cost: estimate.cost(sums, 0) });
    }
    if (next.length === 0) break;
    chosen = least(next);
    const salted = leastSalt(estimate, chosen);
    if (best === null || salted.cost < best.cost) {
      best = salted;
      worse = 0;
    } else worse++;
  }
  const all = estimate.sumsWith(new Int32Array(sample.count), sample.slots);
  if (best === null || estimate.cost(all, 0) <= best.cost) return BY_ALL_SLOTS;
  const { slots, salt } = best;
  return { slots: slots.map(({ section, key }) => ({ section: section.key, key })), salt };
}

function leastSalt<State>(estimate: Estimate<State>, { slots, sums }: Tried): Salted {
  const salted = Array.from({ length: SALTS }, (_, index): Salted => {
    const salt = Math.imul(index, SALT_STEP);
    return { slots, salt, cost: estimate.cost(sums, salt) };
  });
  return least(salted);
}

/** Slots that may be added: one by one, or all of a section. */
function setsOf<State>(
  sample: Sample<State>,
  estimate: Estimate<State>,
): readonly (readonly Slot[])[] {
  const told = sample.slots.flatMap((slot) => {
    const { bits, changes } = estimate.telling(slot);
    return bits > 0 ? [{ slot, price: (changes + 1) / bits }] : [];
  });
  const cheap = told.sort((one, other) => one.price - other.price).slice(0, CANDIDATES);
  const sections = new Map(told.map(({ slot }) => [slot.section, [] as Slot[]]));
  for (const { slot } of told) sections.get(slot.section)!.push(slot);
  const whole = [...sections.values()].filter(({ length }) => length > 1 && length <= MOST_SLOTS);
  return [...cheap.map(({ slot }) => [slot]), ...whole];
}

function least<One extends { readonly cost: number }>(tried: readonly One[]): One {
  return tried.reduce((one, other) => (other.cost < one.cost ? other : one));
}
