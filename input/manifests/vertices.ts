import { plural } from '../../text/layout.ts';
import { settlingCommand } from '../cluster/open-world.ts';
import type { Copy } from './duplicates.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { displayName, firstFew } from './names.ts';

/**
 * What to say about objects that are taken from the collector's graph, and about what the graph
 * names without having seen it.
 */
export function vertexWarnings(
  taken: readonly Copy[],
  copies: readonly Copy[],
  kinds: KindCatalogue,
): readonly string[] {
  const seen = taken.filter(({ vertex }) => vertex === 'seen').length;
  const uids = new Set(taken.map(({ read }) => read.object.uid));
  const virtual = copies.flatMap(({ read, vertex }) =>
    vertex === 'virtual' && !uids.has(read.object.uid) ? read : [],
  );
  return [
    ...(seen === 0
      ? []
      : [
          `${plural(seen, 'object')} from the collector's graph: it has no finalizers, no blockOwnerDeletion (taken as true) and no specs; give the dump of these objects beside it`,
        ]),
    ...(virtual.length === 0
      ? []
      : [
          `the collector knows ${firstFew(virtual.map(({ object }) => displayName(object)))} by owner references only (virtual), and the check takes ${virtual.length === 1 ? 'it' : 'them'} as absent if the input has other objects of the kind; settle it with: ${settlingOf(virtual[0]!, kinds)}`,
        ]),
  ];
}

function settlingOf({ object, kind }: Copy['read'], kinds: KindCatalogue): string {
  const [apiVersion = ''] = kind.apiVersions;
  const { name, uid, namespace } = object;
  return settlingCommand({ apiVersion, kind: kind.kind, name, uid }, namespace, kinds);
}
