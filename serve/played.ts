import type { Setup } from '../model/index.ts';
import { InputError } from '../text/input-error.ts';
import { hint } from '../text/messages.ts';

/**
 * The set-up without this controller, which a client plays. Its finalizers stay its own: nobody else
 * removes them. Throws `InputError` if there is none of the name.
 */
export function playedByClient(setup: Setup, name: string): Setup {
  const { operators = [], programs = [], ...rest } = setup;
  const operator = operators.find((one) => one.name === name);
  const program = programs.find((one) => one.name === name);
  if (operator === undefined && program === undefined) {
    const names = [...operators, ...programs].map((one) => one.name);
    throw new InputError({
      what: `the run has no controller ${name}`,
      expected: names.length === 0 ? 'a run with controllers' : `one of ${names.join(', ')}`,
      next: hint(name, names),
    });
  }
  const finalizers = [
    ...[operator?.finalizer ?? [], operator?.childFinalizer ?? []].flat(),
    ...(program?.finalizers ?? []),
  ];
  const left = {
    operators: operators.filter((one) => one !== operator),
    programs: programs.filter((one) => one !== program),
  };
  return {
    ...rest,
    finalizers: {
      ...setup.finalizers,
      ...Object.fromEntries(finalizers.map((finalizer) => [finalizer, 'stuck' as const])),
    },
    ...(left.operators.length === 0 ? {} : { operators: left.operators }),
    ...(left.programs.length === 0 ? {} : { programs: left.programs }),
  };
}
