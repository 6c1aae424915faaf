import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  type Cluster,
  isBeingDeleted,
  isQuiet,
  keyOf,
  type NamespaceActor,
  type NamespaceCondition,
  namespaceClient,
  namespaceStateOf,
  possibleObjects,
  type Setup,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { nameOf } from '../relations.ts';

/**
 * The namespaces that the controller empties, each with the keys of all objects that can be in it.
 */
function emptied(setup: Setup): ReadonlyMap<string, readonly string[]> {
  const objects = possibleObjects(setup);
  const names = setup.emptiedNamespaces ?? [];
  return new Map(
    objects
      .filter(({ kind, name }) => {
        return setup.kinds[kind]?.storage === 'namespace' && names.includes(name);
      })
      .map((namespace) => {
        const contents = objects.filter((object) => object.namespace === namespace.name);
        return [keyOf(namespace), [...new Set(contents.map(keyOf))]];
      }),
  );
}

/** `configmaps. has 1 resource instances`, as in the message of the condition. */
function counts(setup: Setup, contents: readonly ApiObject[]): readonly string[] {
  const kinds = [...new Set(contents.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const { resource = '', apiVersions = [] } = setup.kinds[kind] ?? {};
    const [group = '', version] = (apiVersions[0] ?? '').split('/');
    const count = contents.filter((object) => object.kind === kind).length;
    return `${resource}.${version === undefined ? '' : group} has ${count} resource instances`;
  });
}

function finalizersOf(contents: readonly ApiObject[]): readonly string[] {
  return [...new Set(contents.flatMap(({ finalizers }) => finalizers))].map((name) => {
    const count = contents.filter(({ finalizers }) => finalizers.includes(name)).length;
    return `${name} in ${count} resource instances`;
  });
}

/**
 * What is wrong with one condition. With words it must be true and contain them, without words it
 * must be false.
 */
function faults(
  conditions: readonly NamespaceCondition[],
  type: string,
  words: readonly string[],
): readonly string[] {
  const found = conditions.filter((condition) => condition.type === type);
  const [condition] = found;
  if (found.length !== 1 || condition === undefined)
    return [`it has ${found.length} times ${type}`];
  const status = words.length > 0 ? 'True' : 'False';
  if (condition.status !== status) return [`${type} is ${condition.status}`];
  return words
    .filter((word) => !condition.message.includes(word))
    .map((word) => `${type} does not say: ${word}`);
}

/** What the status of a namespace lacks. Null if the namespace does not wait for its contents. */
function missingFromStatus(
  setup: Setup,
  cluster: Cluster,
  key: string,
  contentKeys: readonly string[],
): readonly string[] | null {
  const namespace = cluster.store[key];
  if (namespace === undefined || !isBeingDeleted(namespace)) return null;
  const contents = contentKeys.flatMap((content) => cluster.store[content] ?? []);
  if (contents.length === 0 || !isQuiet(setup, cluster)) return null;
  if (cluster.stopped.controllers !== undefined) return null;
  const { conditions = [], phase } = namespace;
  return [
    ...(phase === 'Terminating' ? [] : [`its phase is ${phase}`]),
    ...faults(conditions, 'NamespaceContentRemaining', counts(setup, contents)),
    ...faults(conditions, 'NamespaceFinalizersRemaining', finalizersOf(contents)),
    ...faults(conditions, 'NamespaceDeletionContentFailure', []),
    ...faults(conditions, 'NamespaceDeletionDiscoveryFailure', setup.unavailableApis ?? []),
  ].map((fault) => `${nameOf(namespace)}: ${fault}`);
}

