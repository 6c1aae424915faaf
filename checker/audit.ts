import type { Engine, Question } from './engine/engine.ts';
import { executed } from './engine/plain.ts';
import { emptyTransitionBuffer } from './liveness/graph.ts';
import { isSameOrbit, mismatch } from './traces/replay.ts';

/**
 * Executes a sample of transitions again, through immer's own `produce`. With each of them it also
 * tries the next disabled instance of the same state, to find transitions that are missing. In a
 * state that was expanded by an ample set, it audits all transitions that were left out.
 */
export class Auditor<State> {
  /** The number of transitions at which the next audit is due. */
  next: number;
  /** Transitions audited. */
  audited = 0;
  private readonly every: number;
  private readonly engine: Engine<State>;
  private readonly question: Question<State>;
  private readonly buffer = emptyTransitionBuffer();

  constructor(engine: Engine<State>, question: Question<State>, every: number) {
    this.engine = engine;
    this.question = question;
    this.every = every;
    this.next = every === 0 ? Number.POSITIVE_INFINITY : every;
  }

  /**
   * Audits the transitions of the expanded state that are due. `found` is the number of transitions
   * of the search so far, those of this state included.
   */
  audit(state: number, found: number): void {
    const { engine, buffer } = this;
    const count = engine.successors(state, buffer);
    const first = found - count;
    for (; this.next <= found; this.next += this.every) {
      const index = this.next - first - 1;
      const instance = buffer.actions[index]!;
      this.compare(state, instance, buffer.targets[index]!);
      this.audited++;
      if (engine.reducedBy !== null) {
        engine.reducedBy.audit(engine.decode(state));
        continue;
      }
      const disabled = instance + 1;
      const isEnabled = buffer.actions.subarray(0, count).includes(disabled);
      if (disabled < engine.actionCount && !isEnabled) this.compare(state, disabled, state);
    }
  }

  private compare(state: number, number: number, target: number): void {
    const { engine, question } = this;
    const before = engine.decode(state);
    const after = executed(question, before, number) ?? before;
    if (!isSameOrbit(question, engine.decode(target), after)) {
      throw mismatch(question, before, number);
    }
    const { audited } = this;
    question.reductions.orbits?.audit({ before, instance: number, after, audited });
  }
}
