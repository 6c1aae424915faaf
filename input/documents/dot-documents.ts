import {
  ASTNodeCountExceededError,
  type AttributeASTNode,
  DotSyntaxError,
  type GraphASTNode,
  type NodeASTNode,
  parse,
} from '@ts-graphviz/ast';
import { InputError, type Place } from '../../text/input-error.ts';
import { grouped } from '../../text/layout.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { LookWithin, SourceDocument } from './document.ts';
import type { Source } from './source.ts';

/**
 * The garbage collector's own graph, as `/debug/controllers/garbagecollector/graph` of the
 * controller manager prints it: a vertex for each object that has an owner or a dependent, and an
 * edge from each dependent to its owner. Mirrors `gonumVertex.Attributes` and `toGonumGraph` of
 * `pkg/controller/garbagecollector/dump.go`.
 */

/** The parser's tree takes about 500 bytes a node, and a vertex has 25 nodes. */
const MAX_NODES = 1_000_000;

/** Bytes that the tree takes for each letter of the text. */
const OF_LETTER = 50;

const GRAPH_HEAD = /^\s*(strict\s+)?digraph\b/;

export function looksLikeDot(source: Source): boolean {
  return GRAPH_HEAD.test(source.text);
}

/**
 * The state of an object of which the graph says only that it is being deleted: what holds it is
 * not in the graph.
 */
export const UNSAID_FINALIZER = 'not-in-the-graph';

/**
 * One document for each vertex. Throws `InputError`.
 *
 * @param look at the limits before the text is parsed as a whole.
 */
export function* dotDocuments(source: Source, look: LookWithin): Generator<SourceDocument> {
  look(OF_LETTER * source.text.length);
  const { children } = graphIn(source);
  const vertices = new Map<string, Vertex>();
  for (const child of children) {
    if (child.type === 'Node') vertices.set(child.id.value, vertexOf(child, source));
  }
  const owners = new Map<Vertex, Vertex[]>();
  for (const child of children) {
    if (child.type !== 'Edge') continue;
    const ends = child.targets.flatMap((end) =>
      end.type === 'NodeRef' ? (vertices.get(end.id.value) ?? []) : [],
    );
    for (const [index, owner] of ends.slice(1).entries()) {
      const dependent = ends[index]!;
      owners.set(dependent, [...(owners.get(dependent) ?? []), owner]);
    }
  }
  for (const vertex of vertices.values()) {
    const isVirtual = vertex.says('virtual') || vertex.says('missing');
    yield {
      value: manifestOf(vertex, owners.get(vertex) ?? []),
      file: source.file,
      vertex: isVirtual ? 'virtual' : 'seen',
      place: () => vertex.place,
    };
  }
}

interface Vertex {
  readonly place: Place;
  readonly attribute: (name: string) => string;
  readonly says: (name: string) => boolean;
}

function graphIn(source: Source): GraphASTNode {
  try {
    const graph = parse(source.text, { maxASTNodes: MAX_NODES }).children.find(
      (child) => child.type === 'Graph',
    );
    if (graph !== undefined) return graph;
  } catch (error) {
    if (error instanceof ASTNodeCountExceededError) {
      throw new InputError({
        what: `${source.file} is too large a graph`,
        expected: `at most ${grouped(MAX_NODES / 25)} objects`,
        next: 'ask for the part around one object: graph?uid=UID',
      });
    }
    throw MESSAGES.syntax('DOT', placeOfError(error, source), reasonOf(error));
  }
  throw notTheGraph({ file: source.file, line: 1, column: 1 });
}

function reasonOf(error: unknown): string {
  if (error instanceof DotSyntaxError) return error.message;
  return 'it is nested too deeply';
}

function placeOfError(error: unknown, { file }: Source): Place {
  const cause = error instanceof DotSyntaxError ? error.cause : null;
  if (typeof cause !== 'object' || cause === null || !('location' in cause)) return { file };
  const { start } = cause.location as {
    readonly start: { readonly line: number; readonly column: number };
  };
  return { file, line: start.line, column: start.column };
}

function vertexOf(node: NodeASTNode, { file }: Source): Vertex {
  const start = node.location?.start;
  const place = { file, ...(start && { line: start.line, column: start.column }) };
  const attributes = new Map<string, string>(
    node.children
      .filter((child): child is AttributeASTNode => child.type === 'Attribute')
      .map(({ key, value }) => [key.value, value.value]),
  );
  for (const needed of ['version', 'kind', 'name', 'uid']) {
    if (!attributes.get(needed)) throw notTheGraph({ ...place, field: needed });
  }
  return {
    place,
    attribute: (name) => attributes.get(name) ?? '',
    says: (name) => attributes.get(name) === 'true',
  };
}

function notTheGraph(where: Place): InputError {
  return new InputError({
    what: "this is not the garbage collector's graph",
    where,
    expected: 'vertices with the attributes version, kind, name and uid',
    next: 'GET /debug/controllers/garbagecollector/graph of the controller manager prints it',
  });
}

/** The graph does not say which references block the owner; those that controllers write do. */
function manifestOf(vertex: Vertex, owners: readonly Vertex[]): unknown {
  const deleting = vertex.says('beingDeleted');
  const foreground = vertex.says('deletingDependents');
  return {
    apiVersion: apiVersionOf(vertex),
    kind: vertex.attribute('kind'),
    metadata: {
      name: vertex.attribute('name'),
      namespace: vertex.attribute('namespace'),
      uid: vertex.attribute('uid'),
      ...(deleting ? { deletionTimestamp: '1970-01-01T00:00:00Z' } : {}),
      ...(deleting ? { finalizers: [foreground ? 'foregroundDeletion' : UNSAID_FINALIZER] } : {}),
      ownerReferences: owners.map((owner) => ({
        apiVersion: apiVersionOf(owner),
        kind: owner.attribute('kind'),
        name: owner.attribute('name'),
        uid: owner.attribute('uid'),
        blockOwnerDeletion: true,
      })),
    },
  };
}

function apiVersionOf(vertex: Vertex): string {
  const group = vertex.attribute('group');
  return group === '' ? vertex.attribute('version') : `${group}/${vertex.attribute('version')}`;
}
