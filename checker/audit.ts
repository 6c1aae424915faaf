import type { Engine, Question } from './engine/engine.ts';
import { produced, validated } from './engine/plain.ts';
import { emptyTransitionBuffer } from './liveness/graph.ts';
import type { Audits } from './options.ts';
import { RenamedStates } from './traces/renamed-states.ts';
import { isSameOrbit, mismatch } from './traces/replay.ts';
import { hasTextOf } from './values/canonical.ts';

/**
 * So many audits of an even sample include the reductions, whose audits take much longer than a
 * step;
 */
const FULL_AUDITS = 32;
/** then one in so many does. */
const AUDITS_PER_FULL_AUDIT = 32;
/**
 * Growing gaps: so many first transitions are all audited, and so many of each e-fold after them.
 */
const AUDITS_PER_FOLD = 128;
/**
 * Of a thinning sample: the gap is this times the root of the transitions so far, and at most that.
 */
const GAP_PER_ROOT = 16;
const WIDEST_GAP = 5000;

/**
 * Executes a sample of transitions again, through immer's own `produce`. With each of them it also
 * tries the next disabled instance of the same state, to find transitions that are missing.
 *
 * It also audits what reductions left out: renamed transitions under a symmetry, and all
 * transitions that are not in an ample set. It does so with each of the first 32 sampled
 * transitions, and with one in 32 after that; in a thinning sample with the first, second, fourth,
 * eighth and so on.
 *
 * A thinning sample costs a small part of any search. An audit is due at transition 1, 17, 82, 226,
 * 466 and so on, and at last at one in 5,000. Of the state of that transition, it executes the one
 * whose action instance was audited least often, as most transitions of a search are of a few
 * instances.
 */
export class Auditor<State> {
  /** The number of transitions at which the next audit is due. */
  next: number;
  /** Transitions audited. */
  audited = 0;
  /** One transition in so many is audited; 0: none; `growing`: the first ones, then ever fewer. */
  readonly every: Audits | 'growing';
  /** By action instance: how many of its transitions were audited, of a thinning sample. */
  private readonly auditsOf: Float64Array;
  private readonly engine: Engine<State>;
  private readonly question: Question<State>;
  private readonly buffer = emptyTransitionBuffer();
  private readonly images: RenamedStates<State> | null;

  constructor(engine: Engine<State>, question: Question<State>, every: Audits | 'growing') {
    this.engine = engine;
    this.question = question;
    this.every = every;
    const { model, reductions } = question;
    this.images = reductions.orbits && new RenamedStates(model, reductions.orbits);
    this.auditsOf = new Float64Array(engine.actionCount);
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
      const index = this.every === 'thinning' ? this.leastAudited(count) : this.next - first - 1;
      const instance = buffer.actions[index]!;
      const before = engine.decode(state);
      const target = engine.decode(buffer.targets[index]!);
      const isFull = this.includesReductions(this.audited + 1);
      this.compare(before, instance, target, engine.renamings[index]!, isFull);
      this.audited++;
      this.auditsOf[instance]!++;
      if (engine.reducedBy !== null) {
        if (isFull) engine.reducedBy.audit(before);
        continue;
      }
      const disabled = instance + 1;
      const isEnabled = buffer.actions.subarray(0, count).includes(disabled);
      if (disabled < engine.actionCount && !isEnabled) {
        this.compare(before, disabled, before, 0, isFull);
      }
    }
  }

  private gap(transition: number): number {
    switch (this.every) {
      case 'growing':
        return Math.max(1, Math.floor(transition / AUDITS_PER_FOLD));
      case 'thinning':
        return Math.min(WIDEST_GAP, Math.max(1, Math.floor(GAP_PER_ROOT * Math.sqrt(transition))));
      default:
        return this.every;
    }
  }

  /** The first of those transitions of the state whose instances were audited least often. */
  private leastAudited(count: number): number {
    const { auditsOf, buffer } = this;
    let least = 0;
    for (let index = 1; index < count; index++) {
      const isLess = auditsOf[buffer.actions[index]!]! < auditsOf[buffer.actions[least]!]!;
      if (isLess) least = index;
    }
    return least;
  }

  /** @param audit its number, from 1 on. */
  private includesReductions(audit: number): boolean {
    const { every } = this;
    // Powers of two.
    if (every === 'thinning') return Number.isInteger(Math.log2(audit));
    if (every === 1 || every === 'growing' || audit <= FULL_AUDITS) return true;
    return audit % AUDITS_PER_FULL_AUDIT === 0;
  }

  /** @param renaming the one that, by the engine, takes the successor to the target. */
  private compare(
    before: State,
    number: number,
    target: State,
    renaming: number,
    isFull: boolean,
  ): void {
    const { question, images } = this;
    const { orbits } = question.reductions;
    const after = produced(question, before, number);
    const successor = () => validated(question, before, number, after) ?? before;
    // A quick look first, which may be false where the transition is right: if another renaming
    // leads there.
    const isThere =
      images === null || renaming === 0
        ? hasTextOf(after, target)
        : images.takes(renaming, after, target);
    if (!isThere && !isSameOrbit(question, target, successor())) {
      throw mismatch(question, before, number);
    }
    if (orbits === null || images === null || !isFull) return;
    const { audited } = this;
    orbits.audit({ before, instance: number, after: successor(), audited, images });
  }
}