export const NAMESPACE_STATUS_LISTS_REMAINING = defineProperty({
  id: 'namespace-status-lists-remaining',
  group: 'namespaces and definitions',
  name: 'a namespace tells what is left in it',
  kind: 'invariant',
  judgesObjects: 'parameters',
  about:
    'With nothing left to do, the conditions of a namespace that is being deleted state how ' +
    'many objects of each kind are left in it and which finalizers hold them. Not judged ' +
    'where the namespace controller may give up.',
  trigger: 'all is quiet, and a namespace that is being deleted waits for its contents',
  source:
    'status_condition_utils.go: NamespaceContentRemaining, NamespaceFinalizersRemaining, ' +
    'NamespaceDeletionContentFailure',
  build: (setup) => {
    const contents = emptied(setup);
    const isJudged = setup.namespaceRetries === undefined;
    const of = (cluster: Cluster, key: unknown): readonly string[] | null =>
      isJudged
        ? missingFromStatus(setup, cluster, String(key), contents.get(String(key)) ?? [])
        : null;
    return {
      parameters: [...contents.keys()].map((key) => ({ key })),
      trigger: (cluster, { key }) => of(cluster, key) !== null,
      holds: (cluster, { key }) => (of(cluster, key) ?? []).length === 0,
      explain: (cluster, { key }) => of(cluster, key) ?? [],
    };
  },
});

/** How the pass over the contents of a namespace that ends with this step has ended. */
type Ending = 'nothing is left' | 'something is left' | 'something has failed';

function endingOf(
  { worker }: NamespaceActor,
  now: ReturnType<typeof namespaceStateOf>,
): Ending | null {
  if (!('pass' in worker)) return null;
  if (now === null || 'gaveUp' in now) return 'something has failed';
  if ('triedContents' in now) {
    return now.failed === true ? 'something has failed' : 'something is left';
  }
  return now.actor.worker.at === 'finalize' ? 'nothing is left' : null;
}

function isInStatus(ending: Ending, conditions: readonly NamespaceCondition[]): boolean {
  const isTrue = (type: string): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === 'True');
  const failed =
    isTrue('NamespaceDeletionDiscoveryFailure') || isTrue('NamespaceDeletionContentFailure');
  const left = isTrue('NamespaceContentRemaining');
  switch (ending) {
    case 'nothing is left':
      return !failed && !left && !isTrue('NamespaceFinalizersRemaining');
    case 'something is left':
      return !failed && left;
    case 'something has failed':
      return failed;
    default:
      throw new Error(`unknown ending ${ending satisfies never}`);
  }
}

export const NAMESPACE_STATUS_REPORTS_RESULT = defineProperty({
  id: 'namespace-status-reports-result',
  group: 'namespaces and definitions',
  name: 'a namespace tells how its controller has fared',
  kind: 'step',
  about:
    'When the namespace controller finishes a pass over the contents of a namespace, the ' +
    'conditions of the namespace state whether anything has failed and whether anything is ' +
    'left. When the controller goes on to finalize the namespace, all conditions are good. ' +
    'Not judged if another client has written the namespace in the meantime.',
  trigger: 'a pass over the contents of a namespace ends',
  source:
    'status_condition_utils.go: NamespaceDeletionDiscoveryFailure, NamespaceDeletionContentFailure',
  build: (setup) => {
    const judged = (before: Cluster, action: ActionInstance, after: Cluster) => {
      if (action.name !== 'emptyNamespace') return null;
      const name = String(action.parameters.namespace);
      const state = namespaceStateOf(before, name);
      if (state === null || !('actor' in state)) return null;
      const ending = endingOf(state.actor, namespaceStateOf(after, name));
      const key = before.unchangedSince[namespaceClient(name)];
      const namespace = key === undefined ? undefined : after.store[key];
      if (ending === null || namespace?.kind !== 'Namespace') return null;
      return { ending, namespace };
    };
    return {
      parameters: setup.emptiedNamespaces === undefined ? [] : [{}],
      trigger: (before, action, after) => judged(before, action, after) !== null,
      holds: (before, action, after) => {
        const found = judged(before, action, after);
        return found === null || isInStatus(found.ending, found.namespace.conditions ?? []);
      },
      explain: (before, action, after) => {
        const found = judged(before, action, after);
        if (found === null) return [];
        return [`the status of ${nameOf(found.namespace)} does not say that ${found.ending}`];
      },
    };
  },
});
