import type { CheckResult, Property, PropertyResult } from '../checker/index.ts';
import { REPLACEMENT } from '../input/cluster/actors.ts';
import { remembered } from '../input/cluster/lookups.ts';
import { displayName } from '../input/manifests/names.ts';
import {
  type ApiObject,
  type Cluster,
  FOREGROUND,
  interchangeableObjects,
  isBeingDeleted,
  keyOf,
  NAMESPACE_TOKEN,
  type ObjectKey,
  otherSpecFinalizers,
  type Setup,
  sendingOf,
  type Uid,
} from '../model/index.ts';
import type { Fate, FateWord } from '../report/document/result-document.ts';

/**
 * The questions about the fates, with names that no other property has: for each object, or once
 * for objects that are alike.
 *
 * No uid returns, so all of some objects go on every run exactly if each of them does. If one of
 * some alike objects stays on a run, renamings of the run show the same of each. So the questions
 * about alike objects name none of them, and all renamings of them can be used.
 *
 * @param orbits sets of objects that are alike.
 * @param look is called often. It may throw.
 */
export function fateProperties(
  setup: Setup,
  orbits: readonly (readonly ApiObject[])[] = interchangeableObjects(setup),
  look: () => void = () => {},
): readonly Property<Cluster>[] {
  const { isSent, canSendAgain } = sendingOf(setup);
  return subjectsOf(setup, orbits).flatMap((subject): Property<Cluster>[] => {
    look();
    const { members, names } = subject;
    const [object] = members;
    const mentions = members.length === 1 && object !== undefined ? [keyOf(object)] : [];
    const left = (cluster: Cluster): readonly ApiObject[] =>
      members.filter((member) => isThere(cluster, member));
    const successor = replacementOf(setup, object?.uid ?? '');
    return [
      {
        kind: 'eventually',
        name: names.goes,
        mentions,
        trigger: isSent,
        goal: (cluster) =>
          canSendAgain(cluster) || !members.some((member) => isThere(cluster, member)),
        explain: (cluster) => left(cluster).flatMap((member) => whyThere(cluster, keyOf(member))),
      },
      {
        kind: 'witness',
        name: names.mayGo,
        mentions,
        reached: (cluster) => members.some((member) => !isThere(cluster, member)),
      },
      {
        kind: 'witness',
        name: names.begins,
        mentions,
        reached: (cluster) =>
          members.some(
            (member) => isThere(cluster, member) && isBeingDeleted(cluster.store[keyOf(member)]!),
          ),
      },
      ...(setup.otherOwners === undefined ? [] : aroundPieces(subject, setup)),
      ...(successor === null
        ? []
        : [
            {
              kind: 'eventually' as const,
              name: names.replaced,
              mentions: [...mentions, successor.key],
              trigger: isSent,
              goal: (cluster: Cluster) =>
                canSendAgain(cluster) || cluster.store[successor.key]?.uid === successor.uid,
            },
          ]),
    ];
  });
}

/** What other pieces of a setup need to know about the objects of one piece. */
function aroundPieces({ members, names }: Subject, setup: Setup): readonly Property<Cluster>[] {
  const { isSent, canSendAgain } = sendingOf(setup);
  const mentions = members.length === 1 ? members.map(keyOf) : [];
  const stored = (cluster: Cluster, object: ApiObject): ApiObject | undefined =>
    isThere(cluster, object) ? cluster.store[keyOf(object)] : undefined;
  /** By place of a reference: whether the object still has it as it is. */
  const keeps = (cluster: Cluster, object: ApiObject, place: number): boolean => {
    const { uid, blockOwnerDeletion } = object.ownerReferences[place] ?? {};
    const own = stored(cluster, object)?.ownerReferences.find((found) => found.uid === uid);
    return own !== undefined && own.blockOwnerDeletion === blockOwnerDeletion;
  };
  const leaves = (cluster: Cluster, object: ApiObject, place: number): boolean => {
    const { uid } = object.ownerReferences[place] ?? {};
    return stored(cluster, object)?.ownerReferences.some((own) => own.uid === uid) !== true;
  };
  return [
    {
      ...{ kind: 'eventually', name: names.begun, mentions, trigger: isSent },
      goal: (cluster) =>
        canSendAgain(cluster) ||
        members.every((member) => {
          const found = stored(cluster, member);
          return found === undefined || isBeingDeleted(found);
        }),
    },
    ...placesOf(members).flatMap((place): Property<Cluster>[] => [
      {
        ...{ kind: 'eventually', name: names.leaves(place), mentions, trigger: isSent },
        goal: (cluster) =>
          canSendAgain(cluster) || members.every((member) => leaves(cluster, member, place)),
      },
      {
        ...{ kind: 'witness', name: names.mayLeave(place), mentions },
        reached: (cluster) => members.some((member) => !keeps(cluster, member, place)),
      },
    ]),
    {
      ...{ kind: 'step', name: names.waits, mentions },
      trigger: (before, _action, after) =>
        members.some(
          (member) => isUndeleted(stored(before, member)) && !isUndeleted(stored(after, member)),
        ),
      holds: (before, _action, after) =>
        members.every(
          (member) =>
            !isUndeleted(stored(before, member)) ||
            isUndeleted(stored(after, member)) ||
            stored(after, member)?.finalizers.includes(FOREGROUND) === true,
        ),
    },
  ];
}

