import type { Engine, Question } from './engine/engine.ts';
import { produced, validated } from './engine/plain.ts';
import { emptyTransitionBuffer } from './liveness/graph.ts';
import { RenamedStates } from './traces/renamed-states.ts';
import { isSameOrbit, mismatch } from './traces/replay.ts';
import { hasTextOf } from './values/canonical.ts';

/** So many audits include the reductions, whose audits take much longer than a step; */
const FULL_AUDITS = 32;
/** then one in so many does. */
const AUDITS_PER_FULL_AUDIT = 32;
/** Growing gaps: so many first transitions are all audited, and so many of each e-fold after them. */
const AUDITS_PER_FOLD = 128;

/**
 * Executes a sample of transitions again, through immer's own `produce`. With each of them it also
 * tries the next disabled instance of the same state, to find transitions that are missing.
 *
 * It also audits what reductions left out: renamed transitions under a symmetry, and all transitions
 * that are not in an ample set. It does so with each of the first 32 sampled transitions, and with
 * one in 32 after that.
 */
export class Auditor<State> {
  /** The number of transitions at which the next audit is due. */
  next: number;
  /** Transitions audited. */
  audited = 0;
  /** One transition in so many is audited; 0: none; `growing`: the first ones, then ever fewer. */
  readonly every: number | 'growing';
  private readonly engine: Engine<State>;
  private readonly question: Question<State>;
  private readonly buffer = emptyTransitionBuffer();
  private readonly images: RenamedStates<State> | null;

  constructor(engine: Engine<State>, question: Question<State>, every: number | 'growing') {
    this.engine = engine;
    this.question = question;
    this.every = every;
    const { model, reductions } = question;
    this.images = reductions.orbits && new RenamedStates(model, reductions.orbits);
    this.next = every === 0 ? Number.POSITIVE_INFINITY : this.gap(0);
  }

  /**
   * Audits the transitions of the expanded state that are due. `found` is the number of transitions
   * of the search so far, those of this state included.
   */
  audit(state: number, found: number): void {
    const { engine, buffer } = this;
    const count = engine.successors(state, buffer);
    const first = found - count;
    for (; this.next <= found; this.next += this.gap(this.next)) {
      const index = this.next - first - 1;
      const instance = buffer.actions[index]!;
      const before = engine.decode(state);
      const target = engine.decode(buffer.targets[index]!);
      this.compare(before, instance, target, engine.renamings[index]!);
      this.audited++;
      if (engine.reducedBy !== null) {
        if (this.isFull) engine.reducedBy.audit(before);
        continue;
      }
      const disabled = instance + 1;
      const isEnabled = buffer.actions.subarray(0, count).includes(disabled);
      if (disabled < engine.actionCount && !isEnabled) this.compare(before, disabled, before, 0);
    }
  }

  private gap(transition: number): number {
    if (this.every !== 'growing') return this.every;
    return Math.max(1, Math.floor(transition / AUDITS_PER_FOLD));
  }

  private get isFull(): boolean {
    const { every, audited } = this;
    if (every === 1 || every === 'growing' || audited <= FULL_AUDITS) return true;
    return audited % AUDITS_PER_FULL_AUDIT === 0;
  }

  /** @param renaming the one that, by the engine, takes the successor to the target. */
  private compare(before: State, number: number, target: State, renaming: number): void {
    const { question, images } = this;
    const { orbits } = question.reductions;
    const after = produced(question, before, number);
    const successor = () => validated(question, before, number, after) ?? before;
    // A quick look first, which may be false where the transition is right: if another renaming leads there.
    const isThere =
      images === null || renaming === 0
        ? hasTextOf(after, target)
        : images.takes(renaming, after, target);
    if (!isThere && !isSameOrbit(question, target, successor())) {
      throw mismatch(question, before, number);
    }
    if (orbits === null || images === null || !this.isFull) return;
    const { audited } = this;
    orbits.audit({ before, instance: number, after: successor(), audited, images });
  }
}
