import { checkPartitioned } from '../../checker/index.ts';
import { refuseModules } from '../../fleet/modules.ts';
import { redisAddress } from '../../fleet/redis/address.ts';
import { openTeam } from '../../fleet/search/fleet-team.ts';
import type { Plan } from '../../input/plan.ts';
import type { Cluster } from '../../model/index.ts';
import { reportOn } from '../../run/assemble.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { PartitionedArguments } from '../fleet-arguments.ts';
import type { Io } from '../io.ts';
import { againLine, reportPlans } from './check.ts';

/** `reapcheck check --fleet URL`: each search is divided among the workers of a fleet. */
export function checkByFleet(
  asked: CheckArguments,
  fleet: PartitionedArguments,
  io: Io,
): Promise<ExitCode> {
  refuseModules(asked.inputs);
  // The command in the document gives the same document without a fleet.
  const words = asked.symmetry === null ? [...asked.words, '--symmetry', 'off'] : asked.words;
  const given = { ...asked, words };
  const address = redisAddress('fleet', fleet.url, io.env);
  const note = (line: string): void => {
    if (!given.quiet) io.stderr.write(`${line}\n`);
  };
  const { partitions, patience } = fleet;
  // The search looks at its own limit.
  const place = { address, partitions, options: { patience, until: null, note } };
  return reportPlans(given, io, (plan: Plan, onProgress, interrupted) => {
    const { limits } = given;
    return reportOn(
      plan,
      againLine(plan, given),
      async (question) => {
        const team = await openTeam<Cluster>(place, plan, limits);
        try {
          return await checkPartitioned({ ...question, limits, onProgress, interrupted }, team);
        } finally {
          await team.close();
        }
      },
      limits,
    );
  });
}
