import { type ApiObject, isBeingDeleted, keyOf, objectKey } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import { byKeyIn, byKindIn, byUidIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** What becomes of Services and their addresses. */
export function servicesIn(
  given: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  return [...releasedIn(given), ...emptiedIn(given, labels)];
}

const ADDRESS = 'IPAddress.networking.k8s.io';

/** The API server deletes the addresses of a Service with it (`release`, 1.33). */
function releasedIn({ all, goes, observations }: BesidesGiven): readonly Besides[] {
  return (byKindIn(all).get(ADDRESS) ?? []).flatMap((address): readonly Besides[] => {
    const marks = marksOn(observations, address);
    const mark = marks.find((one) => one.mark === 'addressOf');
    if (mark?.mark !== 'addressOf' || goes(address)) return [];
    const service = byKeyIn(all).get(objectKey('Service', mark.namespace, mark.name));
    if (service === undefined || !goes(service)) return [];
    const what = `the API server deletes ${displayName(address)} with ${displayName(service)}, whose address it is, without an owner reference`;
    return [{ object: keyOf(address), what }];
  });
}

/** Services that stay, and all of whose pods go with what makes them. */
function emptiedIn(
  { all, kept, goes, observations }: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  const gone = new Set(kept.filter((object) => object.pod !== undefined && goes(object)));
  if (gone.size === 0) return [];
  const namespaces = new Set([...gone].map(({ namespace }) => namespace));
  const byUid = byUidIn(all);
  // What makes a pod may make it anew.
  const isMade = ({ ownerReferences }: ApiObject): boolean =>
    ownerReferences.some(({ uid, controller }) => {
      const parent = byUid.get(uid);
      if (controller !== true) return false;
      return parent === undefined || !goes(parent) || isMade(parent);
    });
  const pods = groupedBy(byKindIn(all).get('Pod') ?? [], ({ namespace }) => namespace);
  return (byKindIn(all).get('Service') ?? []).flatMap((service): readonly Besides[] => {
    if (!namespaces.has(service.namespace) || goes(service) || isBeingDeleted(service)) return [];
    const observed = observations.get(keyOf(service));
    const selector = Object.entries(observed?.of === 'Service' ? (observed.selector ?? {}) : {});
    if (selector.length === 0) return [];
    const selected = (pods.get(service.namespace) ?? []).filter((pod) => {
      const own = labels.get(keyOf(pod)) ?? {};
      return selector.every(([key, value]) => own[key] === value);
    });
    if (selected.length === 0 || selected.some((pod) => !gone.has(pod) || isMade(pod))) return [];
    const what = `${displayName(service)} stays, and all pods that it selects go: it leads to nothing then`;
    return [{ object: keyOf(service), what }];
  });
}
