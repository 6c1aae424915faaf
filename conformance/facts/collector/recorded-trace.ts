import * as z from 'zod';
import {
  type ApiObject,
  FOREGROUND,
  type Identity,
  type Kind,
  type KindTable,
  type ObjectKey,
  type Observed,
  ORPHAN,
  type OwnerReference,
  objectKey,
  resolveKind,
  type WatchEvent,
} from '../../../model/index.ts';
import { compareListed, type Difference } from '../compare.ts';
import { objectOfKind, servedKinds } from '../fixtures.ts';
import { interpreter, NOTHING_EXPECTED } from '../interpreter.ts';
import { Unsupported } from '../outcome.ts';
import { asReference } from '../shapes.ts';
import { compareQueues } from './compare-state.ts';
import { answerWith } from './error-answers.ts';
import { type Names, namesOf } from './names.ts';
import { dependentsOf } from './observable-state.ts';
import {
  givenSchema,
  type StatedEvent,
  type StatedObject,
  type StatedOwner,
  type StatedState,
  type Step,
  stepSchema,
} from './recorded-trace-schema.ts';
import {
  type InjectedAnswer,
  type RunState,
  startRun,
  withoutStored,
  withStored,
} from './run-state.ts';
import type { Conditions } from './single-steps.ts';
import {
  conditionsFor,
  enqueueFront,
  followTrace,
  processEvent,
  processItems,
  type TakeStep,
} from './trace.ts';

interface Trace {
  readonly kinds: KindTable;
  readonly names: Names;
  readonly conditions: Conditions;
}

const schemas = { given: givenSchema, steps: z.array(stepSchema), expect: NOTHING_EXPECTED };

/** `controller-trace-recorded`: requests change nothing; every change of the server is a step. */
export const interpretRecordedTrace = interpreter(schemas, ({ given, steps, rules }) => {
  const kinds = servedKinds(given.served);
  const conditions = conditionsFor(kinds, rules, 'unchanged');
  const trace: Trace = { kinds, names: namesOf(given.refs), conditions };
  return followTrace(
    startRun(),
    steps.map((step) => ({
      name: step.do,
      take: takeStep(trace, step),
      checks: step.stated !== undefined,
      compare: (state) => differenceOf(trace, step.stated ?? {}, state),
    })),
  );
});

function takeStep(trace: Trace, step: Step): TakeStep {
  const { conditions } = trace;
  switch (step.do) {
    case 'server.set': {
      const objects = step.objects.map((object) => storedObject(trace, object));
      return (state) => withStored(state, objects);
    }
    case 'server.remove': {
      const key = keyNamed(trace, step.object);
      return (state) => withoutStored(state, key);
    }
    case 'server.answerOnce': {
      const { verb, status } = step;
      const answer = answerWith(status);
      if (answer === null) throw new Unsupported(`${status} is not the status of an error`);
      const once: InjectedAnswer = { verb, key: keyNamed(trace, step.object), answer, status };
      return (state) => ({ ...state, injected: [...state.injected, once] });
    }
    case 'graph.event':
      return processEvent(conditions, watchEvent(trace, step.event));
    case 'graph.enqueueFront':
      return enqueueFront(watchEvent(trace, step.event));
    default:
      return processItems(conditions, step);
  }
}

function servedKindOf({ kinds }: Trace, { apiVersion, kind }: Identity): Kind {
  const served = resolveKind(kinds, apiVersion, kind);
  if (served === null) throw new Unsupported(`${apiVersion} ${kind} is not served`);
  return served;
}

function keyNamed(trace: Trace, name: string): ObjectKey {
  const identity = trace.names.identity(name);
  const served = servedKindOf(trace, identity);
  return objectKey(served.name, served.namespaced ? identity.namespace : '', identity.name);
}

function referenceTo({ names }: Trace, { to, ...flags }: StatedOwner): OwnerReference {
  return asReference({ ...names.identity(to), ...flags });
}

function storedObject(trace: Trace, object: StatedObject): ApiObject {
  const identity = trace.names.identity(object.object);
  const { namespace, name, uid } = identity;
  const owners = object.owners.map((reference) => referenceTo(trace, reference));
  const coordinates = { namespace, name, uid: object.uid ?? uid };
  const kind = servedKindOf(trace, identity);
  return objectOfKind(kind, coordinates, owners, object.finalizers, object.deleting);
}

function observed(trace: Trace, object: StatedObject): Observed {
  const known = trace.names.identity(object.object);
  return {
    identity: { ...known, uid: object.uid ?? known.uid },
    ownerReferences: object.owners.map((reference) => referenceTo(trace, reference)),
    deletion: {
      beingDeleted: object.deleting,
      orphan: object.finalizers.includes(ORPHAN),
      foreground: object.finalizers.includes(FOREGROUND),
    },
  };
}

function watchEvent(trace: Trace, stated: StatedEvent): WatchEvent {
  const { type } = stated;
  const key = stated.new.object;
  const object = observed(trace, stated.new);
  if (type !== 'update') return { type, key, object };
  const old = observed(trace, stated.old ?? stated.new);
  return { type, key, object, old: { ...old.deletion, uid: old.identity.uid } };
}

function differenceOf(
  { names }: Trace,
  { graph, ...queues }: StatedState,
  state: RunState,
): Difference | null {
  const { cluster } = state;
  const nameReference = (reference: OwnerReference): object => {
    const { apiVersion, kind, name, uid, ...flags } = reference;
    const known = names.named({ apiVersion, kind, name, uid });
    return { to: known ?? `${apiVersion} ${kind} ${name} uid ${uid}`, ...flags };
  };
  const dependents = dependentsOf(names, cluster);
  const nodes = Object.values(cluster.graph).map((node) => {
    const ref = names.ofIdentity(node.identity);
    const { virtual, beingDeleted, deletingDependents } = node;
    const owners = node.owners.map(nameReference);
    const own = dependents[ref] ?? [];
    return { ref, virtual, beingDeleted, deletingDependents, owners, dependents: own };
  });
  const byRef = <Item extends { readonly ref: string }>(items: readonly Item[]): readonly Item[] =>
    [...items].sort((a, b) => (a.ref < b.ref ? -1 : 1));
  const statedNodes = graph?.map(({ dependents: own, ...node }) => ({
    ...node,
    ...(own === undefined ? {} : { dependents: [...own].sort() }),
  }));
  return (
    compareListed('graph', statedNodes && byRef(statedNodes), byRef(nodes)) ??
    compareQueues(names, queues, state, nameReference)
  );
}
