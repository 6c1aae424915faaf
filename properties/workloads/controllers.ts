import type { ActionInstance } from '../../checker/index.ts';
import {
  type ApiObject,
  type Change,
  type Cluster,
  cached,
  cachedWorkloads,
  dependentKeys,
  formatKey,
  isBeingDeleted,
  isQuiet,
  isToDelete,
  keyOf,
  kindOf,
  type ObjectKey,
  type Operator,
  PROGRAMMED,
  type ProgramTask,
  refusalsOf,
  type Setup,
  stateOf,
  surroundingsOf,
  type Workload,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';

/** Kinds whose children have fixed names. For other kinds, only the number of children counts. */
const BY_NAME: readonly string[] = ['Deployment.apps', 'StatefulSet.apps', 'DaemonSet.apps'];

/** The parent, if its controller runs and the parent is not being deleted. */
function caredFor(cluster: Cluster, { parent }: Workload): ApiObject | null {
  const object = cluster.store[parent.key];
  if (object?.uid !== parent.uid || isBeingDeleted(object)) return null;
  return cluster.stopped.controllers === undefined ? object : null;
}

/** Children that the controller could create now, because their names are free. */
function creatable(cluster: Cluster, { children, uidsReturn }: Workload): readonly ApiObject[] {
  return children.filter(
    (child) =>
      cluster.store[keyOf(child)] === undefined &&
      (uidsReturn === true || cluster.budget[`child ${child.uid}`] !== undefined),
  );
}

/** Stored objects that the parent controls. */
function controlled(cluster: Cluster, { parent, children, selects = [] }: Workload) {
  const keys = new Set([...children.map(keyOf), ...selects]);
  return [...keys].flatMap((key) => {
    const object = cluster.store[key];
    const owner = object?.ownerReferences.find(({ controller }) => controller === true);
    return object !== undefined && owner?.uid === parent.uid ? [object] : [];
  });
}

/** Which children the workload lacks, or has too many of, in words. */
function faults(setup: Setup, cluster: Cluster, workload: Workload): readonly string[] {
  const parent = caredFor(cluster, workload);
  if (parent === null) return [];
  const { parent: owner, children } = workload;
  const wanted = parent.replicas ?? workload.replicas;
  const free = creatable(cluster, workload);
  if (BY_NAME.includes(kindOf(owner.key))) {
    const names = [...new Set(children.map(keyOf))].slice(0, wanted);
    // A StatefulSet waits for a child that is being deleted before it creates the next ones.
    const waits = names.findIndex((key) => {
      const object = cluster.store[key];
      return object !== undefined && isBeingDeleted(object);
    });
    const isInTurn = kindOf(owner.key) === 'StatefulSet.apps' && waits >= 0;
    return (isInTurn ? names.slice(0, waits) : names)
      .filter((key) => free.some((child) => keyOf(child) === key))
      .map((key) => `${owner.key} lacks ${key}`);
  }
  const counts = setup.rules.terminatingPods === 'counted';
  const isJob = kindOf(owner.key) === 'Job.batch';
  const own = controlled(cluster, workload);
  const active = own.filter(
    (child) => child.pod?.finished !== true && (counts || !isBeingDeleted(child)),
  );
  const done = isJob ? own.filter(({ pod }) => pod?.finished === true) : [];
  const lacking = wanted - active.length - done.length;
  return [
    ...(lacking > 0 && free.length > 0 ? [`${owner.key} has ${lacking} too few`] : []),
    ...(active.some((child) => !isBeingDeleted(child)) && active.length > wanted
      ? [`${owner.key} has ${active.length - wanted} too many`]
      : []),
  ];
}

export const WORKLOAD_REACHES_DESIRED_STATE = defineProperty({
  id: 'workload-reaches-desired-state',
  group: 'workloads, nodes, storage',
  name: 'a workload has what it wants when all is quiet',
  kind: 'invariant',
  about:
    'With nothing left to do, a workload that is not being deleted has as many children as it ' +
    'wants, or the children with the names that it wants, unless those names are taken or the ' +
    'API server refuses the children. Judged for workloads whose controller has its own ' +
    'caches.',
  trigger: 'all is quiet, and a workload whose controller has its own caches is not being deleted',
  source:
    'Kubernetes documentation, ReplicaSet: "A ReplicaSet\'s purpose is to maintain a stable set of ' +
    'replica Pods running at any given time"',
  build: (setup) => {
    const workloads = cachedWorkloads(setup);
    const world = surroundingsOf(setup);
    const of = (number: unknown): Workload | undefined => workloads[Number(number)];
    const isJudged = (cluster: Cluster, number: unknown): boolean => {
      const workload = of(number);
      if (workload === undefined || caredFor(cluster, workload) === null) return false;
      const keys = [workload.parent.key, ...workload.children.map(keyOf)];
      return isQuiet(setup, cluster) && refusalsOf(cluster, world, { ...workload, keys }) === '';
    };
    const found = (cluster: Cluster, number: unknown): readonly string[] => {
      const workload = of(number);
      return workload === undefined ? [] : faults(setup, cluster, workload);
    };
    return {
      parameters: workloads.map((_, number) => ({ number })),
      trigger: (cluster, { number }) => isJudged(cluster, number),
      holds: (cluster, { number }) => found(cluster, number).length === 0,
      explain: (cluster, { number }) => found(cluster, number),
    };
  },
});

/** The tasks that the operator has just decided on; null if it has decided nothing. */
function decided(
  operator: Operator,
  before: Cluster,
  action: ActionInstance,
  after: Cluster,
): readonly ProgramTask[] | null {
  if (action.parameters.controller !== operator.name) return null;
  const tasks = (cluster: Cluster): readonly ProgramTask[] | null =>
    stateOf(cluster, operator.name, PROGRAMMED)?.tasks ?? null;
  return tasks(before) === null ? tasks(after) : null;
}

/** What the task does: the verb of a request, or the change of an object. */
function deedOf(task: ProgramTask): string {
  return task.do === 'write' ? task.change.do : task.do;
}

/** The object as the operator knows it, from its caches or from the store. */
function known(operator: Operator, cluster: Cluster, key: ObjectKey): ApiObject | null {
  return operator.reads === 'cache'
    ? cached(cluster, `${operator.name}: ${kindOf(key)}`, key)
    : (cluster.store[key] ?? null);
}

/** The reasons against a task, as far as the operator can know them. */
function objections(
  setup: Setup,
  operator: Operator,
  cluster: Cluster,
  task: ProgramTask,
): readonly string[] {
  const { parent, finalizer, childFinalizer, deletes, waitsFor, creates } = operator;
  const look = (key: ObjectKey): ApiObject | null => known(operator, cluster, key);
  const isThere = (key: ObjectKey): boolean => look(key) !== null;
  const own = look(parent.key);
  if (own?.uid !== parent.uid) return ['its object is not there'];
  const goes = isBeingDeleted(own);
  const isOn = finalizer !== undefined && own.finalizers.includes(finalizer);
  // Where nothing is stored, there is no other object of the name.
  const waves = new Map(
    deletes
      .filter((one) => !isThere(one.key) || isToDelete(one, look(one.key)))
      .map(({ key, wave }) => [key, wave]),
  );
  const toDelete = [...waves.keys()];
  const isOfWave = (key: ObjectKey, wave: number | undefined): boolean =>
    wave !== undefined && waves.get(key) === wave;
  // An operator that sends the DELETEs of the last wave waits only for what it says.
  const isGoingLast = (key: ObjectKey): boolean => {
    const object = look(key);
    const isLast = isOfWave(key, waves.get(toDelete.at(-1) ?? key));
    return isLast && !waitsFor.includes(key) && object !== null && isBeingDeleted(object);
  };
  switch (task.do) {
    case 'create': {
      const isOf = (templates: readonly ApiObject[]): boolean =>
        templates.some((template) => keyOf(template) === task.key);
      if (goes) {
        return isOf(operator.createsInTeardown ?? []) ? [] : ['its object is being deleted'];
      }
      if (!isOf(creates)) return ['its object is not being deleted'];
      return isThere(task.key) ? ['it is there'] : [];
    }
    case 'delete': {
      const target = look(task.key);
      const wave = waves.get(task.key);
      const earlier = toDelete.slice(0, toDelete.indexOf(task.key));
      const first = earlier.filter((key) => !isOfWave(key, wave) && isThere(key));
      return [
        ...(goes && (isOn || finalizer === undefined) ? [] : ['its object does not wait for that']),
        ...(target === null || isBeingDeleted(target) ? ['it is gone or going already'] : []),
        ...(waves.has(task.key) ? [] : ['it is another object of the name']),
        ...first.map((key) => `${formatKey(key)} is still there`),
      ];
    }
    case 'write':
      return ofChange(task.key, task.change);
    case 'remember':
    case 'requeue':
      return [];
    case 'outside':
      return ['it touches nothing outside of the cluster'];
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }

  function ofChange(key: ObjectKey, change: Change): readonly string[] {
    switch (change.do) {
      case 'addFinalizer':
        return goes || isOn ? ['its finalizer is on, or its object is being deleted'] : [];
      case 'removeFinalizer': {
        if (change.finalizer !== childFinalizer) return ofRemoval();
        const child = look(key);
        return child !== null && isBeingDeleted(child) ? [] : ['the child is not being deleted'];
      }
      case 'adopt': {
        const controlled = look(key)?.ownerReferences.some(({ controller }) => controller);
        return goes || controlled === true ? ['it has a controller, or the object goes'] : [];
      }
      default:
        return ['nothing says so'];
    }
  }

  function ofRemoval(): readonly string[] {
    const names = waitsFor.flatMap((what) => (what === 'dependents' ? [] : [what]));
    const dependents = waitsFor.includes('dependents')
      ? (dependentKeys(setup).get(parent.uid) ?? []).filter((key) =>
          look(key)?.ownerReferences.some(({ uid }) => uid === parent.uid),
        )
      : [];
    const lacking = (operator.needs ?? []).filter((key) => !isThere(key));
    const before = (operator.after ?? []).filter((other) => own?.finalizers.includes(other));
    return [
      ...(goes ? [] : ['its object is not being deleted']),
      ...lacking.map((key) => `it needs ${formatKey(key)}, which is gone`),
      ...before.map((other) => `${other} is on`),
      ...[...toDelete, ...names]
        .filter((key) => isThere(key) && !isGoingLast(key))
        .concat(dependents)
        .map((key) => `${formatKey(key)} is still there`),
    ];
  }
}

export const CUSTOM_CONTROLLER_AS_DESCRIBED = defineProperty({
  id: 'custom-controller-as-described',
  group: 'workloads, nodes, storage',
  name: 'a described controller does what is said of it',
  kind: 'step',
  about:
    'Judged by what the controller knows from its caches or from the store. It creates only ' +
    'what is missing, and only while its object is not being deleted. Once its object is ' +
    'being deleted and waits for it, it deletes in order, and only what exists and is not ' +
    'being deleted yet. It takes its finalizer off only when everything is gone that it ' +
    'deletes or waits for.',
  trigger: 'a controller that the scenario describes decides what to do',
  source: 'docs/scenarios.md, Controllers of your own',
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
            (why) => `${operator.name} decides on ${deedOf(task)}, although ${why}`,
          ),
        ) ?? null
      );
    };
    return {
      parameters: operators.map((_, number) => ({ number })),
      trigger: (before, action, after, { number }) =>
        faults(before, action, after, number) !== null,
      holds: (before, action, after, { number }) =>
        (faults(before, action, after, number) ?? []).length === 0,
      explain: (before, action, after, { number }) => faults(before, action, after, number) ?? [],
    };
  },
});
