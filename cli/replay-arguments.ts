import type { Limits } from '../checker/index.ts';
import { limitsOf } from '../input/options/input-options.ts';
import { maxMegabytesOf, text, texts, type Values, whole } from '../input/options/values.ts';
import { nameMeant } from '../input/property-names.ts';
import type { RerunOptions } from '../run/rerun.ts';
import { MESSAGES } from '../text/messages.ts';
import type { Delivery } from './commands/check.ts';
import { reportsShowing } from './reports.ts';

/** The command line of `replay`, validated without reading any input. */
export interface ReplayArguments extends Delivery, RerunOptions {
  readonly extend: boolean;
  readonly limits: Limits;
}

const ONLY_EXTENDING = [...['max-states', 'max-depth', 'output', 'report', 'quiet']];

/** Throws `InputError` for invalid values and invalid combinations. */
export function replayArguments(values: Values, words: readonly string[]): ReplayArguments {
  const reports = reportsShowing(values, 'replay', ['trace']);
  const extend = values.extend === true;
  const full = values.full === true;
  const formats = [reports.format, ...reports.reports.map(({ format }) => format)];
  if (!extend) {
    for (const option of ONLY_EXTENDING) {
      if (values[option] === undefined) continue;
      throw MESSAGES.usage(`--${option} has no effect without --extend`);
    }
    if (reports.format !== 'text' && reports.format !== 'json') {
      throw MESSAGES.usage(
        `replay has no format ${reports.format} without --extend`,
        'reapcheck render RESULT.json --format ... shows the traces of a result',
      );
    }
  }
  if (full && !formats.includes('text')) {
    throw MESSAGES.usage(`--full has no effect with --format ${reports.format}`);
  }
  return {
    input: text(values, 'run') ?? '-',
    check: whole(values, 'check', 1),
    properties: texts(values, 'property').map(nameMeant),
    until: whole(values, 'until', 0),
    extend,
    limits: limitsOf(values),
    model: text(values, 'model'),
    maxMegabytes: maxMegabytesOf(values),
    reports,
    traces: false,
    full,
    quiet: values.quiet === true,
    words,
  };
}
