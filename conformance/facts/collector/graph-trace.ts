import * as z from 'zod';
import {
  type Cluster,
  EMPTY_CLUSTER,
  type Identity,
  identityOfNode,
  type OwnerReference,
  type WatchEvent,
} from '../../../model/index.ts';
import { compareSets, compareStated, type Difference } from '../compare.ts';
import { interpreter } from '../interpreter.ts';
import { absentOwnersOf } from './observable-state.ts';
import { startRun } from './run-state.ts';
import { conditionsFor, followTrace, processEvent } from './trace.ts';

const node = z.strictObject({
  virtual: z.boolean(),
  owners: z.array(z.string()),
  dependents: z.array(z.string()),
});

const graphSchema = z.record(z.string(), node);

type StatedGraph = z.infer<typeof graphSchema>;

const step = z.strictObject({
  do: z.literal('graph.event'),
  event: z.strictObject({
    type: z.enum(['add', 'update', 'delete']),
    uid: z.string(),
    owners: z.array(z.string()),
  }),
  stated: z
    .strictObject({
      graph: graphSchema.optional(),
      attemptToDelete: z.array(z.string()).optional(),
      absentOwners: z.array(z.string()).optional(),
    })
    .optional(),
});

type Step = z.infer<typeof step>;

const schemas = {
  given: z.strictObject({
    absentOwnerCapacity: z.number().int().positive(),
    graph: graphSchema,
  }),
  steps: z.array(step),
  expect: z.strictObject({
    /** Checked after every step of every trace. */
    invariants: z.array(z.literal('owner-dependent-symmetry')).optional(),
  }),
};

/** `graph-trace`: events on objects of which only the uids are known. */
export const interpretGraphTrace = interpreter(schemas, ({ given, steps, rules }) => {
  const conditions = conditionsFor({}, rules, 'unchanged', given.absentOwnerCapacity);
  return followTrace(
    startRun([], withGraph(given.graph)),
    steps.map(({ do: name, event, stated }) => ({
      name,
      take: processEvent(conditions, watchEvent(event)),
      checks: stated !== undefined,
      compare: ({ cluster }) => differenceOf(stated ?? {}, cluster),
    })),
  );
});

function bare(uid: string): Identity {
  return { apiVersion: '', kind: '', namespace: '', name: '', uid };
}

function reference(uid: string): OwnerReference {
  return { apiVersion: '', kind: '', name: '', uid };
}

function withGraph(graph: StatedGraph): Cluster {
  const entries = Object.entries(graph);
  return {
    ...EMPTY_CLUSTER,
    graph: Object.fromEntries(
      entries.map(([uid, { virtual, owners }]) => [
        uid,
        {
          identity: bare(uid),
          virtual,
          beingDeleted: false,
          deletingDependents: false,
          owners: owners.map(reference),
        },
      ]),
    ),
    dependents: Object.fromEntries(
      entries
        .filter(([, { dependents }]) => dependents.length > 0)
        .map(([uid, { dependents }]) => [uid, [...dependents].sort()]),
    ),
  };
}

function watchEvent({ type, uid, owners }: Step['event']): WatchEvent {
  const deletion = { beingDeleted: false, orphan: false, foreground: false };
  const object = {
    identity: bare(uid),
    ownerReferences: owners.map(reference),
    deletion,
  };
  if (type !== 'update') return { type, key: uid, object };
  return { type, key: uid, object, old: { ...deletion, uid } };
}

function differenceOf(
  { graph, attemptToDelete, absentOwners }: NonNullable<Step['stated']>,
  cluster: Cluster,
): Difference | null {
  const nodes = Object.fromEntries(
    Object.entries(cluster.graph).map(([uid, { virtual, owners }]) => [
      uid,
      {
        virtual,
        owners: owners.map((owner) => owner.uid),
        dependents: cluster.dependents[uid] ?? [],
      },
    ]),
  );
  const queued = Object.keys(cluster.attemptToDelete).map((id) => identityOfNode(id).uid);
  const absent = absentOwnersOf(
    cluster,
    (id) => identityOfNode(id).uid,
    (uid) => uid,
  );
  return (
    compareStated('graph', graph && sortedGraph(graph), nodes) ??
    compareSets('attemptToDelete', attemptToDelete, queued) ??
    compareSets('absentOwners', absentOwners, absent)
  );
}

function sortedGraph(graph: StatedGraph): StatedGraph {
  return Object.fromEntries(
    Object.entries(graph).map(([uid, { dependents, ...rest }]) => [
      uid,
      { ...rest, dependents: [...dependents].sort() },
    ]),
  );
}
