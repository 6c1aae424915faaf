import { type ApiObject, keyOf } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** What tools no longer know once the object is gone in which they keep their records. */
export function recordsIn(
  { all, kept, goes }: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  const labelsOf = (object: ApiObject): Labels => labels.get(keyOf(object)) ?? {};
  return kept.filter(goes).flatMap((object): readonly Besides[] => {
    const said = labelsOf(object);
    const set = said[APPLY_SET];
    if (set !== undefined) {
      const members = all.filter((one) => labelsOf(one)[MEMBER] === set && !goes(one));
      if (members.length === 0) return [];
      const stay = members.length === 1 ? 'stays' : 'stay';
      const what = `${plural(members.length, 'object')} of the ApplySet ${stay}, and without ${displayName(object)} kubectl apply --prune no longer knows of it`;
      return [{ object: keyOf(object), what }];
    }
    if (said.owner !== 'helm' || !RECORDS.includes(object.kind)) return [];
    if (!object.name.startsWith(RELEASE)) return [];
    const gone = `Helm forgets revision ${said.version} of the release ${said.name}, and leaves what it installed`;
    const last = said.status === 'deployed' ? ': helm uninstall no longer finds it' : '';
    return [{ object: keyOf(object), what: `${gone}${last}` }];
  });
}

/** `ApplySetParentIDLabel` and `ApplysetPartOfLabel` of kubectl. */
const APPLY_SET = 'applyset.kubernetes.io/id';
const MEMBER = 'applyset.kubernetes.io/part-of';

/** The storage drivers of Helm that keep releases in the cluster, and how their objects are named. */
const RECORDS: readonly string[] = ['Secret', 'ConfigMap'];
const RELEASE = 'sh.helm.release.v1.';
