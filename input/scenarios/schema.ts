import * as z from 'zod';
import { ownerReferenceSchema } from '../manifests/manifest-schema.ts';
import { CONTROLLER_FIELDS, operatorSchema, workloadSchema } from './controller-schema.ts';
import { WORKERS_HIGHEST } from './terms.ts';

/** The schema of scenario files. `readManifest` reads the manifests in them. */

const text = z.string().min(1);
const count = z.int().min(0);

const common = {
  user: text.exactOptional(),
  after: z.array(z.strictObject({ user: text, steps: z.int().min(1) })).exactOptional(),
};

const deleteOptions = {
  gracePeriodSeconds: z.int().exactOptional(),
  dryRun: z.boolean().exactOptional(),
  apiVersion: text.exactOptional(),
};

export const requestSchemas = {
  delete: z.strictObject({
    ...common,
    delete: text,
    propagationPolicy: z.enum(['Foreground', 'Background', 'Orphan']).exactOptional(),
    orphanDependents: z.boolean().exactOptional(),
    ...deleteOptions,
    preconditions: z
      .strictObject({
        uid: text.exactOptional(),
        resourceVersion: z.literal('asRead').exactOptional(),
      })
      .exactOptional(),
  }),
  create: z.strictObject({ ...common, create: z.unknown() }),
  update: z.strictObject({
    ...common,
    update: text,
    put: z.boolean().exactOptional(),
    uid: text.exactOptional(),
    resourceVersion: z.literal('asRead').exactOptional(),
    addOwner: z.union([text, ownerReferenceSchema]).exactOptional(),
    removeOwner: text.exactOptional(),
    setOwnerReferences: z.array(ownerReferenceSchema).exactOptional(),
    addFinalizer: text.exactOptional(),
    removeFinalizer: text.exactOptional(),
    setFinalizers: z.array(text).exactOptional(),
    scale: count.exactOptional(),
    matchesSelectors: z.boolean().exactOptional(),
    touch: z.literal(true).exactOptional(),
  }),
  kubectl: z.strictObject({ ...common, kubectl: text }),
  loseNode: z.strictObject({ ...common, loseNode: text }),
  read: z.strictObject({ ...common, read: text }),
  settle: z.strictObject({ ...common, settle: z.literal(true) }),
  deleteCollection: z.strictObject({
    ...common,
    deleteCollection: text,
    namespace: text.exactOptional(),
    propagationPolicy: z.enum(['Foreground', 'Background', 'Orphan']).exactOptional(),
    orphanDependents: z.boolean().exactOptional(),
    ...deleteOptions,
  }),
  serveVersion: z.strictObject({
    ...common,
    serveVersion: z.strictObject({ kind: text, version: text }),
  }),
  stopControllers: z.strictObject({ ...common, stopControllers: z.literal(true) }),
  startControllers: z.strictObject({ ...common, startControllers: z.literal(true) }),
} as const;

export type Verb = keyof typeof requestSchemas;
export const VERBS = Object.keys(requestSchemas) as readonly Verb[];

export type DeleteRequest = z.output<typeof requestSchemas.delete>;
export type UpdateRequest = z.output<typeof requestSchemas.update>;

/** The changes of an update; each request has at most one, or both of the two lists. */
export const CHANGES = [
  'addOwner',
  'removeOwner',
  'setOwnerReferences',
  'addFinalizer',
  'removeFinalizer',
  'setFinalizers',
  'scale',
  'matchesSelectors',
  'touch',
] as const;

const stateSchema = z.strictObject({
  uid: text.exactOptional(),
  deleting: z.boolean().exactOptional(),
  finalizers: z.array(text).exactOptional(),
  owners: z.array(text).exactOptional(),
});

/** The state of one object at the end. */
const endSchema = z.union([z.enum(['gone', 'there']), stateSchema], {
  error: 'gone, there, or the state of the object, as in {deleting: true, owners: []}',
});

export type End = z.output<typeof endSchema>;

const END_FIELDS = ['deleting', 'owners'] as const;

const oneOrMore = z.union([text, z.array(text).min(1)]);
const conditionStateSchema = z.strictObject({
  ...stateSchema.shape,
  hasFinalizer: oneOrMore.exactOptional(),
  hasOwner: oneOrMore.exactOptional(),
});

/** What a condition says of one object. */
export const conditionEndSchema = z.union(
  [z.enum(['gone', 'there', 'exists', 'deleting']), conditionStateSchema],
  {
    error:
      'exists, gone, deleting, or the state of the object, as in {hasFinalizer: example.com/hold, hasOwner: ConfigMap/a}',
  },
);

export const CONDITION_FIELDS: readonly string[] = [
  ...['not', 'and', 'or'],
  ...Object.keys(conditionStateSchema.shape),
];

const ownSchema = z.strictObject({
  when: z.unknown().optional(),
  never: z.unknown().optional(),
  always: z.unknown().optional(),
  eventually: z.unknown().optional(),
  leadsTo: z.unknown().optional(),
});

