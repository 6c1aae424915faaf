import { z } from 'zod';
import {
  type Cluster,
  type KindTable,
  nodeId,
  type OwnerReference,
  objectKey,
  parseGroupVersion,
  type WatchEvent,
} from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { apiObject, kindAt, servedKinds } from '../kinds.ts';
import { unsupported } from '../outcome.ts';
import {
  asReference,
  identity,
  ownerReference,
  servedKind,
  statedRequest,
  statedWarning,
  waitingChange,
} from '../shapes.ts';
import { compare, compareQueues, compareSets, type Difference } from './compare-state.ts';
import { type Names, nameOfReference, namesOf, referenceNamed, UnknownName } from './names.ts';
import { dependentsOf, sortedLists } from './observable-state.ts';
import { type RunState, startRun } from './run-state.ts';
import {
  collectorSteps,
  conditionsFor,
  followTrace,
  isOutcome,
  passedOr,
  type TraceStep,
} from './trace.ts';

/** `controller-trace`: the collector single-stepped, the state compared in full after each step. */

const givenSchema = z.strictObject({
  served: z.array(servedKind),
  refs: z.record(z.string(), identity),
  ownerRefs: z.record(z.string(), ownerReference),
});

const at = z.strictObject({
  group: z.string(),
  version: z.string(),
  resource: z.string(),
  namespace: z.string(),
});

const event = z.strictObject({
  type: z.enum(['add', 'update', 'delete']),
  virtual: z.boolean().optional(),
  object: z.string(),
  owners: z.array(z.string()),
});

const statedSchema = z.strictObject({
  graph: z
    .array(z.strictObject({ ref: z.string(), virtual: z.boolean(), owners: z.array(z.string()) }))
    .optional(),
  dependents: z.record(z.string(), z.array(z.string())).optional(),
  attemptToDelete: z
    .array(z.strictObject({ ref: z.string(), virtual: z.boolean().optional() }))
    .optional(),
  attemptToOrphan: z
    .array(z.strictObject({ ref: z.string(), virtual: z.boolean().optional() }))
    .optional(),
  graphChanges: z.array(waitingChange).optional(),
  absentOwners: z.array(z.string()).optional(),
  requests: z.array(statedRequest).optional(),
  events: z.array(statedWarning).optional(),
});

const stated = { stated: statedSchema.optional() };

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('server.create'),
    at,
    object: z.string(),
    owners: z.array(z.string()),
    ...stated,
  }),
  z.strictObject({ do: z.literal('server.delete'), at, name: z.string(), ...stated }),
  z.strictObject({ do: z.literal('graph.event'), event, ...stated }),
  z.strictObject({ do: z.literal('graph.enqueueFront'), event, ...stated }),
  z.strictObject({ do: z.literal('graph.process'), count: z.number().int().positive(), ...stated }),
  z.strictObject({
    do: z.literal('attemptToDelete.process'),
    count: z.number().int().positive(),
    ...stated,
  }),
  z.strictObject({
    do: z.literal('attemptToOrphan.process'),
    count: z.number().int().positive(),
    ...stated,
  }),
]);

const expectSchema = z.strictObject({ serverObjects: z.array(z.string()).optional() });

type Step = z.infer<typeof stepSchema>;

interface Trace {
  readonly kinds: KindTable;
  readonly names: Names;
  readonly references: Readonly<Record<string, OwnerReference>>;
}

export const interpretControllerTrace: Interpreter = (fact, rules) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const steps = parseWith(z.array(stepSchema), fact.steps, 'steps');
  const expected = parseWith(expectSchema, fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const kinds = servedKinds(given.value.served);
  const references = Object.fromEntries(
    Object.entries(given.value.ownerRefs).map(([name, parsed]) => [name, asReference(parsed)]),
  );
  const trace: Trace = { kinds, names: namesOf(given.value.refs), references };
  const conditions = conditionsFor(kinds, rules, 'deletesAtOnce');
  try {
    const end = followTrace(
      startRun(),
      steps.value.map((step) => traceStep(trace, collectorSteps(conditions), step)),
    );
    if (isOutcome(end)) return end;
    const { serverObjects } = expected.value;
    return passedOr(
      serverObjects === undefined
        ? null
        : compareSets('serverObjects', serverObjects, objectsOf(trace, end.cluster)),
      'GarbageCollector.deleteObject, model/collector/delete-requests.ts',
    );
  } catch (error) {
    if (error instanceof UnknownName) return unsupported(error.message);
    throw error;
  }
};

