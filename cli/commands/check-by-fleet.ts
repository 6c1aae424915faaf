import { refuseModules } from '../../fleet/modules.ts';
import { redisAddress } from '../../fleet/redis/address.ts';
import { fleetReport } from '../../fleet/search/plan-search.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import { noteTo, type PartitionedArguments } from '../fleet-arguments.ts';
import type { Io } from '../io.ts';
import { againLine, reportPlans } from './check.ts';

/** `reapcheck check --fleet URL`: each search is divided among the workers of a fleet. */
export function checkByFleet(
  asked: CheckArguments,
  { url, patience, ...division }: PartitionedArguments,
  io: Io,
): Promise<ExitCode> {
  refuseModules(asked.inputs);
  // The command in the document gives the same document without a fleet.
  const words = asked.reductions === null ? [...asked.words, '--reduction', 'none'] : asked.words;
  const given = { ...asked, words };
  const address = redisAddress('fleet', url, io.env);
  // The search looks at its own limit.
  const place = {
    ...{ address, ...division },
    options: { patience, until: null, note: noteTo(io, given.quiet) },
  };
  return reportPlans(given, io, (plan, onProgress, interrupted) =>
    fleetReport(place, plan, { ...given, onProgress, interrupted }, againLine(plan, given)),
  );
}
