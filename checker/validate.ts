import { initialPlainState } from './engine/plain.ts';
import { BadValueError, CheckerError } from './errors.ts';
import type { Model, Parameters, SlotKind } from './model.ts';
import type { CheckOptions } from './options.ts';
import { validateLimits } from './options.ts';
import type { Property } from './property.ts';
import { canonicalText } from './values/canonical.ts';

const SLOT_KINDS: readonly SlotKind[] = ['value', 'entries', 'flags', 'queues'];

/** Throws `CheckerError` if the options make no sense. */
export function validate<State>({
  model,
  properties,
  limits,
  auditEvery,
  stateGraph,
}: CheckOptions<State>): void {
  validateModel(model);
  validateProperties(properties, new Set(Object.keys(model.actions)));
  validateLimits(limits ?? {});
  if (auditEvery !== undefined && !(Number.isSafeInteger(auditEvery) && auditEvery >= 0)) {
    throw new CheckerError(
      'badLimit',
      `auditEvery is ${auditEvery}; it must be a whole number >= 0`,
    );
  }
  if (stateGraph !== undefined && !(Number.isSafeInteger(stateGraph) && stateGraph >= 1)) {
    throw new CheckerError(
      'badLimit',
      `stateGraph is ${stateGraph}; it must be a whole number >= 1`,
    );
  }
}

function validateModel<State>(model: Model<State>): void {
  for (const [key, kind] of Object.entries<SlotKind>(model.slots)) {
    if (!SLOT_KINDS.includes(kind)) {
      const known = SLOT_KINDS.join(', ');
      throw new CheckerError(
        'unknownSlotKind',
        `slot ${key} is of kind ${kind}; known are ${known}`,
      );
    }
  }
  if (Object.keys(model.actions).length === 0) {
    throw new CheckerError('noActions', `model ${model.name} has no actions`);
  }
  if (model.initial.length === 0) {
    throw new CheckerError('noInitialState', `model ${model.name} has no initial state`);
  }
  for (const [name, { parameters }] of Object.entries(model.actions)) {
    validateParameters(`action ${name}`, parameters ?? []);
  }
  model.initial.forEach((state, index) => {
    try {
      initialPlainState(model, state);
    } catch (error) {
      if (!(error instanceof BadValueError)) throw error;
      throw new CheckerError('badState', `initial state ${index}: ${error.message}`);
    }
  });
}

function validateProperties<State>(
  properties: readonly Property<State>[],
  actions: ReadonlySet<string>,
): void {
  if (properties.length === 0) {
    throw new CheckerError('noProperties', 'there are no properties to check');
  }
  const names = new Set<string>();
  for (const property of properties) {
    const { name } = property;
    if (names.has(name)) {
      throw new CheckerError('duplicateProperty', `two properties are named "${name}"`);
    }
    names.add(name);
    validateParameters(`property "${name}"`, property.parameters ?? []);
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

/** Traces and fairness could not distinguish equal choices. */
function validateParameters(owner: string, parameters: readonly Parameters[]): void {
  const seen = new Set<string>();
  for (const choice of parameters) {
    const text = parametersText(owner, choice);
    if (seen.has(text)) {
      throw new CheckerError('duplicateParameters', `${owner} has the parameters ${text} twice`);
    }
    seen.add(text);
  }
}

function parametersText(owner: string, choice: Parameters): string {
  try {
    return canonicalText({ ...choice });
  } catch (error) {
    if (!(error instanceof BadValueError)) throw error;
    throw new CheckerError('badParameters', `parameters of ${owner}: ${error.message}`);
  }
}
