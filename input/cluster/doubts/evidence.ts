import { type ApiObject, isBeingDeleted, type KindTable, objectKey } from '../../../model/index.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import type { ActorName } from '../actor-names.ts';
import type { Links } from '../links.ts';
import { byKeyIn } from '../lookups.ts';
import type { NodeStates } from '../nodes.ts';
import type { Observation } from '../observations.ts';

/** What the judgement of a finalizer is read from. */
export interface Evidence {
  /** Objects that the question is about. */
  readonly objects: readonly ApiObject[];
  /** All objects of the dump: the workload that runs the owner may be any of them. */
  readonly dump: readonly ApiObject[];
  /** Whether an object may be deleted as well: an owner that goes may go first. */
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly nodes: NodeStates;
  readonly kinds: KindTable;
  /** By store key: the labels of the objects that have some. */
  readonly labels: ReadonlyMap<string, Labels>;
  /** Actors that are switched off. */
  readonly off: readonly ActorName[];
  readonly trackedBy: Links['trackedBy'];
}

/** An object that is not there. */
export interface Lacking {
  /** Without its group. */
  readonly kind: string;
  readonly name: string;
  /** Empty: it has none, or that is not said. */
  readonly namespace: string;
}

/** Why the owner of a finalizer leaves it although it runs. */
export interface Held {
  /**
   * What the objects are, and why that holds it:
   * - paused: a field or annotation of them says that it is to wait.
   * - hooked: they have a hook that another controller takes off.
   * - used: they stay, and it waits for their end.
   * - drained: pods that it may not evict.
   * - beneath: dependents that another finalizer may hold.
   * - unconfirmed: something goes with them, and a person has to agree first.
   * - lacking: they need another object that is not there.
   * - hooks: their hooks have to succeed.
   * - elsewhere: they have objects in another cluster, which has to answer.
   * - unseen: the dump lacks what ends the wait, or what they wait for.
   * - refused: what they stand for outside is protected or not empty, or its controller fails.
   */
  readonly by:
    | 'paused'
    | 'hooked'
    | 'used'
    | 'drained'
    | 'beneath'
    | 'unconfirmed'
    | 'lacking'
    | 'hooks'
    | 'elsewhere'
    | 'unseen'
    | 'refused';
  readonly objects: readonly ApiObject[];
  /** One clause. */
  readonly why: string;
  /** Nothing ends it by itself. */
  readonly sure?: true;
  /** Of what is paused or hooked: the field or the annotation. */
  readonly pause?: string;
  /** A command whose answer says whether it does. */
  readonly settle?: string;
  /** What the command answers: a clause; absent: whether the owner removes its finalizer. */
  readonly asks?: string;
  /** What they need, and nobody has. */
  readonly lacks?: Lacking;
}

/** With what nobody has, if it can be made: the API server makes nothing in a namespace that goes. */
export function lackedIn(
  evidence: Pick<Evidence, 'dump' | 'goes'>,
  lacks: Lacking,
): Pick<Held, 'lacks'> {
  const around = byKeyIn(evidence.dump).get(objectKey('Namespace', '', lacks.namespace));
  return around !== undefined && isReached(around, evidence) ? {} : { lacks };
}

/** Whether the object is being deleted, or may be. */
export function isReached(object: ApiObject, { goes }: Pick<Evidence, 'goes'>): boolean {
  return goes(object) || isBeingDeleted(object);
}

/** A clause, or one with what else is to be said: other objects, a command, what lacks. */
type Reason = string | (Partial<Held> & Pick<Held, 'why'>);

/**
 * The first object that may be deleted and that something holds.
 *
 * @param reasonOf why it is held; null: it is not.
 */
export function firstHeld(
  by: Held['by'],
  objects: readonly ApiObject[],
  evidence: Evidence,
  reasonOf: (object: ApiObject) => Reason | null,
): Held | null {
  for (const object of objects) {
    const reason = isReached(object, evidence) ? reasonOf(object) : null;
    if (reason === null) continue;
    return { by, objects: [object], ...(typeof reason === 'string' ? { why: reason } : reason) };
  }
  return null;
}
