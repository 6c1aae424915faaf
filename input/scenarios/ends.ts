import {
  type ApiObject,
  type Fact,
  FOREGROUND,
  formatKey,
  keyOf,
  ORPHAN,
  type Setup,
} from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { hint } from '../../text/messages.ts';
import { WELL_KNOWN_FINALIZERS } from '../cluster/known/index.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import { isReservedName } from '../documents/shape.ts';
import type { Cast } from './objects.ts';
import type { End, ScenarioFile } from './schema.ts';

/** Reads what scenarios say of single objects: the outcomes, and the facts in conditions. */

/** What can be stored at some time in a run of the scenario. */
export interface Known {
  readonly stored: readonly ApiObject[];
  /** Finalizers that objects of the scenario can have. */
  readonly finalizers: ReadonlySet<string>;
  /** Uids of owners that objects of the scenario can name. */
  readonly owners: ReadonlySet<string>;
}

interface Reading extends Known {
  readonly document: SourceDocument;
  readonly cast: Pick<Cast, 'find'>;
}

/** The named outcomes as facts. */
export function readOutcomes(file: ScenarioFile, reading: Reading): NonNullable<Setup['outcomes']> {
  const { document } = reading;
  const expected = file.expect?.outcomes ?? {};
  for (const name of Object.keys(expected)) {
    if (Object.hasOwn(file.outcomes ?? {}, name)) continue;
    throw new InputError({
      what: `there is no outcome "${name}"`,
      where: document.place(['expect', 'outcomes', name]),
      expected: 'the name of one in outcomes',
    });
  }
  return Object.fromEntries(
    Object.entries(file.outcomes ?? {}).map(([name, ends]) => {
      const path: Path = ['outcomes', name];
      if (isReservedName(name) || Object.keys(ends).length === 0) {
        throw new InputError({
          what: `the outcome "${name}" is empty`,
          where: document.place(path),
          expected: 'the end of at least one object, as in ConfigMap/a: gone',
        });
      }
      const facts = Object.entries(ends).flatMap(([target, end]) =>
        factsOf(target, end, [...path, target], reading),
      );
      return [name, { facts, expect: expected[name] ?? 'sometimes' }];
    }),
  );
}

/**
 * The facts of an end: first that the object exists, unless it is gone. Refuses what can be true in
 * no run because of its words alone: such an end would be "impossible" whatever happens.
 */
export function factsOf(target: string, end: End, path: Path, reading: Reading): readonly Fact[] {
  const { cast, document } = reading;
  const object = cast.find(target, document.place(path));
  const key = keyOf(object);
  if (end === 'gone') return [{ fact: 'count', keys: [key], count: 0 }];
  const stated = end === 'there' ? {} : end;
  checkOneObject(target, stated.uid, path, reading);
  const that = { key, uid: stated.uid ?? object.uid };
  const { deleting, finalizers, owners } = stated;
  finalizers?.forEach((finalizer, index) => {
    checkFinalizer(finalizer, [...path, 'finalizers', index], reading);
  });
  const uids = owners?.map((owner, index) => ownerUid(owner, [...path, 'owners', index], reading));
  return [
    { ...that, fact: 'exists', is: true },
    ...(deleting === undefined
      ? []
      : [{ ...that, fact: 'deletionTimestamp' as const, set: deleting }]),
    ...(finalizers === undefined ? [] : [{ ...that, fact: 'finalizers' as const, finalizers }]),
    ...(uids === undefined ? [] : [{ ...that, fact: 'owners' as const, uids }]),
  ];
}

/**
 * A fact is about one uid. Where several objects have the name, it would be false of the others, so
 * the condition must say which one it means.
 */
export function checkOneObject(
  target: string,
  uid: string | undefined,
  path: Path,
  { document, cast, stored }: Reading,
): void {
  const key = keyOf(cast.find(target, document.place(path)));
  const uids = [...new Set(stored.filter((one) => keyOf(one) === key).map((one) => one.uid))];
  if (uid === undefined ? uids.length === 1 : uids.includes(uid)) return;
  throw new InputError({
    what:
      uid === undefined
        ? `${uids.length} objects have the name ${formatKey(key)}, one after the other`
        : `no object with the name ${formatKey(key)} has the uid "${uid}"`,
    where: document.place(uid === undefined ? path : [...path, 'uid']),
    expected: uids.map((known) => `{uid: ${known}}`).join(' or '),
    ...(uid === undefined ? { next: 'gone means that no object has the name' } : {}),
  });
}

/** The uid of an owner, which is given as an object or as a uid. */
export function ownerUid(owner: string, path: Path, { document, cast, owners }: Reading): string {
  if (owner.includes('/')) return cast.find(owner, document.place(path)).uid;
  if (owners.has(owner)) return owner;
  throw new InputError({
    what: `no object here can have an owner with the uid "${owner}"`,
    where: document.place(path),
    expected: 'KIND/NAME, or a uid of the file',
    next: hint(owner, [...owners]),
  });
}

export function checkFinalizer(name: string, path: Path, { document, finalizers }: Reading): void {
  // Actors of Kubernetes add finalizers that no manifest has.
  const added = WELL_KNOWN_FINALIZERS.filter(({ runs }) => runs === 'control plane').map(
    (row) => row.name,
  );
  const known = [...finalizers, ORPHAN, FOREGROUND, ...added];
  if (known.includes(name)) return;
  throw new InputError({
    what: `no object here can have the finalizer "${name}"`,
    where: document.place(path),
    next: hint(name, known),
  });
}
