import { resolveKind } from '../../model/kinds.ts';
import { type ObjectKey, objectKey } from '../../model/objects.ts';
import type { CollectorWarning, World } from '../../model/world.ts';
import type { SeenWarning } from './observed.ts';

/** Warning events of the collector, by the object that they are about. */

export function keyOfDependent(world: World, { dependent }: CollectorWarning): ObjectKey {
  const kind = resolveKind(world.kinds, dependent.apiVersion, dependent.kind);
  return objectKey(kind?.name ?? dependent.kind, dependent.namespace, dependent.name);
}

export function keyOfWarning(warning: SeenWarning): ObjectKey {
  return objectKey(warning.kind, warning.namespace, warning.name);
}
