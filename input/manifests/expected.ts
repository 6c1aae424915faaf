import {
  type ApiObject,
  otherSpecFinalizers,
  type Setup,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { InputError, type Place } from '../../text/input-error.ts';
import { documents } from '../documents/documents.ts';
import { rejectPrototypeKeys, shaped } from '../documents/shape.ts';
import type { Source } from '../documents/source.ts';
import { readOwnProperties } from '../scenarios/conditions.ts';
import { askedProperties } from '../scenarios/expectation.ts';
import { SCENARIO_FIELDS, scenarioSchema } from '../scenarios/schema.ts';
import type { Dump } from './dump.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { findTarget } from './target.ts';

/** What a person expects of a deletion, in the words that scenarios have for properties. */
export interface Expected {
  readonly own: Pick<Setup, 'ownProperties'>;
  /** The names of all properties that must hold. */
  readonly names: readonly string[];
  /** The objects that they speak of. A question without them could not judge the properties. */
  readonly objects: readonly ApiObject[];
}

export const NOTHING_EXPECTED: Expected = { own: {}, names: [], objects: [] };

const expectedSchema = scenarioSchema.pick({ ownProperties: true, properties: true });

/**
 * Reads the file of `--expect`: `ownProperties` and `properties`, as in a scenario, about objects
 * of a dump. Throws an `InputError` with file, line and field.
 */
export function readExpected(
  source: Source,
  dump: Dump,
  kinds: KindCatalogue,
  namespace: string | null,
  propertyNames: readonly string[],
): Expected {
  const [document, second] = [...documents(source)].filter(({ value }) => value !== null);
  const example = 'ownProperties: {NAME: {never: {PersistentVolumeClaim/data: gone}}}';
  if (document === undefined || second !== undefined) {
    throw new InputError({
      what: `${source.file} has ${document === undefined ? 'no document' : 'a second document'}`,
      where: second?.place([]),
      expected: `one document, as in ${example}`,
    });
  }
  const file = shaped(expectedSchema, document.value, document, [], SCENARIO_FIELDS);
  const { ownProperties } = document.value as { readonly ownProperties?: unknown };
  rejectPrototypeKeys(ownProperties, document, ['ownProperties']);
  const stored = dump.objects.map(({ object }) => object);
  const named = new Set<ApiObject>();
  const find = (text: string, where: Place): ApiObject => {
    const object = located(where, () =>
      findTarget(text, namespace, stored, kinds, dump.files.join(', ')),
    );
    named.add(object);
    return object;
  };
  const reading = {
    ...{ document, cast: { find }, stored, propertyNames },
    finalizers: new Set(
      stored.flatMap((object) => [...thirdPartyFinalizers(object), ...otherSpecFinalizers(object)]),
    ),
    owners: new Set([
      ...stored.map(({ uid }) => uid),
      ...stored.flatMap(({ ownerReferences }) => ownerReferences.map(({ uid }) => uid)),
    ]),
  };
  const own = readOwnProperties(file, reading);
  const asked =
    file.properties === undefined ? [] : askedProperties(file, { ...reading, setup: own });
  const names = [...Object.keys(own.ownProperties ?? {}), ...(asked ?? [])];
  if (names.length === 0) {
    throw new InputError({
      what: `${source.file} expects nothing`,
      where: document.place([]),
      expected: example,
    });
  }
  return { own, names, objects: [...named] };
}

/** Says where in the file an object is named that the dump does not have. */
function located<Value>(where: Place, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError({ ...error.text, where });
  }
}
