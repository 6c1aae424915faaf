import {
  CHECK_OPTIONS,
  CONFORM_OPTIONS,
  DUMP_COMMAND_OPTIONS,
  EXPLORE_OPTIONS,
  EXPORT_OPTIONS,
  FLEET_WORKER_OPTIONS,
  GATE_OPTIONS,
  LIST_OPTIONS,
  RECORD_OPTIONS,
  RENDER_OPTIONS,
  REPLAY_OPTIONS,
  RESUME_OPTIONS,
  SERVE_OPTIONS,
  SIMULATE_OPTIONS,
} from './option-tables.ts';
import {
  COLLECT_OPTIONS,
  COMPARE_OPTIONS,
  DELETE_OPTIONS,
  EXPLAIN_OPTIONS,
  SURVEY_OPTIONS,
  UNINSTALL_OPTIONS,
} from './question-options.ts';

/** The options of the commands that ask about a dump, or with `--context` about a cluster. */
export const QUESTIONS = {
  delete: DELETE_OPTIONS,
  compare: COMPARE_OPTIONS,
  collect: COLLECT_OPTIONS,
  survey: SURVEY_OPTIONS,
  explain: EXPLAIN_OPTIONS,
  uninstall: UNINSTALL_OPTIONS,
} as const;

/** The options of each command. */
export const COMMANDS = {
  ...QUESTIONS,
  check: CHECK_OPTIONS,
  resume: RESUME_OPTIONS,
  simulate: SIMULATE_OPTIONS,
  conform: CONFORM_OPTIONS,
  gate: GATE_OPTIONS,
  fleet: FLEET_WORKER_OPTIONS,
  explore: EXPLORE_OPTIONS,
  serve: SERVE_OPTIONS,
  record: RECORD_OPTIONS,
  list: LIST_OPTIONS,
  render: RENDER_OPTIONS,
  replay: REPLAY_OPTIONS,
  export: EXPORT_OPTIONS,
  'dump-command': DUMP_COMMAND_OPTIONS,
} as const;

export type CommandName = keyof typeof COMMANDS;
