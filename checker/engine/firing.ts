import {
  ALL_STEPS,
  type AmpleSelector,
  type EngineView,
  type Learnt,
  type Reduction,
  type RowCanonicalizer,
  type View,
} from '../reductions/reduction.ts';
import type { Slot } from '../values/slots.ts';
import { NOT_LEARNT } from '../values/tries.ts';
import { Dispatch } from './dispatch.ts';
import { NO_EFFECT } from './effects.ts';
import type { Encoding } from './encoding.ts';
import { type Learner, TRUE, TRUE_LEAF } from './learner.ts';

const DISABLED = ~NO_EFFECT;
const NONE = -1;
const UNLEARNT = -1;

/** Computes successors. The search spends most of its time in this file and in the store. */
export class Firing<State> implements EngineView {
  /** Instances and effects that lead to the rows in the store's `next`. */
  fired: Int32Array;
  effects: Int32Array;
  /** By row of `next`: the renaming that takes the successor to its representative, the row. */
  readonly renamings: Int32Array;
  /** Instances with an effect in the loaded state. The effect may change nothing there. */
  private readonly enabledInstances: Int32Array;
  private readonly enabledEffects: Int32Array;
  private readonly dispatch: Dispatch;
  private learntReducers = 0;
  private nextCompilation = 1;
  /** What the learner had dropped when the dispatch was compiled. */
  private compiledDrops = 0;
  private readonly learner: Learner<State>;
  private readonly encoding: Encoding<State>;
  private readonly canonicalizer: RowCanonicalizer | null;
  readonly selectors: readonly AmpleSelector<State>[];
  /** The selector whose ample set gave the last successors; null: all enabled steps did. */
  reducedBy: AmpleSelector<State> | null = null;

  constructor(
    instanceCount: number,
    learner: Learner<State>,
    encoding: Encoding<State>,
    canonicalizer: RowCanonicalizer | null,
    reductions: readonly Reduction<State>[],
  ) {
    this.canonicalizer = canonicalizer;
    this.learner = learner;
    this.encoding = encoding;
    this.selectors = reductions.flatMap(({ ample }) => ample?.(this) ?? []);
    learner.readers = this.selectors;
    this.fired = new Int32Array(instanceCount);
    this.effects = new Int32Array(instanceCount);
    this.renamings = new Int32Array(instanceCount);
    this.enabledInstances = new Int32Array(instanceCount);
    this.enabledEffects = new Int32Array(instanceCount);
    this.dispatch = new Dispatch(instanceCount, learner.guard);
    encoding.store.reserve(instanceCount);
    this.recompile();
  }

  /** Evaluates a state predicate in the loaded state. */
  test(predicate: number): boolean {
    const { nodes, roots } = this.learner.tries;
    const { answers } = this.encoding;
    let node = roots[this.learner.predicateTrie(predicate)]!;
    while (node > 0) {
      const place = answers[nodes[node]!]! - nodes[node + 2]!;
      node = place >>> 0 < nodes[node + 1]! ? nodes[node + 3 + place]! : NOT_LEARNT;
    }
    if (node !== NOT_LEARNT) return node === TRUE_LEAF;
    this.learner.log?.predicate(this.encoding.loaded, predicate);
    const leaf = this.learner.learnPredicate(predicate, this.encoding.local);
    this.encoding.adapt();
    return leaf === TRUE;
  }

  /** Call this after everything was learnt again. */
  recompile(): void {
    const { tries, drops } = this.learner;
    this.dispatch.compile(tries);
    this.compiledDrops = drops;
  }

  /** Call this after a reducer was learnt. */
  private relearn(): void {
    this.caughtUp(1);
    this.encoding.adapt();
  }

  /** Call this after so many views were learnt. */
  caughtUp(views: number): void {
    this.learntReducers += views;
    if (this.learntReducers < this.nextCompilation) return;
    this.recompile();
    // Often enough to cover most of what is learnt, and rarely enough to cost little.
    this.nextCompilation = this.learntReducers + Math.ceil(this.learntReducers / 8);
  }

  /** Makes room for so many successors, of several states. */
  reserve(count: number): void {
    if (count <= this.fired.length) return;
    this.fired = new Int32Array(count);
    this.effects = new Int32Array(count);
    this.encoding.store.reserve(count);
  }

  /**
   * Another number after rows were re-encoded, or after tries may have been dropped. What was found
   * out about the steps of a state holds until then, as knowledge is only added otherwise.
   */
  get generation(): number {
    return this.encoding.layoutChanges + this.learner.presences;
  }

