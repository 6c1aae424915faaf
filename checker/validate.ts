import { initialPlainState } from './engine/plain.ts';
import { BadValueError, CheckerError, type CheckerErrorCode } from './errors.ts';
import type { Action, Fairness, GroupFairness, Model, Parameters, SlotKind } from './model.ts';
import { type CheckOptions, validateOptions } from './options.ts';
import type { Property } from './property.ts';
import { canonicalText } from './values/canonical.ts';

const SLOT_KINDS: readonly SlotKind[] = ['value', 'entries', 'flags', 'queues'];

const FAIRNESS: readonly Fairness[] = ['none', 'weak', 'strong'];

/** What each thing may have. A misspelt field would be ignored, and the question another one. */
const FIELDS = {
  model: [
    ...['name', 'slots', 'initial', 'actions', 'fairness', 'symmetry', 'confluence', 'describe'],
    'family',
  ],
  action: ['parameters', 'fairness', 'reduce'],
  group: ['weak', 'strong', 'each'],
  invariant: ['trigger', 'holds', 'explain'],
  step: ['actions', 'trigger', 'holds', 'explain'],
  eventually: ['trigger', 'goal', 'forever', 'metBy', 'explain'],
  witness: ['reached'],
  settled: ['settled', 'explain'],
} as const;

const PROPERTY_KINDS = ['invariant', 'step', 'eventually', 'witness', 'settled'] as const;
const PROPERTY_FIELDS = ['kind', 'id', 'name', 'parameters', 'mentions'] as const;

/**
 * Throws `CheckerError` if the options make no sense. `validateShapes` comes first.
 *
 * @param others names of further options, which the caller validates.
 * @param look at the limits, which are valid then. What it throws ends the validation.
 */
export function validate<State>(
  options: CheckOptions<State>,
  others: readonly string[] = [],
  look: Look = () => {},
): void {
  validateOptions(options, others);
  validateModel(options.model, look);
  validateProperties(options.properties, new Set(Object.keys(options.model.actions)), look);
}

/** There can be a million initial states, choices of parameters, or properties. */
type Look = () => void;

/** A look takes about as long as to validate one choice. */
const LOOKED_EVERY = 1000;

/** Authors of plain JavaScript give promises, and one thing in the place of a list of one. */
export function validateShapes<State>({ model, properties }: CheckOptions<State>): void {
  demandRecord('badOption', 'the model', model);
  demandRecord('badOption', 'slots of the model', model.slots);
  demandRecord('badOption', 'actions of the model', model.actions);
  demandList('badState', 'initial of the model', model.initial);
  for (const [name, action] of Object.entries<unknown>(model.actions)) {
    demandRecord('badOption', `action ${name}`, action);
    const { parameters = [], reduce } = action as Partial<Action<never>>;
    demandList('badParameters', `parameters of action ${name}`, parameters);
    if (typeof reduce !== 'function')
      refuseShape('badOption', `reduce of action ${name}`, 'a function', reduce);
  }
  if (model.symmetry !== undefined) {
    demandList('badSymmetry', 'groups of the symmetry, as of symmetryOf,', model.symmetry.groups);
  }
  demandList('badOption', 'option properties', properties);
  properties.forEach((property: unknown, index) => {
    demandRecord('badOption', `property ${index}`, property);
    const { parameters = [] } = property as Partial<Property<never>>;
    demandList('badParameters', `parameters of property ${index}`, parameters);
  });
}

function demandRecord(code: CheckerErrorCode, what: string, given: unknown): void {
  const isRecord = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isRecord || given instanceof Promise) refuseShape(code, what, 'a record', given);
}

function demandList(code: CheckerErrorCode, what: string, given: unknown): void {
  if (!Array.isArray(given)) refuseShape(code, what, 'a list', given);
}

function refuseShape(
  code: CheckerErrorCode,
  what: string,
  expected: string,
  given: unknown,
): never {
  const found =
    given instanceof Promise
      ? 'a promise; await it first'
      : Array.isArray(given)
        ? 'a list'
        : given === null
          ? 'null'
          : `${typeof given}`;
  throw new CheckerError(code, `${what} must be ${expected}, not ${found}`);
}

function validateModel<State>(model: Model<State>, look: Look): void {
  demandFields('the model', model, FIELDS.model);
  for (const [key, kind] of Object.entries<SlotKind>(model.slots)) {
    if (!SLOT_KINDS.includes(kind)) {
      const known = SLOT_KINDS.join(', ');
      throw new CheckerError(
        'unknownSlotKind',
        `slot ${key} is of kind ${kind}; known are ${known}`,
      );
    }
  }
  const { knownViews = 0 } = model.family ?? {};
  if (!Number.isSafeInteger(knownViews) || knownViews < 0) {
    const given = String(knownViews);
    throw new CheckerError(
      'badOption',
      `knownViews of the family is ${given}; it is a whole number`,
    );
  }
  if (Object.keys(model.actions).length === 0) {
    throw new CheckerError('noActions', `model ${model.name} has no actions`);
  }
  if (model.initial.length === 0) {
    throw new CheckerError('noInitialState', `model ${model.name} has no initial state`);
  }
  for (const [name, action] of Object.entries(model.actions)) {
    demandFields(`action ${name}`, action, FIELDS.action);
    const { fairness = 'none' } = action;
    if (!FAIRNESS.includes(fairness)) {
      const known = FAIRNESS.join(', ');
      throw new CheckerError(
        'badFairness',
        `the fairness of action ${name} is ${String(fairness)}; known are ${known}`,
      );
    }
    validateParameters(`action ${name}`, action.parameters, look);
  }
  validateGroups(model);
  validateExceptions(model);
  model.initial.forEach((state, index) => {
    look();
    try {
      initialPlainState(model, state);
      const missing = Object.keys(model.slots).find((key) => !Object.hasOwn(state as object, key));
      if (missing !== undefined) throw new BadValueError('declared in slots, but missing', missing);
    } catch (error) {
      if (!(error instanceof BadValueError)) throw error;
      throw new CheckerError('badState', `initial state ${index}: ${error.message}`);
    }
  });
}

