import { z } from 'zod';
import {
  BUILT_IN_KINDS,
  type Cluster,
  customKind,
  EMPTY_CLUSTER,
  type Identity,
  identityOfNode,
  type Kind,
  type KindTable,
  nodeId,
  type OwnerReference,
  resolveKind,
} from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { apiObject } from '../kinds.ts';
import { PASSED } from '../outcome.ts';
import { asReference, identity, ownerReference, statedRequest } from '../shapes.ts';
import { compare, compareRequests, compareSets, type Difference } from './compare-state.ts';
import { errorOf } from './errors.ts';
import { type RunState, startRun } from './run-state.ts';
import { processDelete } from './single-steps.ts';
import { conditionsFor, followTrace, isOutcome } from './trace.ts';

/** `delete-attempt`: single calls of the body of the delete worker. */

const storedObject = z.strictObject({
  ...identity.shape,
  ownerReferences: z.array(ownerReference).optional(),
  finalizers: z.array(z.string()).optional(),
});

/** An entry of the memory of absent owners; a bare uid where the coordinates do not matter. */
const absent = z.array(z.union([identity, z.string()]));

const givenSchema = z.strictObject({
  server: z.strictObject({ objects: z.array(storedObject) }),
  absentOwnerCapacity: z.number().int().positive(),
  absentOwners: z.array(identity).optional(),
});

const stepSchema = z.strictObject({
  do: z.literal('attempt'),
  item: z.strictObject({ identity, virtual: z.boolean(), owners: z.array(ownerReference) }),
  stated: z
    .strictObject({
      error: z.string().nullable().optional(),
      itemVirtual: z.boolean().optional(),
      requests: z.array(statedRequest).optional(),
      absentOwners: absent.optional(),
    })
    .optional(),
});

const expectSchema = z.strictObject({ absentOwners: absent.optional() });

type Step = z.infer<typeof stepSchema>;

export const interpretDeleteAttempt: Interpreter = (fact, rules) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const steps = parseWith(z.array(stepSchema), fact.steps, 'steps');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const { server, absentOwnerCapacity, absentOwners = [] } = given.value;
  const kinds = kindsOf(server.objects);
  const objects = server.objects.map((object) => {
    const kind = resolveKind(kinds, object.apiVersion, object.kind);
    if (kind === null) throw new Error(`${object.kind} is not in the table of kinds`);
    const owners = (object.ownerReferences ?? []).map(asReference);
    return apiObject(kind, object, owners, object.finalizers);
  });
  const conditions = conditionsFor(kinds, rules, 'unchanged', absentOwnerCapacity);
  const memory = Object.fromEntries(
    absentOwners.map((known) => [
      rules.absentOwnerKey === 'uid' ? known.uid : nodeId(known),
      true as const,
    ]),
  );
  const end = followTrace(
    startRun(objects, { ...EMPTY_CLUSTER, absentOwners: memory }),
    steps.value.map((step) => ({
      name: step.do,
      take: (state) => processDelete(conditions, withItem(state, step.item)),
      checks: step.stated !== undefined,
      compare: (state) => differenceOf(step, state),
    })),
  );
  if (isOutcome(end)) return end;
  const left = expected.value.absentOwners;
  const difference = left === undefined ? null : compareAbsent(left, end.cluster);
  if (difference === null) return PASSED;
  const { expected: wanted, got } = difference;
  return {
    verdict: 'failed',
    step: 'expect',
    expected: wanted,
    got,
    rule: 'absentOwners, decided by ReferenceCache, model/collector/absent-owners.ts',
  };
};

/** The kinds of Kubernetes, and for every other kind that is named one made for it. */
function kindsOf(objects: readonly z.infer<typeof storedObject>[]): KindTable {
  const named: readonly (Pick<Identity, 'apiVersion' | 'kind'> & { namespaced: boolean })[] =
    objects.flatMap((object) => [
      { ...object, namespaced: object.namespace !== '' },
      ...(object.ownerReferences ?? []).map((owner) => ({ ...owner, namespaced: true })),
    ]);
  const made = named
    .filter(({ apiVersion, kind }) => resolveKind(BUILT_IN_KINDS, apiVersion, kind) === null)
    .map(({ apiVersion, kind, namespaced }): Kind => customKind(apiVersion, kind, namespaced));
  return { ...BUILT_IN_KINDS, ...Object.fromEntries(made.map((kind) => [kind.name, kind])) };
}

/** The attempt is on a node of its own, which is in no other relation to the graph. */
function withItem(state: RunState, item: Step['item']): RunState {
  const owners: readonly OwnerReference[] = item.owners.map(asReference);
  return {
    ...state,
    lastError: null,
    cluster: {
      ...state.cluster,
      graph: {
        [item.identity.uid]: {
          identity: item.identity,
          virtual: item.virtual,
          beingDeleted: false,
          deletingDependents: false,
          owners,
        },
      },
      attemptToDelete: { [nodeId(item.identity)]: 'current' },
    },
  };
}

function differenceOf({ item, stated }: Step, state: RunState): Difference | null {
  if (stated === undefined) return null;
  const node = state.cluster.graph[item.identity.uid];
  return (
    (stated.error === undefined ? null : compare('error', stated.error, errorOf(state))) ??
    (stated.itemVirtual === undefined
      ? null
      : compare('itemVirtual', stated.itemVirtual, node?.virtual ?? null)) ??
    compareRequests(stated.requests, state.requests) ??
    (stated.absentOwners === undefined ? null : compareAbsent(stated.absentOwners, state.cluster))
  );
}

function compareAbsent(stated: z.infer<typeof absent>, cluster: Cluster): Difference | null {
  const bare = stated.every((entry) => typeof entry === 'string');
  const known = Object.keys(cluster.absentOwners).map((key) => {
    if (!key.startsWith('[')) return key;
    return bare ? identityOfNode(key).uid : identityOfNode(key);
  });
  return compareSets('absentOwners', stated, known);
}
