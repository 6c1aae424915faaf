import {
  allFinalizers,
  isBeingDeleted,
  kindOf,
  type Operator,
  objectKey,
  refusedDeletion,
  requestsOf,
  type Setup,
  STANDING_IN,
  type Uid,
} from '../../../model/index.ts';
import { isSurelyDeleted } from '../containers/emptied.ts';
import { canBeApart, namesIn } from '../doubts/apart.ts';
import { byKeyIn, byUidIn, cyclesIn, remembered } from '../lookups.ts';
import { deletesOfUsers, isOnlyDeleting } from './stopping.ts';
import { mayBeDeletedBeside, wavesOf, withoutItsNamespaces } from './waves.ts';

/**
 * What is known of operators that `withoutTeardowns` keeps, as places of them. It is found out in
 * steps: at first, each may stop at any time.
 *
 * Argument: an operator that never stops is one that may stop, with less fairness. So what is true
 * of all runs with those that may stop (`withoutStopping`) is true of the whole. If so its own
 * object is being deleted on every run, and nothing pauses it for ever, it reaches its first wave
 * on every run. Each object of that is then being deleted, by the operator or by others, if the API
 * server refuses none of these DELETEs. The same is true of the next wave, if the objects of the
 * first one go. If all go that it deletes or waits for, it ends: an owner of its finalizer, who
 * removes it sooner or later, is as good from then on. That is no circle, as each step rests on what
 * was true before: of all runs, whether the others end or not.
 *
 * An object that nothing but the operator deletes is deleted by it on every run on which its wave
 * begins. Others are deleted by it or not, and so by something else if not (`Known.begins`).
 */
export interface Ending {
  /** Those that may stop before they end. */
  readonly stops: readonly number[];
  /** Those of which waves surely begin, once for each wave. */
  readonly starts: readonly number[];
  /** Those that end. */
  readonly ends: readonly number[];
}

/** What is true of all runs. */
export interface Facts {
  readonly begins: (uid: Uid) => boolean;
  readonly neverBegins: (uid: Uid) => boolean;
  readonly goes: (uid: Uid) => boolean;
}

/** What is plain of its operators without a search. Null: nothing can be found out. */
export function endingOf(setup: Setup): Ending | null {
  const { operators = [], usersFinish, workloads } = setup;
  const stops = operators.flatMap(({ fairness }, place) => (fairness === 'weak' ? place : []));
  const isKnown =
    stops.length > 0 &&
    usersFinish === true &&
    workloads === undefined &&
    // A PATCH may take the finalizer off.
    requestsOf(setup).every((request) => request.do === 'delete') &&
    operators.every(isOnlyDeleting) &&
    areOfOperators(setup, operators);
  if (!isKnown) return null;
  let ending: Ending = { stops, starts: [], ends: [] };
  for (;;) {
    const begun = new Set([
      ...setup.objects.filter((one) => isSurelyDeleted(setup, one)).map(({ uid }) => uid),
      ...begunWith(setup, ending),
    ]);
    const never = (): boolean => false;
    const facts = { begins: (uid: Uid) => begun.has(uid), neverBegins: never, goes: never };
    const next = nextEnding(setup, ending, facts);
    if (next === ending) return ending;
    ending = next;
  }
}

