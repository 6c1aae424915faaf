import { missingNamespace, refusedByNamespace } from '../../apiserver/create.ts';
import { refusedByDefinition } from '../../apiserver/definition.ts';
import { isNotInstalled } from '../../apiserver/installed.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { kindOf, splitKey } from '../../state/keys.ts';
import { kindNamed } from '../../state/kinds.ts';
import type { ApiObject, ObjectKey } from '../../state/objects.ts';
import type { World } from '../../state/world.ts';

/**
 * Why the API server refuses requests of a controller, if nothing that the controller reads shows
 * the reason: for the objects of these keys and for these children, kinds that are not installed or
 * not served, and namespaces that do not exist or are being deleted. Empty: there is no such
 * reason. A controller retries forever, and succeeds once this has changed.
 */
export function refusalsOf(
  cluster: Cluster | ClusterDraft,
  world: World,
  {
    keys,
    children,
  }: { readonly keys: readonly ObjectKey[]; readonly children: readonly ApiObject[] },
): string {
  const missing = keys.filter((key) => {
    const kind = kindNamed(world.kinds, kindOf(key));
    return (
      isNotInstalled(cluster, world, kind.name) ||
      refusedByDefinition(cluster, world, kind, 'update') !== null ||
      missingNamespace(cluster, world, kind, splitKey(key)[1]) !== null
    );
  });
  const refused = children.filter((object) => {
    const kind = kindNamed(world.kinds, object.kind);
    return (
      refusedByDefinition(cluster, world, kind, 'create') !== null ||
      refusedByNamespace(cluster, world, kind, object) !== null
    );
  });
  return [...missing, ...refused.map(({ uid }) => uid)].join();
}
