import type { Options } from 'yargs';
import { EXPORT_FORMATS } from '../export/format-names.ts';
import { ACTOR_NAMES } from '../input/cluster/actor-names.ts';
import { REDUCTION_NAMES } from '../input/options/reductions.ts';
import { MAX_INPUT_DEFAULT, MAX_INPUT_HIGHEST } from '../input/options/values.ts';
import { CASCADES, CLUSTER_PROTOCOL } from '../input/plan.ts';
import { VARIANTS, WORKERS_HIGHEST } from '../input/scenarios/terms.ts';
import { FORMAT_NAMES } from '../report/format-names.ts';
import { DIVIDED_FROM, PARTITIONS_DEFAULT } from '../run/fleet-search.ts';

/** The options of each command, for yargs. Defaults are applied when the values are read. */

export const AUDIT_DEFAULT = 'thinning';
/** Nobody can read a graph with more states. */
export const STATE_GRAPH_MOST = 500;

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

export const FLEET_ROLES = ['worker'] as const;

/** No type, so that yargs does not convert: `1e3` stays text, and the reader of the value rejects it. */
export const number = { requiresArg: true } as const;
export const one = { type: 'string', requiresArg: true } as const;
export const many = { type: 'string', array: true, nargs: 1, requiresArg: true } as const;

const format = { choices: ['text', 'json'], requiresArg: true, describe: 'What to print [text]' };

/** Options of the commands that produce a document. */
export const REPORT_OPTIONS = {
  format: { choices: FORMAT_NAMES, requiresArg: true, describe: 'What to print [text]' },
  output: { ...one, alias: 'o', describe: 'Write to this file instead of printing' },
  report: { ...many, describe: 'FORMAT=FILE: also write this report; may be repeated' },
} as const satisfies Record<string, Options>;

export const maxInput = {
  ...number,
  describe: `Largest input in megabytes, up to ${MAX_INPUT_HIGHEST} [${MAX_INPUT_DEFAULT}]`,
};

/** A cluster in the place of a dump. */
export const CLUSTER_OPTIONS = {
  context: { ...one, describe: 'Read this cluster, a context of the kubeconfig, and no dump' },
  kubeconfig: { ...one, describe: 'The kubeconfig of --context [KUBECONFIG, or ~/.kube/config]' },
} as const satisfies Record<string, Options>;

/** Seconds. */
export const FLEET_PATIENCE_DEFAULT = 60;

/** Options of the commands that can give their work to a fleet. */
export const FLEET_OPTIONS = {
  fleet: { ...one, describe: 'Have it done by the workers at this Redis: redis://HOST[:PORT]' },
  'fleet-wait': {
    ...number,
    describe: `Give up after so many seconds without Redis or a worker [${FLEET_PATIENCE_DEFAULT}]`,
  },
} as const satisfies Record<string, Options>;

