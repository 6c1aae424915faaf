import type { Property } from '../checker/index.ts';
import {
  actingItemCall,
  type Cluster,
  formatKey,
  keyOf,
  type ObjectKey,
  possibleObjects,
  type Setup,
} from '../model/index.ts';
import { type CatalogueEntry, judgedSometimes } from './catalogue.ts';

/** A property asked of one object, as `for: KIND/NAME` in a scenario does. */

/** Between the property and the object, in a title and after an id. */
const FOR_TITLE = ', for ';
const FOR_ID = ' for ';

export interface AskedOfObject {
  /** An id or a title. */
  readonly property: string;
  /** `KIND/NAME[.NAMESPACE]`. */
  readonly object: string;
}

/** The parts of such a name; null for any other word. */
export function askedOfObject(word: string): AskedOfObject | null {
  const found = word.match(/^(.+?)(?:, | )for (\S+\/\S+)$/);
  if (found === null) return null;
  const [, property = '', object = ''] = found;
  return { property, object };
}

/** The id of a property asked of one object. */
export function idForObject(id: string, object: string): string {
  return `${id}${FOR_ID}${object}`;
}

export function titleForObject(title: string, object: string): string {
  return `${title}${FOR_TITLE}${object}`;
}

/**
 * The property, judged only for objects that `object` names. Null if it does not speak of single
 * objects, or if no object has that name at any time.
 */
export function forObject(
  entry: CatalogueEntry,
  setup: Setup,
  object: string,
): Property<Cluster> | null {
  const objects = possibleObjects(setup).filter((one) => formatKey(keyOf(one)) === object);
  const first = objects[0];
  if (entry.judgesObjects === undefined || first === undefined) return null;
  const key = keyOf(first);
  const uids = new Set(objects.map(({ uid }) => uid));
  const named = {
    ...entry.build(setup),
    id: idForObject(entry.id, object),
    name: titleForObject(entry.name, object),
    // It tells this object from others that are alike.
    mentions: [key],
  };
  switch (entry.judgesObjects) {
    case 'parameters':
      return judgedSometimes({
        ...named,
        parameters: (named.parameters ?? []).filter((given) =>
          given.key === undefined ? uids.has(String(given.uid)) : given.key === key,
        ),
      });
    case 'requests':
      return ofRequests(named, setup, key);
    default:
      throw new Error(`unknown way ${entry.judgesObjects satisfies never}`);
  }
}

function ofRequests(property: Property<Cluster>, setup: Setup, key: ObjectKey): Property<Cluster> {
  if (property.kind !== 'step') throw new Error(`${property.name} judges no steps`);
  const { trigger = () => true } = property;
  return {
    ...property,
    trigger: (before, action, after, parameters) => {
      const call = actingItemCall(setup, before, action);
      if (call === null) return false;
      const target = call.verb === 'create' ? keyOf(call.object) : call.key;
      return target === key && trigger(before, action, after, parameters);
    },
  };
}
