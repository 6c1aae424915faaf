import { contentsByContainer } from '../../../input/cluster/containers/emptied.ts';
import { colorsOf } from '../../../input/cluster/likeness/colors.ts';
import { byUidIn, dependentsIn } from '../../../input/cluster/lookups.ts';
import { canOrphan } from '../../../input/cluster/piecemeal.ts';
import { blocks, type Piece } from '../../../input/cluster/pieces.ts';
import type { ApiObject, Setup, Uid } from '../../../model/index.ts';
import type { Fate } from '../../../report/document/result-document.ts';

/** What is true of an object on every run of the whole. */
interface Known {
  /** `always`: it is being deleted in the end, or gone. `never`: its deletion never begins. */
  readonly begins?: 'always' | 'never';
  /** Places of owners: it is gone in the end, or has lost that owner. */
  readonly leaves?: readonly number[];
  /** Places of owners: it never goes, nor loses that owner, nor stops blocking it. */
  readonly keeps?: readonly number[];
  /** Its deletion begins only in the foreground. */
  readonly waits?: true;
  /** It never goes. */
  readonly remains?: true;
  readonly goes?: Fate;
  readonly stays?: Fate;
}

const NOTHING_KNOWN: Known = {};

/** What the searched pieces of a setup have shown; the same for all objects that are alike. */
export class KnownFates {
  private readonly setup: Setup;
  /** By uid. */
  private readonly colors: ReadonlyMap<Uid, string>;
  private readonly byColor = new Map<string, Known>();
  /** By uid of a namespace or definition that its controller empties: what is in it. */
  private readonly contents: ReadonlyMap<Uid, readonly ApiObject[]>;

  /**
   * @param begun what is being deleted on every run, or gone; requests name each of these.
   * @param before what is true of the same objects on every run.
   */
  constructor(setup: Setup, begun: ReadonlySet<Uid> = new Set(), before?: KnownFates) {
    this.setup = setup;
    this.colors = colorsOf(setup, true);
    this.contents = contentsByContainer(setup);
    for (const { uid } of before === undefined ? [] : setup.objects) {
      this.byColor.set(this.colors.get(uid) ?? '', before?.of(uid) ?? NOTHING_KNOWN);
    }
    // What a request names is like no other (`specialUids`).
    for (const uid of begun) {
      const shown = together({ begins: 'always' }, this.of(uid));
      this.byColor.set(this.colors.get(uid) ?? '', shown);
    }
  }

  /**
   * Adds what a piece has shown.
   *
   * A definition that is a subject is searched without its instances. The whole may have runs in
   * which it waits for them for ever. Until its controller goes on, such a run is one of the piece,
   * where the controller goes on at any time. So what is true before, of the definition, is true of
   * the whole: when its deletion begins, and that it never goes. That it goes, or leaves an owner by
   * that, is so only if all instances go (`leaves`, `fateOf`). Of its owners nothing is taken from
   * this piece, as they may wait for the definition: their own pieces show what becomes of them.
   *
   * @returns whether that is new.
   */
  add(piece: Piece, fates: readonly Fate[]): boolean {
    const { holding, subjects } = piece;
    const isOfContainer = subjects.some(({ uid }) => this.contents.has(uid));
    const isAround = ({ members, ...fate }: Fate): boolean =>
      (members ?? [fate]).some(({ uid }) => holding.has(uid));
    // Without its owners, a pod may go that stays in the whole.
    if (fates.some((fate) => isAround(fate) && fate.fate !== 'stays')) return false;
    let isNew = false;
    for (const fate of fates) {
      for (const { uid } of fate.members ?? [fate]) {
        // Its owners may delete it, and they are not in the piece.
        if (holding.has(uid)) continue;
        // An owner in a piece has no references to its own owners.
        const isSubject = subjects.some((subject) => subject.uid === uid);
        if (isOfContainer && !isSubject) continue;
        const before = this.of(uid);
        const after = together(shownBy(fate, isSubject), before);
        if (isSame(after, before)) continue;
        isNew = true;
        this.byColor.set(this.colors.get(uid) ?? '', after);
      }
    }
    return isNew;
  }

  begins(uid: Uid): boolean {
    return this.of(uid).begins === 'always';
  }

  neverBegins(uid: Uid): boolean {
    return this.of(uid).begins === 'never';
  }

  /** It is gone in the end, or has lost this owner. */
  leaves({ uid, ownerReferences }: ApiObject, owner: Uid): boolean {
    const { goes, begins, leaves = [] } = this.of(uid);
    // A container goes only if its contents do, and until then it keeps the owner.
    if (this.contents.has(uid) && begins !== 'never') return this.fateOf(uid)?.fate === 'goes';
    return goes !== undefined || isAt(ownerReferences, owner, leaves);
  }

  /** Its deletion begins only in the foreground. */
  waits(uid: Uid): boolean {
    return this.of(uid).waits === true;
  }

  goes(uid: Uid): boolean {
    return this.of(uid).goes !== undefined;
  }

  /** It never goes. */
  remains(uid: Uid): boolean {
    return this.of(uid).remains === true;
  }

