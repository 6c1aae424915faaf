import { type InputOptions, inputOptions } from '../input/options/input-options.ts';
import { positive, text, type Values, whole } from '../input/options/values.ts';
import { readSchedule, type ScheduleName } from '../serve/schedule/choose.ts';
import type { PlayedController } from '../serve/schedule/run-calls.ts';
import { MESSAGES } from '../text/messages.ts';

/** The command line of `serve`, validated without reading any input. */
export interface ServeArguments {
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
  /** The controller of a token's run that a client plays. Absent: the server plays all. */
  readonly plays?: PlayedController;
}

const HIGHEST_PORT = 65_535;

/** As long as the run waits for an operator by default. */
export const PATIENCE_SECONDS = 10;

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
  const plays = text(values, 'plays');
  const patience = positive(values, 'patience');
  if (patience !== null && plays === null) {
    throw MESSAGES.usage('--patience has no effect without --plays');
  }
  return {
    options,
    schedule: readSchedule(text(values, 'schedule') ?? 'fair'),
    address: text(values, 'address') ?? '127.0.0.1',
    port,
    kubeconfig: text(values, 'kubeconfig'),
    auditLog: text(values, 'audit-log'),
    ...(record === null ? {} : { record }),
    ...(plays === null
      ? {}
      : { plays: { controller: plays, patience: 1_000 * (patience ?? PATIENCE_SECONDS) } }),
  };
}
