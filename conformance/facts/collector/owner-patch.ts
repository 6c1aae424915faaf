import { z } from 'zod';
import {
  type ApiObject,
  applyChange,
  type OwnerReference,
  ownerPatch,
  type Rules,
  unblockPatch,
  type World,
} from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { apiObject, servedKinds } from '../kinds.ts';
import { compare } from './compare-state.ts';
import { passedOr } from './trace.ts';

/** `owner-patch`: the patches of owner references, and what the API server makes of them. */

const bareReference = z.strictObject({
  uid: z.string(),
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
});

const givenSchema = z.strictObject({
  uid: z.string(),
  ownerReferences: z.array(bareReference),
});

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('patch.unblockOwners') }),
  z.strictObject({ do: z.literal('patch.removeOwners'), uids: z.array(z.string()) }),
]);

const expectSchema = z.strictObject({ ownerReferences: z.array(bareReference) });

const KINDS = servedKinds([{ apiVersion: 'v1', kind: 'Pod', resource: 'pods', namespaced: true }]);

export const interpretOwnerPatch: Interpreter = (fact, rules) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const steps = parseWith(z.array(stepSchema), fact.steps, 'steps');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const { uid, ownerReferences } = given.value;
  const [kind] = Object.values(KINDS);
  if (kind === undefined) throw new Error('the table of kinds is empty');
  const identified = { namespace: 'ns1', name: 'object', uid };
  let object = apiObject(kind, identified, ownerReferences.map(completed));
  for (const step of steps.value) object = patched(rules, object, step);
  const got = object.ownerReferences.map((reference) => withoutEmpty(reference));
  return passedOr(
    compare('ownerReferences', expected.value.ownerReferences, got),
    'the patches of model/collector/delete-requests.ts',
  );
};

/** The table leaves coordinates out: empty ones take their place, and are taken off at the end. */
function completed(reference: z.infer<typeof bareReference>): OwnerReference {
  const { uid, apiVersion = '', kind = '', name = '', controller, blockOwnerDeletion } = reference;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

function withoutEmpty(reference: OwnerReference): object {
  return Object.fromEntries(Object.entries(reference).filter(([, value]) => value !== ''));
}

function patched(rules: Rules, object: ApiObject, step: z.infer<typeof stepSchema>): ApiObject {
  const world: World = { kinds: KINDS, rules, absentOwnerCapacity: Number.POSITIVE_INFINITY };
  const { namespace, name, uid } = object;
  const item = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid };
  const call =
    step.do === 'patch.unblockOwners'
      ? unblockPatch(world, 'collector', item, object.ownerReferences)
      : ownerPatch(world, 'collector', item, step.uids);
  return applyChange(object, call.change);
}
