import {
  type CollectorWarning,
  type ObjectKey,
  objectKey,
  resolveKind,
  type World,
} from '../../../model/index.ts';
import type { SeenWarning } from './observations.ts';

/** Warning events of the collector, by the object that they are about. */

export function keyOfDependent(world: World, { dependent }: CollectorWarning): ObjectKey {
  const kind = resolveKind(world.kinds, dependent.apiVersion, dependent.kind);
  return objectKey(kind?.name ?? dependent.kind, dependent.namespace, dependent.name);
}

export function keyOfWarning(warning: SeenWarning): ObjectKey {
  return objectKey(warning.kind, warning.namespace, warning.name);
}
