import type { Audits, ReductionName } from '../checker/index.ts';
import type { Collection } from '../input/collections/collection.ts';
import { type InputOptions, inputOptions, isModule } from '../input/options/input-options.ts';
import { explainedObjects, kubectlArguments } from '../input/options/kubectl-options.ts';
import { REDUCTIONS_EXPECTED, reductionsNamed } from '../input/options/reductions.ts';
import { positive, text, texts, type Values, whole } from '../input/options/values.ts';
import { CASCADES, type Cascade } from '../input/plan.ts';
import { FORMAT_NAMES, formatNamed } from '../report/format-names.ts';
import { demandForDisk } from '../run/disk-demands.ts';
import { demandForThreads } from '../run/search-threads.ts';
import { MESSAGES } from '../text/messages.ts';
import {
  type CheckpointArguments,
  checkpointArguments,
  withoutCheckpoint,
} from './checkpoint-arguments.ts';
import { type FleetArguments, fleetArguments } from './fleet-arguments.ts';
import { AUDIT_DEFAULT } from './option-tables.ts';
import { type WantedReports, wantedReports } from './reports.ts';

/** The command line of `check`, validated without reading any input. */
export interface CheckArguments extends InputOptions {
  readonly engine: 'tracked' | 'naive';
  /** Null: the plan decides. */
  readonly reductions: readonly ReductionName[] | null;
  readonly auditEvery: Audits;
  readonly acceptBounded: boolean;
  readonly reports: WantedReports;
  readonly quiet: boolean;
  readonly traces: boolean;
  readonly distinct: number;
  readonly full: boolean;
  /** Whether the result includes the graph of states, if the graph is small. */
  readonly stateGraph: boolean;
  /** Threads of a search. */
  readonly threads: number;
  /** Null: the search is not saved. */
  readonly checkpoint: CheckpointArguments | null;
  /** The folder for rows of old states; null: they stay in memory. */
  readonly disk: string | null;
  /** The words after `reapcheck`, to print the command that repeats a check. */
  readonly words: readonly string[];
  /** The objects of a cluster that has been read. Absent: those of the inputs. */
  readonly cluster?: Collection;
}

/** Throws `InputError` for invalid values and invalid combinations. */
export function checkArguments(values: Values, words: readonly string[]): CheckArguments {
  const reports = wantedReports(values);
  const traces = values.traces === true;
  const full = values.full === true;
  const options = inputOptions(values);
  const engine = text(values, 'engine') === 'naive' ? 'naive' : 'tracked';
  const reductions = reductionsOf(values);
  const leaving = reductions?.find((name) => name !== 'symmetry');
  if (leaving !== undefined && engine === 'naive') {
    throw MESSAGES.usage(
      `--reduction ${leaving} needs the tracked engine; the naive engine takes every step`,
    );
  }
  if (areModules(options)) demandForModules(values, options.inputs);
  const { format } = reports;
  const formats = [format, ...reports.reports.map((report) => report.format)];
  const isText = formats.includes('text');
  for (const [option, set] of Object.entries({ traces, full })) {
    if (set && !isText) throw MESSAGES.usage(`--${option} has no effect with --format ${format}`);
  }
  const forStates = formats.some((name) => formatNamed(name).shows === 'states');
  if (values['state-graph'] === true && !forStates && !formats.includes('json')) {
    throw MESSAGES.usage(
      `--state-graph has no effect with --format ${format}, which shows no states`,
      'the formats json, dot-states and mermaid-states show states',
    );
  }
  const given: Searched = {
    ...options,
    engine,
    reductions,
    auditEvery: auditOf(values),
    acceptBounded: values['accept-bounded'] === true,
    reports,
    quiet: values.quiet === true,
    traces,
    distinct: distinctOf(values, reports),
    full,
    stateGraph: forStates || values['state-graph'] === true,
    words: withoutCheckpoint(words),
  };
  const checkpoint = checkpointArguments(values, given, isQuestion(given), areModules(given));
  const disk = text(values, 'disk');
  const threads = whole(values, 'threads', 1) ?? 1;
  const search = { ...given, checkpoint, disk, isQuestion: isQuestion(given) };
  demandForDisk(search);
  demandForThreads(threads, search);
  return { ...given, checkpoint, disk, threads };
}

/** What decides whether a search can be saved, go to the disk, or have threads. */
type Searched = Omit<CheckArguments, 'checkpoint' | 'disk' | 'threads'>;

/** The command line of a question about a dump: that of a check with the same options. */
export function questionArguments(values: Values, words: readonly string[]): CheckArguments {
  const dump = values.context === undefined ? [text(values, 'input') ?? ''] : [];
  const inputs = [...dump, ...texts(values, 'dump')];
  return checkArguments({ ...values, input: inputs, delete: texts(values, 'object') }, words);
}

/** The same, with the words and flags of `kubectl delete`. */
export function deletionArguments(values: Values, words: readonly string[]): CheckArguments {
  return { ...questionArguments(values, words), ...kubectlArguments(values) };
}

