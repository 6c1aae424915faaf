import { type InputOptions, inputOptions } from '../input/options/input-options.ts';
import { text, type Values, whole } from '../input/options/values.ts';
import { type PlayedArguments, playedIn } from '../serve/played.ts';
import { readSchedule, type ScheduleName } from '../serve/schedule/choose.ts';
import { MESSAGES } from '../text/messages.ts';

/** The command line of `serve`, validated without reading any input. */
export interface ServeArguments extends PlayedArguments {
  readonly options: InputOptions;
  readonly schedule: ScheduleName;
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
  /** Null: the kubeconfig goes to stdout. */
  readonly kubeconfig: string | null;
  /** File for the audit log. Null: there is none. */
  readonly auditLog: string | null;
  /** File that keeps the run as a scenario. Absent: none. */
  readonly record?: string;
}

const HIGHEST_PORT = 65_535;

/** Throws `InputError` for invalid values. */
export function serveArguments(values: Values): ServeArguments {
  const options = inputOptions({
    ...values,
    input: values.input === undefined ? [] : [values.input],
  });
  const port = whole(values, 'port', 0) ?? 0;
  if (port > HIGHEST_PORT)
    throw MESSAGES.wrongValue('port', `at most ${HIGHEST_PORT}`, String(port));
  const record = text(values, 'record');
  return {
    options,
    schedule: readSchedule(text(values, 'schedule') ?? 'fair'),
    address: text(values, 'address') ?? '127.0.0.1',
    port,
    kubeconfig: text(values, 'kubeconfig'),
    auditLog: text(values, 'audit-log'),
    ...(record === null ? {} : { record }),
    ...playedIn(values),
  };
}
