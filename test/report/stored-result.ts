import type { FairnessMet, PropertyResult, Trace, TraceStep } from '../../checker/index.ts';
import { PROTOCOLS } from '../../model/rules/protocols.ts';
import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import type { CheckReport, ResultDocument } from '../../report/document/result-document.ts';

/** Results made by hand, one for each thing that can be in one. */

export function step(sentence: string, ...changes: readonly string[]): TraceStep {
  const actor = sentence.slice(0, sentence.indexOf(':'));
  const told = { actor, sentence, changes, beliefs: [], status: 'idle' } as const;
  return { action: sentence, parameters: {}, fairness: 'weak', ...told, state: {} };
}

const STEPS = [
  step(
    'kubectl: DELETE ConfigMap/owner propagationPolicy=Foreground',
    'ConfigMap/owner + deletionTimestamp',
    'ConfigMap/owner + finalizer foregroundDeletion',
  ),
  step('watch ConfigMap: MODIFIED ConfigMap/owner reaches the collector'),
  step(
    'gc delete-1: takes ConfigMap/owner from attemptToDelete, which is a sentence so long that it has to be broken into two lines',
    '  blocked by: dependent ConfigMap/dependent',
  ),
];

export function trace(more: Partial<Trace> = {}): Trace {
  return {
    shape: 'path',
    loopStart: null,
    initialIndex: 0,
    initial: {},
    initialLines: ['ConfigMap/owner', 'ConfigMap/dependent, owned by ConfigMap/owner (blocking)'],
    initialStatus: 'idle',
    steps: STEPS,
    fairness: [],
    ...more,
  };
}

export function property(name: string, more: Partial<PropertyResult> = {}): PropertyResult {
  return {
    name,
    kind: 'eventually',
    verdict: 'holds',
    triggered: 1234,
    parameters: null,
    trace: null,
    broken: [],
    reason: null,
    ...more,
  };
}

export function report(
  title: string,
  more: Partial<CheckReport> & { properties: PropertyResult[] },
): CheckReport {
  const { properties, result, ...rest } = more;
  return {
    title,
    about: 'What this is about.',
    source: null,
    protocol: 'v1.20',
    rules: {},
    assumptions: ['Nobody else acts.', 'Watches never break.'],
    cut: [],
    warnings: [],
    setup: {
      name: title,
      kinds: { ConfigMap: BUILT_IN_KINDS.ConfigMap! },
      rules: PROTOCOLS['v1.20']!,
      objects: [],
      users: {},
      finalizers: {},
      deleteWorkers: 1,
      orphanWorkers: 1,
      caches: 'synced',
      relists: {},
    },
    expectation: null,
    asked: [],
    met: true,
    unmet: [],
    fates: [],
    museum: null,
    place: null,
    exitCode: 0,
    again: `reapcheck check ${title}`,
    tokens: [],
    result: result ?? {
      schema: 'reapcheck.check/v1',
      model: title,
      outcome: 'complete',
      limit: null,
      defect: null,
      symmetry: null,
      statistics: {
        states: 1234567,
        transitions: 7654321,
        layers: 43,
        engine: 'tracked',
        reducerRuns: 10,
        bytesPerState: 20,
        cpuSeconds: 1.5,
        wallSeconds: 1.46,
        audited: 0,
      },
      properties,
      actions: [
        { action: 'serve', fairness: 'weak', instances: 1, transitions: 5 },
        { action: 'relist', fairness: 'none', instances: 1, transitions: 0 },
      ],
    },
    ...rest,
  };
}

export function document(...checks: readonly CheckReport[]): ResultDocument {
  return {
    schema: 'reapcheck.result/v1',
    command: 'reapcheck check',
    version: '0.1.0',
    checks,
    answer: null,
    notRun: [],
    exitCode: 0,
  };
}

function met(fairness: 'weak' | 'strong', index: number, disabled?: string): FairnessMet {
  const told = { actor: 'gc', sentence: `gc: takes ${disabled ?? 'it'} from attemptToDelete` };
  const by = disabled === undefined ? 'taken' : 'disabled';
  return { action: 'take', parameters: {}, ...told, fairness, by, step: index };
}

/** Every mark, a belief, and more actions that are not always enabled than the report lists. */
const MARKED = property('everything is marked', {
  verdict: 'violated',
  trace: trace({
    shape: 'lasso',
    loopStart: 4,
    initialStatus: 'pending',
    steps: (['met', 'idle', 'holds', 'reached', 'pending', 'broken'] as const).map((status) => ({
      ...step('kubectl: DELETE ConfigMap/owner'),
      beliefs: status === 'pending' ? ['believes: ConfigMap/a is absent (stored: it is)'] : [],
      status,
      state: { store: { 'ConfigMap/a': { uid: 'u-1' } }, queue: { waiting: [] }, done: {} },
    })),
    fairness: [...'abcdef'].map((name) => met('weak', 5, name)),
  }),
});

const TOKEN = { property: MARKED.name, token: `rt1:${'marked'.repeat(20)}` };

const LASSO = property('every deletion finishes', {
  verdict: 'violated',
  parameters: { key: 'ConfigMap/shop/owner', uid: 'u-1' },
  trace: trace({
    shape: 'lasso',
    loopStart: 1,
    steps: STEPS.map((one) => ({ ...one, status: 'pending' })),
    fairness: [met('weak', 2), met('strong', 1)],
  }),
  broken: ['ConfigMap/owner.shop is blocked by: finalizer foregroundDeletion', 'and so on'],
});

