import type { ApiObject } from '../../../model/index.ts';
import type { Requester, Requests, View } from '../cel/requests.ts';
import type { StoredObjects } from '../cel/stored.ts';
import {
  Computed,
  type Evaluated,
  Failed,
  Mapping,
  Unknown,
  type Value,
  type Variables,
} from '../cel/value.ts';
import { conditionsMet, evaluated } from './conditions.ts';
import type { Policy, PolicyBinding, Validation } from './observed-policies.ts';
import { type ParamsGiven, paramsOf } from './params.ts';

/** What a policy decides about one request. */
export type Decision =
  | { readonly is: 'accepts' }
  /** @property why as a sentence without its full stop. */
  | { readonly is: 'refuses'; readonly why: string }
  /** @property what it depends on. @property settle a command that says it, if no dry run does. */
  | { readonly is: 'unknown'; readonly what: string; readonly settle?: string };

const ACCEPTS: Decision = { is: 'accepts' };

export interface DecisionsGiven extends ParamsGiven {
  readonly requests: Requests;
  readonly stored: StoredObjects;
}

/** What a policy decides by this binding about a request that it is about. */
export function decisionOn(
  policy: Policy,
  binding: PolicyBinding,
  object: ApiObject,
  by: Requester,
  given: DecisionsGiven,
  how: Omit<View, 'rules'> = { operation: 'DELETE' },
): Decision {
  const view = { ...how, rules: policy.matching.rules };
  const variables = given.requests.variables(object, by, view);
  // A Namespace is in itself here, as the request has it.
  const { namespace } = object;
  const place = object.kind === 'Namespace' ? object.name : namespace;
  const params = paramsOf(policy, binding, place, given);
  switch (params.is) {
    case 'unknown':
      return params;
    case 'error':
      // A binding that cannot be used refuses whatever its actions are.
      return policy.refuses ? { is: 'refuses', why: params.message } : ACCEPTS;
    case 'known': {
      if (!binding.denies && policy.notes.length === 0) return ACCEPTS;
      return worst(
        params.params.map((param) => withParam(policy, binding, param, variables, given)),
      );
    }
    default:
      throw new Error(`unknown ${params satisfies never}`);
  }
}

/** One that refuses decides. */
export function worst(decisions: readonly Decision[]): Decision {
  return (
    decisions.find(({ is }) => is === 'refuses') ??
    decisions.find(({ is }) => is === 'unknown') ??
    ACCEPTS
  );
}

/** Mirrors `Validate` (1.30). */
function withParam(
  policy: Policy,
  binding: PolicyBinding,
  param: ApiObject | null,
  variables: Variables,
  { requests: { expressions }, stored }: DecisionsGiven,
): Decision {
  const state = { mayChange: false, isConverted: false };
  const params = (): Value => (param === null ? null : stored.valueOf(param, 'params', state));
  const own = new Map([...variables, ['params', params] as const]);
  const { matching, refuses, validations, notes } = policy;
  // Whether the namespace is known to conditions differs between releases.
  const ofConditions = new Map(own);
  ofConditions.set('namespaceObject', () => new Unknown('the namespace, in a condition'));
  const met = conditionsMet(matching.conditions, ofConditions, refuses, expressions);
  if (met.is === 'no') return ACCEPTS;
  if (met.is === 'fails') {
    return binding.denies ? { is: 'refuses', why: failureWords(met.message) } : ACCEPTS;
  }
  const all = new Map([...own, ['variables', variablesOf(policy, own, expressions)] as const]);
  const results = validations.map((validation) => {
    const result = evaluated(expressions, validation.expression, all);
    return decided(result, refuses, () => deniedWords(validation, all));
  });
  const found = worst([
    ...(binding.denies ? results : []),
    // Their errors refuse the request, whatever the actions of the binding are.
    ...notes.map((note): Decision => {
      const result = evaluated(expressions, note, all);
      if (result.is === 'known') return ACCEPTS;
      return decided(result, refuses, () => '');
    }),
  ]);
  if (met.is === 'yes') return found;
  if (found.is === 'accepts' && !met.canFail) return found;
  return { is: 'unknown', what: met.what };

  function deniedWords({ expression, message, messageExpression }: Validation, known: Variables) {
    const told = messageExpression === '' ? null : evaluated(expressions, messageExpression, known);
    const computed =
      told?.is === 'known' && typeof told.value === 'string' ? told.value.trim() : '';
    const isUsed =
      computed !== '' && !computed.includes('\n') && computed.length <= LONGEST_MESSAGE;
    const words = (isUsed ? computed : message.trim()) || 'failed expression';
    return `${words} (${shortened(expression)})`;
  }
}

/** `MaxEvaluatedMessageExpressionSizeBytes`, about. */
const LONGEST_MESSAGE = 5 * 1024;
const LONGEST_SHOWN = 120;

function shortened(expression: string): string {
  const line = expression.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN)}…`;
}

function failureWords(message: string): string {
  return `it cannot be evaluated (${message}), and its failurePolicy is Fail`;
}

function decided(result: Evaluated, refuses: boolean, denied: () => string): Decision {
  switch (result.is) {
    case 'known':
      return result.value === true ? ACCEPTS : { is: 'refuses', why: denied() };
    case 'error':
      return refuses ? { is: 'refuses', why: failureWords(result.message) } : ACCEPTS;
    case 'unknown':
      return result;
    default:
      throw new Error(`unknown result ${result satisfies never}`);
  }
}

/** Each variable is evaluated when it is used, and can use those before it. */
function variablesOf(
  { variables }: Policy,
  known: Variables,
  expressions: DecisionsGiven['requests']['expressions'],
): () => Value {
  const composed = new Mapping(
    variables.map(({ name }) => name),
    (name) => {
      const found = variables.find((variable) => variable.name === name);
      const all = new Map([...known, ['variables', () => composed] as const]);
      const result = evaluated(expressions, found?.expression ?? '', all);
      switch (result.is) {
        case 'known':
          return new Computed(result.value);
        case 'error':
          return new Failed(result.message);
        case 'unknown':
          return new Unknown(result.what);
        default:
          throw new Error(`unknown result ${result satisfies never}`);
      }
    },
    null,
  );
  return () => composed;
}
