import { NOT_LEARNT } from '../values/tries.ts';
import { NO_EFFECT } from './effects.ts';
import type { Encoding } from './encoding.ts';
import { EFFECT_COLUMN, INSTANCE_COLUMN, type Learner, THREW_LEAF, TRUE_LEAF } from './learner.ts';

/** The step from the loaded state that step predicates are asked of. */
export class ObservedStep<State> {
  instance = 0;
  effect = NO_EFFECT;
  private readonly learner: Learner<State>;
  private readonly encoding: Encoding<State>;
  /** The row after the step, before any renaming. */
  private row = new Int32Array(0);
  private isUnpacked = false;

  constructor(learner: Learner<State>, encoding: Encoding<State>) {
    this.learner = learner;
    this.encoding = encoding;
  }

  /** Call it again for the same step if another state was loaded meanwhile. */
  observe(instance: number, effect: number): void {
    this.instance = instance;
    this.effect = effect;
    this.isUnpacked = false;
  }

  /** A predicate that throws for a step that changes nothing may be true of it. */
  test(predicate: number): boolean {
    const leaf = this.leaf(predicate);
    if (leaf !== THREW_LEAF) return leaf === TRUE_LEAF;
    // Of a step of the search it is a defect: learnt again, it throws again.
    return this.effect === NO_EFFECT || this.learn(predicate) === TRUE_LEAF;
  }

  /** Whether the predicate gives this answer, and without looking at the action. */
  answers(predicate: number, answer: boolean): boolean {
    const leaf = this.leaf(predicate);
    if (leaf === THREW_LEAF || this.learner.readsAction[predicate] === 1) return false;
    return (leaf === TRUE_LEAF) === answer;
  }

  private leaf(predicate: number): number {
    if (!this.isUnpacked) this.unpack();
    const { nodes, roots } = this.learner.tries;
    const { answers } = this.encoding;
    const after = this.encoding.unpackingAfter.answers;
    let node = roots[this.learner.stepTrie(predicate)]!;
    while (node > 0) {
      const column = nodes[node]!;
      const place = (column < 0 ? after[~column]! : answers[column]!) - nodes[node + 2]!;
      node = place >>> 0 < nodes[node + 1]! ? nodes[node + 3 + place]! : NOT_LEARNT;
    }
    return node === NOT_LEARNT ? this.learn(predicate) : node;
  }

  private learn(predicate: number): number {
    const { learner, encoding, instance, effect } = this;
    learner.log?.step(encoding.loaded, predicate, instance, effect);
    const leaf = learner.learnStep(predicate, instance, effect, encoding.local);
    encoding.adapt();
    this.isUnpacked = false;
    return ~leaf;
  }

  private unpack(): void {
    const { effects, operations } = this.learner;
    const { store, layout, loaded, answers, unpackingAfter } = this.encoding;
    const { rows, width } = store;
    const { keep, set } = effects;
    if (this.row.length !== width) this.row = new Int32Array(width);
    const { row, effect } = this;
    const offset = store.place(loaded);
    const base = effect * width;
    for (let word = 0; word < width; word++) {
      row[word] = (rows[offset + word]! & keep[base + word]!) | set[base + word]!;
    }
    const start = effects.operationStart[effect]!;
    if (start !== 0) {
      const end = start + 1 + 2 * effects.operations[start]!;
      for (let at = start + 1; at < end; at += 2) {
        const slot = effects.operations[at]!;
        // The step was applied before, so the result is known.
        const after = operations.apply(effects.operations[at + 1]!, layout.read(row, 0, slot));
        layout.write(row, slot, after);
      }
    }
    unpackingAfter.unpack(row, 0);
    answers[INSTANCE_COLUMN] = this.instance;
    unpackingAfter.answers[~EFFECT_COLUMN] = effect;
    this.isUnpacked = true;
  }
}
