import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { stateOf } from '../../state/controllers.ts';
import { formatKey, splitKey } from '../../state/keys.ts';
import type { ApiObject, ObjectKey } from '../../state/objects.ts';
import { PROGRAMMED, type Readings } from '../../state/programs/process.ts';
import type { ControllerProgram, Memory, ProgramTask, Self } from '../../state/programs/program.ts';
import type { Setup } from '../../state/setup.ts';
import { Answers, withoutChange } from './purity.ts';
import { deeplyFrozen, NotKnown, planOf, Reading } from './reading.ts';
import { checkedTasks } from './tasks.ts';

/** What a plan comes to, if it is run in a state. */
export type Planned =
  /** It has more to read. */
  | { readonly at: 'reading'; readonly seen: Readings; readonly newest: readonly ObjectKey[] }
  | {
      readonly at: 'decided';
      readonly tasks: readonly ProgramTask[];
      readonly seen: Readings;
      /** The objects that the plan has read in their newest version. */
      readonly newest: readonly ObjectKey[];
    };

/**
 * Runs the plan of a controller for one object. Throws if the plan is not a pure function that
 * returns tasks (`purity.ts`).
 *
 * @param known what the plan has read in earlier steps of this request.
 */
export function runPlan(
  setup: Setup,
  program: ControllerProgram,
  cluster: Cluster | ClusterDraft,
  key: ObjectKey,
  known: Readings,
): Planned {
  const [, namespace, name] = splitKey(key);
  const memory = deeplyFrozen(memoryOf(program, cluster));
  const self: Self = Object.freeze({ object: formatKey(key), name, namespace, memory });
  const reading = new Reading(setup, program, cluster, namespace, known);
  const told = called(program, reading, self);
  const newest = [...reading.objects].flatMap(([read, { isNewest }]) => (isNewest ? [read] : []));
  const { seen } = reading;
  if (told === undefined) return { at: 'reading', seen, newest };
  const objects = new Map<ObjectKey, ApiObject>(
    [...reading.objects].map(([read, { object }]) => [read, object]),
  );
  if (program.described === undefined) demandPure(setup, program, told.value, { key, self, seen });
  const tasks = checkedTasks(setup, program, told.value, { namespace, objects });
  return { at: 'decided', tasks, seen, newest };
}

/** Throws if the plan has answered the same question otherwise. */
function demandPure(
  setup: Setup,
  program: ControllerProgram,
  told: unknown,
  { key, self, seen }: { readonly key: ObjectKey; readonly self: Self; readonly seen: Readings },
): void {
  const { namespace, memory } = self;
  const again = (): string | undefined => {
    try {
      return JSON.stringify(
        called(program, new Reading(setup, program, null, namespace, seen), self)?.value,
      );
    } catch (error) {
      if (error instanceof NotKnown) return NotKnown.name;
      throw error;
    }
  };
  const question = JSON.stringify([key, memory, seen]);
  if (!answersOf(program).agree(question, JSON.stringify(told), again)) {
    throw new Error(
      `the plan of ${program.name} returns different tasks for what is the same: it must depend on look and self alone`,
    );
  }
}

const ANSWERS = new WeakMap<ControllerProgram, Answers>();

function answersOf(program: ControllerProgram): Answers {
  const known = ANSWERS.get(program) ?? new Answers();
  ANSWERS.set(program, known);
  return known;
}

export function memoryOf(program: ControllerProgram, cluster: Cluster | ClusterDraft): Memory {
  const state = stateOf(cluster, program.name, PROGRAMMED);
  return state?.memory ?? program.memory;
}

/** What the plan returns; undefined if it was interrupted. */
function called(
  program: ControllerProgram,
  reading: Reading,
  self: Self,
): { readonly value: unknown } | undefined {
  const { name, plan } = program;
  let value: unknown;
  try {
    value = withoutChange(planOf(program), () => plan(reading.look(), self as Self<never>));
  } catch (error) {
    if (reading.isInterruption(error)) return undefined;
    if (
      error instanceof TypeError &&
      /read only|not extensible|object is frozen/.test(error.message)
    ) {
      throw new Error(
        `the plan of ${name} changes what it was given (${error.message}): return tasks instead`,
      );
    }
    // Errors of the checker, such as a limit that was hit, stay as they are.
    if (error instanceof TypeError || error instanceof ReferenceError) {
      throw new Error(`the plan of ${name} throws: ${error.message}`, { cause: error });
    }
    throw error;
  }
  if (reading.isInterrupted) {
    throw new Error(`the plan of ${name} catches what look throws: let it through`);
  }
  if (value instanceof Promise) {
    value.catch(() => undefined);
    throw new Error(`the plan of ${name} is async: it must return its tasks at once`);
  }
  return { value };
}
