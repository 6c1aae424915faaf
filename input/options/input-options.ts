import type { Limits } from '../../checker/index.ts';
import { hint, MESSAGES } from '../../text/messages.ts';
import { ACTOR_NAMES, type ActorName } from '../cluster/actor-names.ts';
import type { Selection } from '../manifests/selection/selected-targets.ts';
import { CASCADES, type Overrides, type Subject } from '../plan.ts';
import { WORKERS_HIGHEST } from '../scenarios/terms.ts';
import { maxMegabytesOf, megabytes, seconds, text, texts, type Values, whole } from './values.ts';

/** The input to check and how, validated without reading any input. */
export interface InputOptions extends Omit<Subject, 'variant'> {
  /** Names of the properties to judge; none: those of the input. */
  readonly properties: readonly string[];
  /** What is deleted by kind instead of by name. Absent: nothing. */
  readonly selection?: Selection;
  readonly limits: Limits;
  readonly maxMegabytes: number;
}

/** Whether a word of the command line is a module that exports a model: it ends like one. */
export function isModule(word: string): boolean {
  return /\.[mc]?[jt]s$/.test(word);
}

/** Throws `InputError` for invalid values and invalid combinations. */
export function inputOptions(values: Values): InputOptions {
  const deletions = texts(values, 'delete');
  const cascade = text(values, 'cascade');
  const namespace = text(values, 'namespace');
  const expected = text(values, 'expect');
  const museum = values.museum === true;
  if (museum && deletions.length > 0) {
    throw MESSAGES.usage('--museum has its own scenarios and cannot be combined with --delete');
  }
  if (deletions.length === 0) {
    for (const [option, value] of Object.entries({ cascade, namespace })) {
      if (value !== null) throw MESSAGES.usage(`--${option} has no effect without --delete`);
    }
  }
  return {
    inputs: [...texts(values, 'input'), ...texts(values, 'afterDashes')],
    museum,
    deletions,
    cascade: CASCADES.find((known) => known === cascade) ?? 'background',
    namespace,
    properties: texts(values, 'property'),
    ...(expected === null ? {} : { expected }),
    overrides: overridesOf(values),
    limits: limitsOf(values),
    maxMegabytes: maxMegabytesOf(values),
  };
}

export function limitsOf(values: Values): Limits {
  const states = whole(values, 'max-states', 1);
  const depth = whole(values, 'max-depth', 0);
  const limit = seconds(values, 'timeout');
  const memory = megabytes(values, 'memory');
  return {
    ...(states === null ? {} : { states }),
    ...(depth === null ? {} : { depth }),
    ...(limit === null ? {} : { seconds: limit }),
    ...(memory === null ? {} : { megabytes: memory }),
  };
}

function overridesOf(values: Values): Overrides {
  const protocol = text(values, 'protocol');
  const deleteWorkers = workersOf(values);
  const relists = whole(values, 'relists', 0);
  const table = text(values, 'finalizers');
  return {
    ...(protocol === null ? {} : { protocol }),
    rules: rulesOf(values),
    stuckFinalizers: texts(values, 'stuck-finalizer'),
    ...(deleteWorkers === null ? {} : { deleteWorkers }),
    ...(relists === null ? {} : { relists }),
    ...(table === null ? {} : { finalizerTable: table }),
    ...aroundOf(values),
  };
}

/** What the options say about the cluster around a dump. */
function aroundOf(values: Values): Pick<Overrides, 'around'> {
  const stuck = texts(values, 'stuck-finalizer');
  const around: NonNullable<Overrides['around']> = {
    with: texts(values, 'with').map((name) => actorNamed('with', name)),
    without: texts(values, 'without').map((name) => actorNamed('without', name)),
    lostNodes: texts(values, 'node-lost'),
    cooperative: texts(values, 'cooperative-finalizer'),
    admitted: texts(values, 'admitted'),
  };
  for (const name of around.with) {
    if (around.without.includes(name)) {
      throw MESSAGES.usage(`--with ${name} and --without ${name} contradict each other`);
    }
  }
  for (const name of around.cooperative) {
    if (stuck.includes(name)) {
      throw MESSAGES.usage(
        `--cooperative-finalizer ${name} and --stuck-finalizer ${name} contradict each other`,
      );
    }
  }
  return Object.values(around).some((names) => names.length > 0) ? { around } : {};
}

function actorNamed(option: string, given: string): ActorName {
  const found = ACTOR_NAMES.find((name) => name === given);
  if (found !== undefined) return found;
  throw MESSAGES.usage(
    `--${option} does not know the actor "${given}"`,
    hint(given, ACTOR_NAMES, `available: ${ACTOR_NAMES.join(', ')}`),
  );
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

/** The limit is that of scenarios. */
function workersOf(values: Values): number | null {
  const given = whole(values, 'workers', 1);
  if (given === null || given <= WORKERS_HIGHEST) return given;
  throw MESSAGES.wrongValue('workers', `at most ${WORKERS_HIGHEST}`, String(given));
}
