import { LimitHitError } from '../errors.ts';
import type { Limits } from '../options.ts';
import type { LimitKind } from '../result.ts';
import type { Blocks } from './found-rows.ts';
import { Partition, type PartitionOptions, type PartitionPlace } from './partition.ts';
import type { ExpandTally, FoldTally, PathPart } from './tallies.ts';

/**
 * What was sent in a search: for each pair of partitions the states, and for each partition the keys (`to` is
 * null), by layer and number. It outlives the processes that write it.
 */
export interface PartitionLog {
  /**
   * Adds a block, unless there is one with this layer and number. Those of one layer come with the numbers 0, 1,
   * ..., in order, and after those of earlier layers.
   */
  append(way: Way, layer: number, number: number, bytes: Uint8Array): Promise<void>;
  /** The blocks of a layer, in order. */
  read(way: Way, layer: number): Blocks;
}

export interface Way {
  readonly from: number;
  readonly to: number | null;
}

/** What all steps say: where the partition is to be. */
export interface At {
  readonly layer: number;
  /** By partition: how many blocks it has sent to this one, in all layers up to this. */
  readonly blocks: readonly number[];
}

export interface ExpandAt extends At {
  /** The number of the first state of the layer. */
  readonly first: number;
  /** By partition: its states of the layer. Empty for the first layer. */
  readonly sizes: readonly number[];
  readonly seconds: number | null;
}

/**
 * Does the steps of one partition, also after another holder: if it does not have the partition as the
 * step needs it, it makes it anew and folds the log. A step that is repeated gives the same, and adds
 * nothing to the log.
 */
export class PartitionHolder<State> {
  private readonly options: PartitionOptions<State>;
  private readonly place: PartitionPlace;
  private readonly limits: Limits;
  private readonly log: PartitionLog;
  private partition: Partition<State> | null = null;
  /** How often it was made anew. */
  made = 0;

  constructor(
    options: PartitionOptions<State>,
    place: PartitionPlace,
    limits: Limits,
    log: PartitionLog,
  ) {
    this.options = options;
    this.place = place;
    this.limits = limits;
    this.log = log;
  }

  /** Throws `BlockError` if the log lacks something, `DefectError`, and what the log throws. */
  async expand(step: ExpandAt): Promise<ExpandTally> {
    const { place, log } = this;
    const { layer, sizes, first, seconds } = step;
    const waiting: (() => Promise<void>)[] = [];
    return this.orForget(async () => {
      const partition = await this.brought(step);
      const others = sizes.flatMap((count, from) =>
        from === place.index ? [] : [{ blocks: log.read({ from, to: null }, layer), count }],
      );
      return partition.expand({
        ...{ first, others, seconds },
        send: (to, number, bytes) => {
          waiting.push(() => log.append({ from: place.index, to }, layer + 1, number, bytes));
        },
        sent: async () => {
          for (const append of waiting.splice(0)) await append();
        },
      });
    }, emptyTally);
  }

  /** Takes in the layer, and sends its keys. Throws as `expand` does. */
  async fold(step: At): Promise<FoldTally> {
    const { place, log } = this;
    return this.orForget<FoldTally>(
      async () => {
        const partition = await this.brought(step);
        let number = 0;
        for (const bytes of partition.packedKeys()) {
          await log.append({ from: place.index, to: null }, step.layer, number++, bytes);
        }
        return { states: partition.size, limit: null };
      },
      (limit) => ({ states: 0, limit }),
    );
  }

  /** See `Partition.path`. */
  async path(step: At, local: number): Promise<PathPart<State>> {
    return this.orForget(
      async () => (await this.brought(step)).path(local),
      (limit) => {
        throw new LimitHitError(limit);
      },
    );
  }

  /** The partition as it is after it has taken in this layer. */
  private async brought({ layer, blocks }: At): Promise<Partition<State>> {
    const { options, place, limits, log } = this;
    if (this.partition === null || this.partition.knownLayer > layer) {
      this.partition = new Partition(options, place, limits);
      this.made++;
    }
    const { partition } = this;
    while (partition.knownLayer < layer) {
      const next = partition.knownLayer + 1;
      await partition.fold(blocks.map((_, from) => log.read({ from, to: place.index }, next)));
    }
    partition.demandBlocks(blocks);
    return partition;
  }

  /** After an error, nobody knows how the partition is. */
  private async orForget<Answer>(
    work: () => Promise<Answer>,
    limited: (limit: LimitKind) => Answer,
  ): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      this.partition = null;
      if (error instanceof LimitHitError) return limited(error.limit);
      throw error;
    }
  }
}

function emptyTally(limit: LimitKind): ExpandTally {
  return {
    ...{ judged: 0, terminal: 0, outside: 0, transitions: [], triggered: [], findings: [] },
    ...{ reached: [], reducerRuns: [], bytes: 0, rows: 0, sent: [], limit },
  };
}
