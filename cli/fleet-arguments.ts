import { positive, text, type Values, whole } from '../input/options/values.ts';
import { type Division, divisionOf, type FleetSearched } from '../run/fleet-search.ts';
import type { Workplace } from '../run/workplace.ts';
import { MESSAGES } from '../text/messages.ts';
import { withoutOptions } from './checkpoint-arguments.ts';
import type { Io } from './io.ts';
import { FLEET_PATIENCE_DEFAULT } from './option-tables.ts';

const FLEET_WORDS = ['fleet-wait', 'partitions', 'divide-from'];

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
    const alone = FLEET_WORDS.find((name) => values[name] !== undefined);
    if (alone !== undefined) throw MESSAGES.usage(`--${alone} says nothing without --fleet`);
    return null;
  }
  if (whole(values, 'processes', 1) !== null) {
    throw MESSAGES.usage('--processes says nothing with --fleet: each worker has its --slots');
  }
  return { url, patience: patience ?? FLEET_PATIENCE_DEFAULT };
}

/** A search by a fleet. */
export type PartitionedArguments = FleetArguments & Division;

/** Null: the search is done here. Throws `InputError` for what a fleet does not search. */
export function partitionedArguments(
  values: Values,
  given: FleetSearched,
): PartitionedArguments | null {
  const fleet = fleetArguments(values);
  if (fleet === null) return null;
  const partitions = whole(values, 'partitions', 1);
  const dividedFrom = whole(values, 'divide-from', 1);
  return { ...fleet, ...divisionOf(given, partitions, dividedFrom) };
}

/** Words that only say where the work is done. A result does not depend on them, and has no password. */
export function withoutFleet(words: readonly string[]): readonly string[] {
  return withoutOptions(words, ['fleet', ...FLEET_WORDS]);
}

export function noteTo(io: Io, quiet: boolean): (line: string) => void {
  const afterProgress = io.stderr.isTerminal ? '\r\u001b[2K' : '';
  return quiet ? () => undefined : (line) => io.stderr.write(`${afterProgress}${line}\n`);
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
  const { url, patience } = fleet;
  const options = { patience, until, note: noteTo(io, quiet) };
  const opened = await openFleet(redisAddress('fleet', url, io.env), 'models', options);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