function traceStep(
  trace: Trace,
  actions: ReturnType<typeof collectorSteps>,
  step: Step,
): TraceStep {
  return {
    name: step.do,
    take: actionOf(trace, actions, step),
    checks: step.stated !== undefined,
    compare: (state) => differenceOf(trace, step.stated ?? {}, state),
  };
}

function actionOf(
  trace: Trace,
  actions: ReturnType<typeof collectorSteps>,
  step: Step,
): TraceStep['take'] {
  switch (step.do) {
    case 'server.create': {
      const { group, version, resource, namespace } = step.at;
      const kind = kindAt(trace.kinds, group, version, resource);
      const { name, uid } = trace.names.identity(step.object);
      const owners = step.owners.map((owner) => referenceNamed(trace.references, owner));
      const object = apiObject(kind, { namespace, name, uid }, owners);
      return (state) =>
        withStore(state, { ...state.cluster.store, ...startRun([object]).cluster.store });
    }
    case 'server.delete': {
      const { group, version, resource, namespace } = step.at;
      const key = objectKey(
        kindAt(trace.kinds, group, version, resource).name,
        namespace,
        step.name,
      );
      return (state) => {
        const rest = Object.entries(state.cluster.store).filter(([other]) => other !== key);
        return withStore(state, Object.fromEntries(rest));
      };
    }
    case 'graph.event': {
      if (step.event.type === 'delete' && step.event.virtual === true) {
        const virtual = nodeId(trace.names.identity(step.event.object));
        const process = actions.graph(1);
        return (state) => process({ ...state, eventQueue: [{ virtual }, ...state.eventQueue] });
      }
      return actions.event(watchEvent(trace, step.event));
    }
    case 'graph.enqueueFront':
      return actions.enqueueFront(watchEvent(trace, step.event));
    case 'graph.process':
      return actions.graph(step.count);
    case 'attemptToDelete.process':
      return actions.delete(step.count);
    case 'attemptToOrphan.process':
      return actions.orphan(step.count);
    default:
      throw new Error(`unknown step ${JSON.stringify(step satisfies never)}`);
  }
}

function withStore(state: RunState, store: Cluster['store']): RunState {
  return { ...state, cluster: { ...state.cluster, store } };
}

/** Nothing is being deleted in these traces, so neither version of the object shows a deletion. */
function watchEvent(trace: Trace, { type, object, owners }: z.infer<typeof event>): WatchEvent {
  const observed = {
    identity: trace.names.identity(object),
    ownerReferences: owners.map((owner) => referenceNamed(trace.references, owner)),
    deletion: { beingDeleted: false, orphan: false, foreground: false },
  };
  const key = object;
  if (type !== 'update') return { type, key, object: observed };
  return { type, key, object: observed, old: { ...observed.deletion, uid: observed.identity.uid } };
}

function differenceOf(
  trace: Trace,
  stated: z.infer<typeof statedSchema>,
  state: RunState,
): Difference | null {
  const { names } = trace;
  const { cluster } = state;
  const nameReference = (reference: OwnerReference): string =>
    nameOfReference(trace.references, reference);
  const nodes = Object.values(cluster.graph).map(({ identity: node, virtual, owners }) => ({
    ref: names.ofIdentity(node),
    virtual,
    owners: owners.map(nameReference),
  }));
  const deleting = Object.values(cluster.graph)
    .filter((node) => node.beingDeleted || node.deletingDependents)
    .map((node) => names.ofIdentity(node.identity));
  const { graph, dependents } = stated;
  return (
    compare('beingDeleted', [], deleting) ??
    (graph === undefined ? null : compareSets('graph', graph, nodes)) ??
    (dependents === undefined
      ? null
      : compare('dependents', sortedLists(dependents), dependentsOf(names, cluster))) ??
    compareQueues(names, stated, state, nameReference)
  );
}

function objectsOf({ kinds }: Trace, cluster: Cluster): readonly string[] {
  return Object.values(cluster.store).map(({ kind: name, namespace, name: object }) => {
    const kind = kinds[name];
    const { group, version } = parseGroupVersion(kind?.apiVersions[0] ?? '') ?? {
      group: '',
      version: '',
    };
    const place = namespace === '' ? '-' : namespace;
    return [group, version, kind?.resource ?? name, place, object].join('/');
  });
}
