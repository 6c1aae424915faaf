import * as z from 'zod';
import { InputError } from '../../../text/input-error.ts';
import { type Line, shapedLine } from './json-lines.ts';
import { LogKinds } from './log-kinds.ts';
import type { SeenChange, Trace } from './observations.ts';
import { seenObjectSchema, seenPod, seenWhole } from './seen-object.ts';
import { compareVersions } from './timeline.ts';

/** What `kubectl get -w -o json --output-watch-events` prints, one event per line. */
const watchEventSchema = z.looseObject({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.looseObject({ apiVersion: z.string().default(''), kind: z.string().default('') }),
});

const watchHead = z.looseObject({ type: z.string(), object: z.looseObject({}) });

export function isWatchEvent(value: unknown): boolean {
  return watchHead.safeParse(value).success;
}

/**
 * Reads one or more watch streams and sorts their events by resourceVersion.
 *
 * A watch begins with ADDED events for the objects that exist already. Where a bookmark says where
 * they end (`k8s.io/initial-events-end`), these are taken as existing. Without one, an object that
 * cannot be new (it is being deleted, or its spec has changed) is taken as existing; for any other
 * object it rarely makes a difference.
 */
export function readWatchStream(file: string, lines: readonly Line[]): Trace {
  const kinds = new LogKinds();
  const changes: SeenChange[] = [];
  const initial: SeenChange[] = [];
  const listed = listedBefore(lines);
  for (const line of lines) {
    const { type, object } = shapedLine(watchEventSchema, line, 'a watch event');
    if (type === 'BOOKMARK') continue;
    const { apiVersion, kind } = object;
    const isListed = (line.place.line ?? 0) < (listed.get(`${apiVersion}/${kind}`) ?? 0);
    if (type === 'ERROR') {
      throw new InputError({
        what: 'the watch ended with an error: later events are missing',
        where: line.place,
        next: 'record it again, or cut the log before this line',
      });
    }
    const shown = shapedLine(
      seenObjectSchema,
      { value: object, place: line.place },
      'an object of the cluster',
    );
    const namespace = shown.metadata.namespace ?? '';
    const change: SeenChange = {
      place: line.place,
      type,
      kind: kinds.named(apiVersion, kind, namespace !== ''),
      namespace,
      name: shown.metadata.name,
      object: seenWhole(shown),
      pod: kind === 'Pod' ? seenPod(shown) : null,
    };
    if (type === 'ADDED' && (isListed || !isNew(change))) initial.push(change);
    else changes.push(change);
  }
  changes.sort((a, b) =>
    compareVersions(a.object.resourceVersion ?? '', b.object.resourceVersion ?? ''),
  );
  return {
    name: file,
    kinds: kinds.table(),
    requests: [],
    requestsLogged: false,
    changes,
    initial,
    final: null,
    warnings: [],
    restarts: 0,
    relists: 0,
  };
}

const endSchema = z.looseObject({
  type: z.literal('BOOKMARK'),
  object: z.looseObject({
    apiVersion: z.string(),
    kind: z.string(),
    metadata: z.looseObject({
      resourceVersion: z.string().default(''),
      annotations: z.looseObject({
        'k8s.io/initial-events-end': z.literal('true'),
        'reapcheck/listed-before': z.iso.datetime().optional(),
      }),
    }),
  }),
});

/** Where the objects end that were there at the start. Null: the line says nothing of it. */
export function endOfInitial({ value }: Line): z.output<typeof endSchema>['object'] | null {
  return endSchema.safeParse(value).data?.object ?? null;
}

/** By apiVersion and kind: the line after the objects that were there at the start. */
function listedBefore(lines: readonly Line[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const line of lines) {
    const end = endOfInitial(line);
    if (end === null) continue;
    const key = `${end.apiVersion}/${end.kind}`;
    // In several streams one after the other, the last one would hide changes.
    if (!ends.has(key)) ends.set(key, line.place.line ?? 0);
  }
  return ends;
}

function isNew({ object, kind }: SeenChange): boolean {
  return object.deletionTimestamp === null && (!kind.generation || (object.generation ?? 1) <= 1);
}
