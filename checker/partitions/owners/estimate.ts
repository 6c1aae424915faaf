import type { Slot } from '../../values/slots.ts';
import { Spelling } from '../spelling.ts';
import { ownerOf } from './owners.ts';
import { RowHash } from './row-hash.ts';
import type { Sample } from './sample.ts';

/**
 * What a transition to a state of another partition costs, in expansions of a state. It was
 * measured as 0.4 to 0.9 with two partitions and models of 3 to 5 transitions a state.
 */
const CROSSING = 0.7;

/** What divided searches would cost, as far as a sample of the graph tells. */
export class Estimate<State> {
  private readonly sample: Sample<State>;
  private readonly partitions: number;
  private readonly hash: RowHash;
  /** By slot: its print in each state. */
  private readonly prints = new Map<Slot, Int32Array>();
  private readonly owners: Uint8Array;

  constructor(sample: Sample<State>, partitions: number) {
    this.sample = sample;
    this.partitions = partitions;
    this.hash = new RowHash(new Spelling(sample.table), () => true);
    this.owners = new Uint8Array(sample.count);
  }

  /** Sums of prints by state, with those of more slots. */
  sumsWith(sums: Int32Array, slots: readonly Slot[]): Int32Array {
    const more = sums.slice();
    for (const slot of slots) {
      const prints = this.printsOf(slot);
      for (let state = 0; state < more.length; state++) more[state] = more[state]! + prints[state]!;
    }
    return more;
  }

  /** How many bits the slot tells of a state, and how many transitions change it. */
  telling(slot: Slot): { readonly bits: number; readonly changes: number } {
    const { expanded, sources, targets } = this.sample;
    const locals = this.sample.locals(slot);
    const counts = new Map<number, number>();
    for (const state of expanded) {
      counts.set(locals[state]!, (counts.get(locals[state]!) ?? 0) + 1);
    }
    let bits = 0;
    for (const count of counts.values()) {
      bits += (count / expanded.length) * Math.log2(expanded.length / count);
    }
    let changes = 0;
    for (let at = 0; at < sources.length; at++) {
      if (locals[sources[at]!] !== locals[targets[at]!]) changes++;
    }
    return { bits, changes };
  }

  /**
   * What a search costs beyond an equal share of its states, in expansions for each of them:
   * waiting for the partition with most states of a layer, and crossing.
   */
  cost(sums: Int32Array, salt: number): number {
    const { sample, partitions, owners } = this;
    const { expanded, layers, sources, targets } = sample;
    for (let state = 0; state < sums.length; state++) {
      owners[state] = ownerOf(sums[state]!, salt, partitions);
    }
    let waiting = 0;
    let from = 0;
    const counts = new Int32Array(partitions);
    for (const to of layers) {
      if (to === from) continue;
      counts.fill(0);
      for (let at = from; at < to; at++) {
        const owner = owners[expanded[at]!]!;
        counts[owner] = counts[owner]! + 1;
      }
      const share = (to - from) / partitions;
      // Equal chances for all partitions would give as much.
      let spread = 1 - partitions;
      for (const count of counts) spread += (count - share) ** 2 / share;
      waiting += Math.sqrt(Math.max(0, spread) * (to - from));
      from = to;
    }
    let crossings = 0;
    for (let at = 0; at < sources.length; at++) {
      if (owners[sources[at]!] !== owners[targets[at]!]) crossings++;
    }
    const longest = Math.sqrt(2 * Math.log(partitions)) * waiting;
    return (longest + CROSSING * crossings) / expanded.length;
  }

  private printsOf(slot: Slot): Int32Array {
    const known = this.prints.get(slot);
    if (known !== undefined) return known;
    const prints = this.sample.locals(slot).map((local) => this.hash.print(slot, local));
    this.prints.set(slot, prints);
    return prints;
  }
}
