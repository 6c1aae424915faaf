import * as z from 'zod';
import { groupOf } from '../../../input/manifests/names.ts';
import type { ObjectKey } from '../../../model/index.ts';
import type { Line } from './json-lines.ts';
import { keyOfChange, keyOfRequest } from './keys.ts';
import type { SeenRequest, Trace } from './observations.ts';
import { compareVersions } from './timeline.ts';
import { endOfInitial } from './watch-stream.ts';

/** A removal is answered with a `Status` that names what was removed. */
const removalSchema = z.looseObject({
  responseObject: z.looseObject({
    kind: z.literal('Status'),
    details: z.looseObject({ uid: z.string().min(1) }),
  }),
});

/**
 * The audit log of a recording, which begins in the life of a cluster. The objects at the start are
 * those that the watch lists. Left out are requests for kinds that are not recorded, such as
 * events, requests that had their effect before the start, and those without an effect that may
 * have been answered before it.
 *
 * @param lines all lines of the recording.
 */
export function sliceOf(watch: Trace, audit: Trace, lines: readonly Line[]): Trace {
  const start = startOf(watch, lines);
  const ends = lines.flatMap((line) => endOfInitial(line) ?? []);
  const kinds = new Set(ends.map(({ apiVersion, kind }) => kindName(apiVersion, kind)));
  const removed = removalsIn(lines);
  const counts = (request: SeenRequest): boolean => {
    if (!kinds.has(request.kind.name)) return false;
    if (request.verb === 'get') return isReadSince(start, request);
    // To leave out what has no effect is safe, unless the collector has based something on it.
    if (request.code >= 300) return request.collector || !(request.received < start.before);
    const uid = removed.get(request.place.line ?? 0);
    // The watch shows whatever was there at the start, or came later.
    if (uid !== undefined) return start.seen.has(uid);
    const version = request.answer?.resourceVersion ?? null;
    return version === null || compareVersions(version, start.version) > 0;
  };
  return {
    ...audit,
    name: `${audit.name}, requests`,
    kinds: { ...watch.kinds, ...audit.kinds },
    requests: audit.requests.filter(counts),
    initial: watch.initial,
    isSlice: true,
  };
}

/** Where a recording begins. */
interface Start {
  readonly version: string;
  /** Microseconds on the clock of the server, after the version. NaN: not known. */
  readonly before: number;
  /** By uid: the resourceVersion of what was there. */
  readonly versions: ReadonlyMap<string, string | null>;
  /** The uids of what was there, or came later. */
  readonly seen: ReadonlySet<string>;
  /** The keys of what was there all the time. */
  readonly lasting: ReadonlySet<ObjectKey>;
}

function startOf({ initial, changes }: Trace, lines: readonly Line[]): Start {
  const later = changes ?? [];
  const gone = new Set(
    later.flatMap((change) => (change.type === 'DELETED' ? [keyOfChange(change)] : [])),
  );
  const end = lines.map(endOfInitial).find((found) => found !== null);
  const before = Date.parse(end?.metadata.annotations['reapcheck/listed-before'] ?? '');
  return {
    version: end?.metadata.resourceVersion ?? '',
    before: before * 1000,
    versions: new Map(initial.map(({ object }) => [object.uid, object.resourceVersion])),
    seen: new Set([...initial, ...later].map(({ object }) => object.uid)),
    lasting: new Set(initial.map(keyOfChange).filter((key) => !gone.has(key))),
  };
}

/** False: the answer shows what was stored before the start, and not since. */
function isReadSince({ version, versions, lasting }: Start, request: SeenRequest): boolean {
  const { answer } = request;
  if (answer !== null) {
    const shown = answer.resourceVersion ?? '';
    return compareVersions(shown, version) > 0 || versions.get(answer.uid) === shown;
  }
  const key = keyOfRequest(request);
  return request.code !== 404 || key === null || !lasting.has(key);
}

/** The name of a kind in the model. */
function kindName(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion) ?? '';
  return group === '' ? kind : `${kind}.${group}`;
}

/** By line: the uid of the object that the request has removed. */
function removalsIn(lines: readonly Line[]): ReadonlyMap<number, string> {
  const removed = new Map<number, string>();
  for (const { value, place } of lines) {
    const { data } = removalSchema.safeParse(value);
    if (data !== undefined) removed.set(place.line ?? 0, data.responseObject.details.uid);
  }
  return removed;
}
