import { gatherRelease } from '../../input/gather-uninstall.ts';
import { text, texts, type Values } from '../../input/options/values.ts';
import { uninstallOrder } from '../../run/questions/uninstall.ts';
import type { ExitCode } from '../../text/exit-codes.ts';
import type { CheckArguments } from '../check-arguments.ts';
import type { Io } from '../io.ts';
import { deliverAnswer } from './delete.ts';

/** Seconds: many orders are searched. */
const UNINSTALL_SECONDS_DEFAULT = 60;

/** Says in which order to uninstall, and returns the exit code. */
export async function uninstallCommand(
  given: CheckArguments,
  values: Values,
  io: Io,
): Promise<ExitCode> {
  const wanted = {
    release: text(values, 'release'),
    selector: text(values, 'selector'),
    manifests: texts(values, 'manifests'),
  };
  const release = await gatherRelease(given, wanted, io.stdin);
  const seconds = given.limits.seconds ?? UNINSTALL_SECONDS_DEFAULT;
  return deliverAnswer(given, io, (budget) => uninstallOrder(release, seconds, budget));
}
