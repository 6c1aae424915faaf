import { BlockError } from './errors.ts';
import type { Partition } from './partition.ts';
import type { ExpandTally } from './tallies.ts';

/**
 * How the first layers are searched. To divide layers of few states takes longer than to expand
 * them, so each partition searches these layers as a whole. It must learn what the actions do in
 * any case.
 */
export interface FirstLayers {
  /** The first layer with so many states ends it. */
  readonly layerStates: number;
  /** So does the layer after which there are more states in all; null: no layer does. */
  readonly mostStates: number | null;
  /** After which it ends with a limit; null: none. */
  readonly seconds: number | null;
  /**
   * The last layer that such a step has searched before. Then it searches one layer more, whatever
   * its states. Null: there was no such step.
   */
  readonly after: number | null;
}

/**
 * What a partition has found in the first layers, but for those of earlier steps. All find the
 * same, but for `reducerRuns` and `bytes`.
 */
export interface FirstTally {
  /** By layer that was expanded. The last one may have hit a limit. */
  readonly layers: readonly ExpandTally[];
  /**
   * How many states each layer has that comes after those. If the last has none, there are no
   * more.
   */
  readonly sizes: readonly number[];
}

/** While it has all states, it sends none. */
const NOTHING_SENT = {
  ...{ sizes: [], sent: async () => undefined },
  send: () => {
    throw new Error('a state of the first layers was sent');
  },
};

/**
 * Searches layers of a partition that has all states.
 *
 * @param isLast asked before a layer is expanded.
 * @param taken called when the partition has taken in a layer.
 */
export async function searchFirst<State>(
  partition: Partition<State>,
  seconds: number | null,
  isLast: (sizes: readonly number[]) => boolean,
  taken: () => Promise<void>,
): Promise<FirstTally> {
  const started = performance.now();
  const layers: ExpandTally[] = [];
  const sizes: number[] = [];
  while (!isLast(sizes)) {
    const spent = (performance.now() - started) / 1000;
    const left = seconds === null ? null : Math.max(0.001, seconds - spent);
    const tally = await partition.expand([], { ...NOTHING_SENT, seconds: left });
    layers.push(tally);
    if (tally.limit !== null) break;
    partition.foldAll();
    sizes.push(partition.size);
    await taken();
  }
  return { layers, sizes };
}

/** The partition that sends the keys of the first layers. */
export const SENDER = 0;

/**
 * What all partitions have found. If one has hit a limit, it is what the sender has found: without
 * keys, there is no run to what another one has found in later layers. Throws `BlockError` if they
 * have not found the same.
 */
export function agreed(tallies: readonly FirstTally[]): FirstTally {
  const known = tallies[SENDER]!;
  if (tallies.some(({ layers }) => (layers.at(-1)?.limit ?? null) !== null)) return known;
  const [first, ...others] = tallies.map(({ layers, sizes }) =>
    JSON.stringify([layers.map(({ reducerRuns, bytes, ...found }) => found), sizes]),
  );
  if (others.some((other) => other !== first)) {
    throw new BlockError('is missing: partitions have found other states in the first layers');
  }
  return known;
}
