import {
  type ApiObject,
  dependentKeys,
  keyOf,
  kindOf,
  type Look,
  type ObjectKey,
  type Operator,
  planOperator,
  type Self,
  type Setup,
  splitKey,
  type Task,
  type WorkloadTask,
} from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { type Controller, defineController, type Manifest } from './define-controller.ts';

/**
 * The controllers that a scenario describes (`environment.controllers`), as controllers in TypeScript:
 * to go on from, or to run them as `clusterModel` runs controllers. There they replace those of the
 * same name.
 *
 * @throws InputError if a controller creates an object with an owner other than its own object.
 */
export function controllersIn(setup: Setup): readonly Controller[] {
  return (setup.operators ?? []).map((operator) => controllerOf(setup, operator));
}

function controllerOf(setup: Setup, operator: Operator): Controller {
  const { name, parent, finalizer, childFinalizer, reads, fairness } = operator;
  const { creates, createsInTeardown = [], adopts = [] } = operator;
  const templates = [...creates, ...createsInTeardown];
  for (const template of templates) demandOwner(operator, template);
  const dependents = dependentKeys(setup).get(parent.uid) ?? [];
  const keys = [...keysOf(operator), ...dependents, ...templates.map(keyOf)];
  const once = new Map(createsInTeardown.map((object) => [object.uid, keyOf(object)]));
  return defineController<readonly string[]>({
    name,
    for: kindOf(parent.key),
    informers: [...new Set(keys.map(kindOf))],
    reads,
    finalizers: [...new Set([finalizer ?? [], childFinalizer ?? []].flat())],
    creates: [...new Map(templates.map((object) => [keyOf(object), object])).values()].map(
      (object) => manifestOf(setup, object),
    ),
    ...(fairness === 'none' ? { mayStop: true } : {}),
    ...(adopts.length === 0 ? {} : { owners: [kindOf(parent.key)] }),
    // The uids of what it has created in its teardown.
    memory: [],
    plan(look, self) {
      if (!isSameObject(self, parent.key)) return [];
      const { tasks } = planOperator(operator, {
        look: (key) => look(nameOf(key)),
        isFree: (uid) => !once.has(uid) || !self.memory.includes(uid),
        dependents,
        keepsFinalizer: finalizer !== undefined && setup.finalizers[finalizer] === 'stuck',
      });
      return tasks.flatMap((task) => [
        taskOf(operator, templates, task, look, self),
        ...(task.do === 'create' && once.has(task.uid)
          ? [{ do: 'remember' as const, memory: [...self.memory, task.uid] }]
          : []),
      ]);
    },
  });
}

/** Every object that its description names. */
function keysOf({ deletes, waitsFor, needs = [], adopts = [] }: Operator): readonly ObjectKey[] {
  const awaited = waitsFor.flatMap((what) => (what === 'dependents' ? [] : [what]));
  return [...deletes.map(({ key }) => key), ...awaited, ...needs, ...adopts];
}

function isSameObject({ name, namespace }: Self<readonly string[]>, key: ObjectKey): boolean {
  const [, ownNamespace, ownName] = splitKey(key);
  return name === ownName && namespace === ownNamespace;
}

/** The name by which `look` finds the object from any namespace. */
function nameOf(key: ObjectKey): string {
  const [kind, namespace, name] = splitKey(key);
  return namespace === '' ? `${kind}/${name}` : `${kind}/${name}.${namespace}`;
}

function demandOwner({ name, parent }: Operator, object: ApiObject): void {
  const other = object.ownerReferences.find(({ uid }) => uid !== parent.uid);
  if (other === undefined) return;
  throw new InputError({
    what: `${name} creates ${nameOf(keyOf(object))} with the owner ${other.kind}/${other.name}`,
    expected: 'no owner, or the object that the controller watches',
  });
}

function manifestOf({ kinds }: Setup, object: ApiObject): Manifest {
  const kind = kinds[object.kind];
  const { name, namespace, finalizers } = object;
  return {
    apiVersion: kind?.apiVersions[0] ?? '',
    kind: kind?.kind ?? object.kind,
    metadata: { name, ...(namespace === '' ? {} : { namespace }), finalizers },
  };
}

function taskOf(
  { parent, finalizer = '', childFinalizer = '', deletes }: Operator,
  templates: readonly ApiObject[],
  task: WorkloadTask,
  look: Look,
  { object }: Self<readonly string[]>,
): Task<readonly string[]> {
  switch (task.do) {
    case 'create': {
      const template = templates.find(({ uid }) => uid === task.uid);
      if (template === undefined) throw new Error(`nothing to create has the uid ${task.uid}`);
      const owner = template.ownerReferences.length > 0 ? look(nameOf(parent.key)) : null;
      const controller = owner === null ? {} : { controller: owner };
      return { do: 'create', object: nameOf(keyOf(template)), ...controller };
    }
    case 'delete': {
      const { propagationPolicy, gracePeriodSeconds } =
        deletes.find(({ key }) => key === task.key)?.options ?? {};
      return {
        do: 'delete',
        object: nameOf(task.key),
        ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      };
    }
    case 'adopt': {
      const owner = look(nameOf(parent.key));
      if (owner === null) throw new Error('a controller without an object adopts');
      return { do: 'adopt', object: nameOf(task.key), owner };
    }
    case 'removeChildFinalizer':
      return { do: 'removeFinalizer', object: nameOf(task.key), finalizer: childFinalizer };
    case 'addFinalizer':
    case 'removeFinalizer':
      return { do: task.do, object, finalizer };
    case 'release':
      throw new Error('a described controller does not release');
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}