  /**
   * Whether one of these pods uses a claim for ever. One that owns it stops using it once it is
   * shut down, even if it never goes.
   */
  isUsed(claim: Uid, pods: readonly ApiObject[]): boolean {
    const owners = byUidIn(this.setup.objects).get(claim)?.ownerReferences ?? [];
    return pods.some(
      (pod) => this.of(pod.uid).remains === true && !owners.some(({ uid }) => uid === pod.uid),
    );
  }

  /** Whether one of these dependents blocks an owner for ever. */
  isBlocked(owner: Uid, dependents: readonly ApiObject[]): boolean {
    return dependents.some(
      (dependent) =>
        blocks(dependent, owner) &&
        (isAt(dependent.ownerReferences, owner, this.of(dependent.uid).keeps ?? []) ||
          this.isHeldByContents(dependent, owner)),
    );
  }

  /**
   * Whether a definition that never goes, as an instance stays, keeps its only owner. It would lose
   * it if that orphaned it. It blocks as long as it has no dependents that wait for others.
   */
  private isHeldByContents({ uid, ownerReferences }: ApiObject, owner: Uid): boolean {
    const above = byUidIn(this.setup.objects).get(owner);
    return (
      this.contents.has(uid) &&
      this.of(uid).stays !== undefined &&
      !dependentsIn(this.setup.objects).has(uid) &&
      ownerReferences.length === 1 &&
      above !== undefined &&
      !canOrphan(this.setup, above)
    );
  }

  /** Whether no piece can show more of an object. */
  isExhausted({ uid, ownerReferences }: ApiObject): boolean {
    const { goes, remains, leaves = [], keeps = [] } = this.of(uid);
    const places = new Set([...leaves, ...keeps]);
    return goes !== undefined || (remains === true && places.size === ownerReferences.length);
  }

  /** The fate of an object on every run. Absent: it is not known. */
  fateOf(uid: Uid): Fate | undefined {
    const { goes, stays } = this.of(uid);
    const contents = this.contents.get(uid);
    // A piece has only a part of what they wait for.
    if (contents !== undefined) {
      const isEmptied = contents.every((object) => this.fateOf(object.uid)?.fate === 'goes');
      return stays ?? (isEmptied ? goes : undefined);
    }
    return goes === undefined || stays === undefined ? (goes ?? stays) : undefined;
  }

  /** By uid, the fates that are known. */
  all(): ReadonlyMap<Uid, Fate> {
    const found = new Map<Uid, Fate>();
    for (const { uid } of this.setup.objects) {
      const fate = this.fateOf(uid);
      if (fate !== undefined) found.set(uid, fate);
    }
    return found;
  }

  isAll(): boolean {
    return this.setup.objects.every(({ uid }) => this.fateOf(uid) !== undefined);
  }

  /** Whether an object was shown to go and to stay on every run. Then no fate is to be believed. */
  isContradictory(): boolean {
    return this.setup.objects.some(({ uid }) => {
      const { goes, stays } = this.of(uid);
      // A piece has only a part of what a container waits for.
      return goes !== undefined && stays !== undefined && !this.contents.has(uid);
    });
  }

  private of(uid: Uid): Known {
    return this.byColor.get(this.colors.get(uid) ?? '') ?? NOTHING_KNOWN;
  }
}

/** Whether the reference to this owner is at one of these places. */
function isAt(
  ownerReferences: ApiObject['ownerReferences'],
  owner: Uid,
  places: readonly number[],
): boolean {
  return places.some((place) => ownerReferences[place]?.uid === owner);
}

function together(shown: Known, before: Known): Known {
  const union = (field: 'leaves' | 'keeps'): Known => {
    const places = new Set([...(before[field] ?? []), ...(shown[field] ?? [])]);
    return places.size === 0 ? {} : { [field]: [...places] };
  };
  return { ...shown, ...before, ...union('leaves'), ...union('keeps') };
}

function isSame(after: Known, before: Known): boolean {
  const size = ({ leaves = [], keeps = [], ...rest }: Known): number =>
    leaves.length + keeps.length + Object.keys(rest).length;
  return size(after) === size(before);
}

function shownBy({ fate: word, begins, always, ...rest }: Fate, isSubject: boolean): Known {
  const fate: Fate = { fate: word, begins, ...rest };
  // What can begin in a piece may begin on no run of the whole.
  const neverBegins = word === 'stays' && !begins;
  const beginning = always?.begins === true ? 'always' : neverBegins ? 'never' : undefined;
  const isSettled = beginning !== undefined;
  return {
    ...(beginning === undefined ? {} : { begins: beginning }),
    ...(isSubject && always !== undefined
      ? { leaves: placesIn(always.leaves), keeps: placesIn(always.keeps) }
      : {}),
    ...(isSubject && word === 'stays' ? { remains: true } : {}),
    ...(isSubject && always?.waits === true ? { waits: true } : {}),
    ...(word === 'goes' ? { goes: fate } : {}),
    ...(word === 'stays' && isSettled ? { stays: fate } : {}),
  };
}

function placesIn(truths: readonly boolean[]): readonly number[] {
  return truths.flatMap((isTrue, place) => (isTrue ? [place] : []));
}
