import { z } from 'zod';
import {
  type Answer,
  type ApiObject,
  BUILT_IN_KINDS,
  type Call,
  type Cluster,
  keyOf,
} from '../../../model/index.ts';
import { compare, type Difference } from '../collector/compare-state.ts';
import { type Interpreter, parseWith } from '../fact.ts';
import { failed, PASSED } from '../outcome.ts';
import { errorOf, serve } from '../store/run-request.ts';
import { asDeleteOptions, deleteOptions } from '../store/shapes.ts';
import { EMPTY_CLUSTER } from '../store/store-fixture.ts';
import { namespaceGiven, namespaceOf, shownNamespace, statedNamespace } from './shapes.ts';

/** `namespace-store`: requests to the storage of namespaces. */

const stated = z
  .strictObject({
    error: z.string().nullable().optional(),
    returned: statedNamespace.optional(),
    stored: statedNamespace.nullable().optional(),
    deletedImmediately: z.boolean().optional(),
    exists: z.boolean().optional(),
  })
  .optional();

const step = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('create'), stated }),
  z.strictObject({ do: z.literal('delete'), options: deleteOptions, stated }),
  z.strictObject({
    do: z.literal('update'),
    finalizers: z.array(z.string()).optional(),
    labels: z.record(z.string(), z.string()).optional(),
    stated,
  }),
  z.strictObject({
    do: z.literal('finalize'),
    specFinalizers: z.array(z.string()),
    stated,
  }),
]);

type Step = z.infer<typeof step>;

function callOf(namespace: ApiObject, taken: Step): Call {
  const key = keyOf(namespace);
  const put = { verb: 'update', client: 'user', key, uid: namespace.uid, put: true } as const;
  switch (taken.do) {
    case 'create':
      return { verb: 'create', client: 'user', object: namespace };
    case 'delete': {
      const options = asDeleteOptions(taken.options);
      return { verb: 'delete', client: 'user', key, options, at: 'get' };
    }
    case 'update': {
      const { finalizers } = taken;
      const change =
        finalizers === undefined
          ? ({ do: 'touch' } as const)
          : ({ do: 'setFinalizers', finalizers } as const);
      return { ...put, change, resourceVersion: false, at: 'update' };
    }
    case 'finalize': {
      const { specFinalizers } = taken;
      const change = { do: 'finalizeNamespace', specFinalizers } as const;
      return { ...put, change, resourceVersion: false, at: 'update' };
    }
    default:
      throw new Error(`unknown step ${JSON.stringify(taken satisfies never)}`);
  }
}

function check(
  expected: NonNullable<Step['stated']>,
  answer: Answer,
  stored: ApiObject | undefined,
): Difference | null {
  const success = 'reason' in answer ? null : answer;
  const partly = (
    field: string,
    part: z.infer<typeof statedNamespace>,
    object: ApiObject | null | undefined,
  ): Difference | null => {
    if (object === null || object === undefined) return compare(field, part, null);
    const shown = shownNamespace(object);
    const differences = Object.entries(part).map(([name, value]) =>
      value === undefined
        ? null
        : compare(`${field}.${name}`, value, shown[name as keyof typeof shown]),
    );
    return differences.find((difference) => difference !== null) ?? null;
  };
  const { error, returned, deletedImmediately, exists } = expected;
  return (
    (error === undefined ? null : compare('error', error, errorOf(answer))) ??
    (returned === undefined ? null : partly('returned', returned, success?.object)) ??
    (deletedImmediately === undefined
      ? null
      : compare('deletedImmediately', deletedImmediately, success?.deleted ?? null)) ??
    (exists === undefined ? null : compare('exists', exists, stored !== undefined)) ??
    (expected.stored === undefined
      ? null
      : expected.stored === null
        ? compare('stored', null, stored ?? null)
        : partly('stored', expected.stored, stored))
  );
}

export const interpretNamespaceStore: Interpreter = (fact, rules) => {
  const given = parseWith(z.strictObject({ namespace: namespaceGiven }), fact.given, 'given');
  const steps = parseWith(z.array(step), fact.steps, 'steps');
  const expected = parseWith(z.strictObject({}), fact.expect, 'expect');
  if (given.outcome !== null) return given.outcome;
  if (steps.outcome !== null) return steps.outcome;
  if (expected.outcome !== null) return expected.outcome;
  const namespace = namespaceOf(given.value.namespace);
  const key = keyOf(namespace);
  const world = {
    kinds: BUILT_IN_KINDS,
    rules,
    absentOwnerCapacity: Number.POSITIVE_INFINITY,
  };
  const creates = steps.value.some((taken) => taken.do === 'create');
  let cluster: Cluster = creates
    ? EMPTY_CLUSTER
    : { ...EMPTY_CLUSTER, store: { [key]: namespace } };
  for (const [index, taken] of steps.value.entries()) {
    const served = serve(cluster, world, callOf(namespace, taken));
    cluster = served.cluster;
    if (taken.stated === undefined) continue;
    const difference = check(taken.stated, served.answer, cluster.store[key]);
    if (difference === null) continue;
    const rule = `${difference.field}, decided by the storage of namespaces, model/apiserver/namespace.ts`;
    return failed(index, difference.expected, difference.got, rule);
  }
  return PASSED;
};
