import type { ApiObject, KindTable } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { type Mark, marksOn, type Tool } from '../marks.ts';
import type { Observation } from '../observations.ts';

export interface Follower {
  readonly object: ApiObject;
  readonly tool: Tool;
}

/** Copies and records of an object, and the tool that deletes them with it. */
export function followersOf(
  objects: readonly ApiObject[],
  kinds: KindTable,
  { observations }: { readonly observations: ReadonlyMap<string, Observation> },
): (object: ApiObject) => readonly Follower[] {
  const marksOf = (object: ApiObject): readonly Mark[] => marksOn(observations, object);
  const following = groupedBy(
    objects.flatMap((object) =>
      marksOf(object).flatMap((mark) => (mark.mark === 'follows' ? [{ object, mark }] : [])),
    ),
    ({ mark }) => `${mark.kind}/${mark.name}`,
  );
  if (following.size === 0) return () => [];
  return (followed) => {
    const found =
      following.get(`${kinds[followed.kind]?.kind ?? followed.kind}/${followed.name}`) ?? [];
    if (found.length === 0) return [];
    const said = marksOf(followed);
    return found.flatMap(({ object, mark: { tool, namespace, under } }) => {
      const isIt =
        object !== followed &&
        (under === undefined || followed.finalizers.includes(under)) &&
        // A copy is no source, and not all that has copies deletes them.
        !said.some((one) => ['follows', 'leavesTracked'].includes(one.mark) && one.tool === tool) &&
        (namespace === '' || namespace === followed.namespace);
      return isIt ? [{ object, tool }] : [];
    });
  };
}
