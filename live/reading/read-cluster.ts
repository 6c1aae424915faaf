import type { Collection, Gap } from '../../input/collections/collection.ts';
import { lookAt, workClock } from '../../input/work-clock.ts';
import { plural, shellQuoted, someNames } from '../../text/layout.ts';
import type { Fields } from '../asking.ts';
import type { Connection } from '../connection.ts';
import { LIVE_ERRORS } from '../errors.ts';
import { inParallel } from '../in-parallel.ts';
import { discovered, type ServedKind, type Unread } from './discovery.ts';
import { type Listing, listed } from './listing.ts';
import { hasMetadataOnly, reduced } from './reduced.ts';

export interface ReadOptions {
  /** Megabytes (10^6 bytes) that the reduced objects together may have. */
  readonly maxMegabytes: number;
  /** Called after each kind. */
  readonly onProgress: (done: number, of: number) => void;
  /** What the user gave; they hold for the reading as well. */
  readonly limits: Parameters<typeof lookAt>[0];
}

/** A kind, and what came when it was listed. */
interface Found {
  readonly kind: ServedKind;
  readonly listing: Listing<string>;
  /** One line of JSON for each object. */
  readonly text: string;
  readonly late: boolean;
}

/**
 * Reads everything that deletion can need, as `dump-command` does: all kinds that can be listed, as
 * they were at one resourceVersion where the server can show it. What it may not read is in the
 * result. Throws `InputError`.
 */
export async function readCluster(
  connection: Connection,
  { maxMegabytes, onProgress, limits }: ReadOptions,
): Promise<Collection> {
  const worked = workClock();
  const look = lookAt(limits, worked);
  const name = nameOf(connection.context);
  const { kinds, unread } = await discovered(connection);
  const bytesMost = maxMegabytes * 1e6;
  let bytes = 0;
  let done = 0;
  /** The resourceVersion at which all are listed: that of the first list. */
  let at: string | null = null;
  const list = (kind: ServedKind, version: string | null) => {
    return listed(connection, kind, {
      form: hasMetadataOnly(kind.name) ? 'metadataList' : 'whole',
      at: version,
      most: Math.max(bytesMost, LEAST_PAGE),
      room: (bytes) => look(`reading ${name}`, bytes),
      reduce: (item: Fields) => {
        const line = lineOf(item, kind);
        bytes += line.length + 1;
        if (bytes > bytesMost) throw LIVE_ERRORS.tooLarge(connection.context, maxMegabytes);
        look(`reading ${name}`);
        return line;
      },
    });
  };
  const read = async (kind: ServedKind): Promise<Found> => {
    let listing = await list(kind, at);
    const late = at !== null && listing.is === 'expired';
    if (late) listing = await list(kind, null);
    if (listing.is === 'listed') at ??= listing.version === '' ? null : listing.version;
    done += 1;
    onProgress(done, kinds.length);
    if (listing.is !== 'listed') return { kind, listing, text: '', late };
    // Not twice: of a large cluster the lines take most of the memory.
    return { kind, listing: { ...listing, items: [] }, text: listing.items.join('\n'), late };
  };
  const [first, ...others] = kinds;
  const found = first === undefined ? [] : [await read(first), ...(await inParallel(others, read))];
  const refused = [...unread, ...found.flatMap(refusedIn)];
  if (found.every(({ listing }) => listing.is !== 'listed')) {
    const why = refused[0]?.why ?? 'it serves no kind that can be listed';
    throw LIVE_ERRORS.refused(connection.context, 'anything', why);
  }
  return { ...collectionOf(connection.context, found, refused), worked: worked() };
}

/** A page of whole objects is much larger than what is kept of it. */
const LEAST_PAGE = 100e6;

function lineOf(item: Fields, { apiVersion, kind }: ServedKind): string {
  return JSON.stringify(reduced(item, apiVersion, kind));
}

/** A kind that is gone since it was discovered has no objects. */
function refusedIn({ kind, listing }: Found): readonly Unread[] {
  switch (listing.is) {
    case 'listed':
      return [];
    case 'refused':
      return listing.code === 404 ? [] : [{ what: kind.name, why: listing.why }];
    case 'expired':
      return [{ what: kind.name, why: 'it changes faster than it can be listed' }];
    default:
      throw new Error(`unknown listing ${listing satisfies never}`);
  }
}

function collectionOf(
  context: string,
  found: readonly Found[],
  refused: readonly Unread[],
): Collection {
  const lists = found.flatMap(({ listing }) => (listing.is === 'listed' ? [listing] : []));
  const late = found.flatMap((each) => (each.late ? [each.kind.name] : []));
  const name = nameOf(context);
  return {
    inputs: [refused.length === 0 ? name : `${name} (not read: ${namesOf(refused)})`],
    sources: found.map(({ text }) => ({ file: name, text })),
    leftOut:
      late.length === 0
        ? []
        : [
            `${plural(late.length, 'kind')} read a moment later than the others, as the cluster has changed: ${some(late)}.`,
          ],
    live: {
      readAt: lists.find(({ date }) => date !== null)?.date ?? null,
      unread: gapsIn(context, refused),
    },
  };
}

function nameOf(context: string): string {
  return `the cluster of context "${context}"`;
}

/** One for each reason. */
function gapsIn(context: string, refused: readonly Unread[]): readonly Gap[] {
  const reasons = [...new Set(refused.map(({ why }) => why))];
  return reasons.map((why) => {
    const names = refused.filter((each) => each.why === why).map(({ what }) => what);
    const [first = ''] = names;
    const resource = first.includes(' ') ? "'*.*'" : shellQuoted(first);
    return {
      what: `not read: ${some(names)} (${why})`,
      settle: `kubectl auth can-i list ${resource} --all-namespaces --context ${shellQuoted(context)}  # rights: docs/live-cluster.md`,
    };
  });
}

function namesOf(refused: readonly Unread[]): string {
  return some(refused.map(({ what }) => what));
}

const NAMED = 8;

function some(names: readonly string[]): string {
  return someNames(names, NAMED);
}
