import type { Limits } from '../checker/index.ts';
import type { Collection } from './collections/collection.ts';
import { type Bytes, readSource, type Source } from './documents/source.ts';
import type { InputOptions } from './options/input-options.ts';
import { overridden } from './overrides.ts';
import type { Plan, Subject } from './plan.ts';

/** The input, and the options that change the plans made from it. */
export type WantedPlans = Omit<InputOptions, 'limits'> & {
  /** Of the work on a dump: its reading and planning. Absent: none. */
  readonly limits?: Limits;
  /** A cluster that has been read. It takes the place of the inputs. */
  readonly cluster?: Collection | null;
};

/** The plan with what the options change in its model. Throws `InputError`. */
export function asGiven(plan: Plan, given: WantedPlans): Plan {
  // A token cannot read a cluster again as it was: `replay` takes the stored result.
  const subject = given.cluster ? null : subjectOf(plan, given);
  return { ...overridden(plan, given.overrides), subject };
}

/** What a token must record to make this plan again. */
function subjectOf(plan: Plan, given: WantedPlans): Subject {
  const { museum, deletions, cascade, grace, namespace, expected, overrides } = given;
  return {
    inputs: plan.given === null ? given.inputs : [plan.given],
    museum,
    variant: plan.museum?.variant ?? null,
    deletions,
    cascade,
    ...(grace === undefined ? {} : { grace }),
    namespace,
    ...(expected === undefined ? {} : { expected }),
    overrides,
  };
}

/** A file of the input, `-` for stdin. Throws `InputError`. */
export function readGiven(file: string, given: WantedPlans, stdin: Bytes): Promise<Source> {
  return readSource(file, stdin, { maxMegabytes: given.maxMegabytes });
}
