import { LimitHitError } from '../errors.ts';
import type { Limits } from '../options.ts';
import type { LimitKind } from '../result.ts';
import { type FirstLayers, type FirstTally, SENDER, searchFirst } from './first-layers.ts';
import type { Blocks } from './found-rows.ts';
import type { OwnerRule } from './owners/owners.ts';
import { Partition, type PartitionPlace } from './partition.ts';
import type { PartitionOptions } from './question.ts';
import type { ExpandTally, FoldTally } from './tallies.ts';

/**
 * What was sent in a search: for each pair of partitions the states, and for each partition the
 * keys (`to` is null), by layer and number. It outlives the processes that write it.
 */
export interface PartitionLog {
  /**
   * Adds a block, unless there is one with this layer and number, which must say the same
   * (`isSameBlock`). Those of one layer come with the numbers 0, 1, ..., in order, and after those
   * of earlier layers.
   */
  append(way: Way, layer: number, number: number, bytes: Uint8Array): Promise<void>;
  /** The blocks of a layer, in order. */
  read(way: Way, layer: number): Blocks;
}

export interface Way {
  readonly from: number;
  readonly to: number | null;
}

/** Where a partition is to be: after it has taken in a layer. */
export interface At {
  readonly layer: number;
  /** By partition: how many blocks it has sent to this one, in all layers up to this. */
  readonly blocks: readonly number[];
  /** The number of the first state of the layer. */
  readonly first: number;
  /** By partition: its states of the layer. Empty for the last of the first layers. */
  readonly sizes: readonly number[];
  /**
   * The last of the first layers, which are not divided. The same in all steps of a search, as is
   * the next.
   */
  readonly undivided: number;
  readonly owners: OwnerRule;
}

export interface ExpandAt extends At {
  readonly seconds: number | null;
}

export interface FoldAt {
  /** The layer before. */
  readonly before: At;
  /** As in `At`, up to the layer that is to be taken in. */
  readonly blocks: readonly number[];
}

/**
 * Does the steps of one partition, also after another holder: if it does not have the partition as
 * the step needs it, it makes it anew from the log. A step that is repeated gives the same, and
 * adds nothing to the log.
 */
export class PartitionHolder<State> {
  private readonly options: PartitionOptions<State>;
  private readonly place: PartitionPlace;
  private readonly limits: Limits;
  private readonly log: PartitionLog;
  private readonly others: readonly number[];
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
    const all = Array.from({ length: place.count }, (_, index) => index);
    this.others = all.filter((index) => index !== place.index);
  }

  /**
   * Searches the first layers, as the other partitions do. One of them sends the keys for all.
   */
  async first({ layerStates, mostStates, seconds, after }: FirstLayers): Promise<FirstTally> {
    return this.orForget<FirstTally>(
      async () => {
        const partition = after === null ? this.anew() : await this.whole(after);
        let states = partition.size;
        const isLast = (sizes: readonly number[]): boolean => {
          if (after !== null) return sizes.length === 1;
          if (partition.size >= layerStates || partition.size === 0) return true;
          return sizes.length > 0 && mostStates !== null && states > mostStates;
        };
        return searchFirst(partition, seconds, isLast, async () => {
          states += partition.size;
          if (this.place.index === SENDER) await this.sendKeys(partition);
        });
      },
      (limit) => ({ layers: [emptyTally(limit)], sizes: [] }),
    );
  }

  /** Throws `BlockError` if the log lacks something, `DefectError`, and what the log throws. */
  async expand(step: ExpandAt): Promise<ExpandTally> {
    return this.orForget(
      async () => this.expanded(await this.brought(step), step.sizes, step.seconds),
      emptyTally,
    );
  }

  /** Takes in the layer, and sends its keys. Throws as `expand` does. */
  async fold({ before, blocks }: FoldAt): Promise<FoldTally> {
    const layer = before.layer + 1;
    return this.orForget<FoldTally>(
      async () => {
        const partition =
          this.partition?.knownLayer === layer ? this.partition : await this.folded(before);
        partition.demandBlocks(blocks);
        await this.sendKeys(partition);
        return { states: partition.size, limit: null };
      },
      (limit) => ({ states: 0, limit }),
    );
  }

  /** The partition as it is after the layer that follows, whose keys need not be in the log. */
  private async folded(before: At): Promise<Partition<State>> {
    const partition = await this.brought(before);
    if (!partition.isExpanded) {
      const { limit } = await this.expanded(partition, before.sizes, null);
      if (limit !== null) throw new LimitHitError(limit);
    }
    await partition.fold(this.sentIn(before.layer + 1));
    return partition;
  }

  private expanded(
    partition: Partition<State>,
    sizes: readonly number[],
    seconds: number | null,
  ): Promise<ExpandTally> {
    const { place, log } = this;
    const layer = partition.knownLayer;
    const waiting: (() => Promise<void>)[] = [];
    return partition.expand(this.keysIn(layer), {
      ...{ sizes, seconds },
      send: (to, number, bytes) => {
        waiting.push(() => log.append({ from: place.index, to }, layer + 1, number, bytes));
      },
      sent: async () => {
        for (const append of waiting.splice(0)) await append();
      },
    });
  }

  /** The partition as it is after it has taken in this layer. */
  private async brought(at: At): Promise<Partition<State>> {
    const { layer, blocks, first, sizes } = at;
    const { place, log } = this;
    const partition = await this.divided(at);
    while (partition.knownLayer < layer) {
      const known = partition.knownLayer;
      const sent = this.sentIn(known + 1);
      // Another holder has done the steps between. What this one has found for itself is there.
      if (partition.isExpanded) await partition.fold(sent);
      else {
        const own = log.read({ from: place.index, to: null }, known + 1);
        await partition.replay(own, sent, this.keysIn(known));
      }
    }
    partition.demandBlocks(blocks);
    partition.demandStates(first, sizes);
    return partition;
  }

  /** The partition after the first layers, or after a later one up to this. */
  private async divided({ layer, undivided, owners }: At): Promise<Partition<State>> {
    const known = this.partition;
    if (known?.isDivided === true && known.knownLayer <= layer) return known;
    const partition = await this.whole(undivided);
    partition.divide(owners);
    return partition;
  }

  /** The partition with all states, after one of the first layers. */
  private async whole(layer: number): Promise<Partition<State>> {
    const known = this.partition;
    if (known?.isDivided === false && known.knownLayer === layer) return known;
    const partition = this.anew();
    const isLast = (): boolean => partition.knownLayer === layer;
    const { layers } = await searchFirst(partition, null, isLast, async () => undefined);
    const limit = layers.at(-1)?.limit ?? null;
    if (limit !== null) throw new LimitHitError(limit);
    return partition;
  }

  private anew(): Partition<State> {
    const { options, place, limits } = this;
    this.made++;
    this.partition = new Partition(options, place, limits);
    return this.partition;
  }

  /** Those of the layer that it has taken in last. */
  private async sendKeys(partition: Partition<State>): Promise<void> {
    let number = 0;
    for (const bytes of partition.packedKeys()) {
      const way = { from: this.place.index, to: null };
      await this.log.append(way, partition.knownLayer, number++, bytes);
    }
  }

  /** What the others have sent to this one to be taken in with a layer. */
  private sentIn(layer: number): readonly Blocks[] {
    return this.others.map((from) => this.log.read({ from, to: this.place.index }, layer));
  }

  /** The keys of the others in a layer. */
  private keysIn(layer: number): readonly Blocks[] {
    return this.others.map((from) => this.log.read({ from, to: null }, layer));
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
