import type * as z from 'zod';
import { answerSchema } from '../../report/document/answer.ts';
import type { TracesReport } from '../../report/document/conformance-documents.ts';
import {
  factsReportSchema,
  tracesReportSchema,
} from '../../report/document/conformance-documents.ts';
import { gateDocumentSchema } from '../../report/document/gate-document.ts';
import type { CheckReport, ResultDocument } from '../../report/document/result-document.ts';
import { ANSWERS } from './answers.ts';
import { FACTS, GATE, TRACES } from './documents.ts';
import { document, property, report, step, trace } from './stored-result.ts';

/** Strings that an attacker could try to have rendered as something other than text. */
export const HOSTILE = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '"\'>]]><!-- --></pre></details></failure>&lt;&#60;',
  '| a | `b` ``` *c* _d_ ~e~ # f',
  '\n\n# heading\n| - |\n::error::second line\r\n##[error]old',
  '[text](javascript:alert(3)) ![x](http://evil.example/x) <http://evil.example>',
  'www.evil.example @octocat #1 :smile: %0A%25 {0} {name} $(reboot)',
  '\u001b[31mred\u001b]0;title\u0007 \u202e \u2028 \u0085 \ufffe \uffff \ud800 \u0000',
].join(' ');

function hostileCheck(): CheckReport {
  const strange = property(HOSTILE, {
    verdict: 'violated',
    trace: trace({
      shape: 'lasso',
      loopStart: 0,
      initialLines: [HOSTILE],
      steps: [step(`user: ${HOSTILE}`, HOSTILE)],
    }),
    broken: [HOSTILE],
    parameters: { key: HOSTILE },
  });
  return report(HOSTILE, {
    properties: [strange],
    about: HOSTILE,
    warnings: [HOSTILE],
    unmet: [HOSTILE],
    place: { file: `a b/${HOSTILE}`, line: 3, properties: {} },
    again: HOSTILE,
    exitCode: 1,
    met: false,
  });
}

/** A document in which every text is hostile that its schema leaves free. */
function hostile<Document>(document: Document, schema: z.ZodType): Document {
  const copy = structuredClone(document);
  const spoil = (part: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(part)) {
      if (typeof value === 'object' && value !== null) spoil(value as Record<string, unknown>);
      if (typeof value !== 'string') continue;
      part[key] = HOSTILE;
      if (!schema.safeParse(copy).success) part[key] = value;
    }
  };
  spoil(copy as unknown as Record<string, unknown>);
  return copy;
}

const COVERED: TracesReport = {
  ...TRACES,
  coverage: {
    steps: [
      { action: 'serve', step: 'delete get', times: 2, traces: ['a'] },
      { action: 'restart', step: '', times: 0, traces: [] },
    ],
    rules: [
      { rule: 'cycleBreaking', value: 'none', traces: ['a'] },
      { rule: 'etcdReads', value: 'quorum', traces: [] },
    ],
  },
};

const CHECK: ResultDocument = {
  ...document(hostileCheck()),
  ...{ notRun: [HOSTILE], command: HOSTILE, version: HOSTILE },
};

function hostileAnswer(question: keyof typeof ANSWERS): ResultDocument {
  return { ...CHECK, answer: hostile(ANSWERS[question], answerSchema), exitCode: 1 };
}

export const HOSTILE_DOCUMENTS = {
  check: CHECK,
  delete: hostileAnswer('delete'),
  compare: hostileAnswer('compare'),
  collect: hostileAnswer('collect'),
  explain: hostileAnswer('explain'),
  uninstall: hostileAnswer('uninstall'),
  'no order': hostileAnswer('no order'),
  survey: hostileAnswer('survey'),
  facts: hostile(FACTS, factsReportSchema),
  traces: hostile(COVERED, tracesReportSchema),
  gate: hostile({ ...GATE, reports: [] }, gateDocumentSchema),
} as const;
