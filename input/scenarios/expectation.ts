import { formatKey, keyOf, type Setup } from '../../model/index.ts';
import { askedOfObject, propertyMeant, titleForObject } from '../../properties/index.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import type { SourceDocument } from '../documents/document.ts';
import { propertyNamed } from '../property-names.ts';
import type { Cast } from './objects.ts';
import { isOutcome, outcomeNamed, outcomeProperty } from './outcomes.ts';
import { ownPropertyNames } from './own-properties.ts';
import type { ScenarioFile } from './schema.ts';

/** Reads which properties a scenario asks for, and the verdicts that it expects. */

/** The results that a scenario expects. */
export interface Expectation {
  readonly states?: number;
  readonly transitions?: number;
  /** Layers beyond the initial states. */
  readonly depth?: number;
  readonly verdicts: Readonly<Record<string, 'holds' | 'violated' | 'vacuous'>>;
  /** Links to the documentation of known limitations, by property. */
  readonly because: Readonly<Record<string, string>>;
  /** What the counterexample to one of the properties must look like. */
  readonly counterexample?: CounterexampleExpectation;
}

export interface CounterexampleExpectation {
  readonly property: string;
  /** In steps. */
  readonly length?: number;
  /** Texts that lines of the printed trace must contain, in this order. */
  readonly mustShow: readonly string[];
}

interface Asking {
  readonly document: SourceDocument;
  readonly cast: Pick<Cast, 'find'>;
  /** The sentences of all properties that are shipped. */
  readonly propertyNames: readonly string[];
  readonly setup: Pick<Setup, 'outcomes' | 'ownProperties'>;
}

/** The sentence of a property asked of one object. Throws `InputError`. */
function narrowed(property: string, target: string, asking: Asking, place: Place): string {
  const title = propertyNamed(property, asking.propertyNames, place);
  if (propertyMeant(title)?.judgesObjects === undefined) {
    throw new InputError({
      what: `"${property}" does not speak of single objects`,
      where: place,
      expected: 'a property that does, such as every-deletion-finishes',
      next: 'docs/properties.md says which do',
    });
  }
  return titleForObject(title, formatKey(keyOf(asking.cast.find(target, place))));
}

/** The sentence of the property that a word names, one object included. Throws `InputError`. */
function nameOf(word: string, asking: Asking, place: Place): string {
  const { propertyNames, setup } = asking;
  const asked = askedOfObject(word);
  if (asked !== null && propertyMeant(asked.property) !== undefined) {
    return narrowed(asked.property, asked.object, asking, place);
  }
  const own = [
    ...Object.keys(setup.outcomes ?? {}).map(outcomeProperty),
    ...ownPropertyNames(setup),
  ];
  return propertyNamed(word, [...propertyNames, ...own], place);
}

/** The properties that are asked for: those of `properties`, or all; null: simply all. */
export function askedProperties(
  file: Pick<ScenarioFile, 'properties' | 'expect'>,
  asking: Asking,
): readonly string[] | null {
  const { document, propertyNames } = asking;
  if (file.properties !== undefined) {
    return file.properties.map((asked, index) => {
      const place = document.place(['properties', index]);
      if (typeof asked !== 'string') return narrowed(asked.property, asked.for, asking, place);
      return nameOf(asked, { ...asking, setup: {} }, place);
    });
  }
  const given = verdictsIn(file, asking).map(([name]) => name);
  const ofObjects = given.filter((name) => askedOfObject(name) !== null);
  const added = ofObjects.filter((name) => !ownPropertyNames(asking.setup).includes(name));
  return added.length === 0 ? null : [...propertyNames, ...added];
}

type Verdict = Expectation['verdicts'][string];

