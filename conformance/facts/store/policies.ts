import { z } from 'zod';
import {
  BUILT_IN_KINDS,
  defaultPolicy,
  deletionFinalizers,
  type Kind,
} from '../../../model/index.ts';
import { compare } from '../collector/compare-state.ts';
import { passedOr } from '../collector/trace.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { unsupported } from '../outcome.ts';
import { asDeleteOptions, asPolicy, deleteOptions, policyName, policyWord } from './shapes.ts';

/** Which finalizers, and which policy, result for a kind requested through an API version. */

const finalizersGiven = z.strictObject({
  store: z.strictObject({
    gcEnabled: z.boolean(),
    defaultPolicy: policyWord.optional(),
    policyByRequestVersion: z.record(z.string(), policyWord).optional(),
  }),
  requestVersion: z.string().nullable(),
  object: z.strictObject({ finalizers: z.array(z.string()) }),
});

const finalizersSteps = z.tuple([
  z.strictObject({ do: z.literal('computeDeletionFinalizers'), options: deleteOptions }),
]);

const finalizersExpect = z.strictObject({
  changed: z.boolean().optional(),
  finalizers: z.array(z.string()).optional(),
});

/** `delete-finalizers` */
export const interpretDeleteFinalizers: Interpreter = (fact, rules) => {
  const given = parseWith(finalizersGiven, fact.given, 'given');
  const steps = parseWith(finalizersSteps, fact.steps, 'steps');
  const expected = parseWith(finalizersExpect, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const { store, requestVersion, object } = given.value;
  const chosen = deletionFinalizers(
    store.gcEnabled ? rules : { ...rules, collectorFinalizers: 'disabled' },
    defaultPolicy(kindOf(store), requestVersion),
    object,
    asDeleteOptions(steps.value[0].options),
  );
  const { changed, finalizers } = expected.value;
  return passedOr(
    (changed === undefined ? null : compare('changed', changed, chosen.changed)) ??
      (finalizers === undefined ? null : compare('finalizers', finalizers, chosen.finalizers)),
    'deletionFinalizersForGarbageCollection, model/apiserver/finalizers.ts',
  );
};

function kindOf(store: z.infer<typeof finalizersGiven>['store']): Kind {
  const fallback = asPolicy(store.defaultPolicy ?? 'none');
  const { default: other, noRequestInfo, ...named } = store.policyByRequestVersion ?? {};
  const versions = Object.entries(named).map(([version, word]) => [version, asPolicy(word)]);
  const base: Kind = {
    name: 'Stored',
    kind: 'Stored',
    apiVersions: ['v1'],
    resource: 'stored',
    namespaced: true,
    defaultPolicy: fallback,
    graceful: false,
    generation: false,
    storage: 'generic',
    watched: true,
  };
  if (store.policyByRequestVersion === undefined) return base;
  return {
    ...base,
    defaultPolicyByVersion: {
      versions: Object.fromEntries(versions),
      otherVersions: other === undefined ? fallback : asPolicy(other),
      noRequest: noRequestInfo === undefined ? fallback : asPolicy(noRequestInfo),
    },
  };
}

const policyGiven = z.strictObject({
  kind: z.string(),
  resource: z.string(),
  requestVersion: z.string().nullable(),
});

/** `default-policy` */
export const interpretDefaultPolicy: Interpreter = (fact) => {
  const given = parseWith(policyGiven, fact.given, 'given');
  const expected = parseWith(z.strictObject({ defaultPolicy: policyWord }), fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (expected.outcome !== null) return expected.outcome;
  if (fact.steps.length > 0) return unsupported('steps: this kind has none');
  const { kind, resource, requestVersion } = given.value;
  const known = Object.values(BUILT_IN_KINDS).find(
    (candidate) => candidate.kind === kind && candidate.resource === resource,
  );
  if (known === undefined) return unsupported(`given.kind: ${kind} is not in the table of kinds`);
  return passedOr(
    compare(
      'defaultPolicy',
      expected.value.defaultPolicy,
      policyName(defaultPolicy(known, requestVersion)),
    ),
    'DefaultGarbageCollectionPolicy, model/state/kind-table.ts',
  );
};
