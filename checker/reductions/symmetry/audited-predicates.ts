import { DefectError } from '../../errors.ts';
import type { StatePredicate, StepPredicate } from '../../instances.ts';
import {
  type CompiledProperties,
  type JudgedPredicates,
  type Judgement,
  NO_PREDICATE,
} from '../../judgements.ts';
import type { ActionInstance } from '../../property.ts';
import { lazily } from './labelled-rows.ts';
import type { RenamedViews } from './renamed-view.ts';

/** A renaming under which predicates are asked again. */
export interface AuditedRenaming {
  readonly views: RenamedViews;
  judgement(judgement: Judgement): Judgement;
  action(action: ActionInstance): ActionInstance;
}

/**
 * The predicates of all properties, made to ask the same of renamed states whenever they run. They
 * throw `DefectError` if the answers differ: the property distinguishes names that the model
 * declares interchangeable, and the search judges one state of each orbit only.
 *
 * An engine that runs a predicate once for each distinct view also records what the renamed
 * predicates read. So the answers agree in every state with that view.
 */
export function auditedPredicates<State>(
  { properties, statePredicates, stepPredicates }: CompiledProperties<State>,
  renamings: readonly AuditedRenaming[],
): JudgedPredicates<State> {
  const onStates = [...statePredicates];
  const onSteps = [...stepPredicates];
  for (const { property, judgements } of properties) {
    for (const judgement of judgements) {
      for (const part of ['trigger', 'check'] as const) {
        const number = judgement[part];
        if (number === NO_PREDICATE) continue;
        // Of hundreds of predicates many are never evaluated; to find all images takes seconds.
        const imageOf = (renaming: AuditedRenaming) => renaming.judgement(judgement)[part];
        if (property.kind === 'step') {
          const images = lazily(() => renamings.map((one) => stepPredicates[imageOf(one)]!));
          onSteps[number] = auditedStep(stepPredicates[number]!, images, renamings);
        } else {
          const images = lazily(() => renamings.map((one) => statePredicates[imageOf(one)]!));
          onStates[number] = auditedState(statePredicates[number]!, images, renamings);
        }
      }
    }
  }
  return { statePredicates: onStates, stepPredicates: onSteps };
}

function auditedState<State>(
  predicate: StatePredicate<State>,
  images: () => readonly StatePredicate<State>[],
  renamings: readonly AuditedRenaming[],
): StatePredicate<State> {
  return {
    ...predicate,
    evaluate(state) {
      const answer = Boolean(predicate.evaluate(state));
      const asked = images();
      renamings.forEach(({ views }, index) => {
        const image = asked[index]!;
        if (Boolean(image.evaluate(views.of(state))) !== answer) throw asymmetry(image);
      });
      return answer;
    },
  };
}

function auditedStep<State>(
  predicate: StepPredicate<State>,
  images: () => readonly StepPredicate<State>[],
  renamings: readonly AuditedRenaming[],
): StepPredicate<State> {
  return {
    ...predicate,
    evaluate(before, action, after) {
      const answer = Boolean(predicate.evaluate(before, action, after));
      const asked = images();
      renamings.forEach(({ views, action: renamed }, index) => {
        const image = asked[index]!;
        const other = image.evaluate(views.of(before), renamed(action), views.of(after));
        if (Boolean(other) !== answer) throw asymmetry(image);
      });
      return answer;
    },
  };
}

function asymmetry({ name, parameters }: Pick<StatePredicate<never>, 'name' | 'parameters'>) {
  return new DefectError({
    kind: 'asymmetric',
    culprit: name,
    parameters,
    message:
      'it depends on names that the model declares interchangeable: list the members that it ' +
      'names in `mentions`, or switch symmetry off',
  });
}
