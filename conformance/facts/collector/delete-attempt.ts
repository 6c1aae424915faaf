import { z } from 'zod';
import {
  type Cluster,
  EMPTY_CLUSTER,
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
  expect: z.strictObject({ absentOwners: absent.optional() }),
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
      compare: ({ cluster }) => compareAbsent(expected.absentOwners, cluster),
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
  const bare = stated?.every((entry) => typeof entry === 'string') === true;
  const known = absentOwnersOf<unknown>(
    cluster,
    (id) => (bare ? identityOfNode(id).uid : identityOfNode(id)),
    (uid) => uid,
  );
  return compareSets('absentOwners', stated, known);
}