/** The places of the references to owners; objects that are alike have the same. */
function placesOf([object]: readonly ApiObject[]): readonly number[] {
  return (object?.ownerReferences ?? []).map((_, place) => place);
}

function isUndeleted(stored: ApiObject | undefined): boolean {
  return stored !== undefined && !isBeingDeleted(stored);
}

/** An object, or some that are alike, and the names of the questions about them. */
interface Subject {
  readonly members: readonly ApiObject[];
  readonly names: ReturnType<typeof namesOf>;
}

/** In the order of the objects. */
function subjectsOf(setup: Setup, orbits: readonly (readonly ApiObject[])[]): readonly Subject[] {
  const orbitOf = new Map(orbits.flatMap((members) => members.map(({ uid }) => [uid, members])));
  return setup.objects.flatMap((object): Subject[] => {
    const members = orbitOf.get(object.uid) ?? [object];
    if (members[0]?.uid !== object.uid) return [];
    return [{ members, names: namesOf(displayName(object), object.uid, members.length) }];
  });
}

function isThere(cluster: Cluster, object: ApiObject): boolean {
  return cluster.store[keyOf(object)]?.uid === object.uid;
}

function namesOf(first: string, uid: string, size: number) {
  const object = `${first} (${uid})`;
  if (size === 1) {
    return {
      goes: `${object} goes`,
      mayGo: `${object} may go`,
      begins: `${object} may begin to go`,
      replaced: `${object} is replaced`,
      begun: `${object} begins to go`,
      leaves: (place: number) => `${object} leaves owner ${place}`,
      mayLeave: (place: number) => `${object} may leave owner ${place}`,
      waits: `${object} is deleted only in the foreground`,
    } as const;
  }
  const all = `${object} and ${size - 1} alike`;
  return {
    goes: `${all} go`,
    mayGo: `one of ${all} may go`,
    begins: `one of ${all} may begin to go`,
    replaced: `${all} are replaced`,
    begun: `${all} begin to go`,
    leaves: (place: number) => `${all} leave owner ${place}`,
    mayLeave: (place: number) => `one of ${all} may leave owner ${place}`,
    waits: `${all} are deleted only in the foreground`,
  } as const;
}

/** By uid: what controllers of workloads create. */
const childrenIn = remembered(({ workloads = [] }: Setup) => {
  const children = workloads.flatMap((workload) => workload.children);
  return new Map([...children].reverse().map((child) => [child.uid, child]));
});

/** The object that a workload's controller creates in the place of another one. */
function replacementOf(setup: Setup, uid: Uid): { key: ObjectKey; uid: Uid } | null {
  const found = childrenIn(setup).get(`${uid}${REPLACEMENT}`);
  return found === undefined ? null : { key: keyOf(found), uid: found.uid };
}

