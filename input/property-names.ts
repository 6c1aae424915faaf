import {
  askedOfObject,
  idForObject,
  PROPERTIES,
  propertyMeant,
  titleForObject,
} from '../properties/index.ts';
import type { Place } from '../text/input-error.ts';
import { MESSAGES } from '../text/messages.ts';
import { outcomeMeant } from './scenarios/outcomes.ts';

/**
 * People name a property by its id or by its sentence. Everything behind the input knows it by the
 * sentence; whatever is stored or linked to uses the id.
 */

/** The ids of properties that the author of a scenario has written begin with it. */
const OWN = 'own:';

/** The sentences of all properties that are shipped. */
export const PROPERTY_NAMES: readonly string[] = PROPERTIES.map(({ name }) => name);

/** The id of a property or of a named outcome, by its sentence; null if it has none. */
export function propertyId(name: string): string | null {
  return identityMeant(name)?.id ?? null;
}

/** The id and the sentence of a property, of a property for one object, or of an outcome. */
function identityMeant(word: string): { readonly id: string; readonly name: string } | null {
  const asked = askedOfObject(word);
  const narrowed = asked === null ? undefined : propertyMeant(asked.property);
  if (asked !== null && narrowed !== undefined) {
    return {
      id: idForObject(narrowed.id, asked.object),
      name: titleForObject(narrowed.name, asked.object),
    };
  }
  return propertyMeant(word) ?? outcomeMeant(word);
}

/** The sentence of the property that an id or a sentence names; a word that names none as it is. */
export function nameMeant(word: string): string {
  return identityMeant(word)?.name ?? word;
}

/**
 * The sentence of the property that `word` names, one of `known`. Throws an `InputError` that
 * suggests the nearest id or sentence if there is none.
 */
export function propertyNamed(word: string, known: readonly string[], where?: Place): string {
  const own = word.startsWith(OWN) ? word.slice(OWN.length) : word;
  const name = known.includes(own) ? own : nameMeant(word);
  if (known.includes(name)) return name;
  const ids = known.flatMap((sentence) => propertyId(sentence) ?? []);
  throw MESSAGES.unknownProperty(word, [...ids, ...known], where);
}