export const CHECK_OPTIONS = {
  museum: {
    type: 'boolean',
    describe: 'Check the museum of historic defects, or the given entries of it',
  },
  delete: { ...many, describe: 'Delete KIND/NAME[.NAMESPACE] of the dump; may be repeated' },
  ...CLUSTER_OPTIONS,
  cascade: { choices: CASCADES, requiresArg: true, describe: 'Policy of --delete [background]' },
  namespace: { ...one, alias: 'n', describe: 'Namespace of the objects to delete' },
  'stuck-finalizer': { ...many, describe: 'The owner of this finalizer never removes it' },
  'cooperative-finalizer': { ...many, describe: 'The owner of this finalizer removes it' },
  finalizers: { ...one, describe: 'A file with further rows for the table of known finalizers' },
  'node-lost': { ...many, describe: 'The machine of this node is gone' },
  with: { ...many, describe: `This actor runs: ${ACTOR_NAMES.join(', ')}` },
  without: { ...many, describe: 'This actor does not run' },
  protocol: {
    ...one,
    describe: `Kubernetes version, see reapcheck list protocols [${CLUSTER_PROTOCOL}; of a scenario its own]`,
  },
  rule: { ...many, describe: 'NAME=VALUE: another value for a rule of the protocol' },
  property: { ...many, describe: 'Judge only this property; may be repeated' },
  distinct: {
    ...number,
    describe: 'Show up to this many different counterexamples per property [1]',
  },
  workers: {
    ...number,
    describe: `Delete workers of the collector, up to ${WORKERS_HIGHEST}`,
  },
  relists: { ...number, describe: 'How often the watch of each kind may break' },
  'max-states': { ...number, describe: 'Stop after this many states' },
  'max-depth': { ...number, describe: 'Stop after this many steps from the start' },
  timeout: { ...number, describe: 'Stop each check after this many seconds' },
  memory: { ...number, describe: 'Stop each check at this many megabytes' },
  'accept-bounded': {
    type: 'boolean',
    describe: 'Of a dump: exit code 0, not 3, if it is decided for some of its alike objects only',
  },
  engine: {
    choices: ['tracked', 'naive'],
    requiresArg: true,
    describe: 'naive: the slow reference [tracked]',
  },
  reduction: {
    ...one,
    describe: `How to search fewer states: none, or ${REDUCTION_NAMES.join(', ')} with commas [symmetry, unless a scenario pins counts]`,
  },
  threads: { ...number, describe: 'Search with so many threads, one for each core at most [1]' },
  checkpoint: { ...one, describe: 'Save the search in this folder, for reapcheck resume' },
  'checkpoint-every': {
    ...one,
    describe: 'With --checkpoint: save every so many seconds, or like 10000states [60]',
  },
  ...FLEET_OPTIONS,
  partitions: {
    ...number,
    describe: `With --fleet: divide the states among so many [${PARTITIONS_DEFAULT}]`,
  },
  'divide-from': {
    ...number,
    describe: `With --fleet: divide from the first layer of so many states on [${DIVIDED_FROM}]`,
  },
  disk: {
    ...one,
    describe: 'Keep old states in files in this folder, for searches larger than memory',
  },
  audit: {
    ...one,
    describe: 'Execute one in this many steps again with plain immer [ever fewer]',
  },
  ...REPORT_OPTIONS,
  'state-graph': {
    type: 'boolean',
    describe: `Add the graph of states to the result, up to ${STATE_GRAPH_MOST} states: json, *-states`,
  },
  traces: { type: 'boolean', describe: 'Show every trace, including expected ones' },
  full: { type: 'boolean', describe: 'Text: show all details, and whole states in traces' },
  quiet: { type: 'boolean', alias: 'q', describe: 'No progress line and no notes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

/** What may differ when a saved search goes on. All else is as it was. */
export const RESUME_OPTIONS = {
  'max-states': CHECK_OPTIONS['max-states'],
  'max-depth': CHECK_OPTIONS['max-depth'],
  timeout: { ...number, describe: 'Stop after this many further seconds' },
  memory: CHECK_OPTIONS.memory,
  'checkpoint-every': {
    ...one,
    describe: 'Save every so many seconds, or like 10000states [as before]',
  },
  ...REPORT_OPTIONS,
  traces: CHECK_OPTIONS.traces,
  full: CHECK_OPTIONS.full,
  quiet: CHECK_OPTIONS.quiet,
} as const satisfies Record<string, Options>;

export const FLEET_WORKER_OPTIONS = {
  redis: { ...one, describe: 'URL of the Redis; rediss:// is TLS' },
  slots: { ...number, describe: 'Number of jobs to run in parallel [one per core]' },
  idle: { ...number, describe: 'End after so many seconds without a job [never]' },
  silent: {
    ...number,
    describe: 'Others take its jobs over after so many seconds without a sign of life [30]',
  },
  away: { ...number, describe: 'End after so many seconds without Redis [300]' },
  'job-timeout': {
    ...number,
    describe: 'Fail a job without a limit of its own after so many seconds [never]',
  },
  quiet: { type: 'boolean', alias: 'q', describe: 'No notes' },
} as const satisfies Record<string, Options>;

/** The options of `check` that decide what the model is. */
const MODEL_OPTIONS = {
  delete: CHECK_OPTIONS.delete,
  cascade: CHECK_OPTIONS.cascade,
  namespace: CHECK_OPTIONS.namespace,
  'cooperative-finalizer': CHECK_OPTIONS['cooperative-finalizer'],
  finalizers: CHECK_OPTIONS.finalizers,
  'node-lost': CHECK_OPTIONS['node-lost'],
  with: CHECK_OPTIONS.with,
  without: CHECK_OPTIONS.without,
  'stuck-finalizer': CHECK_OPTIONS['stuck-finalizer'],
  protocol: CHECK_OPTIONS.protocol,
  rule: CHECK_OPTIONS.rule,
} as const satisfies Record<string, Options>;

export const WALKS_DEFAULT = 1000;
export const STEPS_DEFAULT = 1000;
/** The current walk is kept in memory. */
export const STEPS_HIGHEST = 100_000;
/** Seeds are 31-bit integers. */
export const SEED_HIGHEST = 2 ** 31 - 1;

/** The options of `check` that apply to walks. */
export const SIMULATE_OPTIONS = {
  walks: { ...number, describe: `Maximum number of walks [${WALKS_DEFAULT}]` },
  steps: {
    ...number,
    describe: `Maximum number of steps per walk, up to ${STEPS_HIGHEST} [${STEPS_DEFAULT}]`,
  },
  seed: {
    ...number,
    describe: `Repeats the walks of this seed, up to ${SEED_HIGHEST} [random]`,
  },
  ...FLEET_OPTIONS,
  museum: CHECK_OPTIONS.museum,
  ...MODEL_OPTIONS,
  property: CHECK_OPTIONS.property,
  workers: CHECK_OPTIONS.workers,
  relists: CHECK_OPTIONS.relists,
  timeout: { ...number, describe: 'Stop the walks of each scenario after this many seconds' },
  memory: CHECK_OPTIONS.memory,
  ...REPORT_OPTIONS,
  traces: CHECK_OPTIONS.traces,
  full: CHECK_OPTIONS.full,
  quiet: CHECK_OPTIONS.quiet,
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const GATE_OPTIONS = {
  update: { type: 'boolean', describe: 'Accept the drift: rewrite the lock' },
  'accept-worse': {
    type: 'boolean',
    describe: 'With --update: also accept results that got worse',
  },
  processes: { ...number, describe: 'Number of cells to run in parallel [one per core]' },
  ...FLEET_OPTIONS,
  cache: { ...one, describe: 'Folder to cache cell reports in [~/.cache/reapcheck]' },
  'no-cache': { type: 'boolean', describe: 'Run every cell and cache nothing' },
  shard: { ...one, describe: 'N/COUNT: run one part of the cells, for reapcheck gate merge' },
  suite: { ...one, describe: 'merge: the suite that the shards belong to' },
  ...REPORT_OPTIONS,
  full: { type: 'boolean', describe: 'Text: show the whole state at each step of a trace' },
  quiet: { type: 'boolean', alias: 'q', describe: 'No progress line and no notes' },
} as const satisfies Record<string, Options>;

/** Limits of each search in `explore`. */
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
  ...MODEL_OPTIONS,
  property: { ...many, describe: 'Offer only this property; may be repeated' },
  workers: CHECK_OPTIONS.workers,
  relists: CHECK_OPTIONS.relists,
  'max-states': {
    ...number,
    describe: `Stop each search after this many states [${SEARCH_STATES_DEFAULT}]`,
  },
  'max-depth': { ...number, describe: 'Search at most this many steps ahead' },
  timeout: {
    ...number,
    describe: `Seconds for each search and, if given, for the start [${SEARCH_SECONDS_DEFAULT}]`,
  },
  memory: { ...number, describe: 'Stop the start and each search at this many megabytes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const SERVE_OPTIONS = {
  port: { ...number, describe: 'Port to listen on; 0 is any free one [0]' },
  address: { ...one, describe: 'Address to listen on; there is no authentication [127.0.0.1]' },
  kubeconfig: { ...one, describe: 'Write the kubeconfig into this file [stdout]' },
  'audit-log': { ...one, describe: 'Write every request, also of controllers, into this file' },
  record: { ...one, describe: 'Keep the run in this file, as a scenario with a token' },
  plays: { ...one, describe: 'A client plays this controller of the run of --schedule TOKEN' },
  'operator-kubeconfig': { ...one, describe: 'Write the kubeconfig of that client into this file' },
  patience: { ...number, describe: 'How many seconds the run waits for that client [10]' },
  schedule: { ...one, describe: 'Which step comes next: fair, seed:N, manual, or a token [fair]' },
  protocol: CHECK_OPTIONS.protocol,
  rule: CHECK_OPTIONS.rule,
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const RECORD_OPTIONS = {
  context: {
    ...CLUSTER_OPTIONS.context,
    describe: 'Record this cluster, a context of the kubeconfig',
  },
  kubeconfig: CLUSTER_OPTIONS.kubeconfig,
  out: { ...one, alias: 'o', describe: 'Write the recording into this new or empty folder' },
  kinds: { ...many, describe: 'Only this kind; may be repeated [all that can be watched]' },
  namespace: {
    ...many,
    alias: 'n',
    describe: 'Only this namespace, and all cluster-scoped objects; may be repeated [all]',
  },
  'audit-log': { ...one, describe: 'The file in which the API server logs; copied meanwhile' },
  for: { ...one, describe: 'Stop after this time, such as 90s, 10m or 2h [at Ctrl-C]' },
  quiet: { type: 'boolean', alias: 'q', describe: 'No progress line and no notes' },
} as const satisfies Record<string, Options>;

/** Of a command with one result. */
const WORK_LIMITS = {
  timeout: { ...number, describe: 'Stop after this many seconds' },
  memory: { ...number, describe: 'Stop at this many megabytes' },
} as const satisfies Record<string, Options>;

export const LIST_OPTIONS = { format } as const satisfies Record<string, Options>;

export const RENDER_OPTIONS = {
  ...REPORT_OPTIONS,
  check: { ...one, describe: 'One trace: of the check with this title' },
  property: { ...one, describe: 'One trace: of this property' },
  traces: { type: 'boolean', describe: 'Text: show every trace, including expected ones' },
  full: { type: 'boolean', describe: 'Text: show the whole state at each step of a trace' },
  quiet: { type: 'boolean', alias: 'q', describe: 'No notes' },
  ...WORK_LIMITS,
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const EXPORT_OPTIONS = {
  to: {
    choices: EXPORT_FORMATS,
    requiresArg: true,
    demandOption: true,
    describe: 'What the test is written in',
  },
  output: REPORT_OPTIONS.output,
  check: { ...number, describe: 'File: only the check with this number, from 1' },
  property: { ...one, describe: 'File: the counterexample to this property' },
  ...WORK_LIMITS,
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const REPLAY_OPTIONS = {
  check: { ...number, describe: 'File: only the check with this number, from 1' },
  property: { ...many, describe: 'File: only the traces of this property; may be repeated' },
  model: { ...one, describe: 'File: run the model that this module exports' },
  until: {
    ...number,
    describe: 'Stop after this many steps; show the state and the possible steps',
  },
  extend: { type: 'boolean', describe: 'Continue searching from there, with the same properties' },
  'max-states': { ...number, describe: '--extend: stop after this many states' },
  'max-depth': { ...number, describe: '--extend: stop after this many further steps' },
  ...WORK_LIMITS,
  full: { type: 'boolean', describe: 'Text: show the whole state at each step' },
  ...REPORT_OPTIONS,
  quiet: { type: 'boolean', alias: 'q', describe: '--extend: no progress line and no notes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const TRACE_SECONDS_DEFAULT = 60;

export const CONFORM_OPTIONS = {
  protocol: { ...one, describe: 'Kubernetes version to judge by, see reapcheck list protocols' },
  partial: {
    type: 'boolean',
    describe: 'trace: judge logs without all bodies or requests; claims less',
  },
  coverage: { type: 'boolean', describe: 'trace: print which steps and rules were exercised' },
  restarts: { ...number, describe: 'trace: how many times the controller manager restarted' },
  relists: {
    ...number,
    describe: 'trace: how many times a watch of the collector may have broken',
  },
  timeout: {
    ...number,
    describe: `trace: stop each trace after this many seconds [${TRACE_SECONDS_DEFAULT}]`,
  },
  memory: { ...number, describe: 'trace: stop each trace at this many megabytes' },
  ...REPORT_OPTIONS,
  quiet: { type: 'boolean', alias: 'q', describe: 'No notes' },
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const KUBECTL_DEFAULT = 'kubectl';

export const DUMP_COMMAND_OPTIONS = {
  namespace: {
    ...many,
    alias: 'n',
    describe: 'Only this namespace, and all cluster-scoped objects; may be repeated [all]',
  },
  context: { ...one, describe: 'Context of the kubeconfig [the current one]' },
  kubectl: { ...one, describe: `The client, such as oc [${KUBECTL_DEFAULT}]` },
} as const satisfies Record<string, Options>;
