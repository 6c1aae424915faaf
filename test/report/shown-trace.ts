import type { Trace, TraceStep } from '../../checker/index.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { documentOf } from '../cli/run-cli.ts';

/** Documents with one trace, for the pictures of it. */

export const choice = { check: null, property: null };

export const RUNS = {
  path: {
    scenario: 'late-dependent-orphan',
    property: 'orphaned objects are not collected',
  },
  stutter: { scenario: 'self-owner-foreground', property: 'every deletion finishes' },
  lasso: { scenario: 'unserved-owner-kind', property: 'no object stays whose owners are all gone' },
} as const;

export function documentWith(
  shape: keyof typeof RUNS,
  ...options: readonly string[]
): Promise<ResultDocument> {
  const { scenario, property } = RUNS[shape];
  return documentOf([scenario, '--property', property, ...options]);
}

/** The document with all steps of its traces rewritten. */
export function withSteps(
  document: ResultDocument,
  rewritten: (steps: readonly TraceStep[]) => readonly TraceStep[],
): ResultDocument {
  return withTraces(document, (trace) => ({ ...trace, steps: rewritten(trace.steps) }));
}

/** The document with all its traces rewritten. */
export function withTraces(
  document: ResultDocument,
  rewritten: (trace: Trace) => Trace,
): ResultDocument {
  const checks = document.checks.map((report) => ({
    ...report,
    result: {
      ...report.result,
      properties: report.result.properties.map((property) => {
        const { trace } = property;
        if (trace === null) return property;
        return { ...property, trace: rewritten(trace) };
      }),
    },
  }));
  return { ...document, checks };
}

/** Names that mean something to the languages of pictures. */
export const HOSTILE = [
  '"quoted" and \\back\\slashed\\"',
  '<img src=x onerror=globalThis.hacked=1>',
  'a;b%%c %%{init: {}}%% #35; &lt; `x` *y* _z_',
  'end',
  'A->>B: hello',
  ']] }} )) |pipe| --> subgraph',
  'style x:#fff;y;',
  '1. list',
  '- [ ] a, \\N \\l \\G',
  'two\nlines\u2028and\u202emore\u0000',
  '漢字 émoji 🎉 {{x}}',
] as const;
