import type { World } from '../state/world.ts';

/** The resources that the collector watches, according to API discovery. */

export interface DiscoveredResource {
  /** Plural: `pods`. */
  readonly name: string;
  readonly verbs: readonly string[];
}

/**
 * `metav1.APIResourceList`: the resources of one version of a group, as preferred by the server.
 */
export interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly DiscoveredResource[];
}

/** An answer of discovery. It can have both lists and an error. */
export interface Discovery {
  /** Null: no lists at all. */
  readonly lists: readonly ResourceList[] | null;
  /**
   * `failedGroups`: the group versions that could not be discovered (`ErrGroupDiscoveryFailed`);
   * `other`: any other error.
   */
  readonly error: null | 'other' | { readonly failedGroups: readonly string[] };
}

/** `schema.GroupVersionResource`. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const NEEDED_VERBS: readonly string[] = ['delete', 'list', 'watch'];

/**
 * Mirrors `GetDeletableResources` (1.20): the resources that can be deleted, listed and watched. An
 * error matters only through the resources that are missing. A group version that cannot be parsed
 * is left out.
 */
export function deletableResources(discovery: Discovery): readonly GroupVersionResource[] {
  return (discovery.lists ?? []).flatMap(({ groupVersion, resources }) => {
    const parsed = parseGroupVersion(groupVersion);
    if (parsed === null) return [];
    return resources
      .filter(({ verbs }) => NEEDED_VERBS.every((verb) => verbs.includes(verb)))
      .map(({ name }) => ({ ...parsed, resource: name }));
  });
}

/** Mirrors `schema.ParseGroupVersion`. Null if that returns an error. */
export function parseGroupVersion(
  text: string,
): { readonly group: string; readonly version: string } | null {
  if (text === '' || text === '/') return { group: '', version: '' };
  const parts = text.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length > 2) return null;
  return parts.length === 1 ? { group: '', version: first } : { group: first, version: second };
}

/** The monitors of the graph builder. */
export interface Monitors {
  /** The resources of the last sync (`oldResources` of `GarbageCollector.Sync`). */
  readonly known: readonly GroupVersionResource[];
  /** Monitors by name of the resource. True once the informer has listed successfully. */
  readonly running: Readonly<Record<string, boolean>>;
}

export const NO_MONITORS: Monitors = { known: [], running: {} };

export function monitorName({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`;
}

/** `GraphBuilder.IsSynced`: there are monitors and each of them has listed. */
export function isSynced({ running }: Monitors): boolean {
  const states = Object.values(running);
  return states.length > 0 && states.every((synced) => synced);
}

/**
 * The resources that a round of `GarbageCollector.Sync` watches: those found, and the resources
 * watched so far whose group discovery has failed. Null if the round ends at once, because nothing
 * has changed or the answer is empty.
 *
 * @param isSynced whether the monitor of a watched resource has synced.
 */
export function resourcesToWatch(
  known: readonly GroupVersionResource[],
  found: readonly GroupVersionResource[],
  rules: World['rules'],
  error: Discovery['error'],
  isSynced: (resource: GroupVersionResource) => boolean,
): readonly GroupVersionResource[] | null {
  if (found.length === 0 && rules.emptyDiscovery === 'skipped') return null;
  const names = new Set(found.map(monitorName));
  const failed = error !== null && error !== 'other' ? error.failedGroups : [];
  const kept = known.filter(
    (resource) =>
      rules.failedGroupDiscovery === 'keepsMonitors' &&
      failed.includes(groupVersionOf(resource)) &&
      isSynced(resource) &&
      !names.has(monitorName(resource)),
  );
  const wanted = [...found, ...kept];
  const unchanged =
    known.length === wanted.length &&
    known.every((resource) => wanted.some((other) => monitorName(other) === monitorName(resource)));
  return unchanged ? null : wanted;
}

function groupVersionOf({ group, version }: GroupVersionResource): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * One round of `GarbageCollector.Sync`. If discovery finds nothing, or nothing new, nothing
 * happens. Otherwise monitors are stopped and started until they match the answer.
 *
 * @param canList whether the list of a resource succeeds, so that a new monitor syncs.
 */
export function syncMonitors(
  monitors: Monitors,
  rules: World['rules'],
  discovery: Discovery,
  canList: (resource: GroupVersionResource) => boolean,
): Monitors {
  const found = resourcesToWatch(
    monitors.known,
    deletableResources(discovery),
    rules,
    discovery.error,
    (resource) => monitors.running[monitorName(resource)] === true,
  );
  if (found === null) return listAgain(monitors, canList);
  const running = Object.fromEntries(
    found.map((resource) => [
      monitorName(resource),
      monitors.running[monitorName(resource)] ?? false,
    ]),
  );
  return listAgain({ known: found, running }, canList);
}

/** The reflectors of unsynced monitors retry their lists. */
export function listAgain(
  monitors: Monitors,
  canList: (resource: GroupVersionResource) => boolean,
): Monitors {
  const running = Object.fromEntries(
    monitors.known.map((resource) => {
      const name = monitorName(resource);
      return [name, monitors.running[name] === true || canList(resource)];
    }),
  );
  return { ...monitors, running };
}
