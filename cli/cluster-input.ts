import { text, type Values } from '../input/options/values.ts';
import { Connection } from '../live/connection.ts';
import { readCluster } from '../live/reading/read-cluster.ts';
import { escaped } from '../text/escape.ts';
import { InputError } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import { type CheckArguments, isQuestion } from './check-arguments.ts';
import type { Io } from './io.ts';
import { statusLine } from './status-line.ts';

/** Reads the cluster of `--context` before anything else is done. Throws `InputError`. */
export async function withCluster<Given extends CheckArguments>(
  given: Given,
  values: Values,
  io: Io,
): Promise<Given> {
  const context = text(values, 'context');
  if (context === null) throw MESSAGES.usage('--kubeconfig has no effect without --context');
  const [input] = given.inputs;
  if (input !== undefined) {
    throw MESSAGES.usage(`--context takes the place of a dump: remove ${input}`);
  }
  if (given.checkpoint !== null) {
    throw MESSAGES.usage('--checkpoint needs a dump: a cluster would be another one afterwards');
  }
  // Only of `check` is the input a list.
  if (typeof values.input !== 'string' && given.deletions.length === 0) {
    throw MESSAGES.usage('--context needs --delete KIND/NAME');
  }
  const line = statusLine(io, given.quiet);
  const connection = await Connection.to({ context, kubeconfig: text(values, 'kubeconfig') });
  try {
    const cluster = await readCluster(connection, {
      maxMegabytes: given.maxMegabytes,
      limits: given.limits,
      onProgress: (done, of) =>
        line.show(`reading context ${escaped(context)}: ${done} of ${of} kinds`),
    });
    const [gap] = cluster.live?.unread ?? [];
    if (gap !== undefined && given.deletions.length > 0 && !isQuestion(given)) {
      throw new InputError({
        what: `properties are judged of whole clusters only, and this one is ${gap.what}`,
        next: [gap.settle, 'without --property, the answer says what is unknown'],
      });
    }
    return { ...given, cluster };
  } finally {
    connection.close();
    line.clear();
  }
}
