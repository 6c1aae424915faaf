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
import { compare, passedOr } from '../compare.ts';
import { objectOfKind, servedKinds } from '../fixtures.ts';
import { interpreter } from '../interpreter.ts';
import { asReference, ownerReference } from '../shapes.ts';

/** A reference of which only the uid must be given. */
const bareReference = ownerReference.partial().required({ uid: true });

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('patch.unblockOwners') }),
  z.strictObject({ do: z.literal('patch.removeOwners'), uids: z.array(z.string()) }),
]);

const schemas = {
  given: z.strictObject({ uid: z.string(), ownerReferences: z.array(bareReference) }),
  steps: z.array(step),
  expect: z.strictObject({ ownerReferences: z.array(bareReference) }),
};

const KINDS = servedKinds([{ apiVersion: 'v1', kind: 'Pod', resource: 'pods', namespaced: true }]);

/** `owner-patch`: the patches of owner references, and what the API server stores for them. */
export const interpretOwnerPatch = interpreter(schemas, ({ given, steps, expected, rules }) => {
  const { uid, ownerReferences } = given;
  const [kind] = Object.values(KINDS);
  if (kind === undefined) throw new Error('the table of kinds is empty');
  const coordinates = { namespace: 'ns1', name: 'object', uid };
  let object = objectOfKind(kind, coordinates, ownerReferences.map(completed));
  for (const one of steps) object = patched(rules, object, one);
  const got = object.ownerReferences.map(withoutEmpty);
  return passedOr(
    compare('ownerReferences', expected.ownerReferences, got),
    'the patches of model/collector/delete-requests.ts',
  );
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

function patched(rules: Rules, object: ApiObject, taken: z.infer<typeof step>): ApiObject {
  const world: World = { kinds: KINDS, rules, absentOwnerCapacity: Number.POSITIVE_INFINITY };
  const { namespace, name, uid } = object;
  const item = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid };
  const call =
    taken.do === 'patch.unblockOwners'
      ? unblockPatch(world, 'collector', item, object.ownerReferences)
      : ownerPatch(world, 'collector', item, taken.uids);
  return applyChange(object, call.change);
}
