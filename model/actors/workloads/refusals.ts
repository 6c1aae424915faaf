import { refusedByNamespace } from '../../apiserver/create.ts';
import { refusedByDefinition } from '../../apiserver/definition.ts';
import { isNotInstalled } from '../../apiserver/installed.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { kindNamed } from '../../state/kinds.ts';
import type { World } from '../../state/world.ts';
import type { Reconciler } from './reconciling.ts';
import { kindOf } from './workload-plan.ts';

/**
 * What stands against requests of a controller without being in anything that it reads: kinds that
 * are not installed or not served, and namespaces that are not there or going. Empty: nothing. A
 * controller tries again for ever, and succeeds once this has changed.
 */
export function refusalsOf(
  cluster: Cluster | ClusterDraft,
  world: World,
  { keys, children }: Pick<Reconciler, 'keys' | 'children'>,
): string {
  const kinds = [...new Set(keys.map(kindOf))];
  const missing = kinds.filter((kind) => isNotInstalled(cluster, world, kind));
  const refused = children.filter((object) => {
    const kind = kindNamed(world.kinds, object.kind);
    return (
      refusedByDefinition(cluster, world, kind, 'create') !== null ||
      refusedByNamespace(cluster, world, kind, object) !== null
    );
  });
  return [...missing, ...refused.map(({ uid }) => uid)].join();
}