/** The expected verdicts by sentence, with the words of the file. */
function verdictsIn(
  file: Pick<ScenarioFile, 'expect'>,
  asking: Asking,
): readonly (readonly [name: string, verdict: Verdict, word: string])[] {
  return Object.entries(file.expect?.verdicts ?? {}).flatMap(([word, given]) => {
    const place = asking.document.place(['expect', 'verdicts', word]);
    if (typeof given === 'string') return [[nameOf(word, asking, place), given, word] as const];
    return Object.entries(given.for).map(([target, verdict]) => {
      const at = asking.document.place(['expect', 'verdicts', word, 'for', target]);
      return [narrowed(word, target, asking, at), verdict, word] as const;
    });
  });
}

/** A record by sentence. Throws `InputError` if a property is given twice. */
function byName<Value>(
  given: readonly (readonly [name: string, value: Value, word: string])[],
  field: string,
  document: SourceDocument,
): Readonly<Record<string, Value>> {
  const named: Record<string, Value> = {};
  for (const [name, value, word] of given) {
    if (Object.hasOwn(named, name)) {
      const where = document.place(['expect', field, word]);
      throw new InputError({ what: `"${name}" is given twice`, where });
    }
    named[name] = value;
  }
  return named;
}

/**
 * Until version 0.2, outcomes were among the verdicts, and a disaster that came about was `holds`.
 */
function rejectOutcomes({ expect }: ScenarioFile, document: SourceDocument): void {
  for (const [word, verdict] of Object.entries(expect?.verdicts ?? {})) {
    if (!isOutcome(word)) continue;
    const often = verdict === 'violated' ? 'never' : 'sometimes';
    throw new InputError({
      what: `"${word}" is an outcome, which has no verdict`,
      where: document.place(['expect', 'verdicts', word]),
      expected: `in expect.outcomes: ${outcomeNamed(word)}: ${often} (or never, sometimes, always)`,
    });
  }
}

/** Throws `InputError`. */
export function expectationOf(
  file: ScenarioFile,
  properties: readonly string[] | null,
  asking: Asking,
): Expectation {
  const { document, setup } = asking;
  const { verdicts: _, because: givenBecause = {}, outcomes = {}, ...pins } = file.expect ?? {};
  rejectOutcomes(file, document);
  const given = verdictsIn(file, asking);
  const verdicts = byName(given, 'verdicts', document);
  const reasons = Object.entries(givenBecause).map(([word, reason]) => {
    const place = document.place(['expect', 'because', word]);
    return [nameOf(word, asking, place), reason, word] as const;
  });
  const because: Record<string, string> = { ...byName(reasons, 'because', document) };
  const isAsked = (name: string): boolean =>
    properties === null ||
    properties.includes(name) ||
    isOutcome(name) ||
    ownPropertyNames(setup).includes(name);
  const check = (field: string, name: string, word: string): void => {
    if (isAsked(name)) return;
    throw new InputError({
      what: `"${word}" is not among the properties here`,
      where: document.place(['expect', field, word]),
    });
  };
  for (const [name, verdict, word] of given) {
    check('verdicts', name, word);
    const general = askedOfObject(name)?.property;
    const reason = because[name] ?? (general === undefined ? undefined : because[general]);
    if (verdict !== 'violated') continue;
    if (reason !== undefined) because[name] = reason;
    // Of a property that its author has written, Kubernetes documents nothing.
    else if (!ownPropertyNames(setup).includes(name)) throw noReason(word, document);
  }
  for (const [name, , word] of reasons) {
    check('because', name, word);
    const isReason = isOutcome(name)
      ? outcomes[outcomeNamed(name)] === 'never'
      : given.some(
          ([other, verdict]) =>
            verdict === 'violated' && (other === name || askedOfObject(other)?.property === name),
        );
    if (isReason) continue;
    throw new InputError({
      what: isOutcome(name)
        ? `"${word}" is not expected never to come about`
        : `"${word}" is not expected to be violated`,
      where: document.place(['expect', 'because', word]),
    });
  }
  return { ...pins, verdicts, because };
}

function noReason(word: string, document: SourceDocument): InputError {
  return new InputError({
    what: `expect.because has no reason for the expected violation of "${word}"`,
    where: document.place(['expect', 'verdicts', word]),
    expected: 'a link in expect.because to where Kubernetes documents the behaviour',
  });
}
