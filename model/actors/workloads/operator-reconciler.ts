import type { ItemCall } from '../../state/calls.ts';
import { patchCall } from '../../state/calls.ts';
import { dependentKeys } from '../../state/instances.ts';
import { formatKey, kindOf } from '../../state/keys.ts';
import { keyOf, type ObjectKey } from '../../state/objects.ts';
import type { Operator, Setup } from '../../state/setup.ts';
import type { Informer } from '../../state/world.ts';
import type { FinalizerRemoval } from '../actor.ts';
import { planOperator } from './operator-plan.ts';
import type { Look, Task } from './plan.ts';
import type { Reconciler } from './reconciling.ts';
import { lookWith } from './workload-reconciler.ts';

/** The controllers that a scenario describes. */
export function operatorReconcilers(setup: Setup): readonly Reconciler[] {
  return (setup.operators ?? []).map((operator) => operatorReconciler(setup, operator));
}

/** Each operator is a separate process with its own informers. */
export function operatorInformers(setup: Setup): readonly Informer[] {
  return (setup.operators ?? [])
    .filter(({ reads }) => reads === 'cache')
    .flatMap((operator) =>
      [...new Set(keysOf(setup, operator).map(kindOf))].map((kind) => ({
        name: informerOf(operator, kind),
        words: operator.name,
        kind,
        inManager: false,
        readers: [operator.name],
      })),
    );
}

function informerOf({ name }: Operator, kind: string): string {
  return `${name}: ${kind}`;
}

function keysOf(setup: Setup, operator: Operator): readonly ObjectKey[] {
  const { parent, creates, deletes, waitsFor } = operator;
  return [
    ...new Set([
      parent.key,
      ...creates.map(keyOf),
      ...deletes.map(({ key }) => key),
      ...waitsFor.flatMap((what) =>
        what === 'dependents' ? (dependentKeys(setup).get(parent.uid) ?? []) : [what],
      ),
    ]),
  ];
}

/** From which object this operator removes its finalizer. Null: it has none, or never does. */
export function removalBy(setup: Setup, operator: Operator): FinalizerRemoval | null {
  const { name, parent, finalizer, fairness } = operator;
  if (finalizer === undefined || setup.finalizers[finalizer] === 'stuck') return null;
  const conditions = conditionsOf(operator);
  const when = conditions.length === 0 ? '' : `, once ${conditions.join(' and ')}`;
  const by = `${name}${fairness === 'none' ? ' (which may stop)' : ''}${when}`;
  return { finalizer, key: parent.key, uid: parent.uid, by };
}

/** What is true before an operator removes its finalizer (`planTeardown`). */
function conditionsOf({ deletes, waitsFor, atOnce }: Operator): readonly string[] {
  const deleted = deletes.map(({ key }) => key);
  const gone = new Set([...(atOnce === true ? [] : deleted), ...waitsFor]);
  const sent = atOnce === true ? deleted.filter((key) => !gone.has(key)) : [];
  return [
    ...(sent.length === 0 ? [] : [`it has deleted ${objectWords(sent)}`]),
    ...(gone.size === 0
      ? []
      : [
          `${objectWords([...gone])} ${gone.size === 1 && !gone.has('dependents') ? 'is' : 'are'} gone`,
        ]),
  ];
}

/** At most this many objects are named. */
const NAMED = 3;

function objectWords(keys: readonly ('dependents' | ObjectKey)[]): string {
  if (keys.length > NAMED) return `${keys.length} objects`;
  const names = keys.map((key) => (key === 'dependents' ? 'its dependents' : formatKey(key)));
  return names.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

function operatorReconciler(setup: Setup, operator: Operator): Reconciler {
  const dependents = dependentKeys(setup).get(operator.parent.uid) ?? [];
  const look: Reconciler['look'] =
    operator.reads === 'cache'
      ? lookWith((kind) => informerOf(operator, kind))
      : (cluster): Look =>
          (key) =>
            (cluster.store[key] as ReturnType<Look> | undefined) ?? null;
  const keepsFinalizer =
    operator.finalizer !== undefined && setup.finalizers[operator.finalizer] === 'stuck';
  return {
    role: 'operator',
    client: operator.name,
    words: operator.name,
    parent: operator.parent,
    children: operator.creates,
    uidsReturn: operator.uidsReturn === true,
    fairness: operator.fairness,
    keys: keysOf(setup, operator),
    reads: operator.reads,
    look,
    plan: (cluster, isFree) =>
      planOperator(operator, { look: look(cluster), isFree, dependents, keepsFinalizer }),
    callFor: (task) => callFor(operator, task),
  };
}

function callFor(operator: Operator, task: Task): ItemCall {
  const { name: client, parent, finalizer = '' } = operator;
  switch (task.do) {
    case 'create': {
      const object = operator.creates.find(({ uid }) => uid === task.uid);
      if (object === undefined) throw new Error(`${client} creates no ${task.uid}`);
      return { verb: 'create', client, object };
    }
    case 'delete': {
      const options = operator.deletes.find(({ key }) => key === task.key)?.options ?? {};
      return { verb: 'delete', client, key: task.key, options, at: 'get' };
    }
    case 'addFinalizer':
    case 'removeFinalizer':
      return patchCall(client, parent.key, { do: task.do, finalizer }, parent.uid);
    case 'adopt':
    case 'release':
      throw new Error(`${client} cannot adopt or release`);
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}
