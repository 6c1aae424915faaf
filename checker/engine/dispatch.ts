import { allocateWords, type Guard, UNGUARDED } from '../guard.ts';
import type { Tries } from '../values/tries.ts';

/** Child of a trie node where the instance is known to have no effect. */
const DISABLED = -1;
/** Columns with more answers would make the tables too large. */
const MOST_ANSWERS = 256;

/**
 * Rules out instances by their first reading. Most guards fail there, and many instances share it,
 * so one table lookup replaces many walks through tries.
 */
export class Dispatch {
  /** The result of `candidates`: bit `i % 32` of word `i / 32` is set for instance `i`. */
  readonly set: Int32Array;
  /** Columns that instances read first. */
  private columns = new Int32Array(0);
  /** By column of `columns`: where its sets begin in `sets`, and how many answers they cover. */
  private starts = new Int32Array(0);
  private counts = new Int32Array(0);
  private sets = new Int32Array(0);
  /** By column of `columns`: where the set for its current answer begins. */
  private chosen = new Int32Array(0);
  /** Instances that this class never rules out; all instances. */
  private readonly always: Int32Array;
  private readonly all: Int32Array;
  private readonly instanceCount: number;

  private readonly guard: Guard;

  constructor(instanceCount: number, guard: Guard = UNGUARDED) {
    this.guard = guard;
    this.instanceCount = instanceCount;
    this.set = new Int32Array(Math.ceil(instanceCount / 32));
    this.always = new Int32Array(this.set.length);
    this.all = new Int32Array(this.set.length);
    for (let instance = 0; instance < instanceCount; instance++) add(this.all, 0, instance);
  }

  /**
   * Compiles what the tries have learnt. Without a later call it rules out fewer instances, but
   * none wrongly, unless tries were dropped. Throws `LimitHitError`, before it changes anything.
   */
  compile({ nodes, roots }: Tries): void {
    const groups = new Map<number, number[]>();
    const always = new Int32Array(this.set.length);
    for (let instance = 0; instance < this.instanceCount; instance++) {
      const root = roots[instance]!;
      if (root === DISABLED) continue;
      if (root <= 0 || nodes[root + 1]! + nodes[root + 2]! > MOST_ANSWERS) add(always, 0, instance);
      else {
        const column = nodes[root]!;
        const group = groups.get(column);
        if (group === undefined) groups.set(column, [instance]);
        else group.push(instance);
      }
    }
    const size = this.set.length;
    const counts: number[] = [];
    const starts: number[] = [];
    let end = 0;
    for (const instances of groups.values()) {
      const answers = Math.max(
        ...instances.map((instance) => {
          const root = roots[instance]!;
          return nodes[root + 1]! + nodes[root + 2]!;
        }),
      );
      starts.push(end);
      counts.push(answers);
      // One more set, for answers that no trie has room for yet.
      end += (answers + 1) * size;
    }
    const sets = allocateWords(end, this.guard);
    this.always.set(always);
    this.columns = Int32Array.from(groups.keys());
    this.starts = Int32Array.from(starts);
    this.chosen = new Int32Array(starts.length);
    this.counts = Int32Array.from(counts);
    this.sets = sets;
    [...groups.values()].forEach((instances, group) => {
      for (const instance of instances) {
        const root = roots[instance]!;
        const capacity = nodes[root + 1]!;
        const least = nodes[root + 2]!;
        for (let answer = 0; answer <= counts[group]!; answer++) {
          const place = answer - least;
          const child = place >= 0 && place < capacity ? nodes[root + 3 + place]! : 0;
          if (child !== DISABLED) add(this.sets, starts[group]! + answer * size, instance);
        }
      }
    });
  }

  /**
   * Puts into `set` the instances that are not to be skipped, if they are so few that `candidates`
   * would take longer than to walk through their tries. Otherwise returns false.
   */
  isLeft(skipped: Int32Array): boolean {
    const { set, all, columns } = this;
    let count = 0;
    for (let word = 0; word < set.length; word++) {
      const open = all[word]! & ~skipped[word]!;
      set[word] = open;
      // How many bits are set, of each two, each four, and so on.
      let bits = open - ((open >>> 1) & 0x55555555);
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
      count += Math.imul(bits, 0x01010101) >>> 24;
    }
    return count <= columns.length;
  }

  /** Puts into `set` the instances that these answers, by column, do not rule out. */
  candidates(answers: Int32Array): void {
    const { set, columns, starts, counts, sets, chosen, always } = this;
    const size = set.length;
    for (let group = 0; group < columns.length; group++) {
      const answer = answers[columns[group]!]!;
      const most = counts[group]!;
      chosen[group] = starts[group]! + Math.min(answer, most) * size;
    }
    for (let word = 0; word < size; word++) {
      let bits = always[word]!;
      for (let group = 0; group < columns.length; group++) bits |= sets[chosen[group]! + word]!;
      set[word] = bits;
    }
  }
}

function add(sets: Int32Array, start: number, instance: number): void {
  const place = start + (instance >> 5);
  sets[place] = sets[place]! | (1 << (instance & 31));
}