const STUTTER = property('the collector comes to rest', {
  verdict: 'violated',
  trace: trace({ shape: 'stutter' }),
});

const PATH = property('nothing with a live owner is collected', {
  kind: 'step',
  verdict: 'violated',
  trace: trace({ steps: STEPS.slice(0, 1) }),
  broken: ['the collector deletes ConfigMap/dependent, whose owner ConfigMap/owner is there'],
});

const WITNESS = property('a deletion can finish', {
  kind: 'witness',
  trace: trace(),
  triggered: 1,
});
const UNREACHED = property('orphaning is possible', { kind: 'witness', verdict: 'violated' });
const VACUOUS = property('orphaning completes', {
  verdict: 'vacuous',
  triggered: 0,
  reason: 'none',
});
const VIOLATED = { exitCode: 1, met: false } as const;

const LIMITED = report('limited', {
  properties: [],
  exitCode: 3,
  met: false,
  result: {
    ...report('', { properties: [] }).result,
    outcome: 'limited',
    limit: { kind: 'states', value: 1000, advice: 'Raise --max-states above 1,000.' },
    properties: [property('nothing is stuck', { verdict: 'inconclusive', reason: 'a limit' })],
  },
});

const DEFECT = report('defective', {
  properties: [],
  exitCode: 70,
  met: false,
  result: {
    ...report('', { properties: [] }).result,
    outcome: 'defect',
    defect: {
      kind: 'threw',
      culprit: 'serve',
      parameters: { client: 'gc\u001b[2J' },
      message: 'there is no such client',
    },
    properties: [property('nothing is stuck', { verdict: 'inconclusive' })],
  },
});

export const STORED: Readonly<Record<string, ResultDocument>> = {
  lasso: document(report('stuck', { properties: [LASSO, VACUOUS], ...VIOLATED })),
  'marks-full': document(report('marked', { properties: [MARKED], tokens: [TOKEN], ...VIOLATED })),
  'same-steps': document(report('stuck', { properties: [STUTTER, LASSO, PATH], ...VIOLATED })),
  'witness-traces': document(report('possible', { properties: [WITNESS, UNREACHED], ...VIOLATED })),
  'asked-vacuous': document(
    report('vacuous', { properties: [VACUOUS], asked: [VACUOUS.name], exitCode: 4, met: false }),
  ),
  limit: document(LIMITED),
  defect: document(DEFECT),
  'documented-limitation': document(
    report('documented', {
      properties: [PATH],
      expectation: {
        verdicts: { [PATH.name]: 'violated' },
        because: { [PATH.name]: 'https://github.com/kubernetes/kubernetes/issues/114603' },
      },
    }),
  ),
  fates: document(
    report('delete ConfigMap/owner, foreground', {
      properties: [property('nothing is stuck', { kind: 'settled', triggered: 1 })],
      rules: { cycleBreaking: 'none' },
      cut: ['2 objects cut: for a reason.'],
      warnings: Array.from({ length: 9 }, (_, index) => `warning ${index + 1}`),
      fates: [
        {
          object: 'ConfigMap/owner',
          uid: 'u-1',
          fate: 'stays',
          begins: true,
          replaced: false,
          goes: { ...LASSO, name: 'ConfigMap/owner (u-1) goes' },
          mayGo: { ...UNREACHED, name: 'ConfigMap/owner (u-1) may go' },
        },
        {
          object: 'ConfigMap/dependent',
          uid: 'u-2',
          fate: 'either',
          begins: true,
          replaced: false,
          goes: { ...STUTTER, name: 'ConfigMap/dependent (u-2) goes' },
          mayGo: { ...WITNESS, name: 'ConfigMap/dependent (u-2) may go' },
        },
        {
          object: 'Secret/s',
          uid: 'u-3',
          fate: 'goes',
          begins: true,
          replaced: true,
          goes: WITNESS,
          mayGo: WITNESS,
        },
      ],
    }),
  ),
  'strange-names': document(
    report('a\u001b[31mb', {
      about: 'about \u202e this',
      properties: [
        property('p\u0007', {
          verdict: 'violated',
          trace: trace({ steps: [step('user\u001b]0;x\u0007: DELETE', 'a\nb')] }),
          broken: ['\u200bclause'],
        }),
      ],
      tokens: [{ property: 'p\u0007', token: 'rt1:\u001b[2J' }],
      warnings: ['warning\r'],
      ...VIOLATED,
    }),
  ),
  several: document(
    report('good', { properties: [property('one'), VACUOUS] }),
    report('documented', {
      properties: [PATH],
      expectation: { verdicts: { [PATH.name]: 'violated' }, because: { [PATH.name]: 'a link' } },
    }),
    report('unexpected', {
      properties: [PATH, property('two')],
      expectation: { verdicts: {}, because: {} },
      unmet: [`"${PATH.name}" is violated, which the file does not expect`],
      ...VIOLATED,
    }),
    LIMITED,
    DEFECT,
  ),
  'several-interrupted': {
    ...document(report('first', { properties: [property('one')] })),
    notRun: ['second', 'third'],
    exitCode: 130,
  },
};
