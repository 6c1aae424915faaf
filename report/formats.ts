import type { ReportDocument } from './document/documents.ts';
import type { TraceChoice } from './document/traces.ts';
import { renderGithub } from './formats/github.ts';
import { renderItf } from './formats/itf.ts';
import { renderJson } from './formats/json.ts';
import { renderJunit } from './formats/junit.ts';
import { renderMarkdown } from './formats/markdown.ts';
import { renderSarif } from './formats/sarif.ts';
import { renderHtml } from './page/render.ts';
import { emptySvg, renderSvg } from './pictures/answer-svg.ts';
import { emptyDigraph, renderDot } from './pictures/dot.ts';
import { renderDotStates } from './pictures/dot-states.ts';
import { emptySequence, renderMermaid } from './pictures/mermaid.ts';
import { emptyFlowchart, renderMermaidStates } from './pictures/mermaid-states.ts';
import { factsLines } from './text/facts.ts';
import { gateText } from './text/gate.ts';
import { renderText, type TextOptions } from './text/text.ts';
import { traceReportLines } from './text/trace-report.ts';

/** What a renderer gets besides the document. */
export interface RenderOptions extends TextOptions {
  /** For formats that show one trace: which one. */
  readonly choice: TraceChoice;
}

/** A way to write a document. `render` is a pure function of its arguments. */
export interface Format {
  readonly about: string;
  /**
   * What the format shows: the whole document, the tree of an answer, one trace, or the states of
   * one check. The command lists the other traces or checks on stderr. For `states` the search must
   * record the graph.
   */
  readonly shows: 'document' | 'answer' | 'trace' | 'states';
  /** Whether a document with an answer shows its tree of objects if no trace is named. */
  readonly prefersAnswer?: true;
  /** Whether the format shows several counterexamples to a property. */
  readonly alternatives?: true;
  /** Throws `InputError` if the document has nothing that this format can show. */
  render(document: ReportDocument, options: RenderOptions): string;
  /** The content of a report file in that case; without it, no file is written. */
  readonly comment?: (why: string) => string;
}

/**
 * All formats. A new renderer is one file and one row here: `--format`, `--report` and `--help`
 * read it.
 */
export const FORMATS = {
  text: { about: 'for a terminal', shows: 'document', alternatives: true, render: documentText },
  json: {
    about: 'the whole document; render and replay read it back',
    shows: 'document',
    alternatives: true,
    render: renderJson,
  },
  html: {
    about: 'one page that works offline: verdicts, traces step by step, pictures of states',
    shows: 'document',
    alternatives: true,
    render: renderHtml,
  },
  markdown: {
    about: 'for a comment on a pull request',
    shows: 'document',
    render: renderMarkdown,
  },
  junit: {
    about: "test cases in JUnit's XML, for the test pages of CI systems",
    shows: 'document',
    render: renderJunit,
  },
  sarif: {
    about: 'SARIF 2.1.0, for code scanning: results at the lines of the scenarios',
    shows: 'document',
    render: renderSarif,
  },
  github: {
    about: 'annotations of GitHub Actions; the job summary is written as well',
    shows: 'document',
    render: renderGithub,
  },
  svg: {
    about: 'the tree of an answer as an image',
    shows: 'answer',
    render: renderSvg,
    comment: emptySvg,
  },
  itf: {
    about: 'one trace in the Informal Trace Format of Apalache',
    shows: 'trace',
    render: renderItf,
  },
  mermaid: {
    about: 'Mermaid: the tree of an answer, or one trace as a sequence diagram',
    shows: 'trace',
    prefersAnswer: true,
    render: renderMermaid,
    comment: emptySequence,
  },
  dot: {
    about: 'for Graphviz: the tree of an answer, or one trace from the first to the last objects',
    shows: 'trace',
    prefersAnswer: true,
    render: renderDot,
    comment: emptyDigraph,
  },
  'dot-states': {
    about: 'all states of a small check and the steps between them, for Graphviz',
    shows: 'states',
    render: renderDotStates,
    comment: emptyDigraph,
  },
  'mermaid-states': {
    about: 'all states of a small check as a flowchart of Mermaid',
    shows: 'states',
    render: renderMermaidStates,
    comment: emptyFlowchart,
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
