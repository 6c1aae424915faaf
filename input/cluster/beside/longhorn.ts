import { type ApiObject, keyOf } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { byKeyIn, byKindIn } from '../lookups.ts';
import type { Besides, BesidesGiven } from './besides.ts';

const DRIVER = 'driver.longhorn.io';
const MANAGER = 'longhorn-manager';
const UNINSTALLED =
  'the uninstall job of Longhorn, which helm uninstall runs first, deletes all volumes with their data, and fails unless the setting deleting-confirmation-flag is true';

/** What Longhorn deletes with an object, by names and handles alone. */
export function longhornIn(given: BesidesGiven): readonly Besides[] {
  return given.kept.filter(given.goes).flatMap((object) => {
    if (object.kind === 'Volume.longhorn.io') return volumesBehind(object, given);
    if (object.kind === 'DaemonSet.apps' && object.name === MANAGER) {
      return [{ object: keyOf(object), what: UNINSTALLED }];
    }
    return object.kind === 'Node' ? nodeBehind(object, given) : [];
  });
}

/** `ReconcileVolume` deletes the PersistentVolume, and the claim that is bound to it. */
function volumesBehind(
  object: ApiObject,
  { all, goes, observations }: BesidesGiven,
): readonly Besides[] {
  const volumes = (byKindIn(all).get('PersistentVolume') ?? []).filter((volume) => {
    const observed = observations.get(keyOf(volume));
    if (observed?.of !== 'PersistentVolume' || observed.driver !== DRIVER) return false;
    return (observed.handle || volume.name) === object.name;
  });
  return volumes.flatMap((volume): readonly Besides[] => {
    const claim = volume.volume?.bound === true ? byKeyIn(all).get(volume.volume.claim) : undefined;
    const left = [volume, ...(claim === undefined ? [] : [claim])].filter((one) => !goes(one));
    if (left.length === 0) return [];
    const names = left.map(displayName).join(' and ');
    const pods = claim === undefined ? '' : ', once no pod uses the claim';
    const what = `Longhorn deletes ${names} with ${displayName(object)}, whose data are theirs${pods}`;
    return [{ object: keyOf(object), what }];
  });
}

/** `syncKubernetesNode`; the webhook of Longhorn is asked. */
function nodeBehind(node: ApiObject, { all, goes }: BesidesGiven): readonly Besides[] {
  const { name } = node;
  const found = (byKindIn(all).get('Node.longhorn.io') ?? []).find(
    (one) => one.name === name && !goes(one),
  );
  if (found === undefined) return [];
  const what = `Longhorn deletes ${displayName(found)} with ${displayName(node)}, unless replicas or engines are on it, or it may get some`;
  return [{ object: keyOf(found), what }];
}
