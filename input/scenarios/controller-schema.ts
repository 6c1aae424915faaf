import * as z from 'zod';
import { WORKLOAD_CONTROLLERS } from '../../model/index.ts';

/** The schema of the controllers in a scenario that reconcile one object each. */

const text = z.string().min(1);
const count = z.int().min(0);

/** A child that a controller may create, with the children that it controls in turn. */
export interface ChildEntry {
  readonly object: unknown;
  readonly replicas?: number;
  readonly selects?: readonly string[];
  readonly uidsReturn?: boolean;
  readonly children?: readonly ChildEntry[];
}

const childSchema: z.ZodType<ChildEntry> = z.lazy(() =>
  z.strictObject({
    object: z.unknown(),
    replicas: count.exactOptional(),
    selects: z.array(text).exactOptional(),
    uidsReturn: z.boolean().exactOptional(),
    children: z.array(childSchema).exactOptional(),
  }),
);

const RETENTIONS = z.enum(['Retain', 'Delete']);

export const workloadSchema = z.strictObject({
  controls: text,
  replicas: count,
  controller: z.enum(WORKLOAD_CONTROLLERS).exactOptional(),
  caches: z.enum(['live', 'own']).exactOptional(),
  selects: z.array(text).exactOptional(),
  uidsReturn: z.boolean().exactOptional(),
  claims: z
    .strictObject({
      whenDeleted: RETENTIONS.exactOptional(),
      whenScaled: RETENTIONS.exactOptional(),
      ofPods: z.record(text, z.array(text)),
    })
    .exactOptional(),
  children: z.array(childSchema).exactOptional(),
});

export type WorkloadEntry = z.output<typeof workloadSchema>;

const teardownSchema = z.strictObject({
  delete: text,
  propagationPolicy: z.enum(['Foreground', 'Background', 'Orphan']).exactOptional(),
  gracePeriodSeconds: count.exactOptional(),
});

export const operatorSchema = z.strictObject({
  name: text,
  watches: text,
  finalizer: text.exactOptional(),
  addsFinalizer: z.boolean().exactOptional(),
  creates: z.array(z.unknown()).exactOptional(),
  uidsReturn: z.boolean().exactOptional(),
  deletes: z.array(teardownSchema).exactOptional(),
  waitsForDeletes: z.boolean().exactOptional(),
  waitsFor: z.array(text).exactOptional(),
  needs: z.array(text).exactOptional(),
  adopts: z.array(text).exactOptional(),
  childFinalizer: text.exactOptional(),
  createsInTeardown: z.array(z.unknown()).exactOptional(),
  reads: z.enum(['cache', 'live']).exactOptional(),
  fairness: z.enum(['weak', 'none']).exactOptional(),
});

export type OperatorEntry = z.output<typeof operatorSchema>;

/** The field names, for suggestions. */
export const CONTROLLER_FIELDS: readonly string[] = [
  ...Object.keys(workloadSchema.shape),
  ...Object.keys(operatorSchema.shape),
];
