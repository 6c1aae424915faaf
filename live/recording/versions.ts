/**
 * resourceVersions of one etcd: revisions, which are decimal numbers, too long for a double.
 * Kubernetes promises since 1.35 that they can be compared, and the API servers did so before.
 */
export type Version = bigint;

/** Null: not a revision, so that it cannot be compared with those of other kinds. */
export function versionIn(text: string): Version | null {
  return /^\d{1,30}$/.test(text) ? BigInt(text) : null;
}

/** For `Array.sort`: the earlier one first. */
export function inOrder(one: Version, other: Version): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The earliest of some versions; null of none. */
export function earliest(versions: Iterable<Version>): Version | null {
  let least: Version | null = null;
  for (const version of versions) if (least === null || version < least) least = version;
  return least;
}
