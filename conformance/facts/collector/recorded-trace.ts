import { z } from 'zod';
import {
  type Failure,
  FOREGROUND,
  type KindTable,
  type ObjectKey,
  type Observed,
  ORPHAN,
  type OwnerReference,
  objectKey,
  resolveKind,
  type WatchEvent,
} from '../../../model/index.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { apiObject, servedKinds } from '../kinds.ts';
import { PASSED, unsupported } from '../outcome.ts';
import { compareQueues, type Difference } from './compare-state.ts';
import { failureWith } from './error-answers.ts';
import { type Names, namesOf, UnknownName } from './names.ts';
import { compareListed, dependentsOf } from './observable-state.ts';
import {
  type event,
  givenSchema,
  type owner,
  type StatedObject,
  type Step,
  type statedSchema,
  stepSchema,
} from './recorded-trace-schema.ts';
import { type InjectedAnswer, type RunState, startRun } from './run-state.ts';
import { collectorSteps, conditionsFor, followTrace, isOutcome, type TraceStep } from './trace.ts';

/** `controller-trace-recorded`: requests are answered, but every change of the server is a step. */

interface Trace {
  readonly kinds: KindTable;
  readonly names: Names;
}

export const interpretRecordedTrace: Interpreter = (fact, rules) => {
  const given = parseWith(givenSchema, fact.given, 'given');
  const steps = parseWith(z.array(stepSchema), fact.steps, 'steps');
  const expected = parseWith(z.strictObject({}), fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const kinds = servedKinds(given.value.served);
  const trace: Trace = { kinds, names: namesOf(given.value.refs) };
  const actions = collectorSteps(conditionsFor(kinds, rules, 'unchanged'));
  try {
    const end = followTrace(
      startRun(),
      steps.value.map((step) => ({
        name: step.do,
        take: actionOf(trace, actions, step),
        checks: step.stated !== undefined,
        compare: (state) => differenceOf(trace, step.stated ?? {}, state),
      })),
    );
    return isOutcome(end) ? end : PASSED;
  } catch (error) {
    if (error instanceof UnknownName) return unsupported(error.message);
    throw error;
  }
};

function actionOf(
  trace: Trace,
  actions: ReturnType<typeof collectorSteps>,
  step: Step,
): TraceStep['take'] {
  switch (step.do) {
    case 'server.set':
      return (state) => ({
        ...state,
        cluster: {
          ...state.cluster,
          store: {
            ...state.cluster.store,
            ...Object.fromEntries(step.objects.map((object) => storedObject(trace, object))),
          },
        },
      });
    case 'server.remove': {
      const key = keyNamed(trace, step.object);
      return (state) => ({
        ...state,
        cluster: {
          ...state.cluster,
          store: Object.fromEntries(
            Object.entries(state.cluster.store).filter(([other]) => other !== key),
          ),
        },
      });
    }
    case 'server.answerOnce': {
      const answer = answerWith(step.status);
      const { verb } = step;
      const { status } = step;
      const once: InjectedAnswer = { verb, key: keyNamed(trace, step.object), answer, status };
      return (state) => ({ ...state, injected: [...state.injected, once] });
    }
    case 'graph.event':
      return actions.event(watchEvent(trace, step.event));
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

function answerWith(status: number): Failure | { readonly code: 200 } {
  if (status === 200) return { code: 200 };
  const failure = failureWith(status);
  if (failure === null) throw new UnknownName(`${status} is no status of an error`);
  return failure;
}

function keyNamed({ kinds, names }: Trace, name: string): ObjectKey {
  const { apiVersion, kind, namespace, name: object } = names.identity(name);
  const served = resolveKind(kinds, apiVersion, kind);
  if (served === null) throw new UnknownName(`${apiVersion} ${kind} is not served`);
  return objectKey(served.name, served.namespaced ? namespace : '', object);
}

function referenceTo({ names }: Trace, stated: z.infer<typeof owner>): OwnerReference {
  const { apiVersion, kind, name, uid } = names.identity(stated.to);
  const { controller, blockOwnerDeletion } = stated;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

function storedObject(trace: Trace, object: StatedObject) {
  const { apiVersion, kind, namespace, name, uid } = trace.names.identity(object.object);
  const served = resolveKind(trace.kinds, apiVersion, kind);
  if (served === null) throw new UnknownName(`${apiVersion} ${kind} is not served`);
  const owners = object.owners.map((reference) => referenceTo(trace, reference));
  const identified = { namespace, name, uid: object.uid ?? uid };
  return [
    keyNamed(trace, object.object),
    apiObject(served, identified, owners, object.finalizers, object.deleting),
  ] as const;
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

function watchEvent(trace: Trace, stated: z.infer<typeof event>): WatchEvent {
  const { type } = stated;
  const key = stated.new.object;
  const object = observed(trace, stated.new);
  if (type !== 'update') return { type, key, object };
  const old = observed(trace, stated.old ?? stated.new);
  return { type, key, object, old: { ...old.deletion, uid: old.identity.uid } };
}

function differenceOf(
  trace: Trace,
  expected: z.infer<typeof statedSchema>,
  state: RunState,
): Difference | null {
  const { names } = trace;
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
  return (
    compareListed(
      'graph',
      expected.graph === undefined
        ? undefined
        : byRef(expected.graph).map(({ dependents: own, ...node }) => ({
            ...node,
            ...(own === undefined ? {} : { dependents: [...own].sort() }),
          })),
      byRef(nodes),
    ) ?? compareQueues(names, expected, state, nameReference)
  );
}
