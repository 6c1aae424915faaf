import { z } from 'zod';
import {
  BUILT_IN_KINDS,
  type Cluster,
  customKind,
  EMPTY_CLUSTER,
  type GraphNode,
  type Identity,
  type KindTable,
  nodeId,
  objectKey,
  resolveKind,
} from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { type CaseOutcome, unsupported } from '../outcome.ts';
import { identity, statedRequest } from '../shapes.ts';
import { compare, compareRequests } from './compare-state.ts';
import { inAllOrders } from './dependent-orders.ts';
import { failureWith } from './error-answers.ts';
import { errorOf } from './errors.ts';
import { type InjectedAnswer, startRun } from './run-state.ts';
import { processOrphan } from './single-steps.ts';
import { conditionsFor, passedOr } from './trace.ts';

/** `orphan-step`: the patches of all dependents of an owner, which succeed or fail together. */

const givenSchema = z.strictObject({
  dependents: z.array(identity.partial({ uid: true })),
  /** Answers by request, as `patch pods ns1 pod`. */
  server: z.record(z.string(), z.number().int()),
});

const expectSchema = z.strictObject({
  error: z.string().nullable().optional(),
  requests: z.array(statedRequest).optional(),
});

const OWNER: Identity = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  namespace: 'ns1',
  name: 'the-owner',
  uid: 'uid of the owner',
};

export const interpretOrphanStep: Interpreter = (fact, rules) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const step = z.strictObject({ do: z.literal('orphanDependents') });
  const steps = parseWith(z.array(step).length(1), fact.steps, 'steps');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const dependents = given.value.dependents.map(
    (dependent, index): Identity => ({
      ...dependent,
      uid: dependent.uid ?? `uid ${String(index).padStart(4, '0')}`,
    }),
  );
  const kinds = kindsOf(dependents);
  const injected = injectedAnswers(given.value.server, kinds);
  if (typeof injected === 'string') return unsupported(`given.server: ${injected}`);
  const conditions = conditionsFor(kinds, rules, 'unchanged');
  const ends = inAllOrders([{ ...startRun([], graphOf(dependents)), injected }], (state) =>
    processOrphan(conditions, state, 'patched'),
  );
  const { error, requests } = expected.value;
  const outcomes = ends.map(
    (state): CaseOutcome =>
      passedOr(
        (error === undefined ? null : compare('error', error, errorOf(state))) ??
          compareRequests(requests, state.requests),
        'GarbageCollector.orphanDependents, model/collector/orphan-worker.ts',
      ),
  );
  const [first = unsupported('steps: nothing was done')] = outcomes;
  return outcomes.find(({ verdict }) => verdict === 'passed') ?? first;
};

function kindsOf(dependents: readonly Identity[]): KindTable {
  const made = dependents
    .filter(({ apiVersion, kind }) => resolveKind(BUILT_IN_KINDS, apiVersion, kind) === null)
    .map(({ apiVersion, kind, namespace }) => customKind(apiVersion, kind, namespace !== ''));
  return { ...BUILT_IN_KINDS, ...Object.fromEntries(made.map((kind) => [kind.name, kind])) };
}

/** Every answer is for one request: an object is patched once in this step. */
function injectedAnswers(
  server: Readonly<Record<string, number>>,
  kinds: KindTable,
): readonly InjectedAnswer[] | string {
  const answers: InjectedAnswer[] = [];
  for (const [request, status] of Object.entries(server)) {
    const [verb, resource, namespace = '', name, more] = request.split(' ');
    const kind = Object.values(kinds).find((candidate) => candidate.resource === resource);
    if (verb !== 'patch' || kind === undefined || name === undefined || more !== undefined) {
      return `${request} is not understood`;
    }
    const answer = status === 200 ? { code: 200 as const } : failureWith(status);
    if (answer === null) return `${status} is no status of an error`;
    const key = objectKey(kind.name, kind.namespaced ? namespace : '', name);
    answers.push({ verb, key, answer, status });
  }
  return answers;
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
