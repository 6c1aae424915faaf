import * as z from 'zod';
import { judgeOwnerReferences, type OwnerReference } from '../../../model/index.ts';
import { compare, compareStated, passedOr } from '../compare.ts';
import { genericKind, tableOf } from '../fixtures.ts';
import { interpreter, NO_STEPS } from '../interpreter.ts';
import { asReference, ownerReference, servedKind } from '../shapes.ts';

/** The cases leave out what is empty, so that all references are equal by uid. */
const reference = ownerReference.partial();

const schemas = {
  given: z.strictObject({
    denied: z.array(
      z.strictObject({
        verb: z.enum(['delete', 'update']),
        resource: z.string(),
        subresource: z.string().optional(),
      }),
    ),
    served: z.array(servedKind),
    exempt: z.array(z.strictObject({ resource: z.string(), subresource: z.string() })),
    request: z.strictObject({
      operation: z.enum(['create', 'update']),
      user: z.string(),
      group: z.string(),
      version: z.string(),
      resource: z.string(),
      subresource: z.string(),
      namespace: z.string(),
      name: z.string(),
      oldOwners: z.array(reference).nullable(),
      newOwners: z.array(reference),
    }),
  }),
  steps: NO_STEPS,
  expect: z.strictObject({
    allowed: z.boolean(),
    reason: z.string().optional(),
  }),
};

function ownerOf(stated: z.infer<typeof reference>): OwnerReference {
  const { apiVersion = '', kind = '', name = '', uid = '', ...flags } = stated;
  return asReference({ apiVersion, kind, name, uid, ...flags });
}

/** `owner-admission`: may this user write this list of owner references? */
export const interpretOwnerAdmission = interpreter(schemas, ({ given, expected, rules }) => {
  const { denied, served, exempt, request } = given;
  const kinds = served.map(({ apiVersion, kind, resource, namespaced }) =>
    genericKind({
      name: `${apiVersion} ${kind}`,
      kind,
      apiVersions: [apiVersion],
      resource,
      namespaced,
    }),
  );
  const rights = denied.map(({ verb, resource, subresource }) => ({
    verb,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
  }));
  const change = {
    operation: request.operation,
    resource: request.resource,
    subresource: request.subresource,
    namespace: request.namespace,
    oldOwners: request.oldOwners?.map(ownerOf) ?? null,
    newOwners: request.newOwners.map(ownerOf),
  };
  const denial = judgeOwnerReferences(tableOf(kinds), rights, exempt, change, rules);
  return passedOr(
    compare('allowed', expected.allowed, denial === null) ??
      compareStated('reason', expected.reason, denial?.reason ?? null),
    'gcPermissionsEnforcement.Validate, model/apiserver/admission.ts',
  );
});
