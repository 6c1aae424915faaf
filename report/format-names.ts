/** A format, without the code that renders it: `--help` and the checks of options need no more. */
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
}

/**
 * All formats. A new renderer is one file, one row here, and one row in `formats.ts`: `--format`,
 * `--report` and `--help` read them.
 */
export const FORMATS = {
  text: { about: 'for a terminal', shows: 'document', alternatives: true },
  json: {
    about: 'the whole document; render and replay read it back',
    shows: 'document',
    alternatives: true,
  },
  html: {
    about: 'one page that works offline: verdicts, traces step by step, pictures of states',
    shows: 'document',
    alternatives: true,
  },
  markdown: {
    about: 'for a comment on a pull request',
    shows: 'document',
  },
  junit: {
    about: "test cases in JUnit's XML, for the test pages of CI systems",
    shows: 'document',
  },
  sarif: {
    about: 'SARIF 2.1.0, for code scanning: results at the lines of the scenarios',
    shows: 'document',
  },
  github: {
    about: 'annotations of GitHub Actions; the job summary is written as well',
    shows: 'document',
  },
  svg: {
    about: 'the tree of an answer as an image',
    shows: 'answer',
  },
  itf: {
    about: 'one trace in the Informal Trace Format of Apalache',
    shows: 'trace',
  },
  mermaid: {
    about: 'Mermaid: the tree of an answer, or one trace as a sequence diagram',
    shows: 'trace',
    prefersAnswer: true,
  },
  dot: {
    about: 'for Graphviz: the tree of an answer, or one trace from the first to the last objects',
    shows: 'trace',
    prefersAnswer: true,
  },
  'dot-states': {
    about: 'all states of a small check and the steps between them, for Graphviz',
    shows: 'states',
  },
  'mermaid-states': {
    about: 'all states of a small check as a flowchart of Mermaid',
    shows: 'states',
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

export function formatNamed(name: FormatName): Format {
  return FORMATS[name];
}
