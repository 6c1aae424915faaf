import * as z from 'zod';
import {
  type Cluster,
  type KindTable,
  nodeId,
  type OwnerReference,
  objectKey,
  type WatchEvent,
} from '../../../model/index.ts';
import { compare, compareSets, compareStated, type Difference } from '../compare.ts';
import { groupVersion, kindAt, objectOfKind, servedKinds } from '../fixtures.ts';
import { interpreter } from '../interpreter.ts';
import { asReference, identity, ownerReference, servedKind } from '../shapes.ts';
import { compareQueues } from './compare-state.ts';
import { type Names, nameOfReference, namesOf, referenceNamed } from './names.ts';
import { dependentsOf, sortedLists } from './observable-state.ts';
import { type RunState, startRun, withoutStored, withStored } from './run-state.ts';
import { processingSteps, statedQueues } from './shapes.ts';
import { type Conditions, processGraph } from './single-steps.ts';
import {
  conditionsFor,
  enqueueFront,
  followTrace,
  processEvent,
  processItems,
  type TakeStep,
} from './trace.ts';

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
  ...statedQueues,
});

const stated = statedSchema.optional();

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('server.create'),
    at,
    object: z.string(),
    owners: z.array(z.string()),
    stated,
  }),
  z.strictObject({ do: z.literal('server.delete'), at, name: z.string(), stated }),
  z.strictObject({ do: z.literal('graph.event'), event, stated }),
  z.strictObject({ do: z.literal('graph.enqueueFront'), event, stated }),
  ...processingSteps(stated),
]);

const schemas = {
  given: z.strictObject({
    served: z.array(servedKind),
    refs: z.record(z.string(), identity),
    ownerRefs: z.record(z.string(), ownerReference),
  }),
  steps: z.array(stepSchema),
  expect: z.strictObject({ serverObjects: z.array(z.string()).optional() }),
};

type Step = z.infer<typeof stepSchema>;

interface Trace {
  readonly kinds: KindTable;
  readonly names: Names;
  readonly references: Readonly<Record<string, OwnerReference>>;
  readonly conditions: Conditions;
}

/**
 * `controller-trace`: the collector is single-stepped, its whole state compared after each step.
 */
export const interpretControllerTrace = interpreter(
  schemas,
  ({ given, steps, expected, rules }) => {
    const kinds = servedKinds(given.served);
    const references = Object.fromEntries(
      Object.entries(given.ownerRefs).map(([name, parsed]) => [name, asReference(parsed)]),
    );
    const conditions = conditionsFor(kinds, rules, 'deletesAtOnce');
    const trace: Trace = { kinds, names: namesOf(given.refs), references, conditions };
    return followTrace(
      startRun(),
      steps.map((step) => ({
        name: step.do,
        take: takeStep(trace, step),
        checks: step.stated !== undefined,
        compare: (state) => differenceOf(trace, step.stated ?? {}, state),
      })),
      {
        compare: ({ cluster }) =>
          compareSets('serverObjects', expected.serverObjects, objectsOf(trace, cluster)),
        decidedBy: 'GarbageCollector.deleteObject, model/collector/delete-requests.ts',
      },
    );
  },
);

function takeStep(trace: Trace, step: Step): TakeStep {
  const { conditions } = trace;
  switch (step.do) {
    case 'server.create': {
      const { group, version, resource, namespace } = step.at;
      const kind = kindAt(trace.kinds, group, version, resource);
      const { name, uid } = trace.names.identity(step.object);
      const owners = step.owners.map((owner) => referenceNamed(trace.references, owner));
      const object = objectOfKind(kind, { namespace, name, uid }, owners);
      return (state) => withStored(state, [object]);
    }
    case 'server.delete': {
      const { group, version, resource, namespace } = step.at;
      const { name: kind } = kindAt(trace.kinds, group, version, resource);
      return (state) => withoutStored(state, objectKey(kind, namespace, step.name));
    }
    case 'graph.event': {
      if (step.event.type === 'delete' && step.event.virtual === true) {
        const virtual = nodeId(trace.names.identity(step.event.object));
        return (state) =>
          processGraph(conditions, { ...state, eventQueue: [{ virtual }, ...state.eventQueue] });
      }
      return processEvent(conditions, watchEvent(trace, step.event));
    }
    case 'graph.enqueueFront':
      return enqueueFront(watchEvent(trace, step.event));
    default:
      return processItems(conditions, step);
  }
}

/** Nothing is being deleted in these traces: neither version of an object shows a deletion. */
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
  { names, references }: Trace,
  { graph, dependents, ...queues }: z.infer<typeof statedSchema>,
  state: RunState,
): Difference | null {
  const { cluster } = state;
  const nameReference = (reference: OwnerReference): string =>
    nameOfReference(references, reference);
  const nodes = Object.values(cluster.graph).map(({ identity: node, virtual, owners }) => ({
    ref: names.ofIdentity(node),
    virtual,
    owners: owners.map(nameReference),
  }));
  const deleting = Object.values(cluster.graph)
    .filter((node) => node.beingDeleted || node.deletingDependents)
    .map((node) => names.ofIdentity(node.identity));
  return (
    compare('beingDeleted', [], deleting) ??
    compareSets('graph', graph, nodes) ??
    compareStated(
      'dependents',
      dependents && sortedLists(dependents),
      dependentsOf(names, cluster),
    ) ??
    compareQueues(names, queues, state, nameReference)
  );
}

/** The stored objects as the cases write them: `GROUP/VERSION/RESOURCE/NAMESPACE/NAME`. */
function objectsOf({ kinds }: Trace, cluster: Cluster): readonly string[] {
  return Object.values(cluster.store).map(({ kind: name, namespace, name: object }) => {
    const kind = kinds[name];
    const { group, version } = groupVersion(kind?.apiVersions[0] ?? '');
    const place = namespace === '' ? '-' : namespace;
    return [group, version, kind?.resource ?? name, place, object].join('/');
  });
}
