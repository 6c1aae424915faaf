import { z } from 'zod';
import {
  type Cluster,
  EMPTY_CLUSTER,
  type Identity,
  identityOfNode,
  type OwnerReference,
  type WatchEvent,
} from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { PASSED } from '../outcome.ts';
import { compare, compareSets, type Difference } from './compare-state.ts';
import { sortedLists } from './observable-state.ts';
import { startRun } from './run-state.ts';
import { collectorSteps, conditionsFor, followTrace, isOutcome } from './trace.ts';

/** `graph-trace`: events on bare uids; every other coordinate is empty. */

const node = z.strictObject({
  virtual: z.boolean(),
  owners: z.array(z.string()),
  dependents: z.array(z.string()),
});

const givenSchema = z.strictObject({
  absentOwnerCapacity: z.number().int().positive(),
  graph: z.record(z.string(), node),
});

const stepSchema = z.strictObject({
  do: z.literal('graph.event'),
  event: z.strictObject({
    type: z.enum(['add', 'update', 'delete']),
    uid: z.string(),
    owners: z.array(z.string()),
  }),
  stated: z
    .strictObject({
      graph: z.record(z.string(), node).optional(),
      attemptToDelete: z.array(z.string()).optional(),
      absentOwners: z.array(z.string()).optional(),
    })
    .optional(),
});

const expectSchema = z.strictObject({
  /** Checked after every step of every trace. */
  invariants: z.array(z.literal('owner-dependent-symmetry')).optional(),
});

export const interpretGraphTrace: Interpreter = (fact, rules) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const steps = parseWith(z.array(stepSchema), fact.steps, 'steps');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const { absentOwnerCapacity, graph } = given.value;
  const actions = collectorSteps(conditionsFor({}, rules, 'unchanged', absentOwnerCapacity));
  const end = followTrace(
    startRun([], withGraph(graph)),
    steps.value.map((step) => ({
      name: step.do,
      take: actions.event(watchEvent(step.event)),
      checks: step.stated !== undefined,
      compare: ({ cluster }) => differenceOf(step.stated ?? {}, cluster),
    })),
  );
  return isOutcome(end) ? end : PASSED;
};

function bare(uid: string): Identity {
  return { apiVersion: '', kind: '', namespace: '', name: '', uid };
}

function reference(uid: string): OwnerReference {
  return { apiVersion: '', kind: '', name: '', uid };
}

function withGraph(graph: Readonly<Record<string, z.infer<typeof node>>>): Cluster {
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

function watchEvent({ type, uid, owners }: z.infer<typeof stepSchema>['event']): WatchEvent {
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
  stated: NonNullable<z.infer<typeof stepSchema>['stated']>,
  cluster: Cluster,
): Difference | null {
  const { graph, attemptToDelete, absentOwners } = stated;
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
  const expectedNodes =
    graph === undefined
      ? {}
      : Object.fromEntries(
          Object.entries(graph).map(([uid, { dependents, ...rest }]) => [
            uid,
            { ...rest, ...sortedLists({ dependents }) },
          ]),
        );
  const queued = Object.keys(cluster.attemptToDelete).map((id) => identityOfNode(id).uid);
  const absent = Object.keys(cluster.absentOwners).map((key) =>
    key.startsWith('[') ? identityOfNode(key).uid : key,
  );
  return (
    (graph === undefined ? null : compare('graph', expectedNodes, nodes)) ??
    (attemptToDelete === undefined
      ? null
      : compareSets('attemptToDelete', attemptToDelete, queued)) ??
    (absentOwners === undefined ? null : compareSets('absentOwners', absentOwners, absent))
  );
}
