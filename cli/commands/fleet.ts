import { availableParallelism } from 'node:os';
import { redisAddress } from '../../fleet/redis/address.ts';
import { AWAY_DEFAULT, runFleetWorker, SILENT_DEFAULT } from '../../fleet/worker.ts';
import { positive, text, type Values, whole } from '../../input/options/values.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';

/** `reapcheck fleet worker`: takes jobs until it is told to end. */
export async function fleetCommand(values: Values, io: Io): Promise<ExitCode> {
  const url = text(values, 'redis');
  if (url === null) {
    throw MESSAGES.usage('a worker needs --redis', 'reapcheck fleet worker --redis redis://HOST');
  }
  const options = {
    redis: redisAddress('redis', url, io.env),
    slots: whole(values, 'slots', 1) ?? availableParallelism(),
    idleSeconds: positive(values, 'idle'),
    silentSeconds: positive(values, 'silent') ?? SILENT_DEFAULT,
    awaySeconds: positive(values, 'away') ?? AWAY_DEFAULT,
    jobSeconds: positive(values, 'job-timeout'),
  };
  const quiet = values.quiet === true;
  await runFleetWorker(options, {
    note: (line) => {
      if (!quiet) io.stderr.write(`${line}\n`);
    },
    onStop: (callback) => {
      io.onInterrupt(callback);
      io.onTerminate?.(callback);
    },
  });
  return EXIT.asExpected;
}
