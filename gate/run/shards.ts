import { MESSAGES } from '../../text/messages.ts';

/** One of several parts of a suite. The first has index 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export const SHARDS_HIGHEST = 1_000;

/** The fixed cost of a cell in states, and the states that are assumed for an unknown cell. */
const STATES_AT_LEAST = 500;
const STATES_UNKNOWN = 5_000;

/** Reads `2/5`. Throws `InputError`. */
export function readShard(given: string): Shard {
  const [, index = 0, of = 0] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(given) ?? []).map(Number);
  if (index >= 1 && index <= of && of <= SHARDS_HIGHEST) return { index, of };
  throw MESSAGES.wrongValue('shard', 'N/COUNT, as 2/5', given);
}

export function shardText({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/**
 * The cells of a shard, in the order of the suite. The longest cells are dealt first, each to the
 * shard with the least work. The result depends on the suite and its lock only.
 */
export function cellsOfShard<Named extends { readonly name: string }>(
  cells: readonly Named[],
  { index, of }: Shard,
  pinnedStates: ReadonlyMap<string, number>,
): readonly Named[] {
  const cost = ({ name }: Named): number =>
    STATES_AT_LEAST + (pinnedStates.get(name) ?? STATES_UNKNOWN);
  const loads = Array.from({ length: of }, () => 0);
  const mine = new Set<string>();
  // The sort is stable: cells of equal cost stay in the order of the suite.
  for (const cell of cells.toSorted((one, other) => cost(other) - cost(one))) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + cost(cell);
    if (least === index - 1) mine.add(cell.name);
  }
  return cells.filter(({ name }) => mine.has(name));
}
