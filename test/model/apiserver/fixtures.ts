import { type Draft, produce } from 'immer';
import { advanceCall } from '../../../model/apiserver/handle.ts';
import { DEFAULT_PROTOCOL, PROTOCOLS } from '../../../model/rules/protocols.ts';
import type { Rules } from '../../../model/rules/rules.ts';
import type {
  Answer,
  Call,
  Change,
  DeleteCall,
  DeleteOptions,
  Progress,
  UpdateCall,
} from '../../../model/state/calls.ts';
import { type Cluster, SLOTS } from '../../../model/state/cluster.ts';
import { BUILT_IN_KINDS, customKind } from '../../../model/state/kind-table.ts';
import { type ApiObject, keyOf, type ObjectKey } from '../../../model/state/objects.ts';
import type { World } from '../../../model/state/world.ts';

export const WIDGET = customKind('example.test/v1', 'Widget', true);

export function world(rules: Partial<Rules> = {}, more: Partial<World> = {}): World {
  const protocol = PROTOCOLS[DEFAULT_PROTOCOL];
  if (protocol === undefined) throw new Error('the default protocol is missing');
  return {
    kinds: { ...BUILT_IN_KINDS, [WIDGET.name]: WIDGET },
    rules: { ...protocol, ...rules },
    absentOwnerCapacity: 500,
    ...more,
  };
}

export function configMap(name: string, more: Partial<ApiObject> = {}): ApiObject {
  return {
    kind: 'ConfigMap',
    namespace: 'default',
    name,
    uid: `u-${name}`,
    generation: 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    ...more,
  };
}

/** As a DELETE leaves an object that finalizers hold. */
export const DELETING = { deletionTimestamp: 0, deletionGracePeriodSeconds: 0 } as const;

export function pod(name: string, more: Partial<ApiObject> = {}): ApiObject {
  return configMap(name, {
    kind: 'Pod',
    pod: { terminationGracePeriodSeconds: 30, scheduled: true, finished: false },
    ...more,
  });
}

export function namespace(name: string, more: Partial<ApiObject> = {}): ApiObject {
  return configMap(name, {
    kind: 'Namespace',
    namespace: '',
    phase: 'Active',
    specFinalizers: ['kubernetes'],
    ...more,
  });
}

export function clusterOf(...objects: readonly ApiObject[]): Cluster {
  const empty = Object.fromEntries(Object.keys(SLOTS).map((slot) => [slot, {}]));
  const store = Object.fromEntries(objects.map((object) => [keyOf(object), object]));
  return { ...empty, store } as unknown as Cluster;
}

export function deletion(key: ObjectKey, options: DeleteOptions = {}, client = 'user'): DeleteCall {
  return { verb: 'delete', client, key, options, at: 'get' };
}

export function update(key: ObjectKey, change: Change, more: Partial<UpdateCall> = {}): UpdateCall {
  return {
    verb: 'update',
    client: 'user',
    key,
    change,
    uid: null,
    put: false,
    resourceVersion: false,
    at: 'update',
    ...more,
  };
}

export interface Served {
  readonly cluster: Cluster;
  readonly answer: Answer;
  /** The `at` of the request before each step, including the last one. */
  readonly steps: readonly string[];
}

/** One step of the request. */
export function serveStep(
  cluster: Cluster,
  env: World,
  call: Call,
): { readonly cluster: Cluster; readonly progress: Progress } {
  let progress: Progress | undefined;
  const next = produce(cluster, (draft: Draft<Cluster>) => {
    progress = advanceCall(draft, env, call);
  });
  if (progress === undefined) throw new Error('the handler gave nothing');
  return { cluster: next, progress };
}

/** Takes steps until the request is at this place. */
export function serveUntil(
  cluster: Cluster,
  env: World,
  call: Call,
  place: string,
): { readonly cluster: Cluster; readonly call: Call } {
  let state = { cluster, call };
  while (!('at' in state.call) || state.call.at !== place) {
    const { cluster: next, progress } = serveStep(state.cluster, env, state.call);
    if (progress.done) throw new Error(`answered before ${place}`);
    state = { cluster: next, call: progress.call };
  }
  return state;
}

/** Serves the whole request without steps in between. */
export function serve(cluster: Cluster, env: World, call: Call): Served {
  let state = { cluster, call };
  const steps: string[] = [];
  for (;;) {
    steps.push(state.call.at ?? 'admission');
    const { cluster: next, progress } = serveStep(state.cluster, env, state.call);
    if (progress.done) return { cluster: next, answer: progress.answer, steps };
    state = { cluster: next, call: progress.call };
  }
}

/** A client reads an object, for a later resourceVersion. */
export function readBy(cluster: Cluster, client: string, key: ObjectKey): Cluster {
  return { ...cluster, unchangedSince: { ...cluster.unchangedSince, [client]: key } };
}

export function stored(cluster: Cluster, object: ApiObject): ApiObject | null {
  return cluster.store[keyOf(object)] ?? null;
}
