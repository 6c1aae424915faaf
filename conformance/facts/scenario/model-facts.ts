import { type Fact, keyOf } from '../../../model/index.ts';
import { definitionOf } from './definitions.ts';
import { type Fixture, possibleKeys, uidOf } from './fixture.ts';
import type { StatedFact } from './schema.ts';

/** A fact of a scenario as a fact of the model. */
export function modelFact(fixture: Fixture, stated: StatedFact): Fact {
  if ('count' in stated) {
    const { kind, namespace } = stated.count;
    return { fact: 'count', keys: possibleKeys(fixture, kind, namespace), count: stated.equals };
  }
  if ('collectorKnows' in stated) {
    const { uid } = fixture.object(stated.collectorKnows);
    return { fact: 'collectorKnows', uid, is: stated.equals };
  }
  if ('definition' in stated) {
    const keys = [keyOf(definitionOf(fixture, stated.definition, 0))];
    return { fact: 'count', keys, count: stated.exists ? 1 : 0 };
  }
  const object = fixture.object(stated.object);
  const that = { key: keyOf(object), uid: object.uid };
  if ('exists' in stated) return { ...that, fact: 'exists', is: stated.exists };
  if ('owners' in stated) return { ...that, fact: 'owners', uids: stated.owners.map(uidOf) };
  if ('ownerCount' in stated) return { ...that, fact: 'ownerCount', count: stated.ownerCount };
  if ('controller' in stated) {
    const controller = stated.controller === null ? null : uidOf(stated.controller);
    return { ...that, fact: 'controller', controller };
  }
  if ('finalizers' in stated) return { ...that, fact: 'finalizers', finalizers: stated.finalizers };
  return { ...that, fact: 'deletionTimestamp', set: stated.deletionTimestamp === 'set' };
}

/** Keys of the objects that a fact names. */
export function objectsIn(stated: StatedFact): readonly string[] {
  if ('object' in stated) return [stated.object];
  return 'collectorKnows' in stated ? [stated.collectorKnows] : [];
}
