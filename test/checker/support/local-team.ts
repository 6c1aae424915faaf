import type { FirstLayers } from '../../../checker/partitions/first-layers.ts';
import {
  type At,
  type ExpandAt,
  type FoldAt,
  PartitionHolder,
  type PartitionLog,
  type Way,
} from '../../../checker/partitions/holder.ts';
import { isSameBlock } from '../../../checker/partitions/numbers.ts';
import type { OwnerRule } from '../../../checker/partitions/owners/owners.ts';
import type { PartitionOptions } from '../../../checker/partitions/question.ts';
import type { ExpandTally } from '../../../checker/partitions/tallies.ts';
import type { PartitionTeam } from '../../../checker/partitions/team.ts';
import type { Dice } from './same-search.ts';

/** A log in memory. It fails if a block that is there already comes with another content. */
export class MemoryLog implements PartitionLog {
  readonly blocks = new Map<string, Uint8Array>();

  async append({ from, to }: Way, layer: number, number: number, bytes: Uint8Array): Promise<void> {
    const name = `${from} ${to} ${layer} ${number}`;
    if (number > 0 && !this.blocks.has(`${from} ${to} ${layer} ${number - 1}`)) {
      throw new Error(`block ${name} comes before the one before it`);
    }
    const known = this.blocks.get(name);
    if (known !== undefined && !isSameBlock(known, bytes)) {
      throw new Error(`block ${name} was another one before`);
    }
    this.blocks.set(name, bytes);
  }

  async *read({ from, to }: Way, layer: number): AsyncGenerator<Uint8Array> {
    for (let number = 0; ; number++) {
      const block = this.blocks.get(`${from} ${to} ${layer} ${number}`);
      if (block === undefined) return;
      yield block;
    }
  }
}

/**
 * Partitions in this process.
 *
 * @param dice say when a step is done twice, and when it is done by a partition that is made anew.
 * @param rule decides who owns a state; null: the rule that the search has chosen.
 */
export class LocalTeam<State> implements PartitionTeam {
  readonly count: number;
  /** Some layers are not divided if the dice say so. */
  readonly dividedFrom: number;
  readonly dividedLatest: number;
  readonly log: MemoryLog;
  /** What the partitions answered when they had expanded a layer. */
  readonly tallies: ExpandTally[][] = [];
  private readonly holders: PartitionHolder<State>[];
  private readonly newHolder: (index: number) => PartitionHolder<State>;
  private readonly dice: Dice;
  private readonly rule: OwnerRule | null;
  /** How often a partition was given to another holder. */
  moves = 0;

  constructor(
    options: PartitionOptions<State>,
    count: number,
    dice: Dice = () => 1,
    rule: OwnerRule | null = null,
  ) {
    this.count = count;
    this.log = new MemoryLog();
    this.dice = dice;
    this.dividedFrom = dice(2) === 0 ? 1 + dice(10) : 1;
    this.dividedLatest = dice(2) === 0 ? 1 + dice(30) : 1;
    this.rule = rule;
    this.newHolder = (index) => new PartitionHolder(options, { index, count }, {}, this.log);
    this.holders = Array.from({ length: count }, (_, index) => this.newHolder(index));
  }

  first(layers: FirstLayers) {
    return Promise.all(
      Array.from({ length: this.count }, (_, index) =>
        this.one(index, (holder) => holder.first(layers)),
      ),
    );
  }

  async expand(steps: readonly ExpandAt[]) {
    const tallies = await this.each(steps, (holder, step) => holder.expand(this.ruled(step)));
    this.tallies.push([...tallies]);
    return tallies;
  }

  fold(steps: readonly FoldAt[]) {
    return this.each(steps, (holder, { before, blocks }) =>
      holder.fold({ before: this.ruled(before), blocks }),
    );
  }

  private ruled<Step extends At>(step: Step): Step {
    return this.rule === null ? step : { ...step, owners: this.rule };
  }

  keys(partition: number, layer: number): AsyncIterable<Uint8Array> {
    return this.log.read({ from: partition, to: null }, layer);
  }

  gathers(): void {}

  private each<Step, Answer>(
    steps: readonly Step[],
    work: (holder: PartitionHolder<State>, step: Step) => Promise<Answer>,
  ): Promise<readonly Answer[]> {
    return Promise.all(steps.map((step, index) => this.one(index, (holder) => work(holder, step))));
  }

  private async one<Answer>(
    index: number,
    work: (holder: PartitionHolder<State>) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.dice(5) === 0) this.move(index);
    if (this.dice(5) === 0) await work(this.holders[index]!);
    if (this.dice(5) === 0) this.move(index);
    return work(this.holders[index]!);
  }

  private move(index: number): void {
    this.holders[index] = this.newHolder(index);
    this.moves++;
  }
}
