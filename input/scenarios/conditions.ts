import { type Condition, OWN_FORMS, type OwnProperty, type Setup } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import { isReservedName, shaped, unknownField } from '../documents/shape.ts';
import { nameMeant, propertyId } from '../property-names.ts';
import { checkFinalizer, factsOf, type Known, ownerUid } from './ends.ts';
import type { Cast } from './objects.ts';
import { isOutcome } from './outcomes.ts';
import {
  CONDITION_FIELDS,
  conditionEndSchema,
  type OwnEntry,
  type ScenarioFile,
} from './schema.ts';

/** Reads the properties that the author of a scenario has written. */

interface Reading extends Known {
  readonly document: SourceDocument;
  readonly cast: Pick<Cast, 'find'>;
  /** The sentences of all properties that are shipped. */
  readonly propertyNames: readonly string[];
}

/** Throws an `InputError` with file, line and field. */
export function readOwnProperties(
  { ownProperties }: Pick<ScenarioFile, 'ownProperties'>,
  reading: Reading,
): Pick<Setup, 'ownProperties'> {
  if (ownProperties === undefined) return {};
  const read = Object.entries(ownProperties).map(([name, entry]) => {
    const path: Path = ['ownProperties', name];
    checkName(name, path, reading);
    return [name, ownProperty(entry, path, reading)] as const;
  });
  return { ownProperties: Object.fromEntries(read) };
}

function checkName(name: string, path: Path, { document, propertyNames }: Reading): void {
  const taken =
    !isOutcome(name) && (propertyNames.includes(nameMeant(name)) || propertyId(name) !== null);
  if (!isReservedName(name) && name.trim() !== '' && !taken && !isOutcome(name)) return;
  throw new InputError({
    what: taken
      ? `"${name}" already names a property that is shipped`
      : `"${name}" cannot be the name of a property`,
    where: document.place(path),
    expected: 'a name of your own, such as: the disk outlives its database',
  });
}

function ownProperty(entry: OwnEntry, path: Path, reading: Reading): OwnProperty {
  const { document } = reading;
  const forms = OWN_FORMS.filter((form) => entry[form] !== undefined);
  const [form] = forms;
  if (form === undefined || forms.length > 1) {
    throw new InputError({
      what:
        form === undefined
          ? `the property "${path.at(-1)}" does not say when its condition is to be true`
          : `the property "${path.at(-1)}" has ${forms.join(' and ')}`,
      where: document.place(form === undefined ? path : [...path, forms.at(-1)!]),
      expected: `one of ${OWN_FORMS.join(', ')}`,
    });
  }
  if (form === 'eventually' && entry.when !== undefined) {
    throw new InputError({
      what: 'eventually cannot be combined with when',
      where: document.place([...path, 'when']),
      expected: 'leadsTo in the place of eventually',
    });
  }
  if (form === 'leadsTo' && entry.when === undefined) {
    throw new InputError({
      what: 'leadsTo has no condition to lead from',
      where: document.place([...path, 'leadsTo']),
      expected:
        'when: CONDITION beside it, as in {when: {ConfigMap/a: deleting}, leadsTo: {ConfigMap/a: gone}}',
    });
  }
  return {
    form,
    ...(entry.when === undefined
      ? {}
      : { when: readCondition(entry.when, [...path, 'when'], reading) }),
    condition: readCondition(entry[form], [...path, form], reading),
  };
}

const EXAMPLE = 'a condition, as in {ConfigMap/a: gone} or {not: {Secret/b: deleting}}';

/** A mapping is true if each of its entries is. */
function readCondition(value: unknown, path: Path, reading: Reading): Condition {
  const { document } = reading;
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isMapping ? Object.entries(value) : [];
  if (entries.length === 0) {
    throw new InputError({
      what: isMapping ? 'the condition is empty' : 'this is no condition',
      where: document.place(path),
      expected: EXAMPLE,
    });
  }
  const parts = entries.map(([word, part]) => readPart(word, part, [...path, word], reading));
  return parts.length === 1 ? parts[0]! : { all: parts };
}

function readPart(word: string, value: unknown, path: Path, reading: Reading): Condition {
  switch (word) {
    case 'not':
      return { not: readCondition(value, path, reading) };
    case 'and':
      return { all: readList(value, path, reading) };
    case 'or':
      return { any: readList(value, path, reading) };
    default:
      if (!word.includes('/')) throw unknownField(reading.document, path, CONDITION_FIELDS);
      return readObject(word, value, path, reading);
  }
}

function readList(value: unknown, path: Path, reading: Reading): readonly Condition[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new InputError({
      what: `${path.at(-1)} has no list of conditions`,
      where: reading.document.place(path),
      expected: '[CONDITION, CONDITION]',
    });
  }
  return value.map((part, index) => readCondition(part, [...path, index], reading));
}

/** The state of one object: what an outcome can say of it, and single finalizers and owners. */
function readObject(target: string, value: unknown, path: Path, reading: Reading): Condition {
  const { document } = reading;
  const given = shaped(conditionEndSchema, value, document, path, CONDITION_FIELDS);
  if (given === 'gone') return one(factsOf(target, given, path, reading));
  if (given === 'there' || given === 'exists') return one(factsOf(target, 'there', path, reading));
  if (given === 'deleting') {
    return one(factsOf(target, { deleting: true }, path, reading).slice(1));
  }
  const { hasFinalizer = [], hasOwner = [], ...end } = given;
  const [exists, ...stated] = factsOf(target, end, path, reading);
  if (exists?.fact !== 'exists') throw new Error(`${target} has no facts`);
  const named = { key: exists.key, uid: exists.uid };
  const at = (field: keyof typeof given, index: number): Path =>
    Array.isArray(given[field]) ? [...path, field, index] : [...path, field];
  const finalizers = listOf(hasFinalizer).map((finalizer, index) => {
    checkFinalizer(finalizer, at('hasFinalizer', index), reading);
    return { fact: 'hasFinalizer' as const, ...named, finalizer };
  });
  const owners = listOf(hasOwner).map((owner, index) => ({
    fact: 'hasOwner' as const,
    ...named,
    owner: ownerUid(owner, at('hasOwner', index), reading),
  }));
  // Every other fact is false of an object that is not there.
  const further = [...stated, ...finalizers, ...owners];
  return one(further.length === 0 ? [exists] : further);
}

function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

function one(parts: readonly Condition[]): Condition {
  return parts.length === 1 ? parts[0]! : { all: parts };
}
