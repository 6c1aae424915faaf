import { type Body, textIn, valueAt } from '../cluster/body.ts';
import { AGE, type BuiltInColumn, column, textAt, textsAt, wide } from './column.ts';

/** The tables of volumes and of what serves them, by kind. */

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const VOLUME_MODE = wide('VolumeMode', (object) => textAt(object, 'spec.volumeMode', '<unset>'));

const CLASS = column('StorageClass', (object) => {
  const annotation = valueAt(object, 'metadata.annotations');
  const old = textIn((annotation ?? {}) as Body, 'volume.beta.kubernetes.io/storage-class');
  return old === '' ? textAt(object, 'spec.storageClassName') : old;
});

export const STORAGE_TABLES: Readonly<Record<string, readonly BuiltInColumn[]>> = {
  PersistentVolume: [
    column('Capacity', (object) => textAt(object, 'spec.capacity.storage')),
    column('Access Modes', (object) => modes(object, 'spec.accessModes')),
    column('Reclaim Policy', (object) => textAt(object, 'spec.persistentVolumeReclaimPolicy')),
    column('Status', phase),
    column('Claim', (object) => {
      const [namespace, name] = ['namespace', 'name'].map((field) =>
        textAt(object, `spec.claimRef.${field}`),
      );
      return name ? `${namespace}/${name}` : '';
    }),
    CLASS,
    column('Reason', (object) => textAt(object, 'status.reason')),
    AGE,
    VOLUME_MODE,
  ],
  PersistentVolumeClaim: [
    column('Status', phase),
    column('Volume', (object) => textAt(object, 'spec.volumeName')),
    column('Capacity', (object) =>
      isBound(object) ? textAt(object, 'status.capacity.storage') : '',
    ),
    column('Access Modes', (object) =>
      isBound(object) ? modes(object, 'status.accessModes') : '',
    ),
    CLASS,
    AGE,
    VOLUME_MODE,
  ],
  'StorageClass.storage.k8s.io': [
    column('Provisioner', (object) => textIn(object, 'provisioner')),
    column('ReclaimPolicy', (object) => textAt(object, 'reclaimPolicy', 'Delete')),
    column('VolumeBindingMode', (object) => textAt(object, 'volumeBindingMode', 'Immediate')),
    {
      ...column('AllowVolumeExpansion', (object) => object.allowVolumeExpansion === true),
      type: 'boolean',
    },
    AGE,
  ],
  'VolumeAttachment.storage.k8s.io': [
    column('Attacher', (object) => textAt(object, 'spec.attacher')),
    column('PV', (object) => textAt(object, 'spec.source.persistentVolumeName')),
    column('Node', (object) => textAt(object, 'spec.nodeName')),
    {
      ...column('Attached', (object) => valueAt(object, 'status.attached') === true),
      type: 'boolean',
    },
    AGE,
  ],
  'CSINode.storage.k8s.io': [
    {
      ...column('Drivers', (object) => {
        const drivers = valueAt(object, 'spec.drivers');
        return Array.isArray(drivers) ? drivers.length : 0;
      }),
      type: 'integer',
    },
    AGE,
  ],
};

function phase(object: Body): string {
  const isGoing = textAt(object, 'metadata.deletionTimestamp') !== '';
  return isGoing ? 'Terminating' : textAt(object, 'status.phase');
}

function isBound(object: Body): boolean {
  return textAt(object, 'spec.volumeName') !== '';
}

function modes(object: Body, path: string): string {
  return textsAt(object, path)
    .map((mode) => SHORT_MODES[mode] ?? mode)
    .join(',');
}
