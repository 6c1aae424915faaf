import { CheckerError } from '../../errors.ts';
import { NO_PREDICATE } from '../../judgements.ts';
import type { Confluence, Model } from '../../model.ts';
import { uses, without } from '../chosen.ts';
import type {
  Decision,
  EngineView,
  Reduction,
  ReductionContext,
  ReductionKind,
} from '../reduction.ts';
import { ConfluentSteps } from './selector.ts';

const LEAVES_OPEN =
  'It reads what confluent steps write. Only a second search, without confluence, could decide it.';

/**
 * Ample sets of one step that the model declares to be confluent. Where such a step is enabled,
 * only it is expanded: the runs that put it off differ from those that do not in nothing that is
 * judged.
 *
 * After S. Blom and J. van de Pol, "State space reduction by proving confluence" (CAV 2002), whose
 * confluent steps commute in every respect; these do so up to the sections that they write.
 */
export const confluence: ReductionKind = {
  name: 'confluence',
  decide(context) {
    const { model, options } = context;
    if (!uses(options, 'confluence', 'confluence-only')) {
      return { reduction: null, report: () => ({}) };
    }
    if (model.confluence === undefined) {
      return notApplied('the model declares no confluent steps');
    }
    validate(model, model.confluence);
    if (options.engine === 'naive') {
      throw new CheckerError('badConfluence', 'the naive engine does not support confluence');
    }
    return apply(context, model.confluence);
  },
  without: (options) => without(options, 'confluence', 'confluence-only'),
  advice: ({ model, reductions }) =>
    model.confluence !== undefined && reductions === undefined
      ? 'have confluent steps taken at once (option reductions)'
      : null,
  undecided: (result) => ({
    judgedWithout: result.confluence?.judgedWithout ?? [],
    leftOpen: result.confluence?.leftOpen ?? [],
  }),
};

function notApplied(reason: string): Decision<never> {
  const report = { applied: false, reason, steps: 0, judgedWithout: [], leftOpen: [] };
  return { reduction: null, report: () => ({ confluence: report }) };
}

function apply<State>(
  { options, model, instances, addStatePredicate }: ReductionContext<State>,
  declared: Confluence<State>,
): Decision<State> {
  const guards = Int32Array.from(instances, ({ identity: { name, parameters } }) => {
    if (!declared.actions.includes(name)) return NO_PREDICATE;
    const evaluate = (state: State) => declared.isConfluent(state, name, parameters);
    return addStatePredicate({ name: `confluence of ${name}`, parameters, evaluate });
  });
  const written = new Set(declared.writes);
  const reduction: Reduction<State> = {
    kind: confluence,
    orbits: null,
    ample: (engine: EngineView) =>
      new ConfluentSteps(reduction, { model, instances, declared, guards, written }, engine),
    leavesOpen: uses(options, 'confluence-only') ? LEAVES_OPEN : null,
  };
  return {
    reduction,
    report: ({ reducedStates, judgedWithout, leftOpen }) => ({
      confluence: { applied: true, reason: null, steps: reducedStates, judgedWithout, leftOpen },
    }),
  };
}

function validate<State>(model: Model<State>, { writes, actions }: Confluence<State>): void {
  const refuse = (message: string): never => {
    throw new CheckerError('badConfluence', `the confluence of model ${model.name} ${message}`);
  };
  const section = writes.find((key) => !(key in model.slots));
  if (section !== undefined) refuse(`writes ${section}, which is not in its state`);
  for (const name of actions) {
    const action = model.actions[name];
    if (action === undefined) refuse(`names the action ${name}, which it does not have`);
    // Fairness must not allow a run to leave out a step that is taken for granted here.
    else if ((action.fairness ?? 'none') === 'none')
      refuse(`names the action ${name}, which is not fair`);
  }
}
