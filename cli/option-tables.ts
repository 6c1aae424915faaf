import type { Options } from 'yargs';
import { MAX_INPUT_DEFAULT, MAX_INPUT_HIGHEST } from '../input/options/values.ts';
import { CASCADES } from '../input/plan.ts';
import { VARIANTS } from '../input/scenarios/museum.ts';
import { WORKERS_HIGHEST } from '../input/scenarios/schema.ts';
import { FORMAT_NAMES } from '../report/formats.ts';

/** Options of each command, as yargs takes them. Defaults are applied where values are read. */

export const AUDIT_DEFAULT = 1000;
/** A graph with more states is nothing to look at. */
export const STATE_GRAPH_MOST = 500;

export const SWITCHES = ['on', 'off'] as const;
export const CONFLUENCES = ['on', 'only', 'off'] as const;

export const LISTS = [
  'scenarios',
  'properties',
  'protocols',
  'rules',
  'actions',
  'museum',
] as const;
export type ListName = (typeof LISTS)[number];

export const CONFORMS = ['facts', 'trace'] as const;
export type ConformName = (typeof CONFORMS)[number];

/** Without a type, and the parser guesses none: 1e3 comes through as it is, and its reader refuses it. */
const number = { requiresArg: true } as const;
const one = { type: 'string', requiresArg: true } as const;
const many = { type: 'string', array: true, nargs: 1, requiresArg: true } as const;

const format = { choices: ['text', 'json'], requiresArg: true, describe: 'What to print [text]' };

/** Of the commands that end with a document. */
export const REPORT_OPTIONS = {
  format: { choices: FORMAT_NAMES, requiresArg: true, describe: 'What to print [text]' },
  output: { ...one, alias: 'o', describe: 'Write to this file instead of printing' },
  report: { ...many, describe: 'FORMAT=FILE: write this report as well; may be repeated' },
} as const satisfies Record<string, Options>;

const maxInput = {
  ...number,
  describe: `Largest input in megabytes, up to ${MAX_INPUT_HIGHEST} [${MAX_INPUT_DEFAULT}]`,
};

