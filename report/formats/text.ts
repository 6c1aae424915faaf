import type { ReportDocument } from '../document/documents.ts';
import { factsLines } from '../text/facts.ts';
import { gateText } from '../text/gate.ts';
import { renderText, type TextOptions } from '../text/text.ts';
import { traceReportLines } from '../text/trace-report.ts';

/** The text of any document, for a terminal. */
export function documentText(document: ReportDocument, options: TextOptions): string {
  switch (document.schema) {
    case 'reapcheck.result/v1':
      return renderText(document, options);
    case 'reapcheck.gate/v1':
      return gateText(document, options);
    case 'reapcheck.facts/v1':
      return `${factsLines(document, options.colors).join('\n')}\n`;
    case 'reapcheck.traces/v1':
      return `${traceReportLines(document, options.colors).join('\n')}\n`;
    default:
      throw new Error(`unknown document ${JSON.stringify(document satisfies never)}`);
  }
}
