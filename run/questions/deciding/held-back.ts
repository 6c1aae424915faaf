import { isContainerIn } from '../../../input/cluster/containers/emptied.ts';
import { areHeldByPods } from '../../../input/cluster/parts.ts';
import type { Setup, Uid } from '../../../model/index.ts';
import type { Fate } from '../../../report/document/result-document.ts';
import type { Decision } from './decision.ts';

/** Pods of a namespace that may stay, so that the other contents of the namespace may stay. */
export interface Holder {
  /** The place of a tree that shows what becomes of the contents beside it; null: none does. */
  readonly place: number | null;
  /** What becomes of the pod that stays most surely. */
  readonly word: Fate['fate'];
  /** Whether an object with this fate may have another one beside these pods. */
  readonly holds: (uid: Uid, fate: Fate) => boolean;
  /** Whether a pod that stays as surely was among what was searched. */
  readonly isIn: (decision: Decision) => boolean;
}

/**
 * The holders, one for each namespace of which a pod may stay.
 *
 * A tree beside such a pod has the fates of the whole, by the argument of `meetInContainers` for
 * the two trees as one. If the pod stays on every run, the other contents wait on every run,
 * whatever other pods do. If it goes on some runs, there are such runs of each of these trees, and
 * the whole has all their combinations: the contents go on a run on which all of these pods go, if
 * no pod is left of which nothing is known.
 *
 * @param trees what was found about each tree by itself.
 */
export function holdersIn(
  setup: Setup,
  trees: readonly (readonly Decision[])[],
): readonly Holder[] {
  if (!areHeldByPods(setup)) return [];
  const byUid = new Map(setup.objects.map((object) => [object.uid, object]));
  const mayWait = (uid: Uid): boolean => {
    const object = byUid.get(uid);
    return object !== undefined && object.kind !== 'Pod' && !isContainerIn(setup, object);
  };
  return (setup.emptiedNamespaces ?? []).flatMap((namespace): readonly Holder[] => {
    const pods = new Set(
      setup.objects.flatMap((object) =>
        object.kind === 'Pod' && object.namespace === namespace ? object.uid : [],
      ),
    );
    const may = trees.map((found) => [
      ...new Set(found.flatMap(({ fates }) => leftOf(fates, pods))),
    ]);
    if (may.every((words) => words.length === 0)) return [];
    const words = new Set(may.flat());
    const word = (['stays', 'open'] as const).find((one) => words.has(one)) ?? 'either';
    return [
      {
        place: word === 'open' ? null : may.findIndex((own) => own.includes(word)),
        word,
        holds: (uid, { fate }) => fate !== 'stays' && mayWait(uid),
        isIn: ({ fates }) => leftOf(fates, pods).includes(word),
      },
    ];
  });
}

/** What becomes of the pods that may stay. */
function leftOf(fates: Decision['fates'], pods: ReadonlySet<Uid>): readonly Fate['fate'][] {
  return [...fates].flatMap(([uid, { fate }]) => (pods.has(uid) && fate !== 'goes' ? fate : []));
}

/** Whether what was found about some objects may be otherwise beside the pods. */
export function mayBeHeld({ isIn, holds }: Holder, found: readonly Decision[]): boolean {
  return found.some(
    (decision) => !isIn(decision) && [...decision.fates].some(([uid, fate]) => holds(uid, fate)),
  );
}

/**
 * What goes in a search without the pods may stay beside them. What also stays there does so beside
 * pods that go or stay, but never goes beside one that only stays.
 */
export function withHeldBack(decision: Decision, holders: readonly Holder[]): Decision {
  const missing = holders.filter((one) => mayBeHeld(one, [decision]));
  if (missing.length === 0) return decision;
  const fates = [...decision.fates].map(([uid, fate]): [Uid, Fate] => {
    const isOpen = missing.some(
      (one) => one.holds(uid, fate) && (fate.fate !== 'either' || one.word !== 'either'),
    );
    return [uid, isOpen ? { ...fate, fate: 'open' } : fate];
  });
  return { ...decision, fates: new Map(fates) };
}
