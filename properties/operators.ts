import type { ActionInstance } from '../checker/index.ts';
import {
  type ApiObject,
  type Cluster,
  cached,
  dependentKeys,
  formatKey,
  isBeingDeleted,
  keyOf,
  kindOf,
  type ObjectKey,
  type Operator,
  reconcilingOf,
  type Setup,
  type Task,
} from '../model/index.ts';
import type { CatalogueEntry } from './catalogue.ts';

/** Whether the controllers that a scenario describes do what it says of them. */

/** What it has just decided to do; null: it is at something else, or waits. */
function decided(
  operator: Operator,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): readonly Task[] | null {
  if (action.parameters.controller !== operator.name) return null;
  const tasks = (cluster: Cluster): readonly Task[] | null =>
    reconcilingOf(cluster, { client: operator.name })?.tasks ?? null;
  return tasks(before) === null ? tasks(after) : null;
}

/** The object as the operator knows it: from its caches, or as it is stored. */
function known(operator: Operator, cluster: Cluster, key: ObjectKey): ApiObject | null {
  return operator.reads === 'cache'
    ? cached(cluster, `${operator.name}: ${kindOf(key)}`, key)
    : (cluster.store[key] ?? null);
}

/** What speaks against a task, as far as the operator knows. */
function objections(
  setup: Setup,
  operator: Operator,
  cluster: Cluster,
  task: Task,
): readonly string[] {
  const { parent, finalizer, deletes, waitsFor, creates } = operator;
  const look = (key: ObjectKey): ApiObject | null => known(operator, cluster, key);
  const isThere = (key: ObjectKey): boolean => look(key) !== null;
  const own = look(parent.key);
  if (own?.uid !== parent.uid) return ['its object is not there'];
  const goes = isBeingDeleted(own);
  const isOn = finalizer !== undefined && own.finalizers.includes(finalizer);
  const toDelete = deletes.map(({ key }) => key);
  switch (task.do) {
    case 'addFinalizer':
      return goes || isOn ? ['its finalizer is on, or its object is being deleted'] : [];
    case 'create': {
      const child = creates.find(({ uid }) => uid === task.uid);
      const taken = child !== undefined && isThere(keyOf(child));
      return goes || taken ? ['it is there, or its object is being deleted'] : [];
    }
    case 'delete': {
      const target = look(task.key);
      const first = toDelete.slice(0, toDelete.indexOf(task.key)).filter(isThere);
      return [
        ...(goes && (isOn || finalizer === undefined) ? [] : ['its object does not wait for that']),
        ...(target === null || isBeingDeleted(target) ? ['it is gone or going already'] : []),
        ...first.map((key) => `${formatKey(key)} is still there`),
      ];
    }
    case 'removeFinalizer': {
      const names = waitsFor.flatMap((what) => (what === 'dependents' ? [] : [what]));
      const dependents = waitsFor.includes('dependents')
        ? (dependentKeys(setup).get(parent.uid) ?? []).filter((key) =>
            look(key)?.ownerReferences.some(({ uid }) => uid === parent.uid),
          )
        : [];
      return [
        ...(goes ? [] : ['its object is not being deleted']),
        ...[...toDelete, ...names]
          .filter(isThere)
          .concat(dependents)
          .map((key) => `${formatKey(key)} is still there`),
      ];
    }
    case 'adopt':
    case 'release':
      return ['it neither adopts nor releases'];
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}

export const OPERATORS_AS_DESCRIBED: CatalogueEntry = {
  name: 'a described controller does what is said of it',
  kind: 'step',
  about:
    'As far as the controller knows, from its caches or from what is stored: it creates only what is ' +
    'missing, and only while its object stays; it deletes only what is there and not going already, in ' +
    'order, once its object goes and waits for it; it takes its finalizer off once all is gone that it ' +
    'deletes or waits for.',
  trigger: 'a controller that the scenario describes decides what to do',
  source: 'docs/scenarios.md, Controllers of your own',
  fairness: 'none',
  build: (setup) => {
    const operators = setup.operators ?? [];
    const faults = (
      before: Cluster,
      action: ActionInstance,
      after: Cluster,
      number: unknown,
    ): readonly string[] | null => {
      const operator = operators[Number(number)];
      if (operator === undefined) return null;
      const tasks = decided(operator, before, action, after);
      return (
        tasks?.flatMap((task) =>
          objections(setup, operator, before, task).map(
            (why) => `${operator.name} decides on ${task.do}, although ${why}`,
          ),
        ) ?? null
      );
    };
    return {
      kind: 'step',
      name: OPERATORS_AS_DESCRIBED.name,
      parameters: operators.map((_, number) => ({ number })),
      trigger: (before, action, after, { number }) =>
        faults(before, action, after, number) !== null,
      holds: (before, action, after, { number }) =>
        (faults(before, action, after, number) ?? []).length === 0,
      explain: (before, action, after, { number }) => faults(before, action, after, number) ?? [],
    };
  },
};
