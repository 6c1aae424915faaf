import { type ApiObject, keyOf } from '../../../model/index.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKindIn } from '../lookups.ts';
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
