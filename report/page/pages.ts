import type { ReportDocument } from '../document/documents.ts';
import { checkPage } from './check-sections.ts';
import type { Page } from './page.ts';
import { type SuiteWords, suitePage } from './suite-sections.ts';

const CELLS: SuiteWords = { of: 'suites', noun: 'cell', good: 'as pinned', failed: 'drift' };
const FACTS: SuiteWords = { of: 'cases', noun: 'case', good: 'passed', failed: 'failed' };
const TRACES: SuiteWords = { of: 'cases', noun: 'trace', good: 'accepted', failed: 'rejected' };

/** Every document as a page. */
export function pageOf(document: ReportDocument): Page {
  switch (document.schema) {
    case 'reapcheck.result/v1':
      return checkPage(document);
    case 'reapcheck.gate/v1':
      return suitePage(document, document.command, CELLS);
    case 'reapcheck.facts/v1':
      return suitePage(document, `conform facts, ${document.protocol}`, FACTS);
    case 'reapcheck.traces/v1':
      return suitePage(document, `conform trace, ${document.protocol}`, TRACES);
    default:
      throw new Error(`unknown document ${JSON.stringify(document satisfies never)}`);
  }
}
