import type { Limits } from '../checker/index.ts';
import { CASCADES, type Cascade } from '../input/manifests/deletion.ts';
import type { Overrides } from '../input/plan.ts';
import { WORKERS_HIGHEST } from '../input/scenarios/scenario-schema.ts';
import { FORMAT_NAMES, formatNamed } from '../report/formats.ts';
import { MESSAGES } from '../text/messages.ts';
import type { Values } from './command-line.ts';
import { maxMegabytesOf, positive, text, texts, whole } from './option-values.ts';
import { type WantedReports, wantedReports } from './reports.ts';

/** The command line of `check`, as far as it can be judged without reading anything. */
export interface CheckArguments {
  /** Scenario names and files, in order. */
  readonly inputs: readonly string[];
  /** Whether the names are entries of the museum. */
  readonly museum: boolean;
  readonly deletions: readonly string[];
  readonly cascade: Cascade;
  readonly namespace: string | null;
  readonly properties: readonly string[];
  readonly overrides: Overrides;
  readonly limits: Limits;
  readonly engine: 'tracked' | 'naive';
  /** Null: as the plan has it. */
  readonly symmetry: boolean | null;
  /** Null: nothing was said. */
  readonly confluence: boolean | 'only' | null;
  readonly auditEvery: number;
  readonly maxMegabytes: number;
  readonly reports: WantedReports;
  readonly quiet: boolean;
  readonly traces: boolean;
  readonly distinct: number;
  readonly full: boolean;
  /** Whether the states and the steps between them are to be in the result, if they are few. */
  readonly stateGraph: boolean;
  /** The words after `reapcheck`, for the lines that say how to repeat a check. */
  readonly words: readonly string[];
}

/** Throws `InputError` for values that make no sense, alone or together. */
export function checkArguments(values: Values, words: readonly string[]): CheckArguments {
  const deletions = texts(values, 'delete');
  const cascade = text(values, 'cascade');
  const namespace = text(values, 'namespace');
  const reports = wantedReports(values);
  const traces = values.traces === true;
  const full = values.full === true;
  const museum = values.museum === true;
  if (museum && deletions.length > 0) {
    throw MESSAGES.usage('--museum runs scenarios of its own, so it does not go with --delete');
  }
  if (deletions.length === 0) {
    for (const [option, value] of Object.entries({ cascade, namespace })) {
      if (value !== null) throw MESSAGES.usage(`--${option} says nothing without --delete`);
    }
  }
  const engine = text(values, 'engine') === 'naive' ? 'naive' : 'tracked';
  const confluence = confluenceOf(values);
  if ((confluence ?? false) !== false && engine === 'naive') {
    throw MESSAGES.usage('--confluence needs the tracked engine, the naive one takes every step');
  }
  const { format } = reports;
  const formats = [format, ...reports.reports.map((report) => report.format)];
  const isText = formats.includes('text');
  for (const [option, set] of Object.entries({ traces, full })) {
    if (set && !isText) throw MESSAGES.usage(`--${option} says nothing with --format ${format}`);
  }
  const forStates = formats.some((name) => formatNamed(name).shows === 'states');
  if (values['state-graph'] === true && !forStates && !formats.includes('json')) {
    throw MESSAGES.usage(
      `--state-graph says nothing with --format ${format}, which shows no states`,
      'json, dot-states and mermaid-states do',
    );
  }
  return {
    inputs: [...texts(values, 'input'), ...texts(values, 'afterDashes')],
    museum,
    deletions,
    cascade: CASCADES.find((known) => known === cascade) ?? 'background',
    namespace,
    properties: texts(values, 'property'),
    overrides: overridesOf(values),
    limits: limitsOf(values),
    engine,
    symmetry: symmetryOf(values),
    confluence,
    auditEvery: auditOf(values),
    maxMegabytes: maxMegabytesOf(values),
    reports,
    quiet: values.quiet === true,
    traces,
    distinct: distinctOf(values, reports),
    full,
    stateGraph: forStates || values['state-graph'] === true,
    words,
  };
}

export function limitsOf(values: Values): Limits {
  const states = whole(values, 'max-states', 1);
  const depth = whole(values, 'max-depth', 0);
  const seconds = positive(values, 'timeout');
  const megabytes = positive(values, 'memory');
  return {
    ...(states === null ? {} : { states }),
    ...(depth === null ? {} : { depth }),
    ...(seconds === null ? {} : { seconds }),
    ...(megabytes === null ? {} : { megabytes }),
  };
}

/** How many counterexamples to a property; some format has to have room for them. */
function distinctOf(values: Values, { format, reports }: WantedReports): number {
  const distinct = whole(values, 'distinct', 1) ?? 1;
  const formats = [format, ...reports.map((report) => report.format)];
  if (distinct > 1 && !formats.some((name) => formatNamed(name).alternatives === true)) {
    throw MESSAGES.usage(
      `--distinct says nothing with --format ${format}, which has no room for more than one counterexample`,
      `formats that have: ${FORMAT_NAMES.filter((name) => formatNamed(name).alternatives === true).join(', ')}`,
    );
  }
  return distinct;
}

function overridesOf(values: Values): Overrides {
  const protocol = text(values, 'protocol');
  const deleteWorkers = workersOf(values);
  const relists = whole(values, 'relists', 0);
  return {
    ...(protocol === null ? {} : { protocol }),
    rules: rulesOf(values),
    stuckFinalizers: texts(values, 'stuck-finalizer'),
    ...(deleteWorkers === null ? {} : { deleteWorkers }),
    ...(relists === null ? {} : { relists }),
  };
}

function rulesOf(values: Values): Overrides['rules'] {
  const rules = texts(values, 'rule').map((rule) => {
    const equals = rule.indexOf('=');
    if (equals > 0) return { name: rule.slice(0, equals), value: rule.slice(equals + 1) };
    throw MESSAGES.wrongValue('rule', 'NAME=VALUE, see reapcheck list rules', rule);
  });
  const names = rules.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw MESSAGES.usage(`--rule ${twice} is given twice`);
  return rules;
}

/** As many as a scenario may have. */
function workersOf(values: Values): number | null {
  const given = whole(values, 'workers', 1);
  if (given === null || given <= WORKERS_HIGHEST) return given;
  throw MESSAGES.wrongValue('workers', `at most ${WORKERS_HIGHEST}`, String(given));
}

function symmetryOf(values: Values): boolean | null {
  const given = text(values, 'symmetry');
  return given === null ? null : given === 'on';
}

function confluenceOf(values: Values): boolean | 'only' | null {
  const given = text(values, 'confluence');
  return given === null || given === 'only' ? given : given === 'on';
}

function auditOf(values: Values): number {
  const given = text(values, 'audit');
  if (given === null) return 0;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw MESSAGES.wrongValue('audit', 'a whole number from 1', given);
}