export type OwnEntry = z.output<typeof ownSchema>;

/** A property to judge, of every object or of one. */
const askedSchema = z.union([text, z.strictObject({ property: text, for: text })], {
  error: 'a property by id or title, or {property: ID, for: KIND/NAME}',
});

const verdictSchema = z.enum(['holds', 'violated', 'vacuous']);
const expectedSchema = z.union(
  [verdictSchema, z.strictObject({ for: z.record(z.string(), verdictSchema) })],
  { error: 'holds, violated or vacuous; for single objects: {for: {KIND/NAME: holds}}' },
);

const discoverySchema = z.strictObject({
  empty: count.exactOptional(),
  failing: z.record(z.string(), count).exactOptional(),
});

const environmentSchema = z.strictObject({
  deleteWorkers: z.int().min(1).max(WORKERS_HIGHEST).exactOptional(),
  orphanWorkers: z.int().min(1).max(WORKERS_HIGHEST).exactOptional(),
  caches: z.enum(['synced', 'cold']).exactOptional(),
  relists: z.record(z.string(), count).exactOptional(),
  lostEvents: z.record(z.string(), count).exactOptional(),
  finalizers: z.record(z.string(), z.enum(['cooperative', 'unknown', 'stuck'])).exactOptional(),
  initializers: z.record(z.string(), z.enum(['cooperative', 'rejecting', 'stuck'])).exactOptional(),
  observedGeneration: z.enum(['acknowledged', 'stuck']).exactOptional(),
  namespaceController: z
    .union([z.boolean(), z.strictObject({ errorRetries: count })], {
      error: 'true, false or {errorRetries: NUMBER}',
    })
    .exactOptional(),
  namespaceAdmission: z.enum(['live', 'cached', 'bounded']).exactOptional(),
  delivery: z.enum(['byKind', 'ordered']).exactOptional(),
  definitionController: z.boolean().exactOptional(),
  definitionLookup: z.enum(['live', 'cached']).exactOptional(),
  kubelets: z
    .union([z.boolean(), z.literal('containers')], { error: 'true, false or containers' })
    .exactOptional(),
  storageProtection: z.boolean().exactOptional(),
  nodeController: z.boolean().exactOptional(),
  taintEviction: z.boolean().exactOptional(),
  podGc: z
    .union([z.boolean(), z.strictObject({ terminatedPods: count })], {
      error: 'true, false or {terminatedPods: NUMBER}',
    })
    .exactOptional(),
  denied: z.record(z.string(), z.array(text)).exactOptional(),
  workloads: z.array(workloadSchema).min(1).exactOptional(),
  controllers: z.array(operatorSchema).min(1).exactOptional(),
  discovery: discoverySchema.exactOptional(),
  neverSyncs: z.array(text).min(1).exactOptional(),
  syncsLate: z.array(text).min(1).exactOptional(),
  refusesUpdates: z.array(text).min(1).exactOptional(),
  notInstalled: z.array(text).min(1).exactOptional(),
  lags: z.int().min(1).exactOptional(),
  rateLimiter: z.boolean().exactOptional(),
});

export const expectationSchema = z.strictObject({
  states: z.int().min(1).exactOptional(),
  transitions: count.exactOptional(),
  depth: count.exactOptional(),
  verdicts: z.record(z.string(), expectedSchema).exactOptional(),
  because: z.record(z.string(), text).exactOptional(),
  outcomes: z.record(z.string(), z.enum(['never', 'sometimes', 'always'])).exactOptional(),
});

export const scenarioSchema = z.strictObject({
  about: text,
  source: text.exactOptional(),
  protocol: text.exactOptional(),
  rules: z.record(z.string(), z.string()).exactOptional(),
  objects: z.array(z.unknown()),
  requests: z.array(z.looseObject({})),
  environment: environmentSchema.exactOptional(),
  properties: z.array(askedSchema).min(1).exactOptional(),
  ownProperties: z.record(z.string(), ownSchema).exactOptional(),
  outcomes: z.record(z.string(), z.record(z.string(), endSchema)).exactOptional(),
  expect: expectationSchema.exactOptional(),
});

export type ScenarioFile = z.output<typeof scenarioSchema>;

/** All field names, for suggestions. */
export const SCENARIO_FIELDS: readonly string[] = [
  ...Object.keys(scenarioSchema.shape),
  ...Object.keys(environmentSchema.shape),
  ...CONTROLLER_FIELDS,
  ...Object.keys(discoverySchema.shape),
  ...Object.keys(expectationSchema.shape),
  ...END_FIELDS,
  ...Object.keys(ownSchema.shape),
  ...CONDITION_FIELDS,
  'terminatedPods',
  'errorRetries',
  ...VERBS.flatMap((verb) => Object.keys(requestSchemas[verb].shape)),
];
