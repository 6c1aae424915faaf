import * as z from 'zod';
import {
  type Cluster,
  EMPTY_CLUSTER,
  type GraphNode,
  type Identity,
  type KindTable,
  nodeId,
  objectKey,
} from '../../../model/index.ts';
import { compareStated, passedOr } from '../compare.ts';
import { withCustomKinds } from '../fixtures.ts';
import { interpreter } from '../interpreter.ts';
import { type CaseOutcome, Unsupported, unsupported } from '../outcome.ts';
import { identity } from '../shapes.ts';
import { compareRequests } from './compare-state.ts';
import { inAllOrders } from './dependent-orders.ts';
import { answerWith, errorOf } from './error-answers.ts';
import { type InjectedAnswer, startRun } from './run-state.ts';
import { statedRequest } from './shapes.ts';
import { processOrphan } from './single-steps.ts';
import { conditionsFor } from './trace.ts';

const schemas = {
  given: z.strictObject({
    dependents: z.array(identity.partial({ uid: true })),
    /** The status of the answer by request; a request is written as `patch pods ns1 pod`. */
    server: z.record(z.string(), z.number().int()),
  }),
  steps: z.array(z.strictObject({ do: z.literal('orphanDependents') })).length(1),
  expect: z.strictObject({
    error: z.string().nullable().optional(),
    requests: z.array(statedRequest).optional(),
  }),
};

const OWNER: Identity = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  namespace: 'ns1',
  name: 'the-owner',
  uid: 'uid of the owner',
};

/** `orphan-step`: the patches of all dependents of an owner. They succeed or fail together. */
export const interpretOrphanStep = interpreter(schemas, ({ given, expected, rules }) => {
  const dependents = given.dependents.map(
    (dependent, index): Identity => ({
      ...dependent,
      uid: dependent.uid ?? `uid ${String(index).padStart(4, '0')}`,
    }),
  );
  const kinds = withCustomKinds(
    dependents.map((dependent) => ({ ...dependent, namespaced: dependent.namespace !== '' })),
  );
  const injected = Object.entries(given.server).map(([request, status]) =>
    injectedAnswer(kinds, request, status),
  );
  const conditions = conditionsFor(kinds, rules, 'unchanged');
  const ends = inAllOrders([{ ...startRun([], graphOf(dependents)), injected }], (state) =>
    processOrphan(conditions, state, 'patched'),
  );
  const outcomes = ends.map(
    (state): CaseOutcome =>
      passedOr(
        compareStated('error', expected.error, errorOf(state)) ??
          compareRequests(expected.requests, state.requests),
        'GarbageCollector.orphanDependents, model/collector/orphan-worker.ts',
      ),
  );
  const [first = unsupported('steps: nothing was done')] = outcomes;
  return outcomes.find(({ verdict }) => verdict === 'passed') ?? first;
});

/** An answer is for one request: this step patches each object once. */
function injectedAnswer(kinds: KindTable, request: string, status: number): InjectedAnswer {
  const [verb, resource, namespace = '', name, more] = request.split(' ');
  const kind = Object.values(kinds).find((candidate) => candidate.resource === resource);
  if (verb !== 'patch' || kind === undefined || name === undefined || more !== undefined) {
    throw new Unsupported(`given.server: ${request} is not understood`);
  }
  const answer = answerWith(status);
  if (answer === null) {
    throw new Unsupported(`given.server: ${status} is not the status of an error`);
  }
  return {
    verb,
    key: objectKey(kind.name, kind.namespaced ? namespace : '', name),
    answer,
    status,
  };
}

function graphOf(dependents: readonly Identity[]): Cluster {
  const observed = { virtual: false, deletingDependents: false };
  const { namespace: _, ...reference } = OWNER;
  const nodes: readonly GraphNode[] = [
    { ...observed, identity: OWNER, beingDeleted: true, owners: [] },
    ...dependents.map((dependent) => ({
      ...observed,
      identity: dependent,
      beingDeleted: false,
      owners: [reference],
    })),
  ];
  return {
    ...EMPTY_CLUSTER,
    graph: Object.fromEntries(nodes.map((node) => [node.identity.uid, node])),
    dependents: { [OWNER.uid]: dependents.map(({ uid }) => uid).sort() },
    attemptToOrphan: { [nodeId(OWNER)]: 'current' },
  };
}