function whyThere(cluster: Cluster, key: string): readonly string[] {
  const object = cluster.store[key];
  if (object === undefined) return [];
  const name = displayName(object);
  if (!isBeingDeleted(object)) return [`nobody has begun to delete ${name}`];
  const blocking = Object.values(cluster.store).filter((other) =>
    other.ownerReferences.some(
      (reference) => reference.uid === object.uid && reference.blockOwnerDeletion === true,
    ),
  );
  return [
    ...object.finalizers.map((finalizer) => `${name} is blocked by: finalizer ${finalizer}`),
    ...(object.finalizers.includes(FOREGROUND) ? blocking : []).map(
      (other) => `${name} is blocked by: dependent ${displayName(other)}`,
    ),
    ...otherSpecFinalizers(object).map(
      (finalizer) => `${name} is blocked by: ${finalizer} in spec.finalizers`,
    ),
    ...(object.specFinalizers?.includes(NAMESPACE_TOKEN) === true
      ? [`${name} is blocked by: its contents, which the namespace controller has to delete`]
      : []),
    ...((object.deletionGracePeriodSeconds ?? 0) > 0
      ? [`${name} is in its grace period, which a kubelet has to end`]
      : []),
  ];
}

/** Takes the answers to `fateProperties` out of a result. */
export function splitFates(
  setup: Setup,
  result: CheckResult,
  orbits: readonly (readonly ApiObject[])[] = interchangeableObjects(setup),
): { readonly fates: readonly Fate[]; readonly result: CheckResult } {
  const byName = new Map(result.properties.map((property) => [property.name, property]));
  const fates = subjectsOf(setup, orbits).flatMap(({ members, names }): Fate[] => {
    const goes = byName.get(names.goes);
    const mayGo = byName.get(names.mayGo);
    if (goes === undefined || mayGo === undefined) return [];
    byName.delete(names.goes);
    byName.delete(names.mayGo);
    const fate = fateOf(goes, mayGo);
    const replaced = byName.get(names.replaced)?.verdict === 'holds';
    const begins = byName.get(names.begins)?.verdict === 'holds';
    byName.delete(names.replaced);
    byName.delete(names.begins);
    const shown = memberShown(members, goes, mayGo);
    if (shown === undefined) return [];
    const { uid } = shown;
    const object = displayName(shown);
    const places = placesOf(members);
    const holds = (name: string): boolean => byName.get(name)?.verdict === 'holds';
    const always = {
      begins: holds(names.begun),
      leaves: places.map((place) => holds(names.leaves(place))),
      keeps: places.map((place) => byName.get(names.mayLeave(place))?.verdict === 'violated'),
      waits: holds(names.waits),
    };
    const isOfPiece = byName.delete(names.begun);
    for (const place of places) {
      byName.delete(names.leaves(place));
      byName.delete(names.mayLeave(place));
    }
    byName.delete(names.waits);
    const found = {
      ...{ object, uid, fate, begins, replaced, goes, mayGo },
      ...(isOfPiece ? { always } : {}),
    };
    return members.length === 1 ? [found] : [{ ...found, members: members.map(namedUid) }];
  });
  return { fates, result: { ...result, properties: [...byName.values()] } };
}

function namedUid(object: ApiObject): { readonly object: string; readonly uid: string } {
  return { object: displayName(object), uid: object.uid };
}

/** The one of the alike objects that the traces are about. */
function memberShown(
  members: readonly ApiObject[],
  goes: PropertyResult,
  mayGo: PropertyResult,
): ApiObject | undefined {
  const endOf = ({ trace }: PropertyResult) =>
    trace === null ? undefined : ((trace.steps.at(-1)?.state ?? trace.initial) as Cluster);
  const [stayed, gone] = [endOf(goes), endOf(mayGo)];
  const shown =
    stayed !== undefined
      ? members.find((member) => isThere(stayed, member))
      : gone !== undefined
        ? members.find((member) => !isThere(gone, member))
        : undefined;
  return shown ?? members[0];
}

function fateOf(goes: PropertyResult, mayGo: PropertyResult): FateWord {
  if (goes.verdict === 'holds') return 'goes';
  if (goes.verdict !== 'violated') return 'open';
  if (mayGo.verdict === 'holds') return 'either';
  // Walks, and a search that hit a limit, have not seen every run.
  return mayGo.verdict === 'inconclusive' ? 'open' : 'stays';
}
