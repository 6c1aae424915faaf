import * as z from 'zod';
import {
  BUILT_IN_KINDS,
  defaultPolicy,
  deletionFinalizers,
  type Kind,
} from '../../../model/index.ts';
import { compare, compareStated, passedOr } from '../compare.ts';
import { genericKind, withCollector } from '../fixtures.ts';
import { interpreter, NO_STEPS } from '../interpreter.ts';
import { unsupported } from '../outcome.ts';
import { asDeleteOptions, asPolicy, deleteOptions, policyName, policyWord } from './shapes.ts';

const storeSchema = z.strictObject({
  gcEnabled: z.boolean(),
  defaultPolicy: policyWord.optional(),
  policyByRequestVersion: z.record(z.string(), policyWord).optional(),
});

const finalizersSchemas = {
  given: z.strictObject({
    store: storeSchema,
    requestVersion: z.string().nullable(),
    object: z.strictObject({ finalizers: z.array(z.string()) }),
  }),
  steps: z.tuple([
    z.strictObject({ do: z.literal('computeDeletionFinalizers'), options: deleteOptions }),
  ]),
  expect: z.strictObject({
    changed: z.boolean().optional(),
    finalizers: z.array(z.string()).optional(),
  }),
};

/** `delete-finalizers`: the finalizers after a DELETE through an API version. */
export const interpretDeleteFinalizers = interpreter(
  finalizersSchemas,
  ({ given, steps: [step], expected, rules }) => {
    const { store, requestVersion, object } = given;
    const chosen = deletionFinalizers(
      withCollector(rules, store.gcEnabled),
      defaultPolicy(kindOf(store), requestVersion),
      object,
      asDeleteOptions(step.options),
    );
    return passedOr(
      compareStated('changed', expected.changed, chosen.changed) ??
        compareStated('finalizers', expected.finalizers, chosen.finalizers),
      'deletionFinalizersForGarbageCollection, model/apiserver/finalizers.ts',
    );
  },
);

function kindOf(store: z.infer<typeof storeSchema>): Kind {
  const fallback = asPolicy(store.defaultPolicy ?? 'none');
  const { default: other, noRequestInfo, ...named } = store.policyByRequestVersion ?? {};
  const versions = Object.entries(named).map(([version, word]) => [version, asPolicy(word)]);
  const byVersion =
    store.policyByRequestVersion === undefined
      ? {}
      : {
          defaultPolicyByVersion: {
            versions: Object.fromEntries(versions),
            otherVersions: other === undefined ? fallback : asPolicy(other),
            noRequest: noRequestInfo === undefined ? fallback : asPolicy(noRequestInfo),
          },
        };
  return genericKind({
    name: 'Stored',
    kind: 'Stored',
    apiVersions: ['v1'],
    resource: 'stored',
    namespaced: true,
    defaultPolicy: fallback,
    ...byVersion,
  });
}

const policySchemas = {
  given: z.strictObject({
    kind: z.string(),
    resource: z.string(),
    requestVersion: z.string().nullable(),
  }),
  steps: NO_STEPS,
  expect: z.strictObject({ defaultPolicy: policyWord }),
};

/** `default-policy`: the default policy of a kind for requests through an API version. */
export const interpretDefaultPolicy = interpreter(policySchemas, ({ given, expected }) => {
  const { kind, resource, requestVersion } = given;
  const known = Object.values(BUILT_IN_KINDS).find(
    (candidate) => candidate.kind === kind && candidate.resource === resource,
  );
  if (known === undefined) return unsupported(`given.kind: ${kind} is not in the table of kinds`);
  const got = policyName(defaultPolicy(known, requestVersion));
  return passedOr(
    compare('defaultPolicy', expected.defaultPolicy, got),
    'DefaultGarbageCollectionPolicy, model/state/kind-table.ts',
  );
});
