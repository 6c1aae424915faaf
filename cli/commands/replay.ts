import { renderJson } from '../../report/formats/json.ts';
import { replayLines } from '../../report/text/replay.ts';
import { type Rerun, rerunsOf } from '../../run/rerun.ts';
import { isToken } from '../../run/tokens/token.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { colorsFor, plural, shellQuoted } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Io } from '../io.ts';
import { loadModule } from '../modules.ts';
import type { ReplayArguments } from '../replay-arguments.ts';
import { deliverChecks } from './check.ts';

/** Exit code 0: every run is as recorded. 1: the model now behaves differently. */
export async function replayCommand(given: ReplayArguments, io: Io): Promise<ExitCode> {
  const runs = await rerunsOf(given, io.stdin, loadModule);
  const [first] = runs;
  if (given.until === null && !given.extend) return print(runs, given, io);
  if (first === undefined || runs.length > 1) {
    const option = given.extend ? 'extend' : 'until';
    throw MESSAGES.usage(
      `--${option} needs exactly one run, and there are ${runs.length}`,
      'choose one with --check and --property, or give its token',
    );
  }
  if (!given.extend || first.replayed.outcome.outcome === 'different') {
    return print(runs, given, io);
  }
  return extend(first, given, io);
}

function print(runs: readonly Rerun[], given: ReplayArguments, io: Io): ExitCode {
  const all = runs.map(({ replayed }) => replayed);
  const same = all.filter(({ outcome }) => outcome.outcome === 'same').length;
  if (given.reports.format === 'json') {
    const traces = all.map(({ check, title, told, outcome, point }) => ({
      ...{ check, title, property: told.name === '' ? null : told.name, ...outcome },
      // The stored result already has the traces.
      ...(check === null ? { trace: told.trace, broken: told.broken } : {}),
      ...(point === null ? {} : point),
    }));
    io.stdout.write(renderJson({ schema: 'reapcheck.replay/v1', traces }));
  } else {
    const colors = colorsFor(io.env, io.stdout.isTerminal);
    for (const replayed of all) {
      io.stdout.write(`${replayLines(replayed, colors, given.full).join('\n')}\n`);
      if (given.until === null && replayed.check !== null) io.stdout.write('\n');
    }
    if (given.until === null && !isToken(given.input)) {
      io.stdout.write(`${same} of ${plural(all.length, 'trace')} came out as recorded\n`);
    }
  }
  return all.every(({ outcome }) => outcome.outcome === 'same' || outcome.outcome === 'stopped')
    ? EXIT.asExpected
    : EXIT.violated;
}

/** Continues the search from the end of the run, and reports as `check` does. */
function extend({ replayed, steps, extend: search }: Rerun, given: ReplayArguments, io: Io) {
  const title = `${replayed.title}, after ${plural(steps, 'step')} of a run`;
  const again = ['reapcheck', ...given.words].map(shellQuoted).join(' ');
  return deliverChecks([{ title, museum: null }], given, io, (_, onProgress, interrupted) =>
    search(
      { engine: 'tracked', limits: given.limits, auditEvery: 0, onProgress, interrupted },
      title,
      again,
    ),
  );
}
