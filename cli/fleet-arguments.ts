import { positive, text, type Values, whole } from '../input/options/values.ts';
import type { Workplace } from '../run/workplace.ts';
import { MESSAGES } from '../text/messages.ts';
import { withoutOptions } from './checkpoint-arguments.ts';
import type { Io } from './io.ts';
import { FLEET_PATIENCE_DEFAULT, PARTITIONS_DEFAULT, PARTITIONS_HIGHEST } from './option-tables.ts';

/** The fleet that a command gives its work to. */
export interface FleetArguments {
  readonly url: string;
  readonly patience: number;
}

/** Null: the work is done here. Throws `InputError`. */
export function fleetArguments(values: Values): FleetArguments | null {
  const url = text(values, 'fleet');
  const patience = positive(values, 'fleet-wait');
  if (url === null) {
    if (patience !== null) throw MESSAGES.usage('--fleet-wait says nothing without --fleet');
    return null;
  }
  if (whole(values, 'processes', 1) !== null) {
    throw MESSAGES.usage('--processes says nothing with --fleet: each worker has its --slots');
  }
  return { url, patience: patience ?? FLEET_PATIENCE_DEFAULT };
}

/** A search by a fleet. */
export interface PartitionedArguments extends FleetArguments {
  readonly partitions: number;
}

/** What decides whether a fleet can do a search. */
interface Searched {
  readonly engine: 'tracked' | 'naive';
  readonly symmetry: boolean | null;
  readonly confluence: boolean | 'only' | null;
  readonly partialOrder: boolean;
  readonly auditEvery: number;
  readonly distinct: number;
  readonly stateGraph: boolean;
  readonly threads: number;
  readonly checkpoint: object | null;
  readonly disk: string | null;
  readonly limits: { readonly depth?: number };
}

/** Null: the search is done here. Throws `InputError` for what a fleet does not search. */
export function partitionedArguments(
  values: Values,
  given: Searched,
  isQuestion: boolean,
): PartitionedArguments | null {
  const fleet = fleetArguments(values);
  const partitions = whole(values, 'partitions', 1);
  if (fleet === null) {
    if (partitions !== null) throw MESSAGES.usage('--partitions says nothing without --fleet');
    return null;
  }
  if (partitions !== null && partitions > PARTITIONS_HIGHEST) {
    const expected = `a whole number up to ${PARTITIONS_HIGHEST}`;
    throw MESSAGES.wrongValue('partitions', expected, String(partitions));
  }
  const refuse = (what: string, next = 'drop one of them'): never => {
    throw MESSAGES.usage(`--fleet does not go with ${what}`, next);
  };
  if (given.engine === 'naive') {
    refuse('--engine naive', 'the tracked engine gives the same answers');
  }
  if (given.symmetry === true) {
    refuse('--symmetry on', 'which of alike states stands for all differs from worker to worker');
  }
  if ((given.confluence ?? false) !== false) refuse('--confluence, which leaves out steps');
  if (given.partialOrder) refuse('--partial-order, which leaves out steps');
  if (given.auditEvery > 0) refuse('--audit');
  if (given.distinct > 1) refuse('--distinct', 'ask for one counterexample per property');
  if (given.stateGraph) refuse('a graph of states');
  if (given.threads > 1) refuse('--threads', 'start workers with more --slots instead');
  if (given.checkpoint !== null) refuse('--checkpoint');
  if (given.disk !== null) refuse('--disk');
  if (given.limits.depth !== undefined) refuse('--max-depth');
  if (isQuestion) {
    refuse('--delete alone, which needs several searches', 'add --property for a single one');
  }
  return { ...fleet, partitions: partitions ?? PARTITIONS_DEFAULT };
}

/** Words that only say where the work is done. A result does not depend on them, and has no password. */
export function withoutFleet(words: readonly string[]): readonly string[] {
  return withoutOptions(words, ['fleet', 'fleet-wait', 'partitions']);
}

export interface PlaceOptions {
  /** Of this machine, without a fleet; null: one per core. */
  readonly processes: number | null;
  /** Milliseconds since the epoch, after which a fleet is late; null: no limit. */
  readonly until: number | null;
  readonly quiet: boolean;
}

/** Calls `work` with the place where the work is done, and closes it afterwards. */
export async function atPlace<Result>(
  fleet: FleetArguments | null,
  { processes, until, quiet }: PlaceOptions,
  io: Io,
  work: (place: Workplace) => Promise<Result>,
): Promise<Result> {
  if (fleet === null) {
    const { processesHere } = await import('../run/workplace.ts');
    return work(processesHere(processes));
  }
  const { redisAddress } = await import('../fleet/redis/address.ts');
  const { openFleet } = await import('../fleet/place.ts');
  const note = (line: string): void => {
    if (!quiet) io.stderr.write(`${line}\n`);
  };
  const { url, patience } = fleet;
  const options = { patience, until, note };
  const opened = await openFleet(redisAddress('fleet', url, io.env), 'models', options);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
