import type { Answer, Outcome } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { document, property, report, trace } from './stored-result.ts';

/** An answer to each question, made by hand, with something of everything in it. */

const FATES = ['hangs', 'goes', 'depends', 'unknown', 'stays'] as const;
const SETTLE = 'kubectl get pods -n shop';
const HARM = 'the collector deletes ConfigMap/depends.shop early';

function outcome(name: string, more: Partial<Outcome> = {}): Outcome {
  return {
    name,
    sentence: 'Namespace/shop hangs, and 4 other objects do not simply go.',
    basis: { kind: 'search', text: 'every order of events was tried' },
    fates: FATES.map((fate) => ({
      fate,
      replaced: fate === 'goes',
      on:
        fate === 'unknown'
          ? [{ kind: 'dump', settle: `${SETTLE} --watch`, text: 'no pods are there' }]
          : fate === 'depends'
            ? [{ kind: 'finalizer', finalizer: 'a/b', text: 'may hang on the finalizer a/b' }]
            : [],
      waits: fate === 'hangs' ? [{ for: 'contents', what: 'a', text: 'it waits' }] : [],
    })),
    risks: [
      { text: HARM, documented: null, check: 0, property: HARM },
      { text: 'it may take long', documented: 'https://kubernetes.io/x', check: 0, property: HARM },
    ],
    invariants: { held: 1, notExercised: 2, undecided: 0, violated: [], text: '1 holds' },
    exitCode: 1,
    ...more,
  };
}

const BASE: Answer = {
  question: 'delete',
  title: 'delete Namespace/shop, background',
  targets: ['Namespace/shop'],
  objects: FATES.map((fate, index) => ({
    name: index === 0 ? 'Namespace/shop' : `ConfigMap/${fate}.shop`,
    namespace: 'shop',
    uid: `u-${index}`,
    parent: index === 0 ? null : 0,
    asked: index === 0,
    deleting: index === 0,
  })),
  outcomes: [outcome('background')],
  missing: [{ text: 'the dump has no pods', settle: SETTLE }],
  actors: [{ name: 'kubelets', runs: true, evidence: '1 pod', overrule: '--without kubelets' }],
  finalizers: [
    {
      ...{ finalizer: 'a/b', judgement: 'unknown', evidence: 'nobody knows it', owner: null },
      ...{ leaves: null, overrule: '--stuck-finalizer a/b' },
    },
  ],
  besides: ['Flux may apply it again'],
  protocol: 'newest',
};

const EXPLAIN: Answer = {
  ...BASE,
  question: 'explain',
  title: 'why Namespace/shop is not gone',
  reported: [
    {
      ...{ object: 'Namespace/shop', type: 'NamespaceContentRemaining', message: '3 pods' },
      meaning: 'they are not gone yet',
    },
  ],
  stuck: [
    {
      ...{ object: 0, since: '2026-01-02T03:04:05Z', seconds: 90_000, fate: 'hangs', waits: [] },
      chain: Array.from({ length: 8 }, (_, index) => `Namespace/shop waits for pod ${index}`),
      cycle: false,
    },
  ],
  remedies: [
    {
      objects: [0, 1],
      steps: Array.from({ length: 7 }, (_, index) => ({
        text: `take a/b off pod ${index}`,
        command: `kubectl patch pod pod-${index} --type=json -p '[]'`,
        leaves: index === 0 ? 'a bucket' : null,
        harm: 4,
      })),
      harm: 4,
      along: ['Secret/along.shop'],
      basis: { kind: 'walks', walks: 3, text: '3 random runs were tried' },
    },
  ],
  look: [{ text: 'whether the operator runs', command: 'kubectl get deployments -A' }],
};

const UNINSTALL: Answer = {
  ...BASE,
  ...{ question: 'uninstall', title: 'uninstall release web', objects: [], actors: [] },
  outcomes: [
    outcome('none', {
      ...{ sentence: 'delete the instances, then the rest: everything goes.', exitCode: 3 },
      ...{ basis: { kind: 'walks', walks: 2, text: '2 random runs were tried' } },
      ...{ fates: [], risks: [] },
    }),
  ],
  steps: [
    {
      text: 'delete the instances (1)',
      commands: ['kubectl delete databases db -n shop', 'kubectl wait --for=delete pods/db-0'],
      along: ['Pod/db-0.shop'],
    },
    { text: 'delete the rest (1)', commands: ['kubectl delete secrets s -n shop'], along: [] },
  ],
  stuckOrders: [
    { first: 'rest', verdict: 'stuck', text: 'Database/db waits for a/b' },
    { first: 'operator', verdict: 'unknown', text: 'Database/db: no controller is known' },
  ],
};

const ROW = {
  ...{
    object: 'ConfigMap/a.shop',
    uid: 'u-a',
    place: { file: 'shop.yaml', line: 3 },
    cascade: 'background',
    goes: {},
    stays: {},
  },
  ...{ hangs: [], open: [], unexpected: [], why: [], risks: [], basis: 'every order' },
} as const;

/** By the question, with a document that has one check. */
export const ANSWERS: Readonly<Record<Answer['question'] | 'no order', Answer>> = {
  delete: BASE,
  compare: {
    ...{ ...BASE, question: 'compare', title: 'compare policies: delete Namespace/shop' },
    sentence: 'background and orphan differ in 1 object.',
    outcomes: [
      outcome('background'),
      outcome('orphan', {
        fates: FATES.map(() => ({ fate: 'goes', replaced: false, on: [], waits: [] })),
        sentence: 'Namespace/shop goes.',
        risks: [],
      }),
    ],
  },
  collect: { ...BASE, question: 'collect', title: 'collect shop.yaml' },
  explain: EXPLAIN,
  uninstall: UNINSTALL,
  'no order': { ...UNINSTALL, steps: [] },
  survey: {
    ...{ ...BASE, question: 'survey', title: 'survey shop.yaml', objects: [], outcomes: [] },
    ...{ targets: [], missing: [], actors: [], finalizers: [], besides: [] },
    survey: [
      {
        ...ROW,
        goes: { ConfigMap: 1 },
        verdict: 'plain',
        exitCode: 0,
        command: 'reapcheck delete a',
      },
      {
        ...{ ...ROW, object: 'Secret/b.shop', uid: 'u-b', cascade: 'foreground', exitCode: 1 },
        ...{ verdict: 'hangs', hangs: ['Secret/b.shop'], command: 'reapcheck delete b' },
        ...{ why: ['Secret/b.shop waits for its dependent'], risks: [{ text: HARM, token: null }] },
      },
    ],
  },
};

const CHECK = report('delete Namespace/shop, background', {
  properties: [
    property(HARM, { verdict: 'violated', trace: trace(), broken: ['it is early'], kind: 'step' }),
  ],
  ...{ warnings: ['a warning'], cut: ['2 objects cut'], assumptions: ['an assumption'] },
});

export function answered(answer: Answer): ResultDocument {
  const exitCode = answer.question === 'uninstall' ? 3 : 1;
  return { ...document(CHECK), command: 'reapcheck ask', answer, exitCode };
}
