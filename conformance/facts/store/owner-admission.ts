import { z } from 'zod';
import { judgeOwnerReferences, type Kind, type KindTable } from '../../../model/index.ts';
import { compare } from '../collector/compare-state.ts';
import { passedOr } from '../collector/trace.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { unsupported } from '../outcome.ts';
import { asReference, ownerReference, servedKind } from '../shapes.ts';

/** `owner-admission`: may this user write this owner reference list? */

/** What the table leaves out is empty, so that all references are equal by uid. */
const reference = ownerReference.partial();
type StatedReference = z.infer<typeof reference>;

const givenSchema = z.strictObject({
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
});

const expectSchema = z.strictObject({
  allowed: z.boolean(),
  reason: z.string().optional(),
});

function ownerOf(stated: StatedReference) {
  const { apiVersion = '', kind = '', name = '', uid = '', ...flags } = stated;
  return asReference({ apiVersion, kind, name, uid, ...flags });
}

function tableOf(served: readonly z.infer<typeof servedKind>[]): KindTable {
  const kinds = served.map(
    ({ apiVersion, kind, resource, namespaced }): Kind => ({
      name: `${apiVersion} ${kind}`,
      kind,
      apiVersions: [apiVersion],
      resource,
      namespaced,
      defaultPolicy: 'none',
      graceful: false,
      generation: false,
      storage: 'generic',
      watched: true,
    }),
  );
  return Object.fromEntries(kinds.map((kind) => [kind.name, kind]));
}

export const interpretOwnerAdmission: Interpreter = (fact) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (expected.outcome !== null) return expected.outcome;
  if (fact.steps.length > 0) return unsupported('steps: this kind has none');
  const { denied, served, exempt, request } = given.value;
  const rights = denied.map(({ verb, resource, subresource }) => ({
    verb,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
  }));
  const denial = judgeOwnerReferences(tableOf(served), rights, exempt, {
    operation: request.operation,
    resource: request.resource,
    subresource: request.subresource,
    namespace: request.namespace,
    oldOwners: request.oldOwners?.map(ownerOf) ?? null,
    newOwners: request.newOwners.map(ownerOf),
  });
  const { allowed, reason } = expected.value;
  return passedOr(
    compare('allowed', allowed, denial === null) ??
      (reason === undefined ? null : compare('reason', reason, denial?.reason ?? null)),
    'gcPermissionsEnforcement.Validate, model/apiserver/admission.ts',
  );
};
