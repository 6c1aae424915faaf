import * as z from 'zod';
import type { OwnerReference } from '../../../model/index.ts';
import type { SeenObject, SeenPod } from './observations.ts';

/** Schemas of metadata in logs. Go writes `null` for "unset". Other fields are not read. */

const text = z.string();

const ownerReferenceSchema = z.looseObject({
  apiVersion: text.default(''),
  kind: text.default(''),
  name: text.default(''),
  uid: text.default(''),
  controller: z.boolean().nullish(),
  blockOwnerDeletion: z.boolean().nullish(),
});

export const seenMetadataSchema = z.looseObject({
  uid: z.string().min(1),
  resourceVersion: z.string().nullish(),
  generation: z.int().nullish(),
  finalizers: z.array(text).nullish(),
  ownerReferences: z.array(ownerReferenceSchema).nullish(),
  deletionTimestamp: text.nullish(),
  deletionGracePeriodSeconds: z.int().nullish(),
});

export const seenObjectSchema = z.looseObject({
  metadata: seenMetadataSchema.extend({ name: text, namespace: text.nullish() }),
  spec: z.looseObject({}).nullish(),
  status: z.looseObject({}).nullish(),
});

export type SeenMetadata = z.output<typeof seenMetadataSchema>;

/** The parts of a fully logged object that are read. */
export interface WholeObject {
  readonly metadata: SeenMetadata;
  readonly spec?: Readonly<Record<string, unknown>> | null | undefined;
  readonly status?: Readonly<Record<string, unknown>> | null | undefined;
}

export function seenMetadata(
  metadata: SeenMetadata,
  phase: string | null = null,
  specFinalizers: readonly string[] | null = null,
): SeenObject {
  return {
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion ?? null,
    generation: metadata.generation ?? null,
    finalizers: metadata.finalizers ?? [],
    ownerReferences: references(metadata.ownerReferences ?? []),
    deletionTimestamp: metadata.deletionTimestamp ?? null,
    deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds ?? null,
    phase,
    specFinalizers,
  };
}

/** The object of an answer or event that is logged in full. */
export function seenWhole(object: WholeObject): SeenObject {
  const phase = object.status?.phase;
  const specFinalizers = z.array(text).safeParse(object.spec?.finalizers);
  return seenMetadata(
    object.metadata,
    typeof phase === 'string' ? phase : null,
    specFinalizers.success ? specFinalizers.data : null,
  );
}

export function seenPod(object: WholeObject): SeenPod | null {
  const { spec } = object;
  if (spec === null || spec === undefined || !('containers' in spec)) return null;
  const grace = spec.terminationGracePeriodSeconds;
  return {
    scheduled: typeof spec.nodeName === 'string' && spec.nodeName !== '',
    terminationGracePeriodSeconds: typeof grace === 'number' ? grace : null,
  };
}

/** The owner references in a body; null if the value is not a list of them. */
export function seenReferences(value: unknown): readonly OwnerReference[] | null {
  const result = z.array(ownerReferenceSchema).safeParse(value);
  return result.success ? references(result.data) : null;
}

function references(
  given: readonly z.output<typeof ownerReferenceSchema>[],
): readonly OwnerReference[] {
  return given.map((reference) => ({
    apiVersion: reference.apiVersion,
    kind: reference.kind,
    name: reference.name,
    uid: reference.uid,
    ...(typeof reference.controller === 'boolean' ? { controller: reference.controller } : {}),
    ...(typeof reference.blockOwnerDeletion === 'boolean'
      ? { blockOwnerDeletion: reference.blockOwnerDeletion }
      : {}),
  }));
}
