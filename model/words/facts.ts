import type { Cluster } from '../state/cluster.ts';
import { type Fact, isFact } from '../state/facts.ts';
import { possibleObjects } from '../state/instances.ts';
import { formatKey } from '../state/keys.ts';
import { keyOf, type ObjectKey } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';

/** Keys of the objects that a fact is about. */
export function keysIn(setup: Setup, fact: Fact): readonly ObjectKey[] {
  if (fact.fact === 'delivered') return [];
  if (fact.fact === 'count') return fact.keys;
  if (fact.fact !== 'collectorKnows') return [fact.key];
  return possibleObjects(setup)
    .filter(({ uid }) => uid === fact.uid)
    .map(keyOf);
}

/** Whether the fact is true in this state, as a sentence about the object. */
export function factWords(setup: Setup, cluster: Cluster, fact: Fact): string {
  const is = isFact(cluster, fact);
  const yes = (words: string): string => (is ? words : `not so: ${words}`);
  switch (fact.fact) {
    case 'count': {
      const names = fact.keys.map(formatKey).join(', ');
      if (fact.keys.length === 1 && fact.count === 0) {
        return is ? `${names} is gone` : `${names} is there`;
      }
      return yes(`${fact.count} of these are there: ${names}`);
    }
    case 'delivered':
      return yes('every event has reached the collector');
    case 'collectorKnows':
      return yes(`the collector ${fact.is ? 'knows' : 'does not know'} uid ${fact.uid}`);
    default:
      return `${nameOf(setup, fact)} ${ofObject(setup, cluster, fact, is)}`;
  }
}

type OfObject = Extract<Fact, { readonly key: ObjectKey }>;

function ofObject(setup: Setup, cluster: Cluster, fact: OfObject, is: boolean): string {
  if (cluster.store[fact.key]?.uid !== fact.uid) return 'is not there';
  const has = is ? 'has' : 'does not have';
  switch (fact.fact) {
    case 'exists':
      return 'is there';
    case 'deletionTimestamp':
      return fact.set === is ? 'is being deleted' : 'is not being deleted';
    case 'finalizers':
      return `${has} exactly these finalizers: ${listed(fact.finalizers)}`;
    case 'hasFinalizer':
      return `${has} the finalizer ${fact.finalizer}`;
    case 'owners':
      return `${has} exactly these owners: ${listed(fact.uids.map((uid) => ownerName(setup, uid)))}`;
    case 'hasOwner':
      return `${has} the owner ${ownerName(setup, fact.owner)}`;
    case 'ownerCount':
      return `${has} ${fact.count} owners`;
    case 'controller':
      return fact.controller === null
        ? `has ${is ? 'no' : 'a'} controller`
        : `${has} the controller ${ownerName(setup, fact.controller)}`;
    default:
      throw new Error(`unknown fact ${JSON.stringify(fact satisfies never)}`);
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function ownerName(setup: Setup, uid: string): string {
  const owner = possibleObjects(setup).find((object) => object.uid === uid);
  return owner === undefined ? `uid ${uid}` : formatKey(keyOf(owner));
}

/** With the uid, if several objects have that name. */
function nameOf(setup: Setup, { key, uid }: OfObject): string {
  const others = possibleObjects(setup).some((one) => keyOf(one) === key && one.uid !== uid);
  return others ? `${formatKey(key)} (uid ${uid})` : formatKey(key);
}
