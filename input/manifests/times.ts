/** The times that a dump says: they tell how long a deletion has been waiting. */
export interface DumpTimes {
  /** By store key: the deletionTimestamp of each object that is being deleted. */
  readonly deletions: ReadonlyMap<string, string>;
  /** The latest time in the dump: it was made then or later. Null: it has no times. */
  readonly newest: string | null;
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** The latest time in the metadata and the status of a manifest; null: there is none. */
export function newestTime(manifest: unknown): string | null {
  const { metadata, status } = manifest as Readonly<Record<string, unknown>>;
  let newest: string | null = null;
  const open: unknown[] = [metadata, status];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && TIME.test(value)) newest = later(newest, value);
    else if (typeof value === 'object' && value !== null) open.push(...Object.values(value));
  }
  return newest;
}

/** The later one of two times, as the dump writes it. A deletion can be due after the dump. */
export function later(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(one) >= Date.parse(other) ? one : other;
}

/** The deletionTimestamp of a manifest; null: none, or one that is not a time. */
export function deletionTime(manifest: unknown): string | null {
  const { metadata } = manifest as { readonly metadata?: Readonly<Record<string, unknown>> };
  const value = metadata?.deletionTimestamp;
  return typeof value === 'string' && TIME.test(value) ? value : null;
}
