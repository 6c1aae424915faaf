import type { KnownFinalizer } from './schema.ts';

/** Each kind of Longhorn has the same finalizer. The first row that fits counts. */
export const LONGHORN_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'longhorn.io',
    kinds: [
      ...['Backup.longhorn.io', 'BackupVolume.longhorn.io'],
      ...['BackupBackingImage.longhorn.io', 'SystemBackup.longhorn.io'],
    ],
    project: 'Longhorn',
    owner: 'the Longhorn manager',
    waitsFor: 'the stored backup to be deleted, where the backup target can be reached',
    runs: 'workload',
    workloads: ['longhorn-manager'],
    external: true,
    leaves: 'the stored backup',
    documented: 'https://longhorn.io/docs/latest/snapshots-and-backups/',
  },
  {
    name: 'longhorn.io',
    kinds: ['BackupTarget.longhorn.io'],
    project: 'Longhorn',
    owner: 'the Longhorn manager',
    waitsFor: 'the objects of its backups to be deleted, but not the stored backups',
    runs: 'workload',
    workloads: ['longhorn-manager'],
    leaves: 'objects of backups without their target',
    documented: 'https://longhorn.io/docs/latest/snapshots-and-backups/',
  },
  {
    name: 'longhorn.io',
    project: 'Longhorn',
    owner: 'the Longhorn manager',
    waitsFor: 'replicas and engines to be removed from the nodes',
    runs: 'workload',
    workloads: ['longhorn-manager'],
    leaves: 'replicas on the disks of nodes',
    documented: 'https://longhorn.io/docs/latest/deploy/uninstall/',
  },
];
