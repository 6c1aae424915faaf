import type { Options } from 'yargs';
import { KUBECTL_OPTIONS } from '../input/options/kubectl-options.ts';
import { CASCADES } from '../input/plan.ts';
import {
  CHECK_OPTIONS,
  CLUSTER_OPTIONS,
  FLEET_OPTIONS,
  many,
  maxInput,
  number,
  one,
  REPORT_OPTIONS,
} from './option-tables.ts';

/** Seconds of a machine that nothing else uses, in the words of `--help`. */
const QUIET = ', and more where others use the machine';

function answerWithin(seconds: number) {
  return {
    ...number,
    describe: `Answer after this many seconds at the latest [${seconds}${QUIET}]`,
  };
}

/** The options of questions about a deletion, by the name of each object. */
const QUESTION_OPTIONS = {
  dump: { ...many, describe: 'A further file of the dump; may be repeated' },
  ...CLUSTER_OPTIONS,
  cascade: { ...CHECK_OPTIONS.cascade, describe: 'Propagation policy [background]' },
  namespace: CHECK_OPTIONS.namespace,
  'cooperative-finalizer': CHECK_OPTIONS['cooperative-finalizer'],
  'stuck-finalizer': CHECK_OPTIONS['stuck-finalizer'],
  finalizers: CHECK_OPTIONS.finalizers,
  'node-lost': CHECK_OPTIONS['node-lost'],
  admitted: {
    ...many,
    describe: 'A dry run of DELETE KIND/NAME passed, or webhook or policy NAME',
  },
  with: CHECK_OPTIONS.with,
  without: CHECK_OPTIONS.without,
  protocol: CHECK_OPTIONS.protocol,
  rule: CHECK_OPTIONS.rule,
  workers: CHECK_OPTIONS.workers,
  relists: CHECK_OPTIONS.relists,
  'accept-bounded': CHECK_OPTIONS['accept-bounded'],
  expect: { ...one, describe: 'A file with properties that must hold for objects of the dump' },
  timeout: answerWithin(10),
  memory: CHECK_OPTIONS.memory,
  reduction: { ...one, describe: 'none, or symmetry,confluence [those that save the most states]' },
  ...REPORT_OPTIONS,
  traces: { type: 'boolean', describe: 'Show the shortest trace of each risk' },
  full: CHECK_OPTIONS.full,
  quiet: CHECK_OPTIONS.quiet,
  'max-input': maxInput,
} as const satisfies Record<string, Options>;

export const DELETE_OPTIONS = { ...QUESTION_OPTIONS, ...KUBECTL_OPTIONS };

/** As for a deletion, with every policy. */
export const COMPARE_OPTIONS = {
  ...DELETE_OPTIONS,
  cascade: {
    ...CHECK_OPTIONS.cascade,
    describe: 'Compare the other policies with it [background]',
  },
  timeout: answerWithin(30),
} as const satisfies Record<string, Options>;

const { cascade: _cascade, namespace: _namespace, ...WITHOUT_TARGETS } = QUESTION_OPTIONS;

/** As for a deletion, without anything that says what to delete. */
const { 'accept-bounded': _accepted, expect: _expect, ...COLLECTING } = WITHOUT_TARGETS;

export const COLLECT_OPTIONS = COLLECTING;

const { traces: _traces, full: _full, expect: __expect, ...WITHOUT_TRACES } = WITHOUT_TARGETS;

export const SURVEY_OPTIONS = {
  cascade: { ...many, describe: `Only this policy: ${CASCADES.join(', ')}; may be repeated [all]` },
  namespace: { ...one, alias: 'n', describe: 'Only the root objects of this namespace [all]' },
  processes: { ...number, describe: 'Number of objects to try in parallel [one per core]' },
  ...FLEET_OPTIONS,
  'row-timeout': { ...number, describe: `Stop each object after this many seconds [10${QUIET}]` },
  ...WITHOUT_TRACES,
  timeout: { ...number, describe: `Stop all of it after this many seconds [300${QUIET}]` },
} as const satisfies Record<string, Options>;

/** As for a deletion, but nothing is deleted. */
export const EXPLAIN_OPTIONS = {
  ...COLLECTING,
  namespace: { ...CHECK_OPTIONS.namespace, describe: 'Only objects of this namespace, and itself' },
} as const satisfies Record<string, Options>;

export const UNINSTALL_OPTIONS = {
  release: { ...one, describe: 'A Helm release, [NAMESPACE/]NAME, by annotation or label' },
  selector: {
    ...one,
    alias: 'l',
    describe: 'The objects with these labels, as kubectl takes them',
  },
  manifests: { ...many, alias: 'f', describe: 'What was applied; may be repeated' },
  ...COLLECTING,
  timeout: answerWithin(60),
} as const satisfies Record<string, Options>;
