import { DUMP_FILE, dumpCommand } from '../../input/collections/dump-command.ts';
import { namespaceFault } from '../../input/manifests/names.ts';
import { MAX_INPUT_DEFAULT, text, texts, type Values } from '../../input/options/values.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import { KUBECTL_DEFAULT } from '../option-tables.ts';

/**
 * Prints a command and runs nothing: this one never talks to a cluster. Only the command goes to
 * stdout, so that it can be piped to a shell. Throws `InputError`.
 */
export function dumpCommandCommand(values: Values, io: Io): ExitCode {
  const namespaces = texts(values, 'namespace');
  for (const namespace of namespaces) {
    const fault = namespaceFault(namespace);
    if (fault === null) continue;
    throw new InputError({ what: `--namespace does not take "${namespace}"`, expected: fault });
  }
  const kubectl = text(values, 'kubectl') ?? KUBECTL_DEFAULT;
  const context = text(values, 'context');
  for (const [option, value] of Object.entries({ kubectl, context })) {
    if (value !== null && (value.trim() === '' || /\p{Cc}/u.test(value))) {
      throw MESSAGES.wrongValue(option, 'a name without control characters', value);
    }
  }
  io.stdout.write(`${dumpCommand({ kubectl, context, namespaces })}\n`);
  io.stderr.write(`${HINT}\n`);
  return EXIT.asExpected;
}

const HINT = `
Run this command in a POSIX shell. It only reads, and writes ${DUMP_FILE}: about 1 kB for each object, so
10 MB for 10,000 objects. reapcheck reads up to ${MAX_INPUT_DEFAULT} MB; --max-input raises that.
If the client reports an error for some kinds, these are missing from the dump and the rest is there.
Then: reapcheck check ${DUMP_FILE} --delete KIND/NAME`;
