import { type ApiObject, isBeingDeleted, keyOf, type VolumeBinding } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import type { KnownFinalizer } from '../known/index.ts';
import type { Observation } from '../observations.ts';
import { attachmentsOf } from '../observed/attachments.ts';
import { type Evidence, firstHeld, type Held } from './evidence.ts';

/** What the owners of finalizers of volumes wait for. */

/** That of the volume controller, which deletes storage with plug-ins of its own. */
const OF_PLUGINS = 'kubernetes.io/pv-controller';

/** Finalizers with which a volume waits until its storage is deleted (1.31 for all volumes). */
export const RECLAIMED: readonly string[] = [
  'external-provisioner.volume.kubernetes.io/finalizer',
  OF_PLUGINS,
];

/** Plug-ins that CSI drivers stand in for (`IsMigrationEnabledForPlugin`, 1.33). */
const MIGRATED =
  /^kubernetes\.io\/(aws-ebs|azure-(disk|file)|cinder|gce-pd|(portworx|vsphere)-volume)$/;

/**
 * A volume that the volume controller leaves its finalizer on: it takes it off volumes that one of
 * its plug-ins has made (`modifyDeletionFinalizers`) if a CSI driver stands in for that or nothing
 * is to be deleted, or once the plug-in has deleted the storage (`deleteVolumeOperation`), which
 * none but that of host paths still can; null: none.
 */
export function unpluggedDoubt(
  finalizer: string,
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  if (finalizer !== OF_PLUGINS) return null;
  return firstHeld('unseen', objects, evidence, (object) => {
    const observed = evidence.observations.get(keyOf(object));
    if (observed?.of !== 'PersistentVolume' || MIGRATED.test(observed.provisioner)) return null;
    const { provisioner, reclaim } = observed;
    if (!provisioner.startsWith('kubernetes.io/')) {
      const by = provisioner === '' ? 'does not say that one has made it' : `is of ${provisioner}`;
      return `${known?.owner} removes it from volumes of its own plug-ins (pv.kubernetes.io/provisioned-by), and ${displayName(object)} ${by}`;
    }
    if (reclaim !== 'Delete' || hasDeleter(observed)) return null;
    return `${known?.owner} has no plug-in that deletes the storage of ${displayName(object)}, of ${provisioner}: it waits until its reclaim policy is Retain`;
  });
}

/** `hostPathDeleter.Delete`. Other storage without a driver has no plug-in that deletes it. */
export function hasDeleter({
  source,
  path,
}: Pick<Extract<Observation, { readonly of: 'PersistentVolume' }>, 'source' | 'path'>): boolean {
  return source === 'hostPath' && /\/tmp\/./.test(path);
}

/**
 * A volume that no claim has released: its storage is deleted only in the phase Released
 * (`shouldDelete` of the external provisioner, `syncVolume`), and no claim binds a volume that is
 * being deleted; null: none. A claim that it names without an uid may bind it before that.
 */
export function unreleasedDoubt(
  finalizer: string,
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  if (!RECLAIMED.includes(finalizer)) return null;
  return firstHeld('unseen', objects, evidence, (object) => {
    const observed = evidence.observations.get(keyOf(object));
    if (observed?.of !== 'PersistentVolume' || observed.reclaim !== 'Delete') return null;
    const name = displayName(object);
    if (observed.failed && finalizer !== OF_PLUGINS) {
      return `${known?.owner} deletes the storage of a volume in the phase Released only, and ${name} is Failed: it waits until its reclaim policy is Retain`;
    }
    if (object.volume !== undefined && !isUnbound(object.volume)) return null;
    return {
      why: `${known?.owner} deletes the storage of a volume that a claim has released, and ${name} is bound to none: it waits until its reclaim policy is Retain`,
      // The judgement is about all of them.
      ...(objects.every(({ volume }) => volume === undefined) ? { sure: true as const } : {}),
    };
  });
}

/** Its claim has no uid until the volume controller binds it. */
export function isUnbound({ bound, claimUid }: VolumeBinding): boolean {
  return !bound && claimUid === undefined;
}

/**
 * An attachment that its finalizer may hold, where the owner waits until the volume is attached to
 * no node (`canDeleteVolume` of the external provisioner, `SyncNewOrUpdatedPersistentVolume` of the
 * external attacher); null: none. Attachments that no pod needs are deleted by the attach-detach
 * controller.
 *
 * @param holds whether a finalizer may stay on an object.
 */
export function attachedDoubt(
  known: Pick<KnownFinalizer, 'detaches' | 'owner'> | null,
  volumes: readonly ApiObject[],
  evidence: Pick<Evidence, 'dump' | 'observations'>,
  holds: (finalizer: string, object: ApiObject) => boolean,
): Held | null {
  if (known?.detaches !== true) return null;
  for (const volume of volumes.filter(({ kind }) => kind === 'PersistentVolume')) {
    for (const attachment of attachmentsOf(volume, evidence.dump, evidence.observations)) {
      const finalizer = attachment.finalizers.find((name) => holds(name, attachment));
      if (finalizer === undefined) continue;
      const why = `${known.owner} waits for ${displayName(attachment)}, which ${finalizer} may hold`;
      // A deletion that has begun ends with the other finalizer, which has a remedy of its own.
      return { by: isBeingDeleted(attachment) ? 'beneath' : 'used', objects: [attachment], why };
    }
  }
  return null;
}
