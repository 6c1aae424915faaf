import * as z from 'zod';
import type { OwnerReference } from '../../model/index.ts';

/** Parts of cases that several kinds share. */

export const identity = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
});

export const ownerReference = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
});

/** The reference as the model has it: without keys that are undefined, in a fixed order of keys. */
export function asReference(parsed: z.infer<typeof ownerReference>): OwnerReference {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = parsed;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

export const servedKind = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  resource: z.string(),
  namespaced: z.boolean(),
});
