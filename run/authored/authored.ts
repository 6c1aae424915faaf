import { basename, relative } from 'node:path';
import type { Describer, Model, Property } from '../../checker/index.ts';
import { isMapping } from '../../input/documents/shape.ts';
import { MESSAGES } from '../../text/messages.ts';
import { AUTHORED_ERRORS } from './errors.ts';
import { wordsOf } from './words.ts';

/** A module as it was loaded. The command line loads it: see `cli/modules.ts`. */
export interface LoadedModule {
  /** As it was given. */
  readonly file: string;
  readonly text: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Loads a module of the user's. Throws `InputError`. */
export type LoadModule = (file: string) => Promise<LoadedModule>;

/** A model that a module exports, with what it says of it. Its states can have any type. */
export interface AuthoredModel {
  /** The module, as it was given. */
  readonly file: string;
  readonly model: Model<unknown>;
  readonly properties: readonly Property<unknown>[];
  readonly words: Describer<unknown>;
  readonly within: ((state: unknown) => boolean) | null;
  readonly place: {
    readonly file: string;
    readonly line: number;
    readonly properties: Readonly<Record<string, number>>;
  };
}

/** What a module can export besides; other names are its own business. */
const EXPORTS = ['words', 'picture', 'within'];

/** One letter more or less at the end, or another case: a slip, not a name of its own. */
function isAlike(known: string, name: string): boolean {
  const [short, long] = [known, name.toLowerCase()].sort((a, b) => a.length - b.length);
  if (known === name || short === undefined || long === undefined) return false;
  return long.startsWith(short) && long.length - short.length <= 1;
}

/** Checks what a module exports. Throws `InputError`. */
export function authoredModel({ file, text, exports: found }: LoadedModule): AuthoredModel {
  for (const name of Object.keys(found)) {
    const meant = EXPORTS.find((known) => isAlike(known, name));
    if (meant !== undefined && found[meant] === undefined) {
      throw AUTHORED_ERRORS.misspelt(file, name, meant);
    }
  }
  const { model, properties, words, picture, within } = found;
  if (model === undefined) throw AUTHORED_ERRORS.missing(file, 'model', Object.keys(found));
  if (!isModel(model)) throw AUTHORED_ERRORS.strange(file, 'model', 'what defineModel returns');
  if (properties === undefined) {
    throw AUTHORED_ERRORS.missing(file, 'properties', Object.keys(found));
  }
  if (!Array.isArray(properties) || properties.length === 0) {
    throw AUTHORED_ERRORS.strange(file, 'properties', 'a list of properties, at least one');
  }
  for (const [index, property] of properties.entries()) {
    if (isProperty(property)) continue;
    if (isMapping(property) && isModel(property.model)) throw AUTHORED_ERRORS.watched(file, index);
    if (Array.isArray(property)) throw AUTHORED_ERRORS.nested(file, index);
    throw AUTHORED_ERRORS.strange(file, `properties[${index}]`, 'what defineProperty returns');
  }
  if (within !== undefined && typeof within !== 'function') {
    throw AUTHORED_ERRORS.strange(file, 'within', 'a function from a state to true or false');
  }
  const judged = properties as readonly Property<unknown>[];
  return {
    file,
    model,
    properties: judged,
    words: wordsOf(file, words, picture, model.describe),
    within: within === undefined ? null : (within as (state: unknown) => boolean),
    place: {
      file: relative(process.cwd(), file) || basename(file),
      line: 1,
      properties: linesOf(text, judged),
    },
  };
}

/** The properties that are asked for by id or name; all without names. Throws `InputError`. */
export function withProperties(authored: AuthoredModel, asked: readonly string[]): AuthoredModel {
  if (asked.length === 0) return authored;
  const { properties } = authored;
  for (const word of asked) {
    if (properties.some((property) => isCalled(property, word))) continue;
    const known = properties.flatMap(({ id, name }) => (id === undefined ? [name] : [id, name]));
    throw MESSAGES.unknownProperty(word, known, { file: authored.file });
  }
  const chosen = properties.filter((property) => asked.some((word) => isCalled(property, word)));
  return { ...authored, properties: chosen };
}

function isCalled({ id, name }: Property<unknown>, word: string): boolean {
  return name === word || id === word;
}

/** The checker checks the values; these are the fields that it takes for granted. */
function isModel(value: unknown): value is Model<unknown> {
  if (!isMapping(value)) return false;
  const { name, initial, slots, actions } = value;
  return (
    typeof name === 'string' &&
    Array.isArray(initial) &&
    isMapping(slots) &&
    isMapping(actions) &&
    Object.values(actions).every((action) => isMapping(action) && isFunction(action.reduce))
  );
}

/** The function that a property of each kind must have. */
const JUDGES: Readonly<Record<Property<unknown>['kind'], string>> = {
  invariant: 'holds',
  step: 'holds',
  eventually: 'goal',
  witness: 'reached',
  settled: 'settled',
};

function isProperty(value: unknown): value is Property<unknown> {
  if (!isMapping(value) || typeof value.name !== 'string') return false;
  const { kind } = value;
  // The checker names the kinds that there are.
  if (typeof kind !== 'string' || !Object.hasOwn(JUDGES, kind)) return typeof kind === 'string';
  return isFunction(value[JUDGES[kind as Property<unknown>['kind']]]);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/** The first line of the module that has the name of the property, for reports that show places. */
function linesOf(
  text: string,
  properties: readonly Property<unknown>[],
): Readonly<Record<string, number>> {
  const lines = text.split('\n');
  return Object.fromEntries(
    properties.flatMap(({ name }) => {
      const index = lines.findIndex((line) => line.includes(name));
      return index < 0 ? [] : [[name, index + 1]];
    }),
  );
}
