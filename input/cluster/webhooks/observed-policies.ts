import * as z from 'zod';
import {
  conditionsOf,
  conditionsSchema,
  type Matching,
  type Requirement,
  requirementsOf,
  rulesOf,
  rulesSchema,
  selectorOf,
  selectorSchema,
  text,
  texts,
} from './observed.ts';

/** What a dump says of ValidatingAdmissionPolicies and their bindings. All readers are lenient. */

/** What a policy says of the requests that it is about. All expressions are CEL. */
export interface Policy {
  readonly matching: Matching;
  /** `failurePolicy: Fail`: what cannot be evaluated is refused. */
  readonly refuses: boolean;
  readonly validations: readonly Validation[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  /** The expressions of audit annotations, which can fail as well. */
  readonly notes: readonly string[];
  /** The kind of its parameters; null: it has none. */
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | null;
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string;
}

/** What a binding makes a policy do; `matching`: what it narrows the policy to, if anything. */
export interface PolicyBinding {
  readonly policy: string;
  /** Whether what the policy does not accept is refused, and not only reported. */
  readonly denies: boolean;
  readonly matching: readonly Matching[];
  readonly paramRef: ParamRef | null;
}

/** Which objects are the parameters: one by its name, or those with such labels. */
export interface ParamRef {
  readonly name: string;
  /** Empty: that of the object. */
  readonly namespace: string;
  readonly selector: readonly Requirement[] | null;
  /** Whether requests are refused where there are none. */
  readonly demanded: boolean;
}

const matchSchema = z
  .looseObject({
    namespaceSelector: selectorSchema,
    objectSelector: selectorSchema,
    matchPolicy: text.default(''),
    resourceRules: rulesSchema,
    excludeResourceRules: rulesSchema,
  })
  .nullish()
  .catch(null);

const nothing = (): [] => [];

const policySchema = z.looseObject({
  spec: z.looseObject({
    matchConstraints: matchSchema,
    matchConditions: conditionsSchema,
    failurePolicy: text.default('Fail'),
    validations: z
      .array(
        z.looseObject({
          expression: text.default(''),
          message: text.default(''),
          messageExpression: text.default(''),
        }),
      )
      .nullish()
      .catch(nothing),
    variables: z
      .array(z.looseObject({ name: text, expression: text.default('') }))
      .nullish()
      .catch(nothing),
    auditAnnotations: z
      .array(z.looseObject({ valueExpression: text.default('') }))
      .nullish()
      .catch(nothing),
    paramKind: z.looseObject({ apiVersion: text, kind: text }).nullish().catch(null),
  }),
});

const mutationsSchema = z.looseObject({
  spec: z.looseObject({
    mutations: z
      .array(
        z.looseObject({
          applyConfiguration: z.looseObject({ expression: text.default('') }).nullish(),
          jsonPatch: z.looseObject({ expression: text.default('') }).nullish(),
        }),
      )
      .nullish()
      .catch(nothing),
  }),
});

const bindingSchema = z.looseObject({
  spec: z.looseObject({
    policyName: text.default(''),
    validationActions: texts,
    matchResources: matchSchema,
    paramRef: z
      .looseObject({
        name: text.default(''),
        namespace: text.default(''),
        selector: z.unknown().optional(),
        parameterNotFoundAction: text.default(''),
      })
      .nullish()
      .catch(null),
  }),
});

function matchingOf(match: z.output<typeof matchSchema>, conditions: readonly string[]): Matching {
  return {
    namespaceSelector: requirementsOf(match?.namespaceSelector),
    objectSelector: requirementsOf(match?.objectSelector),
    conditions,
    exact: match?.matchPolicy === 'Exact',
    rules: rulesOf(match?.resourceRules),
    excluded: rulesOf(match?.excludeResourceRules),
  };
}

/** A validation that a dump lacks: each policy has one, or an annotation. */
const LACKING: Validation = { expression: '', message: '', messageExpression: '' };

export function policyOf(manifest: unknown): Policy {
  const { data } = policySchema.safeParse(manifest);
  const { validations, auditAnnotations, paramKind } = data?.spec ?? {};
  const notes = (auditAnnotations ?? []).map(({ valueExpression }) => valueExpression);
  const told = (validations ?? []).map(({ expression, message, messageExpression }) => {
    return { expression, message, messageExpression };
  });
  return {
    matching: matchingOf(data?.spec.matchConstraints, conditionsOf(data?.spec.matchConditions)),
    refuses: data?.spec.failurePolicy !== 'Ignore',
    validations: told.length + notes.length === 0 ? [LACKING] : told,
    variables: (data?.spec.variables ?? []).map(({ name, expression }) => ({ name, expression })),
    notes,
    paramKind: paramKind ? { apiVersion: paramKind.apiVersion, kind: paramKind.kind } : null,
  };
}

/** What a MutatingAdmissionPolicy changes of objects that are created or updated. */
export interface MutatingPolicy extends Policy {
  /** Expressions of apply configurations and JSON patches; empty: the dump lacks them. */
  readonly mutations: readonly string[];
}

export function mutatingPolicyOf(manifest: unknown): MutatingPolicy {
  const { data } = mutationsSchema.safeParse(manifest);
  const mutations = (data?.spec.mutations ?? []).map(
    ({ applyConfiguration, jsonPatch }) =>
      applyConfiguration?.expression ?? jsonPatch?.expression ?? '',
  );
  return { ...policyOf(manifest), validations: [], mutations };
}

const ANY_RULE = {
  groups: ['*'],
  versions: ['*'],
  resources: ['*/*'],
  operations: ['*'],
  scope: '*',
  names: [],
};

/** All requests but those about admission itself. */
export const EVERYTHING: Matching = {
  namespaceSelector: [],
  objectSelector: [],
  conditions: [],
  exact: false,
  rules: [ANY_RULE],
  excluded: [],
};

export function policyBindingOf(manifest: unknown): PolicyBinding {
  const { data } = bindingSchema.safeParse(manifest);
  const { policyName = '', validationActions = [], matchResources, paramRef } = data?.spec ?? {};
  const found = matchingOf(matchResources, []);
  // Without rules of its own, it is about all requests of the policy.
  const rules = found.rules.length === 0 ? [ANY_RULE] : found.rules;
  return {
    policy: policyName,
    denies: validationActions.includes('Deny'),
    matching: matchResources ? [{ ...found, rules }] : [],
    paramRef: paramRef
      ? {
          name: paramRef.name,
          namespace: paramRef.namespace,
          selector: paramRef.selector ? selectorOf(paramRef.selector) : null,
          demanded: paramRef.parameterNotFoundAction === 'Deny',
        }
      : null,
  };
}
