import * as z from 'zod';
import {
  type ApiObject,
  beginNamespace,
  type NamespaceAnswer,
  type NamespaceCondition,
  type NamespacePhase,
  type NamespaceRequest,
} from '../../../model/index.ts';
import {
  compare,
  compareSets,
  compareStated,
  type Difference,
  failedAt,
  firstOf,
} from '../compare.ts';
import { interpreter } from '../interpreter.ts';
import { PASSED, unsupported } from '../outcome.ts';
import { type ControllerRun, failureAnswer, resultError, runController } from './run-controller.ts';
import { asCondition, condition, namespaceGiven, namespaceOf } from './shapes.ts';

const namespaceRequest = z.strictObject({
  verb: z.string(),
  resource: z.string(),
  subresource: z.string().optional(),
});

const contentRequest = z.strictObject({
  verb: z.string(),
  namespace: z.string().optional(),
  group: z.string().optional(),
  version: z.string().optional(),
  resource: z.string(),
});

const statedRun = z.strictObject({
  error: z.string().nullable().optional(),
  namespaceRequests: z.array(namespaceRequest).optional(),
  contentRequests: z.array(contentRequest).optional(),
  /** Request lists are sets unless this is true. */
  ordered: z.boolean().optional(),
  phase: z.enum(['Active', 'Terminating']).optional(),
  conditions: z.array(condition.partial().required({ type: true })).optional(),
  /** Types of the conditions that are then true. */
  conditionsPresent: z.array(z.string()).optional(),
});

type StatedRun = z.infer<typeof statedRun>;

const givenSchema = z.strictObject({
  namespace: namespaceGiven.optional(),
  namespaces: z.array(namespaceGiven).optional(),
  served: z
    .array(
      z.strictObject({
        group: z.string(),
        version: z.string(),
        resource: z.string(),
        verbs: z.array(z.string()).optional(),
      }),
    )
    .default([]),
  content: z.enum(['empty', 'all lists come back empty']).optional(),
  /** By namespace, then by verb and resource. */
  answers: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  discoveryError: z.string().nullable().default(null),
  token: z.literal('kubernetes').optional(),
});

type Given = z.infer<typeof givenSchema>;

const syncStep = z.strictObject({
  do: z.literal('sync'),
  namespace: z.string().optional(),
  stated: statedRun.optional(),
});

const WORDS = {
  deleteCollection: 'delete-collection',
  list: 'list',
  delete: 'delete',
} as const;

/** The API server of a case. It stores what status and finalize requests write. */
function serverOf(given: Given, namespace: ApiObject) {
  let current = namespace;
  const special = given.answers?.[namespace.name] ?? {};
  const contents = (request: Extract<NamespaceRequest, { verb: keyof typeof WORDS }>) => {
    const word = special[`${WORDS[request.verb]} ${request.type.resource}`];
    if (word !== undefined) return failureAnswer(word);
    const empty: NamespaceAnswer =
      request.verb === 'list' ? { kind: 'items', items: [] } : { kind: 'done' };
    return empty;
  };
  const answer = (request: NamespaceRequest): NamespaceAnswer => {
    switch (request.verb) {
      case 'get':
        return { kind: 'namespace', namespace: current };
      case 'discover': {
        const types = given.served.map(({ verbs, ...type }) =>
          verbs === undefined ? type : { ...type, verbs },
        );
        return { kind: 'types', types, error: given.discoveryError };
      }
      case 'updateStatus':
        current = { ...current, phase: request.phase, conditions: request.conditions };
        return { kind: 'namespace', namespace: current };
      case 'finalize':
        current = { ...current, specFinalizers: [] };
        return { kind: 'namespace', namespace: current };
      case 'deleteNamespace':
        return { kind: 'done' };
      case 'listPods':
        return { kind: 'items', items: [] };
      case 'deleteCollection':
      case 'list':
      case 'delete':
        return contents(request);
      default:
        throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
    }
  };
  return { answer, status: () => statusOf(current) };
}

interface Status {
  readonly phase: NamespacePhase;
  readonly conditions: readonly NamespaceCondition[];
}

function statusOf({ phase = 'Active', conditions = [] }: ApiObject): Status {
  return { phase, conditions };
}

type Shown = Readonly<Record<string, string>>;

