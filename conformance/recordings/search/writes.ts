import { type ApiObject, formatKey, type ObjectKey } from '../../../model/index.ts';
import { type Change, compareVersions } from '../logs/timeline.ts';
import {
  type Difference,
  difference,
  type Misfit,
  timestampDifference,
} from '../matching/differences.ts';
import type { TraceContext } from './context.ts';
import type { TraceState } from './trace-state.ts';

/** A write of the model's API server, matched with the changes in the log. */
export interface WriteMatch {
  /** The change of the log that the write explains; null if the log does not show the write. */
  readonly explains: Change | null;
  readonly version: string | null;
  readonly time: string | null;
  readonly misfit: Omit<Misfit, 'request'> | null;
}

/**
 * Matches a write with the next change in the store.
 *
 * @param shows the resourceVersion in the answer to the request; null if there is none. `next`: it
 *   is taken to be that of the next change.
 */
export function matchWrite(
  context: TraceContext,
  state: TraceState,
  shows: string | 'next' | null,
  key: ObjectKey,
  before: ApiObject | undefined,
  stored: ApiObject | undefined,
): WriteMatch {
  const { changes, removals } = context.timeline;
  const type = stored === undefined ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED';
  const unplaced: WriteMatch = {
    explains: null,
    version: null,
    time: timeKept(before, stored) ? (state.stored[key]?.deletionTimestamp ?? null) : null,
    misfit: null,
  };
  if (!removals && stored === undefined) return unplaced;
  const next = changes[state.changes];
  // Changes derived from answers include only the writes of requests whose answers hold the object.
  if (!removals && shows !== 'next' && !tellsOfWrite(shows, next)) return unplaced;
  const wrong = (sentence: string, found: Difference | null = null): WriteMatch => ({
    ...unplaced,
    misfit: { changes: state.changes, what: 'change', sentence, difference: found },
  });
  const words = `${WORDS[type]} ${formatKey(key)}`;
  if (next === undefined) return wrong(`it ${words}, but the log has no further change`);
  if (next.key !== key || next.seen.type !== type) {
    return wrong(`it ${words}, but the next change is ${next.seen.type} ${formatKey(next.key)}`);
  }
  const object = stored ?? before;
  const earlier = changes[state.changes - 1]?.seen.object.resourceVersion ?? null;
  const version = next.seen.object.resourceVersion;
  if (earlier !== null && version !== null && compareVersions(earlier, version) >= 0) {
    return wrong(`it ${words}, and each change has a higher resourceVersion than the one before`, {
      field: 'metadata.resourceVersion',
      seen: version,
      model: `more than ${earlier}`,
    });
  }
  const found =
    object === undefined
      ? null
      : (difference(next.seen.kind, next.seen.object, object) ??
        timestampDifference(
          state.stored[key]?.deletionTimestamp ?? null,
          next.seen.object.deletionTimestamp,
          before,
          object,
        ));
  if (found !== null) return wrong(`it ${words}, but not with these fields`, found);
  return {
    explains: next,
    version,
    time: next.seen.object.deletionTimestamp,
    misfit: null,
  };
}

function timeKept(before: ApiObject | undefined, stored: ApiObject | undefined): boolean {
  if (before === undefined) return false;
  return stored === undefined || stored.deletionTimestamp === before.deletionTimestamp;
}

const WORDS = { ADDED: 'creates', MODIFIED: 'changes', DELETED: 'removes' } as const;

function tellsOfWrite(shows: string | null, next: Change | undefined): boolean {
  if (shows === null) return false;
  return next === undefined || compareVersions(shows, next.seen.object.resourceVersion ?? '') >= 0;
}