  /**
   * Puts the successors of the loaded state into the store's `next`, their instances into `fired`
   * and their effects into `effects`. Returns their number.
   *
   * @param skipped a set of instances to leave out.
   * @param from where the first successor is put.
   */
  fire(skipped: Int32Array | null = null, from = 0): number {
    let enabled = this.select(this.walk(skipped));
    for (;;) {
      if (this.canonicalizer?.takeIn() === true) {
        this.learner.log?.images();
        this.encoding.adapt();
      }
      const count = this.apply(enabled, from);
      if (count === 0 && this.reducedBy !== null) {
        // In this view the steps have effects, but these change nothing in this state.
        this.reducedBy = null;
        enabled = this.walk();
      } else if (count >= 0) return count;
    }
  }

  /** As `fire`, without reductions, if there is nothing to learn; otherwise returns -1. */
  fireKnown(skipped: Int32Array, from: number): number {
    const enabled = this.walk(skipped, false);
    return enabled === UNLEARNT ? UNLEARNT : this.apply(enabled, from, false);
  }

  writes(effect: number): readonly Slot[] {
    const { effects, operations, slots } = this.learner;
    const { writes, operations: changes } = effects.list[effect]!;
    return [
      ...writes.map(([slot]) => slots.slots[slot]!),
      ...changes.map((operation) => operations.slot(operation)),
    ];
  }

  firstRead(instance: number): Slot | null {
    return this.learner.firstRead(instance);
  }

  dependsOn(predicate: number, sections: ReadonlySet<string>): boolean {
    return this.learner.dependencies.dependsOn(predicate, sections);
  }

  reads(predicate: number): ReadonlySet<Slot> {
    return this.learner.dependencies.reads(predicate);
  }

  get readings(): number {
    return this.learner.dependencies.version;
  }

  get learnt(): Learnt {
    return this.learner;
  }

  /** Whether steps are left out, or renamed. */
  get reduces(): boolean {
    return this.canonicalizer !== null || this.selectors.length > 0;
  }

  get loaded(): number {
    return this.encoding.loaded;
  }

  readonly local = (slot: number): number => this.encoding.local(slot);

  enabled(): Int32Array {
    return this.enabledInstances.subarray(0, this.walk());
  }

  place(instance: number): number {
    const { nodes, roots } = this.learner.tries;
    const { answers } = this.encoding;
    let node = roots[instance]!;
    let place = ~instance;
    while (node > 0) {
      const child = answers[nodes[node]!]! - nodes[node + 2]!;
      if (child >>> 0 >= nodes[node + 1]!) return NOT_LEARNT;
      place = node + 3 + child;
      node = nodes[place]!;
    }
    return node === NOT_LEARNT ? NOT_LEARNT : place;
  }

  view(instance: number): View {
    const { nodes, roots } = this.learner.tries;
    const { answers } = this.encoding;
    const columns: number[] = [];
    let node = roots[instance]!;
    while (node > 0) {
      columns.push(nodes[node]!);
      node = nodes[node + 3 + answers[nodes[node]!]! - nodes[node + 2]!]!;
    }
    const { writes, operations } = this.learner.effects.list[~node]!;
    return { columns, answers: columns.map((column) => answers[column]!), writes, operations };
  }

  /** Keeps an ample set if a reduction selects one. Returns how many steps are left. */
  private select(count: number): number {
    const { selectors, enabledInstances: enabled, enabledEffects } = this;
    this.reducedBy = null;
    for (let index = 0; index < selectors.length; index++) {
      const selected = selectors[index]!.select(enabled, enabledEffects, count);
      if (selected === ALL_STEPS) continue;
      this.reducedBy = selectors[index]!;
      return selected;
    }
    return count;
  }

