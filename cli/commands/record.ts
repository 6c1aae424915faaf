import { namespaceFault } from '../../input/manifests/names.ts';
import { text, texts, type Values } from '../../input/options/values.ts';
import { Connection } from '../../live/connection.ts';
import { RecordingFolder } from '../../live/recording/folder.ts';
import { record } from '../../live/recording/record.ts';
import { escaped } from '../../text/escape.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { InputError } from '../../text/input-error.ts';
import { plural, shellQuoted } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import { statusLine } from '../status-line.ts';

/** Records a cluster until Ctrl-C, or for a time. The result is complete in both cases. */
export async function recordCommand(values: Values, io: Io): Promise<ExitCode> {
  const context = demanded(values, 'context', 'a context of the kubeconfig');
  const out = demanded(values, 'out', 'a new or an empty folder');
  const milliseconds = durationOf(values);
  const namespaces = texts(values, 'namespace');
  for (const namespace of namespaces) {
    const fault = namespaceFault(namespace);
    if (fault === null) continue;
    throw new InputError({ what: `--namespace does not take "${namespace}"`, expected: fault });
  }
  const kinds = texts(values, 'kinds').flatMap((word) => word.split(','));
  const quiet = values.quiet === true;
  if (values['audit-log'] !== undefined && kinds.length + namespaces.length > 0) {
    throw MESSAGES.usage(
      '--audit-log needs all kinds and namespaces: the log has requests for all of them',
      'remove --kinds and --namespace',
    );
  }
  const line = statusLine(io, quiet);
  const say = (words: string): void => {
    line.clear();
    if (!quiet) io.stderr.write(`${escaped(words)}\n`);
  };
  const connection = await Connection.to({ context, kubeconfig: text(values, 'kubeconfig') });
  const folder = new RecordingFolder(out);
  const stop = new AbortController();
  const stopListening = io.onInterrupt(() => stop.abort());
  io.onTerminate?.(() => stop.abort());
  let found = 0;
  let timer: NodeJS.Timeout | null = null;
  try {
    const wanted = { kinds, namespaces, auditLog: text(values, 'audit-log') };
    const { parts, notRecorded, gaps } = await record(connection, folder, wanted, {
      stop: stop.signal,
      onBegin: (count) => {
        if (milliseconds !== null) timer = setTimeout(() => stop.abort(), milliseconds);
        const until = milliseconds === null ? '; Ctrl-C ends it' : '';
        say(`recording ${plural(count, 'kind')} of context ${context} into ${out}${until}`);
      },
      onProgress: (changes, count) =>
        line.show(
          `recording ${plural(count, 'kind')}: ${plural(changes, 'change')}, ${plural(found, 'gap')}`,
        ),
      onGap: (what) => {
        found += 1;
        say(`gap: ${what}`);
      },
    });
    line.clear();
    for (const { what, why } of notRecorded) say(`not recorded: ${what} (${why})`);
    const changes = parts.reduce((sum, part) => sum + part.changes, 0);
    const files = parts.filter(({ file }) => file !== null).length;
    io.stdout.write(
      changes === 0
        ? 'Nothing has changed, so there is nothing to judge.\n'
        : `${plural(changes, 'change')} in ${plural(files, 'file')}. reapcheck conform trace ${shellQuoted(out)} judges them.\n`,
    );
    return gaps.length + notRecorded.length === 0 ? EXIT.asExpected : EXIT.inconclusive;
  } finally {
    if (timer !== null) clearTimeout(timer);
    stopListening();
    line.clear();
  }
}

function demanded(values: Values, option: string, what: string): string {
  const given = text(values, option);
  if (given !== null && given !== '') return given;
  throw MESSAGES.usage(
    `record needs --${option}: ${what}`,
    'reapcheck record --context C --out FOLDER',
  );
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** Timers take no more. */
const LONGEST = 24 * 24 * 3_600_000;

/** Milliseconds; null: until it is stopped. */
function durationOf(values: Values): number | null {
  const given = text(values, 'for');
  if (given === null) return null;
  const [, count, unit = ''] = given.match(/^(\d{1,9})([smh])$/) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (milliseconds > 0 && milliseconds <= LONGEST) return milliseconds;
  throw MESSAGES.wrongValue('for', 'a time such as 90s, 10m or 2h', given);
}
