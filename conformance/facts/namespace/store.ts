import * as z from 'zod';
import {
  type Answer,
  type ApiObject,
  BUILT_IN_KINDS,
  type Call,
  type Cluster,
  EMPTY_CLUSTER,
  keyOf,
} from '../../../model/index.ts';
import { compare, compareFields, compareStated, type Difference, failedAt } from '../compare.ts';
import { interpreter, NOTHING_EXPECTED } from '../interpreter.ts';
import { PASSED } from '../outcome.ts';
import { errorOf, runRequest } from '../store/run-request.ts';
import { asDeleteOptions, deleteOptions } from '../store/shapes.ts';
import { namespaceGiven, namespaceOf, shownNamespace, statedNamespace } from './shapes.ts';

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

function differenceOf(
  { error, returned, deletedImmediately, exists, stored: expected }: NonNullable<Step['stated']>,
  answer: Answer,
  stored: ApiObject | undefined,
): Difference | null {
  const success = 'reason' in answer ? null : answer;
  return (
    compareStated('error', error, errorOf(answer)) ??
    compareNamespace('returned', returned, success?.object) ??
    compareStated('deletedImmediately', deletedImmediately, success?.deleted ?? null) ??
    compareStated('exists', exists, stored !== undefined) ??
    compareNamespace('stored', expected, stored)
  );
}

/** @param stated null: there must be no namespace. */
function compareNamespace(
  field: string,
  stated: z.infer<typeof statedNamespace> | null | undefined,
  got: ApiObject | null | undefined,
): Difference | null {
  if (stated === undefined) return null;
  if (stated === null || got === null || got === undefined) {
    return compare(field, stated, stated === null ? (got ?? null) : null);
  }
  return compareFields(`${field}.`, stated, shownNamespace(got));
}

const schemas = {
  given: z.strictObject({ namespace: namespaceGiven }),
  steps: z.array(step),
  expect: NOTHING_EXPECTED,
};

/** `namespace-store`: requests to the storage of namespaces. */
export const interpretNamespaceStore = interpreter(schemas, ({ given, steps, rules }) => {
  const namespace = namespaceOf(given.namespace);
  const key = keyOf(namespace);
  const world = {
    kinds: BUILT_IN_KINDS,
    rules,
    absentOwnerCapacity: Number.POSITIVE_INFINITY,
  };
  const creates = steps.some((taken) => taken.do === 'create');
  let cluster: Cluster = creates
    ? EMPTY_CLUSTER
    : { ...EMPTY_CLUSTER, store: { [key]: namespace } };
  for (const [index, taken] of steps.entries()) {
    const finished = runRequest(cluster, world, callOf(namespace, taken));
    cluster = finished.cluster;
    const difference = differenceOf(taken.stated ?? {}, finished.answer, cluster.store[key]);
    if (difference === null) continue;
    const decidedBy = 'the storage of namespaces, model/apiserver/namespace.ts';
    return failedAt(index, difference, decidedBy);
  }
  return PASSED;
});
