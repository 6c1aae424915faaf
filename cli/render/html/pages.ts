import type { ReportDocument } from '../../report/documents.ts';
import { checkPage } from './check-sections.ts';
import type { Page } from './page.ts';
import { suitePage } from './suite-sections.ts';

/** Every document as a page. */
export function pageOf(document: ReportDocument): Page {
  switch (document.schema) {
    case 'reapcheck.result/v1':
      return checkPage(document);
    case 'reapcheck.gate/v1':
      return suitePage(document, document.command);
    case 'reapcheck.facts/v1':
      return suitePage(document, `conform facts, ${document.protocol}`);
    case 'reapcheck.traces/v1':
      return suitePage(document, `conform trace, ${document.protocol}`);
    default:
      throw new Error(`unknown document ${JSON.stringify(document satisfies never)}`);
  }
}
