import { type ObjectView, type StoredView, waitsForDependents } from './objects.ts';
import type { ReferenceView } from './owners.ts';
import type { Snapshot } from './snapshot.ts';

/** A difference between the collector's graph and the store. */
export interface Difference {
  /** Uid of the object. */
  readonly uid: string;
  readonly name: string;
  readonly aspect: 'existence' | 'deletion' | 'foreground deletion' | 'name' | 'owner';
  /** Clauses that follow the name: `is being deleted`. */
  readonly stored: string;
  readonly believed: string;
}

/** The differences between the collector's graph and the store, object by object. */
export function beliefDifferences(snapshot: Snapshot): readonly Difference[] {
  return [
    ...Object.entries(snapshot.objects).flatMap(([uid, view]) => objectDifferences(uid, view)),
    ...ownerDifferences(snapshot),
  ];
}

function objectDifferences(uid: string, view: ObjectView): readonly Difference[] {
  const { name, stored, believed, unwatched } = view;
  const difference = (
    aspect: Difference['aspect'],
    asStored: string,
    asBelieved: string,
  ): Difference => ({ uid, name, aspect, stored: asStored, believed: asBelieved });
  if (stored === null) {
    // An object that only references name is neither stored nor in the graph: no difference.
    if (believed === null) return [];
    const known = believed.virtual ? 'is known from a reference only' : 'is there';
    return [difference('existence', 'is not stored', known)];
  }
  if (believed === null) {
    return unwatched === true ? [] : [difference('existence', 'is stored', 'is not known')];
  }
  if (believed.virtual) {
    if (unwatched === true) return [];
    return [difference('existence', 'is stored', 'is known from a reference only')];
  }
  return [
    ...(believed.otherName === undefined
      ? []
      : [difference('name', `is ${name}`, `is ${believed.otherName}`)]),
    ...(stored.beingDeleted === believed.beingDeleted
      ? []
      : [difference('deletion', deletion(stored), deletion(believed))]),
    ...(waitsForDependents(stored) === believed.deletingDependents
      ? []
      : [
          difference(
            'foreground deletion',
            waiting(waitsForDependents(stored)),
            waiting(believed.deletingDependents),
          ),
        ]),
  ];
}

function deletion({ beingDeleted }: Pick<StoredView, 'beingDeleted'>): string {
  return beingDeleted ? 'is being deleted' : 'is not being deleted';
}

function waiting(waits: boolean): string {
  return waits ? 'waits for its dependents' : 'does not wait for dependents';
}

/**
 * Skips references of objects that exist on one side only, as that difference is reported already.
 */
function ownerDifferences({ objects, owners }: Snapshot): readonly Difference[] {
  return Object.values(owners).flatMap(({ dependent, owner, stored, believed }) => {
    const view = objects[dependent];
    const known = view?.believed ?? null;
    if (view === undefined || view.stored === null || known === null || known.virtual) return [];
    if (stored === believed) return [];
    const name = objects[owner]?.name ?? `uid ${owner}`;
    return [
      {
        uid: dependent,
        name: view.name,
        aspect: 'owner',
        stored: reference(stored, name),
        believed: reference(believed, name),
      },
    ];
  });
}

function reference(view: ReferenceView | null, owner: string): string {
  if (view === null) return `has no owner ${owner}`;
  return `has owner ${owner}${view === 'blocking' ? ' (blocking)' : ''}`;
}
