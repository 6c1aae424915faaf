import type { Question } from '../../engine/engine.ts';
import { executed } from '../../engine/plain.ts';
import { DefectError } from '../../errors.ts';
import type { ActionInstance } from '../../property.ts';
import { canonicalText } from '../../values/canonical.ts';
import type { AppliedConfluence } from './confluence.ts';

/**
 * Whether a confluent step, and what is confluent after it, leaves the others as they were: each of
 * them can still be taken, by some instance of its action, and does the same in all sections that
 * confluent steps do not write. Throws `DefectError` if not. Executes plain `produce`.
 */
export function auditConfluence<State>(
  question: Question<State>,
  confluence: AppliedConfluence<State>,
  before: State,
): void {
  const { instances } = question;
  const settled = settledFrom(question, confluence, before);
  const numbers = instances.map(({ number }) => number);
  for (const number of numbers) {
    if (isConfluent(question, confluence, before, number)) continue;
    const after = executed(question, before, number);
    if (after === null) continue;
    const sought = seen(confluence, after);
    const alike = numbers.filter((other) => instances[other]!.action === instances[number]!.action);
    const isUnchanged = alike.some((other) => {
      const reached = executed(question, settled, other);
      return reached !== null && seen(confluence, reached) === sought;
    });
    if (isUnchanged) continue;
    const { name, parameters } = instances[number]!.identity;
    throw new DefectError({
      kind: 'notConfluent',
      culprit: name,
      parameters,
      message: `it notices steps that are said to be confluent, in state ${canonicalText(before)}`,
    });
  }
}

/** The defect that nothing but confluent steps leads back to where this one leads to. */
export function endlessSteps({ name, parameters }: ActionInstance): DefectError {
  return new DefectError({
    kind: 'notConfluent',
    culprit: name,
    parameters,
    message: 'steps that are said to be confluent follow one another without end',
  });
}

/** What comes of all confluent steps; a state that comes again ends it. */
function settledFrom<State>(
  question: Question<State>,
  confluence: AppliedConfluence<State>,
  from: State,
): State {
  const met = new Set<string>();
  let state = from;
  while (!met.has(canonicalText(state))) {
    met.add(canonicalText(state));
    const next = question.instances.find(({ number }) =>
      isConfluent(question, confluence, state, number),
    );
    if (next === undefined) break;
    state = executed(question, state, next.number)!;
  }
  return state;
}

function isConfluent<State>(
  question: Question<State>,
  { guards, declared }: AppliedConfluence<State>,
  state: State,
  number: number,
): boolean {
  const { name, parameters } = question.instances[number]!.identity;
  return (
    guards[number]! >= 0 &&
    executed(question, state, number) !== null &&
    declared.isConfluent(state, name, parameters)
  );
}

/** The text of what confluent steps do not write. */
function seen<State>({ written }: AppliedConfluence<State>, state: State): string {
  const sections = Object.entries(state as Readonly<Record<string, unknown>>);
  return canonicalText(Object.fromEntries(sections.filter(([key]) => !written.has(key))));
}
