import { type ApiObject, keyOf, objectKey } from '../../../model/index.ts';
import { plural, shellQuoted } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { attachedDoubt, hasDeleter, isUnbound, RECLAIMED } from '../doubts/volumes.ts';
import type { Judgement } from '../finalizers.ts';
import { byKeyIn, volumesIn } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** What becomes of volumes and of the storage behind them, which the model leaves out. */

type OwnerOf = (finalizer: string, object: ApiObject) => Judgement;
type Observed = Extract<Observation, { readonly of: 'PersistentVolume' }>;

const PROVISIONER = 'external-provisioner.volume.kubernetes.io/finalizer';

export function volumesBeside(given: BesidesGiven, ownerOf: OwnerOf): readonly Besides[] {
  const { all, kept, goes, observations } = given;
  const found = kept.filter(goes).flatMap((object): readonly Besides[] => {
    if (object.kind === 'PersistentVolume') return storageOf(object, given);
    if (object.kind !== 'PersistentVolumeClaim') return [];
    const claim = displayName(object);
    if (observations.get(keyOf(object))?.of === 'lost claim') {
      const what = `${claim} is Lost: it has no volume any more, and no data are deleted with it`;
      return [{ object: keyOf(object), what }];
    }
    return (volumesIn(all).get(keyOf(object)) ?? []).flatMap((volume): readonly Besides[] => {
      // `storageOf` says it.
      if (goes(volume) && !isReclaimed(volume)) return [];
      if (volume.volume !== undefined && isUnbound(volume.volume)) {
        const what = `${displayName(volume)} and its data stay: ${claim} is not bound to it yet`;
        return goes(volume) ? [] : [{ object: keyOf(volume), what }];
      }
      if ((volume.volume?.claimUid ?? object.uid) !== object.uid) return [];
      const observed = observations.get(keyOf(volume));
      const known = observed?.of === 'PersistentVolume' ? observed : null;
      return [{ object: keyOf(volume), what: fateOf(volume, known, claim, given, ownerOf) }];
    });
  });
  return [...found, ...unseenIn(given)];
}

/** Volumes that claims name and the dump lacks, as it does if it is of one namespace. */
function unseenIn({ all, kept, goes, observations }: BesidesGiven): readonly Besides[] {
  const unseen = kept.filter(goes).flatMap((claim) => {
    const observed = observations.get(keyOf(claim));
    if (claim.kind !== 'PersistentVolumeClaim' || observed?.of === 'lost claim') return [];
    const named = (observed?.names ?? []).filter(
      ({ kind, name }) =>
        kind === 'PersistentVolume' && !byKeyIn(all).has(objectKey(kind, '', name)),
    );
    return named.map(({ name }) => ({ claim, name }));
  });
  const [first, ...others] = unseen;
  if (first === undefined) return [];
  const volume = `PersistentVolume/${first.name}`;
  const command = `kubectl get pv ${shellQuoted(first.name)}`;
  const what =
    others.length === 0
      ? `the dump lacks ${volume}, the volume of ${displayName(first.claim)}: its data are deleted unless its reclaim policy is Retain (${command})`
      : `the dump lacks ${volume} and ${plural(others.length, 'other volume')} of claims that go: their data are deleted unless their reclaim policy is Retain (${command})`;
  return [{ object: keyOf(first.claim), what }];
}

function fateOf(
  volume: ApiObject,
  observed: Observed | null,
  claim: string,
  given: BesidesGiven,
  ownerOf: OwnerOf,
): string {
  const name = displayName(volume);
  const { reclaim = 'unsaid', source = '' } = observed ?? {};
  switch (reclaim) {
    case 'Retain':
      return `${name} and its data stay once ${claim} is gone: its reclaim policy is Retain`;
    case 'Recycle': {
      if (source !== '' && !RECYCLED.includes(source)) {
        return `${name} and its data stay once ${claim} is gone, and the volume is Failed: its reclaim policy is Recycle, and no plugin recycles ${source}`;
      }
      return `the data on ${name} is deleted once ${claim} is gone, and the volume stays for other claims: its reclaim policy is Recycle`;
    }
    case 'Delete':
      return deletedWords(volume, observed, claim, given, ownerOf);
    default:
      return `${name} and its data may be deleted once ${claim} is gone: its reclaim policy is not said`;
  }
}

/** `FindRecyclablePluginBySpec`. */
const RECYCLED: readonly string[] = ['nfs', 'hostPath'];

/** Of a volume with Delete (`findDeletablePlugin` of the volume controller, 1.31). */
function deletedWords(
  volume: ApiObject,
  observed: Observed | null,
  claim: string,
  given: BesidesGiven,
  ownerOf: OwnerOf,
): string {
  const name = displayName(volume);
  const { driver = '', source = '' } = observed ?? {};
  if (driver === '') {
    if (source === '') {
      return `${name} and its data may be deleted once ${claim} is gone: its reclaim policy is Delete, and the dump does not show whether anything deletes its storage`;
    }
    if (observed !== null && hasDeleter(observed)) {
      return `${name} and its data are deleted once ${claim} is gone: its reclaim policy is Delete`;
    }
    return `${name} and its data stay once ${claim} is gone, and the volume is Failed: its reclaim policy is Delete, and no plugin deletes ${source}${source === 'hostPath' ? ` outside of /tmp` : ''}`;
  }
  const judged = ownerOf(PROVISIONER, volume);
  const attached = attachedDoubt(
    { detaches: true, owner: 'the external provisioner' },
    [volume],
    { dump: given.all, observations: given.observations },
    (finalizer, object) => ownerOf(finalizer, object).judgement !== 'cooperative',
  );
  const doubt = judged.judgement === 'cooperative' ? attached?.why : judged.evidence;
  if (doubt === undefined) {
    return `${name} and its data are deleted once ${claim} is gone: its reclaim policy is Delete`;
  }
  return `${name} and its data may be deleted once ${claim} is gone: its reclaim policy is Delete, and that is up to the provisioner of ${driver} (${doubt})`;
}

/** Storage that stays although the object of its volume goes. */
function storageOf(volume: ApiObject, { observations }: BesidesGiven): readonly Besides[] {
  const observed = observations.get(keyOf(volume));
  if (observed?.of !== 'PersistentVolume') return [];
  const name = displayName(volume);
  const { reclaim } = observed;
  if (reclaim === 'Retain') {
    const what = `only the object goes: the storage behind ${name} stays, as its reclaim policy is Retain`;
    return [{ object: keyOf(volume), what }];
  }
  if (reclaim !== 'Delete' || isReclaimed(volume)) return [];
  const what = `the storage behind ${name} may stay, although its reclaim policy is Delete: the object has no finalizer with which it waits for that`;
  return [{ object: keyOf(volume), what }];
}

function isReclaimed({ finalizers }: ApiObject): boolean {
  return finalizers.some((finalizer) => RECLAIMED.includes(finalizer));
}
