import {
  type ApiObject,
  FOREGROUND,
  type Kind,
  ORPHAN,
  type OwnerReference,
  thirdPartyFinalizers,
} from '../../../model/index.ts';
import type { SeenObject, SeenRequest } from '../logs/observations.ts';
import { sameReferences } from '../matching/differences.ts';
import { isJson } from '../matching/json-patch.ts';

/**
 * The values that a body which is not logged can have had. What the log never shows matters to
 * deletion only in a few ways: whether there is a finalizer of a third party, one of the collector,
 * a grace period. So one made-up value represents all that are never shown. What the log does show
 * of the object at some time is a possible value at any time.
 */
export interface Unknowns {
  readonly kind: Kind;
  readonly finalizers: readonly (readonly string[])[];
  readonly ownerReferences: readonly (readonly OwnerReference[])[];
  /** Grace periods of pods in seconds, other than 0. */
  readonly graces: readonly number[];
}

/** A uid that the log has not shown so far. */
export const OPEN_UID = 'not shown';

/** Represents the finalizers of third parties that the log never shows. */
export const OPEN_FINALIZER = 'not-shown.example.com/any';

/** `corev1.DefaultTerminationGracePeriodSeconds`. */
const DEFAULT_GRACE = 30;

/** More finalizers than this are taken as a whole or not at all: the subsets would be too many. */
const MOST_NAMES = 4;

/** @param requests the requests for one object. */
export function unknownsOf(kind: Kind, requests: readonly SeenRequest[]): Unknowns {
  const shown = requests.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const asked = requests.flatMap(({ body }) =>
    body.is === 'value' ? namesIn(body.value, false) : [],
  );
  const lists = shown.map(({ finalizers }) => thirdPartyFinalizers({ finalizers }));
  const names = [...new Set([...lists.flat(), ...asked.filter(isThirdParty)])];
  const parts = distinct([...lists.flatMap(subsets), ...subsets(names)]);
  const guessed = parts.flatMap((part) => [part, [OPEN_FINALIZER, ...part]]);
  return {
    kind,
    finalizers: distinct([
      ...shown.map(({ finalizers }) => finalizers),
      ...guessed.flatMap((part) => [part, [...part, FOREGROUND], [...part, ORPHAN]]),
    ]),
    ownerReferences: referencesIn(shown),
    graces: [
      ...new Set([
        DEFAULT_GRACE,
        ...shown.flatMap(({ deletionGracePeriodSeconds: grace }) =>
          grace === null || grace <= 0 ? [] : [grace],
        ),
      ]),
    ],
  };
}

function isThirdParty(name: string): boolean {
  return name !== ORPHAN && name !== FOREGROUND;
}

/** Every text in a list of finalizers, at any place of a body. */
function namesIn(value: unknown, inside: boolean): readonly string[] {
  if (typeof value === 'string') return inside ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, inside));
  if (!isJson(value)) return [];
  if (typeof value.path === 'string' && value.path.startsWith('/metadata/finalizers')) {
    return namesIn(value.value, true);
  }
  return Object.entries(value).flatMap(([field, inner]) =>
    namesIn(inner, field === 'finalizers' || field.endsWith('/finalizers')),
  );
}

function subsets(list: readonly string[]): readonly (readonly string[])[] {
  if (list.length > MOST_NAMES) return [[], list];
  const all: (readonly string[])[] = [[]];
  for (const name of list) all.push(...all.map((subset) => [...subset, name]));
  return all;
}

function distinct(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(lists.map((list) => [list.join(' '), list])).values()];
}

function referencesIn(shown: readonly SeenObject[]): readonly (readonly OwnerReference[])[] {
  const found: (readonly OwnerReference[])[] = [[]];
  for (const { ownerReferences } of shown) {
    if (!found.some((known) => sameReferences(known, ownerReferences))) found.push(ownerReferences);
  }
  return found;
}

/** The states in which an object can be when the log begins; null: it does not exist. */
export function initialObjects(
  unknowns: Unknowns,
  place: Pick<ApiObject, 'namespace' | 'name'>,
): readonly (ApiObject | null)[] {
  const found: (ApiObject | null)[] = [null];
  for (const finalizers of unknowns.finalizers) {
    for (const ownerReferences of unknowns.ownerReferences) {
      for (const state of lifeStates(unknowns, finalizers)) {
        found.push({
          kind: unknowns.kind.name,
          ...place,
          uid: OPEN_UID,
          generation: unknowns.kind.generation ? 1 : 0,
          finalizers,
          ownerReferences,
          ...state,
        });
      }
    }
  }
  return found;
}

type LifeState = Pick<
  ApiObject,
  'deletionTimestamp' | 'deletionGracePeriodSeconds' | 'pod' | 'phase' | 'specFinalizers'
>;

/** Alive or in deletion, with what the storage of the kind adds. */
function lifeStates(
  { kind, graces }: Unknowns,
  finalizers: readonly string[],
): readonly LifeState[] {
  const alive = { deletionTimestamp: null, deletionGracePeriodSeconds: null };
  const deleting = (grace: number) => ({
    deletionTimestamp: grace,
    deletionGracePeriodSeconds: grace,
  });
  if (kind.storage === 'namespace') {
    const terminating = { deletionTimestamp: 0, deletionGracePeriodSeconds: null };
    return [['kubernetes'], []].flatMap((specFinalizers): LifeState[] => [
      { ...alive, phase: 'Active', specFinalizers },
      { ...terminating, phase: 'Terminating', specFinalizers },
    ]);
  }
  if (!kind.graceful) return finalizers.length === 0 ? [alive] : [alive, deleting(0)];
  return podsOf(graces).flatMap((pod): LifeState[] => [
    { ...alive, pod },
    { ...deleting(0), pod },
    ...(pod.scheduled ? graces.map((grace) => ({ ...deleting(grace), pod })) : []),
  ]);
}

/** Whether a pod was on a node, and with which grace period of its own. */
export function podsOf(graces: readonly number[]): readonly NonNullable<ApiObject['pod']>[] {
  const onNode = graces.map((terminationGracePeriodSeconds) => ({
    scheduled: true,
    terminationGracePeriodSeconds,
    finished: false,
  }));
  return [{ scheduled: false, terminationGracePeriodSeconds: null, finished: false }, ...onNode];
}
