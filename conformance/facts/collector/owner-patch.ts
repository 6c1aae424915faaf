import * as z from 'zod';
import {
  type ApiObject,
  applyChange,
  type OwnerReference,
  ownerPatch,
  type Rules,
  unblockPatch,
  type World,
} from '../../../model/index.ts';
import { compare, compareStated, failedAt, passedOr } from '../compare.ts';
import { objectOfKind, servedKinds } from '../fixtures.ts';
import { interpreter } from '../interpreter.ts';
import { asReference, ownerReference } from '../shapes.ts';

/** A reference of which only the uid must be given. */
const bareReference = ownerReference.partial().required({ uid: true });

const stated = z.strictObject({ error: z.string().nullable().optional() }).optional();

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('patch.unblockOwners'), stated }),
  z.strictObject({
    do: z.literal('patch.removeOwners'),
    uids: z.array(z.string()),
    /** The uid that the patch names; without it, that of the object. */
    uidPrecondition: z.string().optional(),
    stated,
  }),
]);

const schemas = {
  given: z.strictObject({ uid: z.string(), ownerReferences: z.array(bareReference) }),
  steps: z.array(step),
  expect: z.strictObject({ ownerReferences: z.array(bareReference) }),
};

const KINDS = servedKinds([{ apiVersion: 'v1', kind: 'Pod', resource: 'pods', namespaced: true }]);

const DECIDED_BY = 'the patches of model/collector/delete-requests.ts';

/**
 * `owner-patch`: the patches of owner references, and what the API server stores for them. The
 * server of these cases answers a patch that names another uid with a conflict.
 */
export const interpretOwnerPatch = interpreter(schemas, ({ given, steps, expected, rules }) => {
  const { uid, ownerReferences } = given;
  const [kind] = Object.values(KINDS);
  if (kind === undefined) throw new Error('the table of kinds is empty');
  const coordinates = { namespace: 'ns1', name: 'object', uid };
  let object = objectOfKind(kind, coordinates, ownerReferences.map(completed));
  for (const [index, one] of steps.entries()) {
    const named = one.do === 'patch.removeOwners' ? (one.uidPrecondition ?? uid) : uid;
    const patch = patchOf(rules, { ...object, uid: named }, one);
    const error = patch.uid === null || patch.uid === uid ? null : 'Conflict';
    const difference = compareStated('error', one.stated?.error, error);
    if (difference !== null) return failedAt(index, difference, DECIDED_BY);
    if (error === null) object = applyChange(object, patch.change);
  }
  const got = object.ownerReferences.map(withoutEmpty);
  return passedOr(compare('ownerReferences', expected.ownerReferences, got), DECIDED_BY);
});

/** The cases leave out coordinates: they are empty in the model, and removed from the result. */
function completed({
  apiVersion = '',
  kind = '',
  name = '',
  ...rest
}: z.infer<typeof bareReference>): OwnerReference {
  return asReference({ apiVersion, kind, name, ...rest });
}

function withoutEmpty(reference: OwnerReference): object {
  return Object.fromEntries(Object.entries(reference).filter(([, value]) => value !== ''));
}

function patchOf(rules: Rules, object: ApiObject, taken: z.infer<typeof step>) {
  const world: World = { kinds: KINDS, rules, absentOwnerCapacity: Number.POSITIVE_INFINITY };
  const { namespace, name, uid } = object;
  const item = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid };
  return taken.do === 'patch.unblockOwners'
    ? unblockPatch(world, 'collector', item, object.ownerReferences)
    : ownerPatch(world, 'collector', item, taken.uids);
}
