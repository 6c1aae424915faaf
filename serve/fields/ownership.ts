import type { Body } from '../cluster/body.ts';
import { type Entry, type FieldSet, isOf, type Manager } from './entries.ts';
import { type Comparison, compared, type Leaves, leavesOf, type Path, textOf } from './leaves.ts';
import { merged, without } from './merge.ts';

/** Who owns which fields after a write. Mirrors `merge.Updater` of structured-merge-diff (4.4). */

/** What is compared: the schema of the kind, and which of its fields a write can have. */
export interface Typed {
  readonly schema: Body | null;
  readonly isOwned: (path: Path) => boolean;
}

/** A field that the manager of an apply patch may not take over. */
export interface Conflict {
  readonly entry: Entry;
  readonly path: Path;
}

/** After a write that is no apply patch: what it changes is its own. */
export function afterUpdate(
  typed: Typed,
  entries: readonly Entry[],
  manager: Manager,
  [before, after]: readonly [before: Body, after: Body],
  time: string,
): readonly Entry[] {
  const now = leavesIn(typed, after);
  const comparison = compared(leavesIn(typed, before), now);
  if (comparison.changed.size + comparison.removed.size === 0) return entries;
  const own = entries.find((entry) => isOf(entry, manager));
  const kept = own === undefined ? [] : [...lessened(own.fields, comparison)];
  const added = [...comparison.changed].map((key) => [key, pathIn(now, key)] as const);
  const others = entries
    .filter((entry) => entry !== own)
    .map((entry) => ({ ...entry, fields: lessened(entry.fields, comparison) }));
  const fields = new Map([...kept, ...added]);
  const changedAt = added.length > 0 ? time : (own?.time ?? time);
  return [...others, { ...manager, time: changedAt, fields }];
}

export interface Applied {
  readonly object: Body;
  readonly entries: readonly Entry[];
  /** Fields of others that would change. A forced apply takes them over. */
  readonly conflicts: readonly Conflict[];
}

/**
 * After an apply patch: its manager owns what it says, and gives up what it does not say any more.
 */
export function afterApply(
  typed: Typed,
  entries: readonly Entry[],
  manager: Manager,
  [live, config]: readonly [live: Body, config: Body],
  time: string,
): Applied {
  const last = entries.find((entry) => isOf(entry, manager));
  const others = entries.filter((entry) => entry !== last);
  const fields: FieldSet = new Map(
    [...leavesIn(typed, config)].map(([key, { path }]) => [key, path]),
  );
  const held = [fields, ...others.map((entry) => entry.fields)];
  const dropped = [...(last?.fields.keys() ?? [])].filter((key) =>
    held.every((set) => !set.has(key)),
  );
  const whole = merged(typed.schema, live, config) as Body;
  const object =
    dropped.length === 0 ? whole : without(typed.schema, whole, new Set(dropped), stayingIn(held));
  const comparison = compared(leavesIn(typed, live), leavesIn(typed, object));
  const conflicts = others.flatMap((entry) =>
    [...entry.fields].flatMap(([key, path]) =>
      comparison.changed.has(key) ? [{ entry, path }] : [],
    ),
  );
  const isSame = last !== undefined && haveSame(last.fields, fields);
  const isKept = isSame && comparison.changed.size + comparison.removed.size === 0;
  const own = { ...manager, time: isKept ? last.time : time, fields };
  const lessenedOthers = others.map((entry) => ({
    ...entry,
    fields: lessened(entry.fields, comparison),
  }));
  return { object, entries: [...lessenedOthers, own], conflicts };
}

function leavesIn({ schema, isOwned }: Typed, object: Body): Leaves {
  return leavesOf(schema, object, isOwned);
}

function pathIn(leaves: Leaves, key: string): Path {
  const leaf = leaves.get(key);
  if (leaf === undefined) throw new Error(`there is no field ${key}`);
  return leaf.path;
}

function lessened(fields: FieldSet, { changed, removed }: Comparison): FieldSet {
  return new Map([...fields].filter(([key]) => !changed.has(key) && !removed.has(key)));
}

function haveSame(one: FieldSet, other: FieldSet): boolean {
  return one.size === other.size && [...one.keys()].every((key) => other.has(key));
}

/** Whether one of the sets has a field at or below a path. */
function stayingIn(sets: readonly FieldSet[]): (path: Path) => boolean {
  const above = new Set(
    sets.flatMap((set) =>
      [...set.values()].flatMap((held) => held.map((_, index) => textOf(held.slice(0, index + 1)))),
    ),
  );
  return (path) => above.has(textOf(path));
}
