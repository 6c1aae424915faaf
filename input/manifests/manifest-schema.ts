import * as z from 'zod';

/**
 * Schemas of the parts of a manifest that deletion depends on. Go writes unset fields as `null`.
 */

const text = z.string().min(1);

export const ownerReferenceSchema = z.looseObject({
  apiVersion: text,
  kind: text,
  name: text,
  uid: z.string().nullish(),
  controller: z.boolean().nullish(),
  blockOwnerDeletion: z.boolean().nullish(),
});

const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/, {
    error: 'a time such as 2021-03-04T05:06:07Z',
  });

const initializersSchema = z.strictObject({
  pending: z.array(z.strictObject({ name: text })).nullish(),
  result: z
    .looseObject({
      status: z.enum(['Success', 'Failure'], { error: 'Success or Failure' }).nullish(),
    })
    .nullish(),
});

export const observedSchema = z.looseObject({
  status: z.looseObject({ observedGeneration: z.int().min(0).nullish() }).nullish(),
});

export const manifestSchema = z.looseObject({
  apiVersion: text,
  kind: text,
  metadata: z.looseObject({
    name: text,
    namespace: z.string().nullish(),
    uid: z.string().nullish(),
    generation: z.int().min(0).nullish(),
    finalizers: z.array(text).nullish(),
    ownerReferences: z.array(ownerReferenceSchema).nullish(),
    deletionTimestamp: timestamp.nullish(),
    deletionGracePeriodSeconds: z.int().min(0).nullish(),
    initializers: initializersSchema.nullish(),
  }),
});

export type Manifest = z.output<typeof manifestSchema>;

const tolerationSchema = z.looseObject({
  key: z.string().nullish().catch(null),
  operator: z.string().nullish().catch(null),
  value: z.string().nullish().catch(null),
  effect: z.string().nullish().catch(null),
  tolerationSeconds: z.number().nullish().catch(null),
});

export const podSchema = z.looseObject({
  metadata: z.looseObject({ name: text }),
  spec: z
    .looseObject({
      terminationGracePeriodSeconds: z.int().min(0).nullish(),
      nodeName: z.string().nullish(),
      tolerations: z.array(tolerationSchema).nullish().catch(null),
      volumes: z
        .array(
          z.looseObject({
            name: z.string().nullish(),
            persistentVolumeClaim: z.looseObject({ claimName: text }).nullish(),
            ephemeral: z.looseObject({}).nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
  status: z.looseObject({ phase: z.string().nullish() }).nullish(),
});

export const volumeSchema = z.looseObject({
  spec: z
    .looseObject({
      claimRef: z
        .looseObject({ namespace: text.nullish(), name: text, uid: text.nullish() })
        .nullish(),
    })
    .nullish(),
  status: z.looseObject({ phase: z.string().nullish() }).nullish(),
});

export const namespaceSchema = z.looseObject({
  spec: z.looseObject({ finalizers: z.array(text).nullish() }).nullish(),
});

export const OWNER_REFERENCE_FIELDS = [
  'apiVersion',
  'kind',
  'name',
  'uid',
  'controller',
  'blockOwnerDeletion',
];

/** Fields of `metav1.ObjectMeta` that deletion depends on. */
export const READ_METADATA = [
  'name',
  'namespace',
  'uid',
  'generation',
  'finalizers',
  'ownerReferences',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'initializers',
];

/** The other fields of `metav1.ObjectMeta`. */
export const OTHER_METADATA = [
  'annotations',
  'clusterName',
  'creationTimestamp',
  'generateName',
  'labels',
  'managedFields',
  'resourceVersion',
  'selfLink',
];
