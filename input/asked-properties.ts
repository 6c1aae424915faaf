import { formatKey, keyOf, possibleObjects, type Setup, splitKey } from '../model/index.ts';
import { askedOfObject, propertyMeant, titleForObject } from '../properties/index.ts';
import { InputError } from '../text/input-error.ts';
import { hint, MESSAGES } from '../text/messages.ts';
import type { Plan } from './plan.ts';
import { nameMeant, PROPERTY_NAMES, propertyNamed } from './property-names.ts';
import { outcomeProperty } from './scenarios/outcomes.ts';
import { ownPropertyNames } from './scenarios/own-properties.ts';

/** What `--property` asks of each plan. */

/** The properties that only this scenario has: its outcomes, and those that its author wrote. */
export function ofScenario(setup: Setup): readonly string[] {
  return [...Object.keys(setup.outcomes ?? {}).map(outcomeProperty), ...ownPropertyNames(setup)];
}

/**
 * `--property` replaces the properties of a scenario. A scenario is skipped if nothing is requested
 * but outcomes, properties and objects of other scenarios. Throws `InputError` for a word that
 * means nothing in any plan.
 */
export function withProperties(plans: readonly Plan[], words: readonly string[]): readonly Plan[] {
  if (words.length === 0) return plans;
  const known = [...PROPERTY_NAMES, ...plans.flatMap(({ setup }) => ofScenario(setup))];
  for (const word of words) {
    if (narrowed(word) === null) propertyNamed(word, known);
    else rejectMissingObject(word, plans);
  }
  return plans.flatMap((plan) => {
    const own = [...PROPERTY_NAMES, ...ofScenario(plan.setup)];
    const asked = words.flatMap((word) => {
      const name = nameMeant(word);
      return own.includes(name) ? [name] : (nameIn(plan.setup, word) ?? []);
    });
    return asked.length === 0
      ? []
      : [{ ...plan, properties: asked, asked, cluster: null, fates: false }];
  });
}

interface Narrowed {
  /** The sentence of the property. */
  readonly title: string;
  readonly object: string;
}

/** The property and the object, if a word asks a property of one object. */
function narrowed(word: string): Narrowed | null {
  const asked = askedOfObject(word);
  const property = asked === null ? undefined : propertyMeant(asked.property);
  if (asked === null || property === undefined) return null;
  return { title: property.name, object: asked.object };
}

/** The sentence of such a property in this setup; null: the setup has no such object. */
function nameIn(setup: Setup, word: string): string | null {
  const asked = narrowed(word);
  const names =
    asked === null ? undefined : namesOf(setup).find((all) => all.includes(asked.object));
  const [name] = names ?? [];
  return asked === null || name === undefined ? null : titleForObject(asked.title, name);
}

/** The names of each object, the usual one first: with its group and namespace, and without. */
function namesOf(setup: Setup): readonly (readonly string[])[] {
  const keys = [...new Set(possibleObjects(setup).map(keyOf))];
  return keys.map((key) => {
    const [group, namespace, name] = splitKey(key);
    const kinds = [group, setup.kinds[group]?.kind ?? group];
    const short = kinds.flatMap((kind) => [`${kind}/${name}`, `${kind}/${name}.${namespace}`]);
    return [formatKey(key), ...short];
  });
}

function rejectMissingObject(word: string, plans: readonly Plan[]): void {
  const asked = narrowed(word);
  if (asked === null) return;
  const property = propertyMeant(asked.title);
  if (property?.judgesObjects === undefined) {
    throw new InputError({
      what: `"${property?.id}" does not speak of single objects`,
      next: 'docs/properties.md says which properties do',
    });
  }
  const names = plans.flatMap(({ setup }) => namesOf(setup));
  for (const { setup } of plans) {
    const meant = namesOf(setup).filter((all) => all.includes(asked.object));
    const exact = meant.filter(([usual]) => usual === asked.object);
    if (meant.length > 1 && exact.length === 0) {
      throw MESSAGES.ambiguousTarget(
        asked.object,
        meant.map(([usual = '']) => usual),
      );
    }
  }
  if (names.some((all) => all.includes(asked.object))) return;
  const usual = new Set(names.flatMap((all) => all.slice(0, 1)));
  throw new InputError({
    what: `${asked.object} is not an object of what is checked`,
    next: hint(asked.object, [...usual]),
  });
}
