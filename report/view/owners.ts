import type { Cluster, OwnerReference, Uid } from '../../model/index.ts';

/** One owner reference as it is stored, and as the collector's graph has it. */
export interface OwnerView {
  readonly dependent: Uid;
  readonly owner: Uid;
  /** Null: not stored. `believed` null: not in the graph. */
  readonly stored: ReferenceView | null;
  readonly believed: ReferenceView | null;
}

/** The field `controller` is left out, because the collector does not read it. */
export type ReferenceView = 'plain' | 'blocking';

export function ownerId(dependent: Uid, owner: Uid): string {
  return `${dependent} ${owner}`;
}

export function ownerViews(cluster: Cluster): Readonly<Record<string, OwnerView>> {
  const views = new Map<string, OwnerView>();
  const note = (dependent: Uid, reference: OwnerReference, where: 'stored' | 'believed'): void => {
    const id = ownerId(dependent, reference.uid);
    const known = views.get(id) ?? {
      dependent,
      owner: reference.uid,
      stored: null,
      believed: null,
    };
    views.set(id, {
      ...known,
      [where]: reference.blockOwnerDeletion === true ? 'blocking' : 'plain',
    });
  };
  for (const { uid, ownerReferences } of Object.values(cluster.store)) {
    for (const reference of ownerReferences) note(uid, reference, 'stored');
  }
  for (const [uid, { owners }] of Object.entries(cluster.graph)) {
    for (const reference of owners) note(uid, reference, 'believed');
  }
  return Object.fromEntries([...views].sort(([a], [b]) => (a < b ? -1 : 1)));
}