export const CHECK_OPTIONS = {
  museum: {
    type: 'boolean',
    describe: 'Check the museum, or those entries of it: defects of earlier versions',
  },
  delete: { ...many, describe: 'Delete KIND/NAME[.NAMESPACE] of the dump; may be repeated' },
  cascade: { choices: CASCADES, requiresArg: true, describe: 'Policy of --delete [background]' },
  namespace: { ...one, alias: 'n', describe: 'Namespace of the objects to delete' },
  'stuck-finalizer': { ...many, describe: 'The owner of this finalizer never removes it' },
  protocol: { ...one, describe: 'Kubernetes version, see reapcheck list protocols' },
  rule: { ...many, describe: 'NAME=VALUE: another value for a rule of the protocol' },
  property: { ...many, describe: 'Judge only this property; may be repeated' },
  distinct: {
    ...number,
    describe: 'Show up to so many counterexamples that differ in what matters [1]',
  },
  workers: {
    ...number,
    describe: `Delete workers of the collector, up to ${WORKERS_HIGHEST}`,
  },
  relists: { ...number, describe: 'How often the watch of each kind may break' },
  'max-states': { ...number, describe: 'Stop after so many states' },
  'max-depth': { ...number, describe: 'Stop after so many steps from the start' },
  timeout: { ...number, describe: 'Stop each check after so many seconds' },
  memory: { ...number, describe: 'Stop each check at so many megabytes' },
  engine: {
    choices: ['tracked', 'naive'],
    requiresArg: true,
    describe: 'naive: the slow reference [tracked]',
  },
  symmetry: {
    choices: SWITCHES,
    requiresArg: true,
    describe: 'Count what differs in names only once [on, but for exact counts in a scenario]',
  },
  confluence: {
    choices: CONFLUENCES,
    requiresArg: true,
    describe: 'Take steps at once that nobody gains by putting off; only: no second search [off]',
  },
  audit: {
    ...one,
    describe: `Execute one step in so many again, by plain immer [${AUDIT_DEFAULT}]`,
  },
  ...REPORT_OPTIONS,
  'state-graph': {
    type: 'boolean',
    describe: `All states and steps in the result, up to ${STATE_GRAPH_MOST} states: json, *-states`,
  },
  traces: { type: 'boolean', describe: 'Show every trace, expected ones too' },
  full: { type: 'boolean', describe: 'Text: show the whole state at each step of a trace' },
  quiet: { type: 'boolean', alias: 'q', describe: 'No progress line and no notes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const WALKS_DEFAULT = 1000;
export const STEPS_DEFAULT = 1000;
/** The walk under way is kept in memory. */
export const STEPS_HIGHEST = 100_000;
/** Seeds are whole numbers of 31 bits. */
export const SEED_HIGHEST = 2 ** 31 - 1;

/** What `check` takes, without what only a search of all states knows. */
export const SIMULATE_OPTIONS = {
  walks: { ...number, describe: `How many walks at most [${WALKS_DEFAULT}]` },
  steps: {
    ...number,
    describe: `How many steps a walk has at most, up to ${STEPS_HIGHEST} [${STEPS_DEFAULT}]`,
  },
  seed: {
    ...number,
    describe: `Makes the same walks again, up to ${SEED_HIGHEST} [another one each time]`,
  },
  museum: CHECK_OPTIONS.museum,
  delete: CHECK_OPTIONS.delete,
  cascade: CHECK_OPTIONS.cascade,
  namespace: CHECK_OPTIONS.namespace,
  'stuck-finalizer': CHECK_OPTIONS['stuck-finalizer'],
  protocol: CHECK_OPTIONS.protocol,
  rule: CHECK_OPTIONS.rule,
  property: CHECK_OPTIONS.property,
  workers: CHECK_OPTIONS.workers,
  relists: CHECK_OPTIONS.relists,
  timeout: { ...number, describe: 'Stop the walks of each scenario after so many seconds' },
  memory: CHECK_OPTIONS.memory,
  ...REPORT_OPTIONS,
  traces: CHECK_OPTIONS.traces,
  full: CHECK_OPTIONS.full,
  quiet: CHECK_OPTIONS.quiet,
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const GATE_OPTIONS = {
  update: { type: 'boolean', describe: 'Accept the drift: write the lock anew' },
  'accept-worse': {
    type: 'boolean',
    describe: 'With --update: accept also what got worse',
  },
  processes: { ...number, describe: 'How many cells are run at a time [one a core]' },
  cache: { ...one, describe: 'Folder for reports of cells [~/.cache/reapcheck]' },
  'no-cache': { type: 'boolean', describe: 'Run every cell, and keep no report' },
  shard: { ...one, describe: 'N/COUNT: run one part of the cells, for reapcheck gate merge' },
  suite: { ...one, describe: 'merge: the suite that the shards are of' },
  ...REPORT_OPTIONS,
  full: { type: 'boolean', describe: 'Text: show the whole state at each step of a trace' },
  quiet: { type: 'boolean', alias: 'q', describe: 'No progress line and no notes' },
} as const satisfies Record<string, Options>;

/** Of each search of `explore`. */
export const SEARCH_STATES_DEFAULT = 1_000_000;
export const SEARCH_SECONDS_DEFAULT = 60;

export const EXPLORE_OPTIONS = {
  commands: { ...one, describe: 'Take the commands from this file; - is stdin [stdin]' },
  museum: { type: 'boolean', describe: 'Explore an entry of the museum' },
  variant: {
    choices: VARIANTS,
    requiresArg: true,
    describe: 'With --museum: before or after the repair [before]',
  },
  delete: CHECK_OPTIONS.delete,
  cascade: CHECK_OPTIONS.cascade,
  namespace: CHECK_OPTIONS.namespace,
  'stuck-finalizer': CHECK_OPTIONS['stuck-finalizer'],
  protocol: CHECK_OPTIONS.protocol,
  rule: CHECK_OPTIONS.rule,
  property: { ...many, describe: 'Only this property is at hand; may be repeated' },
  workers: CHECK_OPTIONS.workers,
  relists: CHECK_OPTIONS.relists,
  'max-states': {
    ...number,
    describe: `Stop each search after so many states [${SEARCH_STATES_DEFAULT}]`,
  },
  'max-depth': { ...number, describe: 'Search no further than so many steps ahead' },
  timeout: {
    ...number,
    describe: `Stop each search after so many seconds [${SEARCH_SECONDS_DEFAULT}]`,
  },
  memory: { ...number, describe: 'Stop each search at so many megabytes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const LIST_OPTIONS = { format } as const satisfies Record<string, Options>;

export const RENDER_OPTIONS = {
  ...REPORT_OPTIONS,
  check: { ...one, describe: 'One trace: of the check with this title' },
  property: { ...one, describe: 'One trace: of this property' },
  traces: { type: 'boolean', describe: 'Text: show every trace, expected ones too' },
  full: { type: 'boolean', describe: 'Text: show the whole state at each step of a trace' },
  quiet: { type: 'boolean', alias: 'q', describe: 'No notes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const REPLAY_OPTIONS = {
  check: { ...number, describe: 'File: only the check with this number, from 1' },
  property: { ...many, describe: 'File: only the traces of this property; may be repeated' },
  until: { ...number, describe: 'Stop after so many steps: the state, and what is possible then' },
  extend: { type: 'boolean', describe: 'Search on from there, by the same properties' },
  'max-states': { ...number, describe: '--extend: stop after so many states' },
  'max-depth': { ...number, describe: '--extend: stop after so many further steps' },
  timeout: { ...number, describe: '--extend: stop after so many seconds' },
  memory: { ...number, describe: '--extend: stop at so many megabytes' },
  full: { type: 'boolean', describe: 'Text: show the whole state at each step' },
  ...REPORT_OPTIONS,
  quiet: { type: 'boolean', alias: 'q', describe: '--extend: no progress line and no notes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const TRACE_SECONDS_DEFAULT = 60;

/** What says nothing to `conform facts`. */
export const TRACE_ONLY = ['partial', 'coverage', 'restarts', 'timeout'] as const;

export const CONFORM_OPTIONS = {
  protocol: { ...one, describe: 'Kubernetes version to judge by, see reapcheck list protocols' },
  partial: { type: 'boolean', describe: 'trace: the logs may have gaps; claims less' },
  coverage: { type: 'boolean', describe: 'trace: print which steps and rules were exercised' },
  restarts: { ...number, describe: 'trace: how often the controller manager was restarted' },
  timeout: {
    ...number,
    describe: `trace: stop each trace after so many seconds [${TRACE_SECONDS_DEFAULT}]`,
  },
  ...REPORT_OPTIONS,
  quiet: { type: 'boolean', alias: 'q', describe: 'No notes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const COMMANDS = {
  check: CHECK_OPTIONS,
  simulate: SIMULATE_OPTIONS,
  conform: CONFORM_OPTIONS,
  gate: GATE_OPTIONS,
  explore: EXPLORE_OPTIONS,
  list: LIST_OPTIONS,
  render: RENDER_OPTIONS,
  replay: REPLAY_OPTIONS,
} as const;

export type CommandName = keyof typeof COMMANDS;
