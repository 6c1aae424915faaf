import type { Engine, Question } from './engine/engine.ts';
import { executed } from './engine/plain.ts';
import { DefectError, defectOf } from './errors.ts';
import { emptyTransitionBuffer } from './liveness/graph.ts';
import type { Parameters } from './model.ts';
import { auditConfluence, endlessSteps } from './reductions/confluence/audit.ts';
import type { AppliedSymmetry } from './reductions/symmetry/symmetry.ts';
import { mismatch, renamingsOf } from './traces/replay.ts';
import { canonicalText } from './values/canonical.ts';

/**
 * Re-executes a sample of transitions through immer's own `produce`. With each one the next
 * disabled instance of the same state is tried as well: a transition that is missing is as bad as a
 * wrong one. With a confluent step all of those are tried that were not looked at for its sake.
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
   * To be called where a confluent step has led to a state that was known: confluent steps that lead
   * back to where they began hide all others for ever. Looks at each such round once, from the state
   * of it that was found last.
   */
  endOfConfluence(state: number): void {
    const { engine, buffer, question } = this;
    let at = state;
    let step = 0;
    do {
      engine.successors(at, buffer);
      if (!engine.isConfluent) return;
      step = buffer.actions[0]!;
      at = buffer.targets[0]!;
    } while (at >= 0 && at < state);
    if (at === state) throw endlessSteps(question.instances[step]!.identity);
  }

  /** Audits the due transitions of a state just expanded; `found` counts its own as well. */
  audit(state: number, found: number): void {
    const { engine, buffer, question } = this;
    const count = engine.successors(state, buffer);
    const first = found - count;
    for (; this.next <= found; this.next += this.every) {
      const index = this.next - first - 1;
      const instance = buffer.actions[index]!;
      this.compare(state, instance, buffer.targets[index]!);
      this.audited++;
      if (question.confluence !== null && engine.isConfluent) {
        auditConfluence(question, question.confluence, engine.decode(state));
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
    if (renamingsOf(question, engine.decode(target), after).length === 0) {
      throw mismatch(question, before, number);
    }
    if (question.symmetry !== null) this.rename(question.symmetry, before, number, after);
  }

  /**
   * Whether the renamed instance leads from the renamed state to the renamed successor; where the
   * state looks alike under several renamings, one of them is enough.
   */
  private rename(
    symmetry: AppliedSymmetry<State>,
    before: State,
    number: number,
    after: State,
  ): void {
    const { question } = this;
    const renaming = 1 + (this.audited % (symmetry.group.size - 1));
    const renamed = symmetry.state(renaming, before);
    const goesAlong = symmetry.between(before, renamed).some((alike) => {
      const reached = executed(question, renamed, symmetry.instance(alike, number)) ?? renamed;
      return canonicalText(reached) === symmetry.text(alike, after);
    });
    if (!goesAlong) {
      const { name, parameters } =
        question.instances[symmetry.instance(renaming, number)]!.identity;
      throw asymmetry(name, parameters, canonicalText(renamed));
    }
    // One predicate at a time: all of them would take longer than the search.
    this.judge(symmetry, renaming, before, renamed);
  }

  private judge(
    symmetry: AppliedSymmetry<State>,
    renaming: number,
    before: State,
    renamed: State,
  ): void {
    const { statePredicates } = this.question;
    if (statePredicates.length === 0) return;
    const number = this.audited % statePredicates.length;
    // Guards of confluent steps have no images: each asks about its own instance.
    if (!symmetry.knowsPredicate(number)) return;
    const one = statePredicates[number]!;
    const other = statePredicates[symmetry.statePredicate(renaming, number)]!;
    try {
      if (Boolean(one.evaluate(before)) === Boolean(other.evaluate(renamed))) return;
    } catch (error) {
      throw defectOf(error, one.culprit, one.parameters);
    }
    throw asymmetry(other.culprit, other.parameters, canonicalText(renamed));
  }
}

function asymmetry(culprit: string, parameters: Parameters, state: string): DefectError {
  return new DefectError({
    kind: 'asymmetric',
    culprit,
    parameters,
    message: `the symmetry that the model declares does not hold: it goes by names in state ${state}`,
  });
}
