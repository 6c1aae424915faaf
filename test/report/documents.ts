import { factsReport } from '../../conformance/facts/report.ts';
import type {
  CaseReport,
  FactsReport,
  TraceReport,
  TracesReport,
} from '../../report/document/conformance-documents.ts';
import type { GateCell, GateDocument } from '../../report/document/gate-document.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { document, property, report, STORED, trace } from './stored-result.ts';

/** Documents of all commands, for the formats that other tools read. */

const FILE = 'scenarios/shop.yaml';

const BROKEN = property('nothing with a live owner is collected', {
  kind: 'step',
  verdict: 'violated',
  trace: trace(),
  broken: ['the collector deletes ConfigMap/dependent, whose owner ConfigMap/owner is there'],
});

const LIMITATION = property('orphaned objects are not collected', {
  kind: 'step',
  verdict: 'violated',
  trace: trace({ shape: 'lasso', loopStart: 1 }),
  broken: ['the collector deletes ConfigMap/dependent, which was to be orphaned'],
});

const UNTRIGGERED = property('orphaning completes', {
  verdict: 'vacuous',
  triggered: 0,
  reason: 'nothing triggered it',
});

const LIMITED = STORED.limit!.checks[0]!;

/** One check for each thing that can become of one. */
export const VERDICTS: ResultDocument = {
  ...document(
    report('holds', {
      properties: [property('nothing is stuck'), UNTRIGGERED],
      place: { file: FILE, line: 9, properties: {} },
    }),
    report('violated', {
      properties: [BROKEN, property('nothing is stuck')],
      place: { file: FILE, line: 9, properties: { [BROKEN.name]: 31 } },
      exitCode: 1,
      met: false,
    }),
    report('as documented', {
      properties: [LIMITATION],
      place: { file: FILE, line: 9, properties: {} },
      expectation: {
        verdicts: { [LIMITATION.name]: 'violated' },
        because: { [LIMITATION.name]: 'https://github.com/kubernetes/kubernetes/issues/26120' },
      },
    }),
    report('unexpected', {
      properties: [property('nothing is stuck')],
      place: { file: FILE, line: 9, properties: {} },
      expectation: { states: 5, verdicts: { 'nothing is stuck': 'violated' }, because: {} },
      unmet: [
        '"nothing is stuck": expected violated, found holds',
        'states: expected 5, found 1234567',
      ],
      exitCode: 1,
      met: false,
    }),
    { ...LIMITED, title: 'inconclusive', place: { file: FILE, line: 9, properties: {} } },
    report('vacuous', {
      properties: [UNTRIGGERED],
      asked: [UNTRIGGERED.name],
      exitCode: 4,
      met: false,
    }),
    STORED.defect!.checks[0]!,
    STORED.fates!.checks[0]!,
  ),
  notRun: ['interrupted'],
  exitCode: 70,
};

function fact(id: string, outcome: CaseReport['outcome']): CaseReport {
  const line = outcome.verdict === 'passed' ? null : 12;
  const kind = 'deleteAttempt';
  return {
    id,
    area: 'collector',
    kind,
    title: `of ${id}`,
    as: 'stated',
    outcome,
    file: FILE,
    line,
  };
}

export const FACTS: FactsReport = factsReport(
  '0.1.0',
  'v1.20',
  [
    fact('passes', { verdict: 'passed' }),
    fact('fails', {
      verdict: 'failed',
      step: 2,
      expected: { finalizers: ['orphan'] },
      got: null,
      rule: 'finalizers: deletionFinalizers decides',
    }),
    fact('strange', { verdict: 'unsupported', why: 'steps: not understood' }),
  ],
  3,
);

const ACCEPTED: TraceReport = {
  trace: 'life of a deployment',
  file: 'recordings/deployment.json',
  verdict: 'accepted',
  observations: 60,
  explained: 60,
  requests: 30,
  changes: 12,
  states: 900,
  milliseconds: 1234,
  open: null,
  failure: null,
};

export const TRACES: TracesReport = {
  schema: 'reapcheck.traces/v1',
  version: '0.1.0',
  protocol: 'v1.20',
  partial: false,
  notJudged: 0,
  traces: [
    ACCEPTED,
    {
      ...ACCEPTED,
      trace: 'with a strange request',
      file: 'audit.log',
      verdict: 'rejected',
      explained: 7,
      failure: {
        event: 'gc DELETE ConfigMap/b {"propagationPolicy":"Background"}, answered 200',
        place: 'audit.log:8:1',
        line: 8,
        change: { what: 'MODIFIED ConfigMap/b', place: 'audit.log:9:1' },
        misfits: [
          { sentence: 'a worker sends delete', field: 'policy', seen: 'Background', model: null },
        ],
        instead: ['DELETE ConfigMap/b propagationPolicy=Foreground'],
        prefixes: 1,
        ends: [{ changes: 2, lastSteps: ['takeForDelete ConfigMap/b'], underWay: [] }],
      },
    },
  ],
  coverage: null,
  exitCode: 1,
};

const PINNED: GateCell = {
  name: 'orphan-chain [protocol=v1.20]',
  scenario: 'orphan-chain',
  parameters: [{ name: 'protocol', value: 'v1.20' }],
  protocol: 'v1.20',
  place: { file: 'scenarios/orphan-chain.yaml', line: 9 },
  status: 'asPinned',
  cached: true,
  seconds: 0.4,
  facts: {
    outcome: 'complete',
    size: { states: 5, transitions: 6, depth: 3 },
    verdicts: { [BROKEN.name]: 'holds' },
    triggered: {},
    traces: {},
    actions: { serve: 4 },
    fates: {},
  },
  unmet: [],
  error: null,
  because: [],
  again: 'reapcheck check orphan-chain --protocol v1.20',
};

const DRIFT = { subject: null, before: null, after: null, details: [] } as const;

export const GATE: GateDocument = {
  schema: 'reapcheck.gate/v1',
  command: 'reapcheck gate',
  version: '0.1.0',
  suite: 'reapcheck.suite.yaml',
  lock: { file: 'reapcheck.lock.json', found: true, update: 'notAsked', why: null },
  cells: [
    PINNED,
    {
      ...PINNED,
      name: 'violated',
      status: 'drifted',
      unmet: ['one thing is not as expected', 'nor is another'],
      because: ['the scenario has changed'],
    },
    {
      ...PINNED,
      name: 'without a result',
      status: 'failed',
      facts: null,
      error: 'its process died',
    },
    { ...PINNED, name: 'left', status: 'notRun', facts: null, seconds: null },
    { ...PINNED, name: 'no more', status: 'gone', facts: null, place: null, again: '' },
  ],
  drifts: [
    {
      ...DRIFT,
      cell: 'violated',
      kind: 'newViolation',
      severity: 'worse',
      subject: BROKEN.name,
      sentence: `"${BROKEN.name}" held and is violated now, in 3 steps`,
    },
    {
      ...DRIFT,
      cell: 'violated',
      kind: 'statesGrew',
      severity: 'neutral',
      sentence: 'states grew 3.1 x, from 1,000 to 3,100',
    },
    {
      ...DRIFT,
      cell: 'no more',
      kind: 'cellGone',
      severity: 'worse',
      sentence: 'the suite has this cell no longer',
    },
  ],
  warnings: [],
  reports: [VERDICTS.checks[1]!],
  exitCode: 70,
};