/** The setup with as much of its operators as is known to be true of all runs. */
export function withEnding(setup: Setup, ending: Ending): Setup {
  const known = endingsBy(setup);
  const key = JSON.stringify(ending);
  const found = known.get(key);
  if (found !== undefined) return found;
  const { operators = [] } = setup;
  const standIns = operators.map((operator, place) =>
    standInFor(setup, operator, ending.ends.includes(place)),
  );
  const names = new Map(
    standIns.flatMap((one, place) => {
      const { parent, finalizer } = operators[place] ?? {};
      return one === null ? [] : [[`${parent?.uid} ${finalizer}`, one.name] as const];
    }),
  );
  const sent = operators.map((operator, place) =>
    sentBy(operator, place, ending).filter((one) => !mayBeDeletedBeside(setup, operator, one)),
  );
  const made: Setup = {
    ...setup,
    objects: setup.objects.map((object) => {
      const finalizers = object.finalizers.map(
        (name) => names.get(`${object.uid} ${name}`) ?? name,
      );
      return finalizers.some((name, at) => name !== object.finalizers[at])
        ? { ...object, finalizers }
        : object;
    }),
    finalizers: {
      ...setup.finalizers,
      ...Object.fromEntries(
        standIns.flatMap((one) => (one === null ? [] : [[one.name, one.does]])),
      ),
    },
    operators: operators.map((operator, place): Operator => {
      const { finalizer, ...rest } = operator;
      const deletes = operator.deletes.filter(
        ({ key: one }) => sent[place]?.includes(one) !== true,
      );
      const isLeft = ending.ends.includes(place) || standIns[place] !== null;
      const own = isLeft || finalizer === undefined ? {} : { finalizer };
      return { ...rest, ...own, deletes, fairness: 'none' };
    }),
    users: {
      ...setup.users,
      ...Object.fromEntries(
        operators.flatMap((operator, place) =>
          Object.entries(deletesOfUsers([operator])).filter(([, steps]) =>
            steps.some(({ request }) => 'key' in request && sent[place]?.includes(request.key)),
          ),
        ),
      ),
    },
  };
  known.set(key, made);
  begunBy.set(made, new Set(begunWith(setup, ending).filter((uid) => isPlain(setup, uid))));
  return made;
}

interface StandIn {
  readonly name: string;
  readonly does: 'cooperative' | 'stuck';
}

/**
 * What stands in for the finalizer of an operator, which others may have on other objects: it ends,
 * or waits for ever. Null: nothing does.
 */
function standInFor(setup: Setup, operator: Operator, isEnded: boolean): StandIn | null {
  const { finalizer } = operator;
  if (finalizer === undefined) return null;
  if (waitsForItself(setup, operator)) return { name: neverOff(finalizer), does: 'stuck' };
  const name = `${finalizer}${STANDING_IN[0]}`;
  const isFree = canBeApart(finalizer) && !namesIn(setup.objects).has(name);
  return isEnded && isFree ? { name, does: 'cooperative' } : null;
}

/** The name of a finalizer that stands in for this one on an object from which it never comes off. */
function neverOff(finalizer: string): string {
  return `${finalizer}${STANDING_IN[2]}`;
}

/**
 * Whether the operator waits until the namespace of its own object is gone. Only the controller of
 * the namespace lets it go, once nothing is left in it, and only the operator lets its object go. So
 * neither ever goes.
 */
function waitsForItself(setup: Setup, { parent, finalizer = '', waitsFor }: Operator): boolean {
  const { objects, unavailableApis = [], namespaceRetries } = setup;
  const own = byUidIn(objects).get(parent.uid);
  const namespace = objectKey('Namespace', '', own?.namespace ?? '');
  return (
    own?.finalizers.includes(finalizer) === true &&
    waitsFor.includes(namespace) &&
    byKeyIn(objects).get(namespace)?.specFinalizers?.includes('kubernetes') === true &&
    unavailableApis.length === 0 &&
    namespaceRetries === undefined &&
    !allFinalizers(own).includes(neverOff(finalizer))
  );
}

/** Whether nothing but owners is above the object. */
function isPlain({ objects }: Setup, uid: Uid): boolean {
  const object = byUidIn(objects).get(uid);
  return (
    object !== undefined &&
    object.pod === undefined &&
    object.volume === undefined &&
    !cyclesIn(objects).has(uid)
  );
}

const begunBy = new WeakMap<Setup, ReadonlySet<Uid>>();

/**
 * What is being deleted on every run, or gone, in a setup of `withEnding`: those of it above which
 * are only owners.
 */
