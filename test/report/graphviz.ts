import { Graphviz } from '@hpcc-js/wasm-graphviz';

/** A picture as Graphviz itself has read it. */
export interface Graph {
  /** Nodes and clusters. */
  readonly objects: readonly GraphObject[];
  readonly edges: readonly GraphEdge[];
  /** All words that it shows, tooltips included. */
  readonly words: string;
}

export interface GraphObject {
  readonly name: string;
  readonly label: string;
  readonly color?: string;
  readonly penwidth?: string;
}

export interface GraphEdge {
  /** Names of nodes. */
  readonly tail: string;
  readonly head: string;
  readonly label: string;
  readonly style?: string;
}

/** Throws if it is not in the DOT language. */
export async function graphviz(text: string): Promise<Graph> {
  const engine = await Graphviz.load();
  const { objects, edges = [] } = JSON.parse(engine.layout(text, 'json', 'dot')) as {
    objects: (Omit<GraphObject, 'label'> & { label?: string })[];
    edges?: (Omit<GraphEdge, 'tail' | 'head' | 'label'> & {
      tail: number;
      head: number;
      label?: string;
    })[];
  };
  const plain = (label = '') => label.replaceAll('\\l', ' ');
  return {
    objects: objects.map((one) => ({ ...one, label: plain(one.label) })),
    edges: edges.map((one) => ({
      ...one,
      tail: objects[one.tail]!.name,
      head: objects[one.head]!.name,
      label: plain(one.label),
    })),
    words: wordsOf(engine.layout(text, 'svg', 'dot')),
  };
}

function wordsOf(svg: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>|xlink:title="([^"]*)"/g)]
    .map(([, shown, tooltip]) => shown ?? tooltip ?? '')
    .join(' ')
    .replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
      code === undefined ? (entities[name] ?? '?') : String.fromCodePoint(Number(code)),
    );
}
