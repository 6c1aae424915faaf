import { z } from 'zod';
import { alternateOwnerIdentity } from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { unsupported } from '../outcome.ts';
import { asReference, identity, ownerReference } from '../shapes.ts';
import { compare } from './compare-state.ts';
import { passedOr } from './trace.ts';

/** `alternate-owner`: which coordinates a virtual owner takes after some were found absent. */

const givenSchema = z.strictObject({
  verifiedAbsent: identity,
  dependents: z.array(z.strictObject({ identity, owners: z.array(ownerReference) })),
});

const expectSchema = z.strictObject({ alternate: identity.nullable() });

export const interpretAlternateOwner: Interpreter = (fact) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (expected.outcome !== null) return expected.outcome;
  if (fact.steps.length > 0) return unsupported('steps: this kind has none');
  const { verifiedAbsent, dependents } = given.value;
  const alternate = alternateOwnerIdentity(
    dependents.map((dependent) => ({
      uid: dependent.identity.uid,
      namespace: dependent.identity.namespace,
      owners: dependent.owners.map(asReference),
    })),
    verifiedAbsent,
  );
  return passedOr(
    compare('alternate', expected.value.alternate, alternate),
    'getAlternateOwnerIdentity, model/collector/owners.ts',
  );
};
