import * as z from 'zod';
import {
  type Cluster,
  EMPTY_CLUSTER,
  equalJson,
  identityOfNode,
  type KindTable,
  nodeId,
  type OwnerReference,
  resolveKind,
} from '../../../model/index.ts';
import { compareSets, compareStated, type Difference } from '../compare.ts';
import { objectOfKind, withCustomKinds } from '../fixtures.ts';
import { interpreter } from '../interpreter.ts';
import { asReference, identity, ownerReference } from '../shapes.ts';
import { compareRequests } from './compare-state.ts';
import { errorOf } from './error-answers.ts';
import { absentOwnersOf } from './observable-state.ts';
import { type RunState, startRun } from './run-state.ts';
import { statedRequest } from './shapes.ts';
import { processDelete } from './single-steps.ts';
import { conditionsFor, followTrace } from './trace.ts';

const storedObject = z.strictObject({
  ...identity.shape,
  ownerReferences: z.array(ownerReference).optional(),
  finalizers: z.array(z.string()).optional(),
});

/** Entries of the memory of absent owners; bare uids where the coordinates do not matter. */
const absent = z.array(z.union([identity, z.string()]));

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

type Step = z.infer<typeof stepSchema>;

const schemas = {
  given: z.strictObject({
    server: z.strictObject({ objects: z.array(storedObject) }),
    absentOwnerCapacity: z.number().int().positive(),
    absentOwners: z.array(identity).optional(),
  }),
  steps: z.array(stepSchema),
  expect: z.strictObject({
    absentOwners: absent.optional(),
    /** What the memory must not hold. */
    notAbsentOwners: absent.optional(),
    /** How often a request was sent; a request is written as `get pods pod`. */
    requestCount: z.record(z.string(), z.number().int().nonnegative()).optional(),
  }),
};

/** `delete-attempt`: single calls of the delete worker, each for one item. */
export const interpretDeleteAttempt = interpreter(schemas, ({ given, steps, expected, rules }) => {
  const { server, absentOwnerCapacity, absentOwners = [] } = given;
  const kinds = kindsOf(server.objects);
  const objects = server.objects.map((object) => {
    const kind = resolveKind(kinds, object.apiVersion, object.kind);
    if (kind === null) throw new Error(`${object.kind} is not in the table of kinds`);
    const owners = (object.ownerReferences ?? []).map(asReference);
    return objectOfKind(kind, object, owners, object.finalizers);
  });
  const conditions = conditionsFor(kinds, rules, 'unchanged', absentOwnerCapacity);
  const memory = Object.fromEntries(
    absentOwners.map((known) => [
      rules.absentOwnerKey === 'uid' ? known.uid : nodeId(known),
      true as const,
    ]),
  );
  return followTrace(
    startRun(objects, { ...EMPTY_CLUSTER, absentOwners: memory }),
    steps.map((step) => ({
      name: step.do,
      take: (state) => processDelete(conditions, withItem(state, step.item)),
      checks: step.stated !== undefined,
      compare: (state) => differenceOf(step, state),
    })),
    {
      compare: (state) =>
        compareAbsent(expected.absentOwners, state.cluster) ??
        comparePresent(expected.notAbsentOwners, state.cluster) ??
        compareCounts(expected.requestCount, state),
      decidedBy: 'ReferenceCache, model/collector/absent-owners.ts',
    },
  );
});

/** The built-in kinds, and the other kinds of the objects and of their owners. */
function kindsOf(objects: readonly z.infer<typeof storedObject>[]): KindTable {
  return withCustomKinds(
    objects.flatMap((object) => [
      { ...object, namespaced: object.namespace !== '' },
      ...(object.ownerReferences ?? []).map((owner) => ({ ...owner, namespaced: true })),
    ]),
  );
}

/** The item is the only node in the graph. */
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

function differenceOf({ item, stated = {} }: Step, state: RunState): Difference | null {
  const node = state.cluster.graph[item.identity.uid];
  return (
    compareStated('error', stated.error, errorOf(state)) ??
    compareStated('itemVirtual', stated.itemVirtual, node?.virtual ?? null) ??
    compareRequests(stated.requests, state.requests) ??
    compareAbsent(stated.absentOwners, state.cluster)
  );
}

function compareAbsent(
  stated: z.infer<typeof absent> | undefined,
  cluster: Cluster,
): Difference | null {
  return compareSets('absentOwners', stated, remembered(stated ?? [], cluster));
}

function comparePresent(
  stated: z.infer<typeof absent> | undefined,
  cluster: Cluster,
): Difference | null {
  const known = remembered(stated ?? [], cluster);
  const wrong = stated?.filter((entry) => known.some((one) => equalJson(one, entry))) ?? [];
  return compareStated('notAbsentOwners', stated && [], wrong);
}

/** The memory in the form in which a case states owners. */
function remembered(stated: z.infer<typeof absent>, cluster: Cluster): readonly unknown[] {
  const bare = stated.every((entry) => typeof entry === 'string');
  return absentOwnersOf<unknown>(
    cluster,
    (id) => (bare ? identityOfNode(id).uid : identityOfNode(id)),
    (uid) => uid,
  );
}

function compareCounts(
  stated: Readonly<Record<string, number>> | undefined,
  { earlierRequests, requests }: RunState,
): Difference | null {
  const sent = [...earlierRequests, ...requests].map(
    ({ request: { verb, resource, name } }) => `${verb} ${resource} ${name}`,
  );
  const counts = Object.keys(stated ?? {}).map((request) => [
    request,
    sent.filter((one) => one === request).length,
  ]);
  return compareStated('requestCount', stated, Object.fromEntries(counts));
}
