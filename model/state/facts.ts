import type { Cluster } from './cluster.ts';
import type { ObjectKey, Uid } from './objects.ts';

/**
 * A statement about a state, as data. It refers to an object by its uid, not to another object of
 * the same name. A statement about an object that does not exist is false, unless it states that
 * the object does not exist.
 */
export type Fact =
  | (ThatObject & { readonly fact: 'exists'; readonly is: boolean })
  /** Uids of its owner references, in order. */
  | (ThatObject & { readonly fact: 'owners'; readonly uids: readonly Uid[] })
  | (ThatObject & { readonly fact: 'ownerCount'; readonly count: number })
  /** Uid of the owner reference with `controller: true`. Null: there is none. */
  | (ThatObject & { readonly fact: 'controller'; readonly controller: Uid | null })
  | (ThatObject & { readonly fact: 'finalizers'; readonly finalizers: readonly string[] })
  | (ThatObject & { readonly fact: 'hasFinalizer'; readonly finalizer: string })
  /** `owner`: uid of one of its owner references. */
  | (ThatObject & { readonly fact: 'hasOwner'; readonly owner: Uid })
  | (ThatObject & { readonly fact: 'deletionTimestamp'; readonly set: boolean })
  /** How many of these keys have an object, with any uid. */
  | { readonly fact: 'count'; readonly keys: readonly ObjectKey[]; readonly count: number }
  /** Whether the collector's graph has a node of that uid. */
  | { readonly fact: 'collectorKnows'; readonly uid: Uid; readonly is: boolean }
  /** Every event that was on its way to the collector has reached it. */
  | { readonly fact: 'delivered' };

interface ThatObject {
  readonly key: ObjectKey;
  readonly uid: Uid;
}

export function isFact(cluster: Cluster, fact: Fact): boolean {
  switch (fact.fact) {
    case 'count':
      return fact.keys.filter((key) => cluster.store[key] !== undefined).length === fact.count;
    case 'collectorKnows':
      return (cluster.graph[fact.uid] !== undefined) === fact.is;
    case 'delivered':
      return Object.values(cluster.watch).every((queue) => queue.length === 0);
    case 'exists':
      return (cluster.store[fact.key]?.uid === fact.uid) === fact.is;
    default:
      return isFactOfObject(cluster, fact);
  }
}

type OfObject = Extract<Fact, ThatObject>;

function isFactOfObject(cluster: Cluster, fact: Exclude<OfObject, { fact: 'exists' }>): boolean {
  const object = cluster.store[fact.key];
  if (object === undefined || object.uid !== fact.uid) return false;
  switch (fact.fact) {
    case 'owners': {
      const owners = object.ownerReferences.map(({ uid }) => uid);
      return sameList(owners, fact.uids);
    }
    case 'ownerCount':
      return object.ownerReferences.length === fact.count;
    case 'controller': {
      const controller = object.ownerReferences.find((reference) => reference.controller === true);
      return (controller?.uid ?? null) === fact.controller;
    }
    case 'finalizers':
      return sameList(object.finalizers, fact.finalizers);
    case 'hasFinalizer':
      return object.finalizers.includes(fact.finalizer);
    case 'hasOwner':
      return object.ownerReferences.some(({ uid }) => uid === fact.owner);
    case 'deletionTimestamp':
      return (object.deletionTimestamp !== null) === fact.set;
    default:
      throw new Error(`unknown fact ${JSON.stringify(fact satisfies never)}`);
  }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
