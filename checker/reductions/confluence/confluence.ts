import { CheckerError } from '../../errors.ts';
import type { Instance, StatePredicate } from '../../instances.ts';
import { type CompiledProperties, NO_PREDICATE } from '../../judgements.ts';
import type { Confluence, Model } from '../../model.ts';
import type { ConfluenceReport } from '../../result.ts';

/**
 * The steps that a search may take before all others. Where one of them can be taken, only it is
 * looked at: the runs that put it off differ from those that do not in nothing that is judged.
 *
 * After S. Blom and J. van de Pol, "State space reduction by proving confluence" (CAV 2002), whose
 * confluent steps commute in every respect; these do so up to the sections that they write.
 */
export interface AppliedConfluence<State> {
  readonly declared: Confluence<State>;
  /** By instance: the state predicate that tells where it is confluent, or `NO_PREDICATE`. */
  readonly guards: Int32Array;
  /** Keys of the sections that confluent steps write. */
  readonly written: ReadonlySet<string>;
}

/** What comes of a declared confluence in one check. */
export interface ConfluenceDecision<State> {
  /** Null: every step is looked at. */
  readonly applied: AppliedConfluence<State> | null;
  /** Those of the properties, then the guards. */
  readonly statePredicates: readonly StatePredicate<State>[];
  /** Null: nobody has asked. */
  readonly report: ConfluenceReport | null;
}

/** Throws `CheckerError` if the declaration does not fit the model. */
export function decideConfluence<State>(
  model: Model<State>,
  instances: readonly Instance<State>[],
  { statePredicates }: CompiledProperties<State>,
  asked: boolean,
): ConfluenceDecision<State> {
  const without = { applied: null, statePredicates };
  if (!asked) return { ...without, report: null };
  const declared = model.confluence;
  if (declared === undefined) {
    const reason = 'the model declares no steps that may be taken at once';
    return {
      ...without,
      report: { applied: false, reason, steps: 0, judgedWithout: [], leftOpen: [] },
    };
  }
  validateConfluence(model, declared);
  const predicates = [...statePredicates];
  const guards = Int32Array.from(instances, ({ identity: { name, parameters } }) => {
    if (!declared.actions.includes(name)) return NO_PREDICATE;
    const evaluate = (state: State) => declared.isConfluent(state, name, parameters);
    return predicates.push({ culprit: `confluence of ${name}`, parameters, evaluate }) - 1;
  });
  return {
    applied: { declared, guards, written: new Set(declared.writes) },
    statePredicates: predicates,
    report: { applied: true, reason: null, steps: 0, judgedWithout: [], leftOpen: [] },
  };
}

function validateConfluence<State>(
  model: Model<State>,
  { writes, actions }: Confluence<State>,
): void {
  const refuse = (message: string): never => {
    throw new CheckerError('badConfluence', `the confluence of model ${model.name} ${message}`);
  };
  const section = writes.find((key) => !(key in model.slots));
  if (section !== undefined) refuse(`writes ${section}, which is no part of its state`);
  for (const name of actions) {
    const action = model.actions[name];
    if (action === undefined) refuse(`is about ${name}, which is no action of it`);
    // A step that may be left undone for ever must not be taken for granted.
    else if ((action.fairness ?? 'none') === 'none') refuse(`is about ${name}, which is not fair`);
  }
}
