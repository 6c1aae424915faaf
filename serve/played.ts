import { positive, text, type Values } from '../input/options/values.ts';
import type { Setup } from '../model/index.ts';
import { InputError } from '../text/input-error.ts';
import { hint, MESSAGES } from '../text/messages.ts';
import type { PlayedController } from './schedule/run-calls.ts';

/** As long as the run waits for an operator by default. */
const PATIENCE_SECONDS = 10;

export interface PlayedArguments {
  /** The controller of a token's run that a client plays. Absent: the server plays all. */
  readonly plays?: PlayedController;
  /** File for the kubeconfig of that client. It is there with `plays`. */
  readonly operatorKubeconfig?: string;
}

/** The options `--plays`, `--operator-kubeconfig` and `--patience`. Throws `InputError`. */
export function playedIn(values: Values): PlayedArguments {
  const controller = text(values, 'plays');
  const operatorKubeconfig = text(values, 'operator-kubeconfig');
  const patience = positive(values, 'patience');
  if (controller !== null) {
    if (operatorKubeconfig === null) {
      throw MESSAGES.usage(
        '--plays needs --operator-kubeconfig FILE',
        'start your operator with that file, so that the server can tell its requests from others',
      );
    }
    const plays = { controller, patience: 1_000 * (patience ?? PATIENCE_SECONDS) };
    return { plays, operatorKubeconfig };
  }
  if (patience !== null) throw MESSAGES.usage('--patience has no effect without --plays');
  if (operatorKubeconfig !== null) {
    throw MESSAGES.usage('--operator-kubeconfig has no effect without --plays');
  }
  return {};
}

/**
 * The set-up without this controller, which a client plays. Its finalizers stay its own: nobody
 * else removes them. Throws `InputError` if there is none of the name.
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
