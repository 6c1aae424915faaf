import { valueAt } from '../../documents/shape.ts';

/** The times that a dump says: they tell how long a deletion has been waiting. */
export interface DumpTimes {
  /** By store key: of each object that is being deleted. */
  readonly deletions: ReadonlyMap<string, Due>;
  /** The latest time in the dump: it was made then or later. Null: it has no times. */
  readonly newest: string | null;
}

/** When a deletion was asked for, and when it was due: after the grace period of a pod. */
export interface Due {
  readonly since: string;
  readonly due: string;
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/**
 * The latest time that has passed in the metadata and the status of a manifest, and at which a lease
 * was renewed; null: there is none.
 */
export function newestTime(manifest: unknown): string | null {
  const { metadata, status } = manifest as Readonly<Record<string, unknown>>;
  const deletionTimestamp = deletionTime(manifest)?.since;
  let newest: string | null = null;
  const renewed = valueAt(manifest, ['spec', 'renewTime']);
  const open: unknown[] = [{ ...(metadata ?? {}), deletionTimestamp }, status, renewed];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && TIME.test(value)) newest = later(newest, value);
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push(inner);
  }
  return newest;
}

/** The later one of two times, as the dump writes it. */
export function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) >= Date.parse(other) ? one : other;
}

/** The times of the deletion of a manifest; null: none, or one that is not a time. */
export function deletionTime(manifest: unknown): Due | null {
  const { metadata } = manifest as { readonly metadata?: Readonly<Record<string, unknown>> };
  const due = metadata?.deletionTimestamp;
  if (typeof due !== 'string' || !TIME.test(due)) return null;
  const grace = Number(metadata?.deletionGracePeriodSeconds ?? 0);
  const since = new Date(Date.parse(due) - (grace > 0 ? grace * 1000 : 0));
  return { since: grace > 0 ? since.toISOString().replace('.000Z', 'Z') : due, due };
}