/**
 * What is promised to groups: each names actions of the model, and a parameter that they all have.
 */
function validateGroups<State>({ name: model, actions, fairness = [] }: Model<State>): void {
  const form = "give a list such as [{ weak: ['one', 'other'] }]";
  if (!Array.isArray(fairness)) {
    throw new CheckerError('badFairness', `the fairness of model ${model} is no list; ${form}`);
  }
  (fairness as readonly GroupFairness[]).forEach((group, index) => {
    const owner = `group ${index} in the fairness of model ${model}`;
    const refuse = (why: string): CheckerError =>
      new CheckerError('badFairness', `${owner} ${why}`);
    if (typeof group !== 'object' || group === null) throw refuse(`is no record; ${form}`);
    demandFields(owner, group, FIELDS.group);
    const { each } = group;
    const names: readonly unknown[] | undefined = group.weak ?? group.strong;
    if ((group.weak === undefined) === (group.strong === undefined) || !Array.isArray(names)) {
      throw refuse(`must have either weak or strong, a list of actions; ${form}`);
    }
    if (names.length === 0) throw refuse('names no action');
    names.forEach((name: unknown, position) => {
      const action = typeof name === 'string' ? actions[name] : undefined;
      if (action === undefined || !Object.hasOwn(actions, String(name))) {
        const known = Object.keys(actions).join(', ');
        throw new CheckerError(
          'unknownAction',
          `${owner} names the action ${String(name)}, which the model does not have; it has ${known}`,
        );
      }
      if (names.indexOf(name) !== position) throw refuse(`names ${String(name)} twice`);
      if (each === undefined) return;
      if ((action.parameters ?? [{}]).every((choice) => Object.hasOwn(choice, each))) return;
      throw refuse(`is for each ${String(each)}, a parameter that ${String(name)} does not have`);
    });
  });
}

/** `except` of `symmetryOf`: a misspelt name would leave nothing alone. */
function validateExceptions<State>({ name: model, slots, actions, symmetry }: Model<State>): void {
  const { except = [] } = (symmetry ?? {}) as { readonly except?: readonly string[] };
  if (except.length === 0) return;
  const parameters = Object.values(actions).flatMap((action) => action.parameters ?? []);
  const known = new Set([...Object.keys(slots), ...parameters.flatMap(Object.keys)]);
  const unknown = except.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new CheckerError(
    'badSymmetry',
    `the symmetry of model ${model} has the exception ${unknown}, which is no section of the state ` +
      `and no parameter of an action; these are ${[...known].join(', ')}`,
  );
}

function validateProperties<State>(
  properties: readonly Property<State>[],
  actions: ReadonlySet<string>,
  look: Look,
): void {
  if (properties.length === 0) {
    throw new CheckerError('noProperties', 'there are no properties to check');
  }
  const names = new Set<string>();
  for (const property of properties) {
    look();
    const { name } = property;
    if (!PROPERTY_KINDS.includes(property.kind)) {
      throw new CheckerError(
        'unknownPropertyKind',
        `property "${name}" is of kind ${String(property.kind)}; known are ${PROPERTY_KINDS.join(', ')}`,
      );
    }
    demandFields(`property "${name}"`, property, [...PROPERTY_FIELDS, ...FIELDS[property.kind]]);
    if (names.has(name)) {
      throw new CheckerError('duplicateProperty', `two properties are named "${name}"`);
    }
    names.add(name);
    validateParameters(`property "${name}"`, property.parameters, look);
    if (property.kind !== 'step') continue;
    for (const action of property.actions ?? []) {
      if (actions.has(action)) continue;
      throw new CheckerError(
        'unknownAction',
        `step rule "${name}" judges the action ${action}, which the model does not have`,
      );
    }
  }
}

/** Absent means one instance. Traces and fairness could not distinguish equal choices. */
function validateParameters(
  owner: string,
  parameters: readonly Parameters[] | undefined,
  look: Look,
): void {
  if (parameters === undefined) return;
  if (parameters.length === 0) {
    throw new CheckerError(
      'noParameters',
      `${owner} has an empty list of parameters, so it has no instance; leave it out`,
    );
  }
  const seen = new Set<string>();
  for (const choice of parameters) {
    if (seen.size % LOOKED_EVERY === 0) look();
    const text = parametersText(owner, choice);
    if (seen.has(text)) {
      throw new CheckerError('duplicateParameters', `${owner} has the parameters ${text} twice`);
    }
    seen.add(text);
  }
}

const FLAT = ['string', 'number', 'boolean'];

function parametersText(owner: string, choice: Parameters): string {
  try {
    const text = canonicalText({ ...choice });
    for (const [key, value] of Object.entries(choice)) {
      if (!FLAT.includes(typeof value)) {
        throw new BadValueError('not a string, a number or a boolean', key);
      }
    }
    return text;
  } catch (error) {
    if (!(error instanceof BadValueError)) throw error;
    throw new CheckerError('badParameters', `parameters of ${owner}: ${error.message}`);
  }
}

function demandFields(owner: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new CheckerError(
    'unknownField',
    `${owner} has the unknown field ${unknown}; known are ${known.join(', ')}`,
  );
}
