import type { Limits } from '../checker/index.ts';
import { nameMeant } from '../input/property-names.ts';
import { MESSAGES } from '../text/messages.ts';
import { limitsOf } from './check-arguments.ts';
import type { Values } from './command-line.ts';
import type { Delivery } from './commands/check.ts';
import { maxMegabytesOf, text, texts, whole } from './option-values.ts';
import { reportsShowing } from './reports.ts';

/** The command line of `replay`, as far as it can be judged without reading anything. */
export interface ReplayArguments extends Delivery {
  /** A token, or a file; `-` is stdin. */
  readonly input: string;
  /** From 1; null: all. */
  readonly check: number | null;
  readonly properties: readonly string[];
  /** After how many steps to stop; null: at the end. */
  readonly until: number | null;
  readonly extend: boolean;
  readonly limits: Limits;
  readonly maxMegabytes: number;
}

const ONLY_EXTENDING = [
  ...['max-states', 'max-depth', 'timeout', 'memory'],
  ...['output', 'report', 'quiet'],
];

/** Throws `InputError` for values that make no sense, alone or together. */
export function replayArguments(values: Values, words: readonly string[]): ReplayArguments {
  const reports = reportsShowing(values, 'replay', ['trace']);
  const extend = values.extend === true;
  const full = values.full === true;
  const formats = [reports.format, ...reports.reports.map(({ format }) => format)];
  if (!extend) {
    for (const option of ONLY_EXTENDING) {
      if (values[option] === undefined) continue;
      throw MESSAGES.usage(`--${option} says nothing without --extend`);
    }
    if (reports.format !== 'text' && reports.format !== 'json') {
      throw MESSAGES.usage(
        `replay has no format ${reports.format} without --extend`,
        'reapcheck render RESULT.json --format ... shows the traces of a result',
      );
    }
  }
  if (full && !formats.includes('text')) {
    throw MESSAGES.usage(`--full says nothing with --format ${reports.format}`);
  }
  return {
    input: text(values, 'run') ?? '-',
    check: whole(values, 'check', 1),
    properties: texts(values, 'property').map(nameMeant),
    until: whole(values, 'until', 0),
    extend,
    limits: limitsOf(values),
    maxMegabytes: maxMegabytesOf(values),
    reports,
    traces: false,
    full,
    quiet: values.quiet === true,
    words,
  };
}
