import { z } from 'zod';
import { groupOf } from '../../../input/manifests/names.ts';
import type { Line } from './json-lines.ts';
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
 * those that the watch lists. Requests for other kinds, such as events, are left out. Requests that had their effect before are left out, and so are requests
 * without an effect that may have been answered before.
 *
 * @param lines all lines of the recording.
 */
export function sliceOf(watch: Trace, audit: Trace, lines: readonly Line[]): Trace {
  const ends = lines.flatMap((line) => endOfInitial(line) ?? []);
  const start = ends[0]?.metadata.resourceVersion ?? '';
  const listed = Date.parse(ends[0]?.metadata.annotations['reapcheck/listed-before'] ?? '') * 1000;
  const seen = new Set(
    [...watch.initial, ...(watch.changes ?? [])].map(({ object }) => object.uid),
  );
  const kinds = new Set(ends.map(({ apiVersion, kind }) => kindName(apiVersion, kind)));
  const removed = removalsIn(lines);
  const isAfter = (request: SeenRequest): boolean => {
    const { verb, code, answer, place, received } = request;
    const changes = verb !== 'get' && code < 300;
    if (!changes) return !(received < listed);
    const uid = removed.get(place.line ?? 0);
    // The watch shows whatever was there at the start, or came later.
    if (uid !== undefined) return seen.has(uid);
    return answer?.resourceVersion == null || compareVersions(answer.resourceVersion, start) > 0;
  };
  return {
    ...audit,
    name: `${audit.name}, requests`,
    kinds: { ...watch.kinds, ...audit.kinds },
    requests: audit.requests.filter((request) => kinds.has(request.kind.name) && isAfter(request)),
    initial: watch.initial,
    isSlice: true,
  };
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