/** The command line of a survey. */
export interface SurveyArguments extends CheckArguments {
  /** None: all. */
  readonly cascades: readonly Cascade[];
  /** The namespace of the root objects; null: all. */
  readonly only: string | null;
  /** Null: one per core. */
  readonly processes: number | null;
  /** Null: all is done here. */
  readonly fleet: FleetArguments | null;
  /** For each root object. */
  readonly rowSeconds: number | null;
  /** The options about the cluster and the model, for the commands that show a row in full. */
  readonly aroundWords: readonly string[];
}

const AROUND_OPTIONS = [
  'admitted',
  'context',
  'kubeconfig',
  'with',
  'without',
  'node-lost',
  'cooperative-finalizer',
  'stuck-finalizer',
  'protocol',
  'rule',
  'workers',
  'relists',
  'reduction',
] as const;

export function surveyArguments(values: Values, words: readonly string[]): SurveyArguments {
  const { cascade: _cascade, namespace: _namespace, ...others } = values;
  return {
    ...questionArguments(others, words),
    cascades: texts(values, 'cascade').map(cascadeNamed),
    only: text(values, 'namespace'),
    processes: whole(values, 'processes', 1),
    fleet: fleetArguments(values),
    rowSeconds: positive(values, 'row-timeout'),
    aroundWords: AROUND_OPTIONS.flatMap((option) => {
      const value = values[option];
      const given = value === undefined ? [] : [value].flat().map(String);
      return given.flatMap((one) => [`--${option}`, one]);
    }),
  };
}

function cascadeNamed(given: string): Cascade {
  const found = CASCADES.find((known) => known === given);
  if (found !== undefined) return found;
  throw MESSAGES.wrongValue('cascade', CASCADES.join(', '), given);
}

/** As `questionArguments`, but without any object it is about all that is being deleted. */
export function explainArguments(values: Values, words: readonly string[]): CheckArguments {
  const { namespace, ...rest } = values;
  const given = questionArguments(rest, words);
  const deletions = explainedObjects(given.deletions);
  return { ...given, deletions, namespace: text(values, 'namespace') };
}

/** Options about Kubernetes. A model in a module has no such thing. */
const CLUSTER_OPTIONS: readonly string[] = [
  ...['museum', 'delete', 'cascade', 'namespace', 'stuck-finalizer', 'cooperative-finalizer'],
  ...['finalizers', 'node-lost', 'with', 'without', 'protocol', 'rule', 'workers', 'relists'],
  ...['variant', 'accept-bounded', 'context', 'kubeconfig'],
];

/** Throws `InputError` if the other inputs or options do not go with modules. */
export function demandForModules(values: Values, inputs: readonly string[]): void {
  const other = inputs.find((input) => !isModule(input));
  const module = inputs.find(isModule);
  if (other !== undefined) {
    throw MESSAGES.usage(
      `${module} is a module with a model, and ${other} is not: they cannot be given together`,
      'give them to two commands',
    );
  }
  const option = CLUSTER_OPTIONS.find((name) => values[name] !== undefined);
  if (option === undefined) return;
  throw MESSAGES.usage(
    `--${option} has no effect on ${module}: a module has a model of its own, without Kubernetes`,
    'the module itself says what its model does',
  );
}

/** How many counterexamples per property. At least one chosen format must show several. */
function distinctOf(values: Values, { format, reports }: WantedReports): number {
  const distinct = whole(values, 'distinct', 1) ?? 1;
  const formats = [format, ...reports.map((report) => report.format)];
  if (distinct > 1 && !formats.some((name) => formatNamed(name).alternatives === true)) {
    throw MESSAGES.usage(
      `--distinct has no effect with --format ${format}, which shows one counterexample per property`,
      `formats that show several: ${FORMAT_NAMES.filter((name) => formatNamed(name).alternatives === true).join(', ')}`,
    );
  }
  return distinct;
}

function reductionsOf(values: Values): readonly ReductionName[] | null {
  const given = text(values, 'reduction');
  if (given === null) return null;
  const names = reductionsNamed(given);
  if (names === null) throw MESSAGES.wrongValue('reduction', REDUCTIONS_EXPECTED, given);
  return names;
}

function auditOf(values: Values): Audits {
  const given = text(values, 'audit');
  if (given === null) return 0;
  if (given === AUDIT_DEFAULT) return given;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw MESSAGES.wrongValue('audit', 'a whole number from 1', given);
}

/** Whether the inputs are modules that export models. */
export function areModules({ inputs }: Pick<InputOptions, 'inputs'>): boolean {
  return inputs.some(isModule);
}

/** Whether `check --delete` asks for what `delete` answers, and for nothing that only a check has. */
export function isQuestion(
  given: Pick<CheckArguments, 'deletions' | 'properties' | 'distinct' | 'stateGraph'>,
): boolean {
  const { deletions, properties, distinct, stateGraph } = given;
  return deletions.length > 0 && properties.length === 0 && distinct === 1 && !stateGraph;
}