/** Requests for the namespace, and for its pods to estimate their grace periods. */
function shownNamespaceRequests(requests: readonly NamespaceRequest[]): readonly Shown[] {
  return requests.flatMap((request): Shown[] => {
    switch (request.verb) {
      case 'get':
        return [{ verb: 'get', resource: 'namespaces', subresource: '' }];
      case 'listPods':
        return [{ verb: 'list', resource: 'pods', subresource: '' }];
      case 'updateStatus':
        return [{ verb: 'update', resource: 'namespaces', subresource: 'status' }];
      case 'finalize':
        return [{ verb: 'create', resource: 'namespaces', subresource: 'finalize' }];
      default:
        return [];
    }
  });
}

function shownContentRequests(requests: readonly NamespaceRequest[]): readonly Shown[] {
  return requests.flatMap((request): Shown[] => {
    if (!('type' in request)) return [];
    const { group, version, resource } = request.type;
    return [{ verb: WORDS[request.verb], namespace: request.namespace, group, version, resource }];
  });
}

/** Compares the stated fields of each request; as sets unless `ordered`. */
function compareRequests(
  field: string,
  stated: readonly Readonly<Record<string, string | undefined>>[] | undefined,
  got: readonly Shown[],
  ordered: boolean,
): Difference | null {
  if (stated === undefined) return null;
  const fields = new Set(stated.flatMap((request) => Object.keys(request)));
  const shown = got.map((request) =>
    stated.length === 0
      ? request
      : Object.fromEntries(Object.entries(request).filter(([name]) => fields.has(name))),
  );
  if (ordered) return compare(field, stated, shown);
  const distinct = (list: readonly unknown[]) => {
    const texts = new Map(
      list.map((item) => [JSON.stringify(Object.entries(item as object).sort()), item]),
    );
    return [...texts.keys()];
  };
  return compareSets(field, distinct(stated), distinct(shown));
}

function differenceOf(stated: StatedRun, run: ControllerRun, status: Status): Difference | null {
  const { error, namespaceRequests, contentRequests, ordered = false, phase, conditions } = stated;
  const { conditionsPresent } = stated;
  const requests = run.requests;
  return (
    compareStated('error', error, resultError(run.result)) ??
    compareRequests(
      'namespaceRequests',
      namespaceRequests,
      shownNamespaceRequests(requests),
      ordered,
    ) ??
    compareRequests('contentRequests', contentRequests, shownContentRequests(requests), ordered) ??
    compareStated('phase', phase, status.phase) ??
    compareConditions(conditions ?? [], status.conditions) ??
    compareSets('conditionsPresent', conditionsPresent, trueConditions(status))
  );
}

function trueConditions({ conditions }: Status): readonly string[] {
  return conditions.filter(({ status }) => status === 'True').map(({ type }) => type);
}

function compareConditions(
  stated: NonNullable<StatedRun['conditions']>,
  got: readonly NamespaceCondition[],
): Difference | null {
  return firstOf(
    stated.map((expected) => {
      const found = got.find(({ type }) => type === expected.type);
      if (found === undefined) return compare('conditions', expected, null);
      const wanted = asCondition({
        ...expected,
        status: expected.status ?? found.status,
        reason: expected.reason ?? found.reason,
        message: expected.message ?? found.message,
      });
      return compare('conditions', wanted, found);
    }),
  );
}

const DECIDED_BY = 'namespacedResourcesDeleter, model/actors/namespaces/controller.ts';

const schemas = { given: givenSchema, steps: z.array(syncStep), expect: statedRun };

/** `namespace-sync`: syncs of the namespace controller for namespaces with given contents. */
export const interpretNamespaceSync = interpreter(schemas, ({ given, steps, expected, rules }) => {
  const { namespace, namespaces = [] } = given;
  const all = [...(namespace === undefined ? [] : [namespace]), ...namespaces].map(namespaceOf);
  let memory: ControllerRun['unsupported'] = { operations: [] };
  let last: { run: ControllerRun; status: Status } | null = null;
  for (const [index, step] of steps.entries()) {
    const target =
      step.namespace === undefined ? all[0] : all.find(({ name }) => name === step.namespace);
    if (target === undefined) return unsupported(`steps.${index}.namespace: not given`);
    const server = serverOf(given, target);
    const run = runController(rules, beginNamespace(target.name), memory, server.answer);
    memory = run.unsupported;
    last = { run, status: server.status() };
    const difference = differenceOf(step.stated ?? {}, run, last.status);
    if (difference !== null) return failedAt(index, difference, DECIDED_BY);
  }
  if (last === null) return unsupported('steps: there are none');
  const difference = differenceOf(expected, last.run, last.status);
  return difference === null ? PASSED : failedAt('expect', difference, DECIDED_BY);
});
