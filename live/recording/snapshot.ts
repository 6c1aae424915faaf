import { asked, type Fields, fieldsOf, textOf, whyRefused } from '../asking.ts';
import type { Connection } from '../connection.ts';
import { LIVE_ERRORS } from '../errors.ts';
import { inParallel } from '../in-parallel.ts';
import type { Unread } from '../reading/discovery.ts';
import { type Listing, listed, pathOf } from '../reading/listing.ts';
import { isRecordedWhole, recorded } from './recorded.ts';
import { type Version, versionIn } from './versions.ts';
import type { WatchedPlace } from './watching.ts';

/** The objects of a place at one version. */
export interface ListedPlace {
  readonly place: WatchedPlace;
  readonly objects: readonly Fields[];
}

/** All places at the same version: from here on the watches go. */
export interface Snapshot {
  readonly version: Version;
  /** A time of the server at which the version was there already. Null: it did not say. */
  readonly before: string | null;
  readonly places: readonly ListedPlace[];
  readonly unread: readonly Unread[];
}

const TRIES = 5;
const PAGE_BYTES = 200_000_000;

/** Lists all places as they were at one version of the store. Throws `InputError`. */
export async function snapshotOf(
  connection: Connection,
  places: readonly WatchedPlace[],
): Promise<Snapshot> {
  for (let attempt = 1; ; attempt += 1) {
    const { version, refused } = await newestVersion(connection, places);
    const rest = places.filter((place) => !refused.has(place));
    const found = await inParallel(rest, async (place) => ({
      place,
      listing: await listAt(connection, place, version),
    }));
    const expired = found.filter(({ listing }) => listing.is === 'expired');
    const isLast = attempt === TRIES;
    if (expired.length > 0 && !isLast) continue;
    // A few kinds can be of API servers with versions of their own; more is a cluster in a hurry.
    if (expired.length > 1 && expired.length * 2 > found.length) {
      throw LIVE_ERRORS.changesTooFast(connection.context);
    }
    const unread = [
      ...[...refused].map(([{ kind }, why]) => ({ what: kind.name, why })),
      ...found.flatMap(({ place, listing }) => unreadIn(place, listing)),
    ];
    const shown = found.flatMap(({ place, listing }) =>
      listing.is === 'listed' ? [{ place, objects: listing.items }] : [],
    );
    const dates = found.map(({ listing }) => (listing.is === 'listed' ? listing.date : null));
    return { version, before: nextSecond(dates), places: shown, unread };
  }
}

/** The header has whole seconds: after the next one, the moment is past for certain. */
function nextSecond(dates: readonly (string | null)[]): string | null {
  const times = dates.flatMap((date) => (date === null ? [] : [Date.parse(date)]));
  if (times.length === 0) return null;
  return new Date(Math.max(...times) + 1_000).toISOString();
}

function unreadIn({ kind }: WatchedPlace, listing: Listing<Fields>): readonly Unread[] {
  switch (listing.is) {
    case 'listed':
      return [];
    case 'refused':
      return listing.code === 404 ? [] : [{ what: kind.name, why: listing.why }];
    case 'expired': {
      const why = 'it cannot be listed at the version of the other kinds';
      return [{ what: kind.name, why }];
    }
    default:
      throw new Error(`unknown listing ${listing satisfies never}`);
  }
}

/** The version of the store now, and the places that refused to say. */
export async function newestVersion(
  connection: Connection,
  places: readonly WatchedPlace[],
): Promise<{ readonly version: Version; readonly refused: ReadonlyMap<WatchedPlace, string> }> {
  const refused = new Map<WatchedPlace, string>();
  for (const place of places) {
    const path = `${pathOf(place.kind, place.namespace)}?limit=1`;
    const answer = await asked(connection, path, 'metadataList', PAGE_BYTES);
    const text = textOf(fieldsOf(fieldsOf(answer.body).metadata).resourceVersion);
    const version = versionIn(text);
    if (answer.code === 200 && version !== null) return { version, refused };
    const why = answer.code === 200 ? 'its versions are not numbers' : whyRefused(answer);
    refused.set(place, why);
  }
  const [why] = refused.values();
  throw LIVE_ERRORS.refused(connection.context, 'anything', why ?? 'there are no kinds to watch');
}

function listAt(
  connection: Connection,
  { kind, namespace }: WatchedPlace,
  version: Version,
): Promise<Listing<Fields>> {
  return listed(connection, kind, {
    form: isRecordedWhole(kind.name) ? 'whole' : 'metadataList',
    namespace,
    at: String(version),
    reduce: (item) => recorded(item, kind),
    most: PAGE_BYTES,
  });
}

/**
 * By uid: the resourceVersion of each object at this version. Null: the server does not show it.
 */
export async function versionsAt(
  connection: Connection,
  { kind, namespace }: WatchedPlace,
  version: Version,
): Promise<ReadonlyMap<string, string> | null> {
  const listing = await listed(connection, kind, {
    form: 'metadataList',
    namespace,
    at: String(version),
    reduce: identityOf,
    most: PAGE_BYTES,
  });
  return listing.is === 'listed' ? new Map(listing.items) : null;
}

/** The uid of an object, and its resourceVersion. */
export function identityOf(object: Fields): readonly [uid: string, version: string] {
  const { uid, resourceVersion } = fieldsOf(object.metadata);
  return [textOf(uid), textOf(resourceVersion)];
}
