import type { ApiObject } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { byKeyIn, remembered } from '../lookups.ts';
import type { Observation } from '../observations.ts';

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
  const found = [...observations].flatMap(([key, { marks = [] }]) =>
    marks.flatMap((mark) =>
      mark.mark === 'uses' && mark.kind === 'PersistentVolume' && mark.name !== null
        ? [{ key, volume: mark.name }]
        : [],
    ),
  );
  const groups = [...groupedBy(found, ({ volume }) => volume)];
  return new Map(groups.map(([volume, all]) => [volume, all.map(({ key }) => key)]));
});
