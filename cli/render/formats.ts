import type { ReportDocument } from '../report/documents.ts';
import type { TraceChoice } from '../report/traces.ts';
import { factsLines } from './facts.ts';
import { renderItf } from './itf.ts';
import { renderJson } from './json.ts';
import { emptySequence, renderMermaid } from './mermaid.ts';
import { renderText, type TextOptions } from './text.ts';
import { traceReportLines } from './trace-report.ts';

/** What a renderer may know besides the document. */
export interface RenderOptions extends TextOptions {
  /** For formats with room for one trace: which one. */
  readonly choice: TraceChoice;
}

/** A way to write a document. `render` is a pure function of its arguments. */
export interface Format {
  readonly about: string;
  /** Formats that show one trace say on stderr which others there are. */
  readonly shows: 'document' | 'trace';
  /** Throws `InputError` when the document has nothing that this format could show. */
  render(document: ReportDocument, options: RenderOptions): string;
  /** What a report file then holds instead; without it, none is written. */
  readonly comment?: (why: string) => string;
}

/** All formats; `--format`, `--report` and `--help` know what is listed here. */
export const FORMATS = {
  text: { about: 'for a terminal', shows: 'document', render: documentText },
  json: {
    about: 'the whole document; render and replay read it back',
    shows: 'document',
    render: renderJson,
  },
  itf: {
    about: 'one trace in the Informal Trace Format of Apalache',
    shows: 'trace',
    render: renderItf,
  },
  mermaid: {
    about: 'one trace as a sequence diagram of Mermaid',
    shows: 'trace',
    render: renderMermaid,
    comment: emptySequence,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

export function formatNamed(name: FormatName): Format {
  return FORMATS[name];
}

function documentText(document: ReportDocument, options: TextOptions): string {
  switch (document.schema) {
    case 'reapcheck.result/v1':
      return renderText(document, options);
    case 'reapcheck.facts/v1':
      return `${factsLines(document, options.colors).join('\n')}\n`;
    case 'reapcheck.traces/v1':
      return `${traceReportLines(document, options.colors).join('\n')}\n`;
    default:
      throw new Error(`unknown document ${JSON.stringify(document satisfies never)}`);
  }
}
