import { beliefDifferences } from '../view/belief.ts';
import type { ObjectView } from '../view/objects.ts';
import type { OwnerView } from '../view/owners.ts';
import type { Snapshot } from '../view/snapshot.ts';
import { dotAttributes, dotLines, folded } from './dot-text.ts';

/**
 * The objects of one state as a part of a picture: owners as stored and as the collector believes.
 */

const ROOM = 34;

/** Lines of DOT; nodes have names that begin with `prefix`. */
export function objectCluster(
  prefix: string,
  title: string,
  snapshot: Snapshot,
): { readonly lines: readonly string[]; readonly first: string } {
  const { objects, owners, waiting } = snapshot;
  const ids = new Map(Object.keys(objects).map((uid, index) => [uid, `${prefix}${index}`]));
  const differences = beliefDifferences(snapshot);
  const nodes = Object.entries(objects).map(([uid, view]) => {
    const believed = differences
      .filter((difference) => difference.uid === uid)
      .map((difference) => `collector: it ${difference.believed}`);
    return objectNode(ids.get(uid)!, view, believed);
  });
  const edges = Object.values(owners).flatMap((view) => ownerEdge(ids, view));
  const queued = Object.entries(waiting).flatMap(([name, things]) =>
    things.map((thing) => `${name}: ${thing}`),
  );
  const rest = nodes.length === 0 ? ['nothing', ...queued] : queued;
  const besides =
    rest.length === 0
      ? []
      : [`${prefix}rest [shape=plaintext, label=${dotLines(folded(rest, ROOM))}];`];
  const first = nodes.length === 0 ? `${prefix}rest` : `${prefix}0`;
  return { first, lines: framed(prefix, title, [...nodes, ...besides, ...edges]) };
}

/** A state of an author's model as lines of text. */
export function stateCluster(
  prefix: string,
  title: string,
  state: readonly string[],
): { readonly lines: readonly string[]; readonly first: string } {
  const first = `${prefix}0`;
  const text = dotLines(folded(state.length === 0 ? ['nothing'] : state, ROOM));
  return { first, lines: framed(prefix, title, [`${first} [shape=plaintext, label=${text}];`]) };
}

function framed(prefix: string, title: string, content: readonly string[]): readonly string[] {
  return [
    `subgraph cluster_${prefix} {`,
    `  label=${dotLines([title])}; labeljust=l; style="rounded,filled"; color="#dadce0"; fillcolor="#f8f9fa"; fontname="Helvetica"; fontsize=11;`,
    ...content.map((line) => `  ${line}`),
    '}',
  ];
}

function objectNode(
  id: string,
  { name, stored, believed }: ObjectView,
  known: readonly string[],
): string {
  const lines = [
    name,
    ...(stored === null ? ['not stored'] : []),
    ...(stored?.beingDeleted === true ? ['being deleted'] : []),
    ...(stored?.finalizers ?? []).map((finalizer) => `finalizer ${finalizer}`),
    ...(stored?.notes ?? []),
    ...known,
  ];
  const fill = stored?.beingDeleted === true ? '#fef7e0' : '#ffffff';
  return `${id}${dotAttributes({
    label: dotLines(folded(lines, ROOM)),
    shape: 'box',
    style: stored === null ? '"rounded,dashed"' : '"rounded,filled"',
    ...(stored === null ? { fontcolor: '"#5f6368"' } : { fillcolor: `"${fill}"` }),
    ...(known.length > 0 || (stored === null && believed !== null)
      ? { color: '"#b06000"', penwidth: '1.6' }
      : { color: '"#5f6368"' }),
  })};`;
}

/** From the dependent to its owner. */
function ownerEdge(ids: ReadonlyMap<string, string>, view: OwnerView): readonly string[] {
  const from = ids.get(view.dependent);
  const to = ids.get(view.owner);
  if (from === undefined || to === undefined) return [];
  const words = [
    ...(view.stored === 'blocking' ? ['blocks'] : []),
    ...(view.stored === null ? ['only for the collector'] : []),
  ];
  return [
    `${from} -> ${to}${dotAttributes({
      label: dotLines(words.map((word) => ` ${word}`)),
      color: '"#5f6368"',
      fontcolor: '"#5f6368"',
      ...(view.stored === null ? { style: 'dashed' } : {}),
    })};`,
  ];
}
