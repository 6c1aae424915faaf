import {
  isCustomResource,
  type KindTable,
  type Setup,
  type UserRequest,
} from '../../model/index.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import { groupOf } from '../manifests/names.ts';
import type { Cast } from './objects.ts';

/** Reads requests that switch a custom kind to another version. */

export function readServedVersion(
  { kind: word, version }: { readonly kind: string; readonly version: string },
  cast: Cast,
  place: (field: 'kind' | 'version') => Place,
): UserRequest {
  const kind = cast.kind(word, place('kind'));
  if (!isCustomResource(kind)) {
    throw new InputError({
      what: `${kind.kind} is not a custom resource`,
      where: place('kind'),
      expected: 'a kind whose versions are those of its CustomResourceDefinition',
    });
  }
  const group = groupOf(kind.apiVersions[0] ?? '') ?? '';
  if (groupOf(version) !== group) {
    throw new InputError({
      what: `"${version}" is not a version of ${kind.kind}`,
      where: place('version'),
      expected: `${group}/VERSION`,
    });
  }
  if (kind.apiVersions.includes(version)) throw servedBefore(kind.kind, version, place('version'));
  return { do: 'serveVersion', kind: kind.name, version };
}

export interface VersionSwitch {
  readonly kind: string;
  readonly version: string;
  readonly where: Place;
}

/** Throws `InputError` if two requests, of whichever users, switch a kind to the same version. */
export function demandNewVersions(switches: readonly VersionSwitch[]): void {
  const again = switches.find(({ kind, version }, index) =>
    switches.slice(0, index).some((one) => one.kind === kind && one.version === version),
  );
  if (again === undefined) return;
  throw servedBefore(again.kind.replace(/\..*/, ''), again.version, again.where);
}

/**
 * The model identifies nodes of the collector's graph by their coordinates. After a change back,
 * two nodes would have the same coordinates: one could be in a queue or in use by a worker while
 * the other is in the graph. The model would treat them as one and miss runs.
 */
function servedBefore(kind: string, version: string, where: Place): InputError {
  return new InputError({
    what: `${kind} is served as ${version} twice in this scenario`,
    where,
    expected: 'a version that was not served before; the model does not support a change back',
  });
}

/** The table of kinds, with the versions that users switch them to. */
export function withLaterVersions(kinds: KindTable, users: Setup['users']): KindTable {
  const switches = Object.values(users).flatMap((steps) =>
    steps.flatMap(({ request }) => (request.do === 'serveVersion' ? [request] : [])),
  );
  const changed = switches.flatMap(({ kind: name }) => {
    const kind = kinds[name];
    const laterVersions = switches.filter(({ kind }) => kind === name).map((one) => one.version);
    return kind === undefined ? [] : [[name, { ...kind, laterVersions }] as const];
  });
  return { ...kinds, ...Object.fromEntries(changed) };
}
