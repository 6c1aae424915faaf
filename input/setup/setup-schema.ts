import { z } from 'zod';
import { RULES, type RuleName, type Rules } from '../../model/index.ts';
import { WORKERS_HIGHEST } from '../scenarios/schema.ts';
import { kindSchema, objectSchema } from './object-schema.ts';
import { deleteOptionsSchema, factSchema, userStepSchema } from './request-schema.ts';

/**
 * The model in a stored result (`Setup` in model/state/setup.ts). A setup of another version of the model
 * does not match; reading it would give wrong results.
 */

const count = z.int().nonnegative();
const texts = z.array(z.string());
const set = z.literal(true).exactOptional();
const flag = z.boolean().exactOptional();
const workers = z.int().min(1).max(WORKERS_HIGHEST);
const parent = z.strictObject({ key: z.string(), uid: z.string() });

const workloadSchema = z.strictObject({
  parent,
  replicas: count,
  children: z.array(objectSchema),
  controller: z.string().exactOptional(),
  caches: z.literal('own').exactOptional(),
  selects: texts.exactOptional(),
  uidsReturn: set,
});

const operatorSchema = z.strictObject({
  name: z.string(),
  parent,
  finalizer: z.string().exactOptional(),
  addsFinalizer: z.boolean(),
  creates: z.array(objectSchema),
  uidsReturn: set,
  deletes: z.array(z.strictObject({ key: z.string(), options: deleteOptionsSchema })),
  waitsFor: texts,
  reads: z.enum(['cache', 'live']),
  fairness: z.enum(['weak', 'none']),
});

/** One field for each rule, with its values. */
function rulesSchema(): z.ZodType<Rules> {
  const names = Object.keys(RULES) as RuleName[];
  return z.strictObject(
    Object.fromEntries(names.map((name) => [name, z.enum(RULES[name].values)])),
  ) as unknown as z.ZodType<Rules>;
}

export const setupSchema = z.strictObject({
  name: z.string(),
  kinds: z.record(z.string(), kindSchema),
  rules: rulesSchema(),
  objects: z.array(objectSchema),
  users: z.record(z.string(), z.array(userStepSchema)),
  finalizers: z.record(z.string(), z.enum(['cooperative', 'stuck'])),
  deleteWorkers: workers,
  orphanWorkers: workers,
  caches: z.enum(['synced', 'cold']),
  emptiedNamespaces: texts.exactOptional(),
  namespaceRetries: count.exactOptional(),
  namespaceAdmission: z.literal('cached').exactOptional(),
  definitions: texts.exactOptional(),
  kubelets: flag,
  containers: flag,
  storageProtection: flag,
  nodeController: flag,
  podGc: z.strictObject({ terminatedPods: count }).exactOptional(),
  denied: z
    .record(
      z.string(),
      z.array(
        z.strictObject({
          verb: z.enum(['delete', 'update']),
          resource: z.string(),
          subresource: z.string().exactOptional(),
        }),
      ),
    )
    .exactOptional(),
  workloads: z.array(workloadSchema).exactOptional(),
  operators: z.array(operatorSchema).exactOptional(),
  initializers: z.record(z.string(), z.enum(['cooperative', 'rejecting', 'stuck'])).exactOptional(),
  silentControllers: set,
  discovery: z.strictObject({ empty: count, failing: z.record(z.string(), count) }).exactOptional(),
  neverSyncs: texts.exactOptional(),
  lags: count.exactOptional(),
  notInstalled: texts.exactOptional(),
  orderedDelivery: set,
  relists: z.record(z.string(), count),
  outcomes: z.record(z.string(), z.array(factSchema)).exactOptional(),
});