export function begunIn(setup: Setup): ReadonlySet<Uid> {
  return begunBy.get(setup) ?? new Set();
}

const endingsBy = remembered((_setup: Setup) => new Map<string, Setup>());

/** Uids of what is being deleted on every run, or gone, as the wave of an operator begins. */
function begunWith({ operators = [], objects }: Setup, ending: Ending): readonly Uid[] {
  const byKey = byKeyIn(objects);
  return operators
    .flatMap((operator, place) => sentBy(operator, place, ending))
    .flatMap((key) => byKey.get(key)?.uid ?? []);
}

/** Store keys of the waves that surely begin. */
function sentBy({ deletes }: Operator, place: number, { starts, ends }: Ending) {
  const waves = wavesOf(deletes);
  const begun = ends.includes(place)
    ? waves.length
    : starts.filter((started) => started === place).length;
  return waves.slice(0, begun).flat();
}

/** What these facts say besides. The same object: nothing. */
export function nextEnding(setup: Setup, ending: Ending, facts: Facts): Ending {
  const { operators = [], objects, kinds, finalizers } = setup;
  const { stops, starts, ends } = ending;
  const byKey = byKeyIn(objects);
  const open = new Set(
    operators.flatMap(({ finalizer }, place) => (ends.includes(place) ? [] : (finalizer ?? []))),
  );
  const isActive = (name: string): boolean => (finalizers[name] ?? 'cooperative') === 'cooperative';
  const goes = (key: string): boolean => facts.goes(byKey.get(key)?.uid ?? '');
  const staysAway = (key: string): boolean => facts.neverBegins(byKey.get(key)?.uid ?? '');
  const newStarts: number[] = [];
  const newEnds: number[] = [];
  for (const place of stops) {
    const operator = operators[place];
    if (operator === undefined) continue;
    const { parent, finalizer, deletes, waitsFor } = operator;
    const { after = [], pausedBy = [], needs = [] } = operator;
    const own = byKey.get(parent.key);
    const isBegun =
      own?.uid === parent.uid &&
      finalizer !== undefined &&
      own.finalizers.includes(finalizer) &&
      isActive(finalizer) &&
      needs.length === 0 &&
      after.every(
        (name) => !own.finalizers.includes(name) || (!open.has(name) && isActive(name)),
      ) &&
      (isBeingDeleted(own) || facts.begins(own.uid));
    const begun = sentBy(operator, place, ending);
    if (!isBegun || !begun.every(goes)) continue;
    const passes = (key: string): boolean => goes(key) || staysAway(key);
    const next = wavesOf(deletes)[starts.filter((started) => started === place).length];
    if (next !== undefined) {
      // After an error, it sends no more of the wave.
      if (next.some((key) => refusedDeletion(kinds[kindOf(key)], key) !== null)) continue;
      const beside = withoutItsNamespaces(setup, operator);
      const isFree = (key: string): boolean => !mayBeDeletedBeside(beside, operator, key);
      // Until then, it has deleted none of the others.
      if (pausedBy.every((key) => passes(key) || isFree(key))) newStarts.push(place);
    } else if (waitsFor.every(goes) && pausedBy.every(passes)) newEnds.push(place);
  }
  if (newStarts.length + newEnds.length === 0) return ending;
  return {
    stops: stops.filter((place) => !newEnds.includes(place)),
    starts: [...starts, ...newStarts].filter((place) => !newEnds.includes(place)),
    ends: [...ends, ...newEnds],
  };
}

/** Whether each finalizer of an operator has one on every object. Nobody removes the others. */
export function areOfOperators({ objects }: Setup, operators: readonly Operator[]): boolean {
  const names = new Set(operators.flatMap(({ finalizer }) => finalizer ?? []));
  const owned = new Set(operators.map(({ parent, finalizer }) => `${parent.uid} ${finalizer}`));
  return objects.every(({ uid, finalizers }) =>
    finalizers.every((name) => !names.has(name) || owned.has(`${uid} ${name}`)),
  );
}
