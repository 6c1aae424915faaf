import { extended, NO_EFFECT } from './effects.ts';
import type { Encoding } from './encoding.ts';
import type { SoughtAnswers } from './engine.ts';
import type { Learner } from './learner.ts';
import type { ObservedStep } from './observed-step.ts';
import { PredicateList } from './seeking/predicate-list.ts';

const NOT_YET = -1;

/**
 * Finds the step predicates that need not be evaluated for a step. Where the step writes nothing
 * that a predicate has ever read, the predicate answers as for a step that changes nothing in that
 * state. Most predicates answer that with no, in all states: they are *quiet* there. That answer
 * stays from a state to its successor, unless they differ in what the predicate reads.
 *
 * A predicate that looks at the action is never quiet. If selectors are told what is read on which
 * step, every predicate is evaluated on every step.
 */
export class StepSieve<State> {
  private readonly learner: Learner<State>;
  private readonly encoding: Encoding<State>;
  private readonly step: ObservedStep<State>;
  /** By instance. */
  private asked: readonly (PredicateList | null)[] = [];
  /** By predicate that is asked: the sought answer, and an instance of such a step. */
  private sought = new Uint8Array(0);
  private instance = new Int32Array(0);
  /** All these predicates as a bit set; those not quiet in some state; those not in `entered`. */
  private all = new Int32Array(0);
  private everLoud = new Int32Array(0);
  private loud = new Int32Array(0);
  /** Grows whenever a predicate is not quiet for a first time. */
  changes = 0;
  private open = new Int32Array(0);
  /** The state that was entered last, and the first one: all between them were. */
  private entered = NOT_YET;
  private firstEntered = NOT_YET;
  /** By effect: the predicates that read what it writes, and one more than the version of that. */
  private touching: Int32Array = new Int32Array(0);
  private versions: Int32Array = new Int32Array(0);

  constructor(learner: Learner<State>, encoding: Encoding<State>, step: ObservedStep<State>) {
    this.learner = learner;
    this.encoding = encoding;
    this.step = step;
  }

  /** @param questions by instance. */
  ask(questions: readonly (SoughtAnswers | null)[]): void {
    const size = this.learner.stepDependencies.set.length;
    const count = 32 * size;
    const all = new Int32Array(size);
    this.sought = new Uint8Array(count);
    this.instance = new Int32Array(count);
    const known = new Map<SoughtAnswers, PredicateList>();
    this.asked = questions.map((list, instance) => {
      if (list === null || list.predicates.length === 0) return null;
      const before = known.get(list);
      if (before !== undefined) return before;
      const asked = new PredicateList(list, count);
      known.set(list, asked);
      list.predicates.forEach((predicate, position) => {
        this.sought[predicate] = list.sought[position]!;
        this.instance[predicate] = instance;
        add(all, predicate);
      });
      return asked;
    });
    const isKnown = all.every((word, at) => (word & ~(this.all[at] ?? 0)) === 0);
    // They were not asked of the states before.
    if (!isKnown) this.firstEntered = NOT_YET;
    this.all = all;
    if (this.loud.length !== size) {
      this.everLoud = new Int32Array(size);
      this.loud = new Int32Array(size);
      this.open = new Int32Array(size);
    }
    this.entered = NOT_YET;
  }

  /** Call it before the loaded state is expanded. States are entered in order, without gaps. */
  enter(): void {
    const { learner, encoding, all, open, everLoud, loud } = this;
    if (all.length === 0 || learner.readers.length > 0) return;
    const { store, loaded } = encoding;
    if (this.firstEntered === NOT_YET) this.firstEntered = loaded;
    const parent = store.parentOf(loaded);
    const { stepDependencies } = learner;
    if (parent >= this.firstEntered) {
      const { set } = stepDependencies;
      const { rows, width } = store;
      stepDependencies.touched(rows, store.place(loaded), store.place(parent), width);
      for (let word = 0; word < open.length; word++) {
        open[word] = (set[word]! | everLoud[word]!) & all[word]!;
      }
    } else open.set(all);
    for (let word = 0; word < open.length; word++) {
      let rest = open[word]!;
      let found = 0;
      while (rest !== 0) {
        const bit = rest & -rest;
        rest ^= bit;
        if (!this.isQuiet(32 * word + 31 - Math.clz32(bit))) found |= bit;
      }
      loud[word] = found;
      if ((found & ~everLoud[word]!) === 0) continue;
      this.learner.slots.demandLearning();
      everLoud[word] = everLoud[word]! | found;
      this.changes++;
    }
    this.entered = loaded;
  }

  /** The predicates that were not quiet in some state, as a bit set. */
  get notQuiet(): Int32Array {
    return this.everLoud;
  }

  /**
   * For a replica: the engine that it follows has entered all states before, and these predicates
   * were not quiet in some of them.
   */
  follow(notQuiet: Int32Array): void {
    this.everLoud.set(notQuiet);
    this.firstEntered = 0;
  }

  private isQuiet(predicate: number): boolean {
    if (this.learner.readsAction[predicate] === 1) return false;
    this.step.observe(this.instance[predicate]!, NO_EFFECT);
    return this.step.answers(predicate, this.sought[predicate] === 0);
  }

  /** States are loaded in any order from now on. */
  disorder(): void {
    this.firstEntered = Number.POSITIVE_INFINITY;
    this.entered = NOT_YET;
  }

  /** See `Engine.seekStep`. */
  seek(found: Int32Array): number {
    const asked = this.asked[this.step.instance];
    if (asked === null || asked === undefined) return 0;
    const { bits, position } = asked;
    const { sought } = asked.answers;
    const isEntered = this.entered === this.encoding.loaded;
    const start = isEntered ? this.touchingOf(this.step.effect) : 0;
    const { loud, touching } = this;
    let count = 0;
    for (let word = 0; word < bits.length; word++) {
      let open = bits[word]!;
      if (isEntered) open &= touching[start + word]! | loud[word]!;
      while (open !== 0) {
        // The lowest bit comes first.
        const bit = open & -open;
        open ^= bit;
        const predicate = 32 * word + 31 - Math.clz32(bit);
        const index = position[predicate]!;
        if (this.step.test(predicate) === (sought[index] === 1)) found[count++] = index;
      }
    }
    return count;
  }

  /** Where the set of predicates begins, in `touching`, that read what the effect writes. */
  private touchingOf(effect: number): number {
    const { stepDependencies, effects, operations, slots, guard } = this.learner;
    const { version, set } = stepDependencies;
    const size = set.length;
    const start = effect * size;
    if (this.versions[effect] === version + 1) return start;
    if (effect >= this.versions.length) {
      const room = 2 * effects.list.length;
      this.versions = extended(this.versions, room, guard);
      this.touching = extended(this.touching, room * size, guard);
    }
    this.touching.fill(0, start, start + size);
    const { writes, operations: changes } = effects.list[effect]!;
    for (const [slot] of writes) {
      stepDependencies.addReaders(slots.slots[slot]!, this.touching, start);
    }
    for (const operation of changes) {
      stepDependencies.addReaders(operations.slot(operation), this.touching, start);
    }
    this.versions[effect] = version + 1;
    return start;
  }
}

function add(set: Int32Array, member: number): void {
  set[member >> 5] = set[member >> 5]! | (1 << (member & 31));
}
