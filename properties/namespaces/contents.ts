import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  continuedItemCall,
  definitionKey,
  isBeingDeleted,
  keyOf,
  type ObjectKey,
  objectKey,
  possibleObjects,
  type Setup,
  worldOf,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import { deletedInStep, nameOf } from '../relations.ts';

/** The keys of contents by their container: a namespace, or the definition of a kind. */
function contentKeys(setup: Setup): ReadonlyMap<ObjectKey, readonly ObjectKey[]> {
  const world = worldOf(setup);
  const objects = possibleObjects(setup);
  const found = new Map<ObjectKey, readonly ObjectKey[]>();
  const put = (container: ObjectKey, contents: readonly ApiObject[]): void => {
    found.set(container, [...new Set(contents.map(keyOf))]);
  };
  for (const object of objects) {
    if (setup.kinds[object.kind]?.storage !== 'namespace') continue;
    put(
      keyOf(object),
      objects.filter((content) => content.namespace === object.name),
    );
  }
  for (const definition of setup.definitions ?? []) {
    put(
      definition,
      objects.filter(({ kind }) => {
        const served = setup.kinds[kind];
        return served !== undefined && definitionKey(world, served) === definition;
      }),
    );
  }
  return found;
}

export const NO_CONTENTS_LEFT_BEHIND = defineProperty({
  id: 'no-contents-left-behind',
  group: 'namespaces and definitions',
  name: 'nothing is left in a namespace or of a kind that is gone',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'When a namespace leaves the store, no object is left in it. When a definition leaves the ' +
    'store, no object of its kind is left. As long as it is gone, no object that belongs to ' +
    'it is stored.',
  trigger:
    'a namespace or a definition leaves the store, or an object that belongs to one is stored ' +
    'after that',
  source:
    'Kubernetes documentation, Namespaces: deleting a namespace deletes everything in it; ' +
    'https://github.com/kubernetes/kubernetes/issues/45878, ' +
    'https://github.com/kubernetes/kubernetes/pull/93790',
  build: (setup) => {
    const contents = contentKeys(setup);
    const keysOf = (key: string): readonly ObjectKey[] => contents.get(key) ?? [];
    const left = (after: Cluster, key: string): readonly ApiObject[] =>
      keysOf(key).flatMap((content) => after.store[content] ?? []);
    const isJudged = (before: Cluster, after: Cluster, key: string): boolean => {
      if (after.store[key] !== undefined) return false;
      if (before.store[key] !== undefined) return true;
      return keysOf(key).some(
        (content) => before.store[content] === undefined && after.store[content] !== undefined,
      );
    };
    return {
      parameters: [...contents.keys()].map((key) => ({ key })),
      trigger: (before, _action, after, { key }) => isJudged(before, after, String(key)),
      holds: (before, _action, after, { key }) =>
        !isJudged(before, after, String(key)) || left(after, String(key)).length === 0,
      explain: (_before, _action, after, { key }) =>
        left(after, String(key)).map(
          (object) =>
            `${nameOf(object)} is left, although ${nameOf(splitName(String(key)))} is gone`,
        ),
    };
  },
});

function splitName(key: ObjectKey): Pick<ApiObject, 'kind' | 'namespace' | 'name'> {
  const [kind = '', namespace = '', ...name] = key.split('/');
  return { kind, namespace, name: name.join('/') };
}

/** The object, if it is no pod, that the namespace controller deletes with this step. */
function emptied(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): ApiObject | null {
  if (action.name !== 'emptyNamespace') return null;
  const deleted = deletedInStep(setup, before, action, after);
  return deleted?.pod === undefined ? deleted : null;
}

export const NAMESPACE_PODS_FIRST = defineProperty({
  id: 'namespace-pods-first',
  group: 'namespaces and definitions',
  name: 'a namespace is emptied of pods first',
  kind: 'step',
  about:
    'When the namespace controller deletes an object that is no pod, no pod is left in the ' +
    'namespace. Kubernetes promises no order before 1.33.',
  trigger: 'the namespace controller deletes an object that is no pod',
  source:
    'KEP-5080, ordered namespace deletion; https://github.com/kubernetes/kubernetes/issues/126587',
  build: (setup) => {
    const pods = possibleObjects(setup).filter((object) => object.pod !== undefined);
    const podsLeft = (before: Cluster, { namespace }: ApiObject): readonly ApiObject[] =>
      [...new Set(pods.filter((pod) => pod.namespace === namespace).map(keyOf))].flatMap(
        (key) => before.store[key] ?? [],
      );
    return {
      trigger: (before, action, after) => emptied(setup, before, action, after) !== null,
      holds: (before, action, after) => {
        const object = emptied(setup, before, action, after);
        return object === null || podsLeft(before, object).length === 0;
      },
      explain: (before, action, after) => {
        const object = emptied(setup, before, action, after);
        if (object === null) return [];
        return podsLeft(before, object).map(
          (pod) => `${nameOf(object)} is deleted while ${nameOf(pod)} is still there`,
        );
      },
    };
  },
});

/**
 * The containers of an object that are being deleted: its namespace, or the definition of its kind.
 */
function goingContainers(
  setup: Setup,
  before: Cluster,
  { kind, namespace }: ApiObject,
): readonly ApiObject[] {
  const namespaces = Object.values(setup.kinds).find(({ storage }) => storage === 'namespace');
  const { resource = '', apiVersions = [] } = setup.kinds[kind] ?? {};
  const [group = ''] = (apiVersions[0] ?? '').split('/');
  const definition = setup.definitions?.find(
    (key) => splitName(key).name === `${resource}.${group}`,
  );
  const isLive = setup.namespaceAdmission === undefined;
  return [
    ...(namespaces === undefined || !isLive ? [] : [objectKey(namespaces.name, '', namespace)]),
    ...(definition === undefined ? [] : [definition]),
  ].flatMap((key) => {
    const container = before.store[key];
    return container !== undefined && isBeingDeleted(container) ? [container] : [];
  });
}

/** The object of a POST that this step admits. It is stored now or in a later step. */
function admitted(
  setup: Setup,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): ApiObject | null {
  const call = actingItemCall(setup, before, action);
  if (call?.verb !== 'create' || call.at !== undefined) return null;
  const goesOn = continuedItemCall(after, action, call)?.verb === 'create';
  const key = keyOf(call.object);
  const isStored = before.store[key] === undefined && after.store[key] !== undefined;
  return goesOn || isStored ? call.object : null;
}

export const NO_ADMISSION_WHILE_TERMINATING = defineProperty({
  id: 'no-admission-while-terminating',
  group: 'namespaces and definitions',
  name: 'nothing is admitted to what is going',
  kind: 'step',
  about:
    'The API server admits a POST only if neither the namespace nor the definition of the ' +
    'kind is being deleted at that moment. The object may still be stored after a deletion ' +
    'has begun, because admission and write are two steps. Not judged where admission reads a ' +
    'cache.',
  trigger: 'a POST is admitted',
  source:
    'Kubernetes documentation, Admission Controllers: NamespaceLifecycle "enforces that a Namespace ' +
    'that is undergoing termination cannot have new objects created in it"',
  build: (setup) => ({
    trigger: (before, action, after) => admitted(setup, before, action, after) !== null,
    holds: (before, action, after) => {
      const object = admitted(setup, before, action, after);
      return object === null || goingContainers(setup, before, object).length === 0;
    },
    explain: (before, action, after) => {
      const object = admitted(setup, before, action, after);
      if (object === null) return [];
      return goingContainers(setup, before, object).map(
        (container) => `${nameOf(object)} is admitted while ${nameOf(container)} goes`,
      );
    },
  }),
});
