import * as z from 'zod';
import { alternateOwnerIdentity } from '../../../model/index.ts';
import { compare, passedOr } from '../compare.ts';
import { interpreter, NO_STEPS } from '../interpreter.ts';
import { asReference, identity, ownerReference } from '../shapes.ts';

const schemas = {
  given: z.strictObject({
    verifiedAbsent: identity,
    dependents: z.array(z.strictObject({ identity, owners: z.array(ownerReference) })),
  }),
  steps: NO_STEPS,
  expect: z.strictObject({ alternate: identity.nullable() }),
};

/** `alternate-owner`: the coordinates of a virtual owner after some were found absent. */
export const interpretAlternateOwner = interpreter(schemas, ({ given, expected }) => {
  const { verifiedAbsent, dependents } = given;
  const alternate = alternateOwnerIdentity(
    dependents.map((dependent) => ({
      uid: dependent.identity.uid,
      namespace: dependent.identity.namespace,
      owners: dependent.owners.map(asReference),
    })),
    verifiedAbsent,
  );
  return passedOr(
    compare('alternate', expected.alternate, alternate),
    'getAlternateOwnerIdentity, model/collector/owners.ts',
  );
});
