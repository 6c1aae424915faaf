import { type ApiObject, keyOf, objectKey } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { Evidence } from '../doubts/evidence.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKindIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Observation } from '../observations.ts';

/**
 * Whether the distribution whose server removes a finalizer runs here, by the versions of the
 * kubelets, which end with its name: one sentence without its full stop.
 */
export function distributionOf(
  { builds = [], owner }: KnownFinalizer,
  dump: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): { readonly isHere: boolean; readonly evidence: string } {
  const versions = (byKindIn(dump).get('Node') ?? []).flatMap((node) => {
    const observed = observations.get(keyOf(node));
    return observed?.of === 'Node' && observed.version !== '' ? [observed.version] : [];
  });
  const [first] = versions;
  if (builds.length === 0 || first === undefined) {
    const evidence = `${owner} removes it, and is no workload: the versions of the nodes say whether it is that distribution`;
    return { isHere: false, evidence };
  }
  const own = versions.find((version) => builds.some((build) => version.includes(build)));
  return own === undefined
    ? {
        isHere: false,
        evidence: `${owner} removes it, and no node is of that distribution (${first})`,
      }
    : { isHere: true, evidence: `${owner} removes it, and the nodes are of it (${own})` };
}

/**
 * What says that a cloud removes a finalizer from these objects: the versions of its kubelets, or
 * what the server of k3s has made for each Service; null: nothing.
 */
export function cloudOf(
  known: KnownFinalizer,
  objects: readonly ApiObject[],
  { dump, observations }: Pick<Evidence, 'dump' | 'observations'>,
): string | null {
  const { isHere, evidence } = distributionOf(known, dump, observations);
  if (isHere) return evidence;
  const sets = (byKindIn(dump).get('DaemonSet.apps') ?? []).flatMap((set) =>
    marksOn(observations, set).flatMap((mark) =>
      mark.mark === 'follows' && mark.tool === 'k3s'
        ? [{ set, of: objectKey(mark.kind, mark.namespace, mark.name) }]
        : [],
    ),
  );
  const made = objects.map((object) => sets.find(({ of }) => of === keyOf(object))?.set);
  const [first] = made;
  return first === undefined || made.includes(undefined)
    ? null
    : `the server of k3s has made ${displayName(first)} for it, and removes both`;
}
