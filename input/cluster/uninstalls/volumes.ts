import { type ApiObject, keyOf } from '../../../model/index.ts';
import { groupedBy, plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides, BesidesGiven } from '../beside/besides.ts';
import type { Evidence } from '../doubts/evidence.ts';
import { faultOf } from '../doubts/runs.ts';
import { byKeyIn, byKindIn } from '../lookups.ts';
import { isOfDriver, RUNNING, WORKLOADS } from '../observed/finalizer-owners.ts';

/** Objects whose end is that of the data in the volumes of a driver. */
const BACKING: readonly { readonly driver: RegExp; readonly kinds: readonly string[] }[] = [
  { driver: /^driver\.longhorn\.io$/, kinds: ['Volume.longhorn.io'] },
  {
    driver: /\.csi\.ceph\.com$/,
    kinds: ['CephCluster', 'CephBlockPool', 'CephFilesystem'].map((kind) => `${kind}.ceph.rook.io`),
  },
];

/** Volumes that stay, and lose what provisions and mounts them, or what has their data. */
export function volumesLostIn(given: BesidesGiven, evidence: Evidence): readonly Besides[] {
  const { all, goes, observations } = given;
  const staying = (byKindIn(all).get('PersistentVolume') ?? []).filter((one) => !goes(one));
  const byDriver = groupedBy(staying, (volume) => {
    const observed = observations.get(keyOf(volume));
    return observed?.of === 'PersistentVolume' ? observed.driver : '';
  });
  return [...byDriver].flatMap(([driver, volumes]): readonly Besides[] => {
    const lost = driver === '' ? null : lostWith(driver, volumes, given, evidence);
    return lost === null ? [] : [lost];
  });
}

function lostWith(
  driver: string,
  volumes: readonly ApiObject[],
  { all, goes, observations }: BesidesGiven,
  evidence: Evidence,
): Besides | null {
  const [first] = volumes;
  if (first === undefined) return null;
  const claim = byKeyIn(all).get(first.volume?.claim ?? '');
  const of = claim === undefined ? '' : ` of ${displayName(claim)}`;
  const more = volumes.length === 1 ? '' : ` and ${plural(volumes.length - 1, 'other volume')}`;
  const who = `${displayName(first)}${of}${more}`;
  const [stays, loses] = volumes.length === 1 ? ['stays', 'loses'] : ['stay', 'lose'];
  const backing = all.find(
    (object) =>
      goes(object) &&
      BACKING.some((row) => row.driver.test(driver) && row.kinds.includes(object.kind)),
  );
  if (backing !== undefined) {
    return {
      object: keyOf(backing),
      what: `the data of ${who} go with ${displayName(backing)} and others of its kind; save them first`,
      loses: `${who} ${loses} the data, which are in ${displayName(backing)} or others of its kind`,
    };
  }
  const runs = all.filter(
    (object) =>
      (WORKLOADS.includes(object.kind) && isDriver(driver, object, observations)) ||
      (object.kind === 'CSIDriver.storage.k8s.io' && object.name === driver),
  );
  const gone = runs.filter(goes);
  const places = new Set(gone.map(({ namespace }) => namespace));
  const isElsewhere = runs.some(
    (one) =>
      RUNNING.includes(one.kind) &&
      !goes(one) &&
      !places.has(one.namespace) &&
      faultOf(one, volumes, evidence) === null,
  );
  const [server] = gone;
  if (server === undefined || isElsewhere) return null;
  return {
    object: keyOf(server),
    what: `${who} ${stays}, and ${loses} the driver ${driver} with ${displayName(server)}: no new pod can mount it, its deletion hangs or leaves its storage, and claims get no new volumes; move the data first`,
    loses: `${who} ${loses} the driver ${driver}, without which nothing mounts or deletes it`,
  };
}

/** Words of drivers that are in the names of others, too. */
const UNTELLING = /^(block|cloud|cluster|local|rancher|shared|subdir|path|filestore)$/;

/**
 * Whether a workload is of a driver: its name has a long word of that of the driver, or any and says
 * that it provisions volumes.
 */
function isDriver(
  driver: string,
  object: ApiObject,
  observations: BesidesGiven['observations'],
): boolean {
  const observed = observations.get(keyOf(object));
  const images = observed?.of === 'workload' ? observed.images : [];
  const provisions = [object.name, ...images].some((one) => /csi|provisioner|localpv/.test(one));
  if (provisions && isOfDriver(driver, object)) return true;
  return driver
    .split(/[./-]/)
    .some((word) => word.length > 5 && !UNTELLING.test(word) && isOfDriver(word, object));
}
