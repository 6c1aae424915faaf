import type { ReportSuite } from './cases.ts';
import { checkSuites } from './check-cases.ts';
import { factsSuites, tracesSuites } from './conform-cases.ts';
import type { ReportDocument } from './documents.ts';
import { gateSuites } from './gate-cases.ts';

/** The cases of any document. */
export function suitesOf(document: ReportDocument): readonly ReportSuite[] {
  switch (document.schema) {
    case 'reapcheck.result/v1':
      return checkSuites(document);
    case 'reapcheck.gate/v1':
      return gateSuites(document);
    case 'reapcheck.facts/v1':
      return factsSuites(document);
    case 'reapcheck.traces/v1':
      return tracesSuites(document);
    default:
      throw new Error(`unknown document ${JSON.stringify(document satisfies never)}`);
  }
}
