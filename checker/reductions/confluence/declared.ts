import { executed } from '../../engine/plain.ts';
import { DefectError } from '../../errors.ts';
import type { Instance } from '../../instances.ts';
import type { Confluence, Model } from '../../model.ts';
import { canonicalText } from '../../values/canonical.ts';

/** A declared confluence, applied to the instances of a model. */
export interface AppliedConfluence<State> {
  readonly model: Model<State>;
  readonly instances: readonly Instance<State>[];
  readonly declared: Confluence<State>;
  /** By instance: the state predicate that is true where it is confluent, or `NO_PREDICATE`. */
  readonly guards: Int32Array;
  /** Keys of the sections that confluent steps write. */
  readonly written: ReadonlySet<string>;
}

/**
 * Executes plain `produce` to find out whether the other steps of a state are independent of its
 * confluent ones. After all confluent steps, each of the others must still be enabled, by some
 * instance of its action, and change all sections that confluent steps do not write in the same
 * way. Throws `DefectError` if not.
 */
export function auditConfluence<State>(confluence: AppliedConfluence<State>, before: State): void {
  const { instances } = confluence;
  const settled = afterConfluentSteps(confluence, before);
  for (const { number, action, identity } of instances) {
    if (isConfluent(confluence, before, number)) continue;
    const after = executed(confluence, before, number);
    if (after === null) continue;
    const sought = textOfRest(confluence, after);
    const isIndependent = instances.some((other) => {
      if (other.action !== action) return false;
      const reached = executed(confluence, settled, other.number);
      return reached !== null && textOfRest(confluence, reached) === sought;
    });
    if (isIndependent) continue;
    const { name, parameters } = identity;
    throw new DefectError({
      kind: 'notConfluent',
      culprit: name,
      parameters,
      message: `it depends on steps that are declared confluent, in state ${canonicalText(before)}`,
    });
  }
}

/** The state after all confluent steps, or on a cycle of them. */
function afterConfluentSteps<State>(confluence: AppliedConfluence<State>, from: State): State {
  const visited = new Set<string>();
  let state = from;
  while (!visited.has(canonicalText(state))) {
    visited.add(canonicalText(state));
    const next = confluence.instances.find(({ number }) => isConfluent(confluence, state, number));
    if (next === undefined) break;
    state = executed(confluence, state, next.number)!;
  }
  return state;
}

function isConfluent<State>(
  confluence: AppliedConfluence<State>,
  state: State,
  number: number,
): boolean {
  const { guards, declared, instances } = confluence;
  const { name, parameters } = instances[number]!.identity;
  return (
    guards[number]! >= 0 &&
    executed(confluence, state, number) !== null &&
    declared.isConfluent(state, name, parameters)
  );
}

/** The text of the sections that confluent steps do not write. */
function textOfRest<State>({ written }: AppliedConfluence<State>, state: State): string {
  const sections = Object.entries(state as Readonly<Record<string, unknown>>);
  return canonicalText(Object.fromEntries(sections.filter(([key]) => !written.has(key))));
}
