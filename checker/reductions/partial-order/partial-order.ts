import { CheckerError } from '../../errors.ts';
import type { Property } from '../../property.ts';
import { uses, without } from '../chosen.ts';
import type { Decision, Reduction, ReductionContext, ReductionKind } from '../reduction.ts';
import { StubbornSteps } from './selector.ts';

/**
 * Expands stubborn sets: of steps that do not depend on one another, only some orders are searched.
 * What depends on what is computed from what the engine records of each step.
 */
export const partialOrder: ReductionKind = {
  name: 'partial order',
  decide(context) {
    const { options } = context;
    if (!uses(options, 'partial-order')) return { reduction: null, report: () => ({}) };
    if (options.engine === 'naive') {
      throw new CheckerError(
        'badOption',
        'the naive engine does not support partial-order: it does not record what steps read',
      );
    }
    const reason = reasonAgainst(context);
    return reason === null ? apply(context) : notApplied(reason);
  },
  without: (options) => without(options, 'partial-order'),
  advice: ({ reductions }) =>
    reductions === undefined
      ? 'search independent steps in fewer orders (option reductions)'
      : null,
  undecided: (result) => ({
    judgedWithout: result.partialOrder?.judgedWithout ?? [],
    leftOpen: [],
  }),
};

function reasonAgainst<State>({ options, applied }: ReductionContext<State>): string | null {
  if (options.within !== undefined) return 'a step that is put off may leave the constraint';
  if (options.checkpoint !== undefined) return 'a search that is saved does without it';
  if (options.storage !== undefined) return 'a search with states in files does without it';
  if (applied.some(({ ample }) => ample !== null)) return 'confluent steps are taken first';
  if (applied.some(({ orbits }) => orbits !== null)) return 'symmetry merges states; switch it off';
  return null;
}

function notApplied(reason: string): Decision<never> {
  const report = { applied: false, reason, states: 0, judgedWithout: [] };
  return { reduction: null, report: () => ({ partialOrder: report }) };
}

function apply<State>({ model, instances, compiled }: ReductionContext<State>): Decision<State> {
  const properties = compiled.properties.filter(({ property }) => isCovered(property));
  const isLive = properties.some(({ property }) => property.kind === 'eventually');
  const question = { model, instances, properties, isLive };
  const reduction: Reduction<State> = {
    kind: partialOrder,
    orbits: null,
    ample: (engine) => new StubbornSteps(reduction, question, engine),
    leavesOpen: null,
  };
  return {
    reduction,
    report: ({ reducedStates, judgedWithout }) => ({
      partialOrder: { applied: true, reason: null, states: reducedStates, judgedWithout },
    }),
  };
}

/** What is met by steps, or has to be met for ever, is judged by a second search. */
function isCovered<State>(property: Property<State>): boolean {
  return (
    property.kind !== 'eventually' || (property.forever !== true && property.metBy === undefined)
  );
}
