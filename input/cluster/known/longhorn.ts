import type { KnownFinalizer } from './schema.ts';

const ROW = {
  name: 'longhorn.io',
  project: 'Longhorn',
  owner: 'the Longhorn manager',
  runs: 'workload',
  workloads: ['longhorn-manager'],
} as const;
const BACKUPS = 'https://longhorn.io/docs/latest/snapshots-and-backups/';

/** Each kind of Longhorn has the same finalizer. The first row that fits counts. */
export const LONGHORN_FINALIZERS: readonly KnownFinalizer[] = [
  {
    ...ROW,
    kinds: ['Backup', 'BackupVolume', 'BackupBackingImage', 'SystemBackup'].map(
      (kind) => `${kind}.longhorn.io`,
    ),
    waitsFor: 'the stored backup to be deleted, where the backup target can be reached',
    external: true,
    leaves: 'the stored backup',
    documented: BACKUPS,
  },
  {
    ...ROW,
    kinds: ['BackupTarget.longhorn.io'],
    waitsFor: 'the objects of its backups to be deleted, but not the stored backups',
    leaves: 'objects of backups without their target',
    documented: BACKUPS,
  },
  {
    ...ROW,
    waitsFor: 'replicas and engines to be removed from the nodes',
    leaves: 'replicas on the disks of nodes',
    documented: 'https://longhorn.io/docs/latest/deploy/uninstall/',
  },
];
