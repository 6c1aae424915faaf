import { type ApiObject, keyOf } from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName, firstFew } from '../../manifests/names.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** What tools no longer know once the object is gone in which they keep their records. */
export function recordsIn(
  given: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  const { all, kept, goes } = given;
  const labelsOf = (object: ApiObject): Labels => labels.get(keyOf(object)) ?? {};
  const going = kept.filter(goes);
  const sets = going.flatMap((object): readonly Besides[] => {
    const set = labelsOf(object)[APPLY_SET];
    if (set === undefined) return [];
    const members = all.filter((one) => labelsOf(one)[MEMBER] === set && !goes(one));
    if (members.length === 0) return [];
    const stay = members.length === 1 ? 'stays' : 'stay';
    const what = `${plural(members.length, 'object')} of the ApplySet ${stay}, and without ${displayName(object)} kubectl apply --prune no longer knows of it`;
    return [{ object: keyOf(object), what }];
  });
  const records = going.filter(
    (object) =>
      labelsOf(object).owner === 'helm' &&
      RECORDS.includes(object.kind) &&
      object.name.startsWith(RELEASE),
  );
  const releases = groupedBy(
    records,
    (object) => `${object.namespace}/${labelsOf(object).name ?? ''}`,
  );
  return [
    ...sets,
    ...[...releases].flatMap(([release, revisions]) =>
      forgotten(release, revisions, given, labelsOf),
    ),
  ];
}

/** @param release NAMESPACE/NAME. */
function forgotten(
  release: string,
  records: readonly ApiObject[],
  { all, goes, observations }: BesidesGiven,
  labelsOf: (object: ApiObject) => Labels,
): readonly Besides[] {
  const [first] = records;
  const installed = all.filter((object) =>
    observations
      .get(keyOf(object))
      ?.marks?.some(
        (mark) =>
          mark.mark === 'trackedBy' &&
          mark.tool === 'Helm' &&
          `${mark.namespace}/${mark.name}` === release,
      ),
  );
  const left = installed.filter((object) => !goes(object));
  // All of the release goes, as with its namespace: its records are of no more use.
  if (first === undefined || (installed.length > 0 && left.length === 0)) return [];
  const said = records.map(labelsOf);
  const versions = said.map(({ version }) => version).join(', ');
  const revisions = `${records.length === 1 ? 'revision' : 'revisions'} ${versions}`;
  const what = left.length === 0 ? 'what it installed' : firstFew(left.map(displayName));
  const last = said.some(({ status }) => status === 'deployed')
    ? ': helm uninstall no longer finds it'
    : '';
  return [
    {
      object: keyOf(first),
      what: `Helm forgets ${revisions} of the release ${release.split('/')[1]}, and leaves ${what}${last}`,
    },
  ];
}

/** `ApplySetParentIDLabel` and `ApplysetPartOfLabel` of kubectl. */
const APPLY_SET = 'applyset.kubernetes.io/id';
const MEMBER = 'applyset.kubernetes.io/part-of';

/**
 * The storage drivers of Helm that keep releases in the cluster, and how their objects are named.
 */
const RECORDS: readonly string[] = ['Secret', 'ConfigMap'];
const RELEASE = 'sh.helm.release.v1.';
