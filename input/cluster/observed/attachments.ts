import type { ApiObject } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { byKeyIn, remembered } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import { usedNames } from './uses.ts';

/** The attachments of a volume to nodes, as far as the dump has them. */
export function attachmentsOf(
  volume: ApiObject,
  objects: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): readonly ApiObject[] {
  const byKey = byKeyIn(objects);
  return (attachmentsIn(observations).get(volume.name) ?? []).flatMap(
    (key) => byKey.get(key) ?? [],
  );
}

/** By name of a volume: the store keys of its attachments. */
const attachmentsIn = remembered((observations: ReadonlyMap<string, Observation>) => {
  const found = [...observations].flatMap(([key, { marks }]) =>
    usedNames(marks, 'PersistentVolume').map((volume) => ({ key, volume })),
  );
  const groups = [...groupedBy(found, ({ volume }) => volume)];
  return new Map(groups.map(([volume, all]) => [volume, all.map(({ key }) => key)]));
});