  /**
   * Finds the instances that have an effect in the loaded state; -1: there was something to learn.
   */
  private walk(skipped: Int32Array | null = null, learns = true): number {
    const { enabledInstances: enabled, enabledEffects, dispatch } = this;
    // Here, as entries come from many places: reducers, renamings, other threads, other processes.
    if (this.learner.drops !== this.compiledDrops) this.recompile();
    const { set } = dispatch;
    if (skipped === null || !dispatch.isLeft(skipped)) {
      dispatch.candidates(this.encoding.answers);
      if (skipped !== null) {
        for (let word = 0; word < set.length; word++) set[word] = set[word]! & ~skipped[word]!;
      }
    }
    let count = 0;
    let word = 0;
    for (;;) {
      while (word < set.length && set[word] === 0) word++;
      if (word === set.length) return count;
      // Fetched again after each miss, which may have replaced them.
      const { nodes, roots } = this.learner.tries;
      const { answers } = this.encoding;
      let instance = NONE;
      for (; word < set.length && instance === NONE; word++) {
        let open = set[word]!;
        while (open !== 0) {
          // The lowest bit comes first, so that instances stay in order.
          const bit = open & -open;
          open ^= bit;
          const candidate = 32 * word + 31 - Math.clz32(bit);
          let node = roots[candidate]!;
          while (node > 0) {
            const place = answers[nodes[node]!]! - nodes[node + 2]!;
            node = place >>> 0 < nodes[node + 1]! ? nodes[node + 3 + place]! : NOT_LEARNT;
          }
          if (node === DISABLED) continue;
          if (node === NOT_LEARNT) {
            instance = candidate;
            set[word] = open | bit;
            break;
          }
          enabled[count] = candidate;
          enabledEffects[count] = ~node;
          count++;
        }
      }
      if (instance === NONE) return count;
      if (!learns) return UNLEARNT;
      word--;
      this.learner.log?.action(this.encoding.loaded, instance);
      this.learner.learnAction(instance, this.encoding.local);
      this.relearn();
    }
  }

  /**
   * Applies the first `count` effects and drops those that change nothing. Returns how many are
   * left, or -1 if the result of a queue operation or of a renaming was unknown; then take in what
   * was added, if it was to learn it, and call it again.
   */
  private apply(count: number, from: number, learns = true): number {
    const {
      enabledInstances: enabled,
      enabledEffects,
      fired,
      effects,
      renamings,
      canonicalizer,
    } = this;
    const { keep, set, operationStart } = this.learner.effects;
    const { guard } = this.learner;
    const { loaded, store } = this.encoding;
    const { rows, next, width } = store;
    const offset = store.place(loaded);
    let kept = from;
    for (let index = 0; index < count; index++) {
      const effect = enabledEffects[index]!;
      const base = effect * width;
      const start = kept * width;
      let changed = 0;
      for (let word = 0; word < width; word++) {
        const before = rows[offset + word]!;
        const after = (before & keep[base + word]!) | set[base + word]!;
        next[start + word] = after;
        changed |= before ^ after;
      }
      const operations = operationStart[effect]!;
      if (operations !== 0) {
        if (!this.operate(operations, start, learns)) return UNLEARNT;
        for (let word = 0; word < width; word++) {
          changed |= rows[offset + word]! ^ next[start + word]!;
        }
      }
      if (changed === 0) continue;
      if (canonicalizer !== null) {
        guard.look();
        const renaming = this.canonicalize(canonicalizer, start);
        if (renaming < 0) return UNLEARNT;
        renamings[kept] = renaming;
      }
      store.hash(kept);
      fired[kept] = enabled[index]!;
      effects[kept] = effect;
      kept++;
    }
    return kept - from;
  }

  private canonicalize(canonicalizer: RowCanonicalizer, start: number): number {
    const { layout } = this.encoding;
    const { next } = this.encoding.store;
    const { log, notes, slots } = this.learner;
    if ((log === null && notes === null) || !canonicalizer.learnsFromRows) {
      return canonicalizer.canonicalize(next, start, layout);
    }
    const before = canonicalizer.learnt;
    const row = slots.slots.map(({ number }) => layout.read(next, start, number));
    const renaming = canonicalizer.canonicalize(next, start, layout);
    if (canonicalizer.learnt !== before) {
      log?.row(row);
      notes?.row(row);
    }
    return renaming;
  }

  /** Applies queue operations to the row at `row` of `next`; false if a result was unknown. */
  private operate(start: number, row: number, learns: boolean): boolean {
    const { operations } = this.learner.effects;
    const { tables } = this.learner.operations;
    const { word, shift, mask } = this.encoding.layout;
    const { next } = this.encoding.store;
    const end = start + 1 + 2 * operations[start]!;
    for (let at = start + 1; at < end; at += 2) {
      const slot = operations[at]!;
      const operation = operations[at + 1]!;
      const place = row + word[slot]!;
      const offset = shift[slot]!;
      const local = (next[place]! >>> offset) & mask[slot]!;
      const after = tables[operation]![local]!;
      if (after === 0) {
        if (!learns) return false;
        this.learner.log?.operation(operation, local);
        this.learner.operations.apply(operation, local);
        this.encoding.adapt();
        return false;
      }
      next[place] = (next[place]! & ~(mask[slot]! << offset)) | ((after - 1) << offset);
    }
    return true;
  }
}
