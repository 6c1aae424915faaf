import { valueAt } from '../../documents/shape.ts';
import type { Mark } from './mark.ts';

/** By kind (without its group): annotations that make a class the default. */
const ANNOTATIONS: Readonly<Record<string, readonly string[]>> = {
  StorageClass: [
    'storageclass.kubernetes.io/is-default-class',
    'storageclass.beta.kubernetes.io/is-default-class',
  ],
  IngressClass: ['ingressclass.kubernetes.io/is-default-class'],
  VolumeSnapshotClass: ['snapshot.storage.kubernetes.io/is-default-class'],
};

/** Whether a class is the one of all that name none. */
export function defaultsOf(kind: string, manifest: unknown): readonly Mark[] {
  const isMarked = (ANNOTATIONS[kind] ?? []).some((annotation) => {
    return valueAt(manifest, ['metadata', 'annotations', annotation]) === 'true';
  });
  const isGlobal = kind === 'PriorityClass' && valueAt(manifest, ['globalDefault']) === true;
  return isMarked || isGlobal ? [{ mark: 'default', tool: null }] : [];
}
