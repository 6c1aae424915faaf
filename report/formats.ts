import type { ReportDocument } from './document/documents.ts';
import type { TraceChoice } from './document/traces.ts';
import type { FormatName } from './format-names.ts';
import type { TextOptions } from './text/text.ts';

/** What a renderer gets besides the document. */
export interface RenderOptions extends TextOptions {
  /** For formats that show one trace: which one. */
  readonly choice: TraceChoice;
}

/** The code of a format. `render` is a pure function of its arguments. */
export interface Renderer {
  /** Throws `InputError` if the document has nothing that this format can show. */
  readonly render: (document: ReportDocument, options: RenderOptions) => string;
  /** The content of a report file in that case; without it, no file is written. */
  readonly comment?: (why: string) => string;
}

/** Each format loads its code alone: a page in HTML needs much that the text does not. */
const RENDERERS: Readonly<Record<FormatName, () => Promise<Renderer>>> = {
  text: async () => ({ render: (await import('./formats/text.ts')).documentText }),
  json: async () => ({ render: (await import('./formats/json.ts')).renderJson }),
  html: async () => ({ render: (await import('./page/render.ts')).renderHtml }),
  markdown: async () => ({ render: (await import('./formats/markdown.ts')).renderMarkdown }),
  junit: async () => ({ render: (await import('./formats/junit.ts')).renderJunit }),
  sarif: async () => ({ render: (await import('./formats/sarif.ts')).renderSarif }),
  github: async () => ({ render: (await import('./formats/github.ts')).renderGithub }),
  svg: async () => {
    const { renderSvg, emptySvg } = await import('./pictures/answer-svg.ts');
    return { render: renderSvg, comment: emptySvg };
  },
  itf: async () => ({ render: (await import('./formats/itf.ts')).renderItf }),
  mermaid: async () => {
    const { renderMermaid, emptySequence } = await import('./pictures/mermaid.ts');
    return { render: renderMermaid, comment: emptySequence };
  },
  dot: async () => {
    const { renderDot, emptyDigraph } = await import('./pictures/dot.ts');
    return { render: renderDot, comment: emptyDigraph };
  },
  'dot-states': async () => {
    const { renderDotStates } = await import('./pictures/dot-states.ts');
    const { emptyDigraph } = await import('./pictures/dot.ts');
    return { render: renderDotStates, comment: emptyDigraph };
  },
  'mermaid-states': async () => {
    const { renderMermaidStates, emptyFlowchart } = await import('./pictures/mermaid-states.ts');
    return { render: renderMermaidStates, comment: emptyFlowchart };
  },
};

export function rendererOf(name: FormatName): Promise<Renderer> {
  return RENDERERS[name]();
}

/** The renderers of several formats. */
export async function renderersOf(
  names: readonly FormatName[],
): Promise<ReadonlyMap<FormatName, Renderer>> {
  const loaded = names.map(async (name) => [name, await rendererOf(name)] as const);
  return new Map(await Promise.all(loaded));
}
