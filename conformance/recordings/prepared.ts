import { freeze } from 'immer';
import {
  FOREGROUND,
  initialCluster,
  type KindTable,
  keyOf,
  ORPHAN,
  type Rules,
  resolveKind,
  type Setup,
  type World,
} from '../../model/index.ts';
import { keyOfRequest } from './logs/keys.ts';
import type { Trace } from './logs/observations.ts';
import { timelineOf } from './logs/timeline.ts';
import type { Misfit } from './matching/differences.ts';
import { type InitialObject, initialObjectsOf } from './matching/initial-objects.ts';
import { ObjectRelations } from './matching/object-relations.ts';
import { podsIn, preparedCalls, type TraceContext } from './search/context.ts';
import { lonelyObjects } from './search/gets/lonely.ts';
import { sharedKeysIn } from './search/gets/shared-keys.ts';
import { RuleReads } from './search/history.ts';
import { lastReferencesIn } from './search/owner-references.ts';
import type { TraceState } from './search/trace-state.ts';

export interface SearchOptions {
  readonly rules: Rules;
  readonly partial: boolean;
  /** Record the rules that each step reads. This takes time. */
  readonly readRules?: boolean;
  /**
   * False: try every hidden step at every point. This takes very long; the verdict must be the
   * same.
   */
  readonly reduced?: boolean;
}

/** What a search for an explanation begins with. */
export interface Search {
  readonly context: TraceContext;
  readonly initial: TraceState;
  /** The misfits at the furthest point that a search has reached. */
  readonly misfits: () => readonly Misfit[];
}

/** The default of `--concurrent-gc-syncs` of the controller manager. */
const WORKERS = 20;

export function searchOf(trace: Trace, options: SearchOptions): Search {
  const furthest: { index: number; misfits: Map<string, Misfit> } = {
    index: -1,
    misfits: new Map(),
  };
  const reads = options.readRules === true ? new RuleReads(options.rules) : null;
  const pods = podsIn(trace);
  const objects = initialObjectsOf(trace).map((initial) => withGrace(initial, pods));
  const world: World = {
    kinds: kindsOf(trace),
    rules: reads?.rules ?? options.rules,
    absentOwnerCapacity: Number.POSITIVE_INFINITY,
    namespaces: namespacesIn(trace, objects),
  };
  const timeline = timelineOf(trace);
  const seen = {
    trace,
    timeline,
    relations: new ObjectRelations(trace),
    foreground: uidsWith(trace, FOREGROUND, true),
    orphaned: uidsWith(trace, ORPHAN, false),
  };
  const context: TraceContext = {
    ...seen,
    lonely: lonelyObjects(seen),
    sharedKeys: sharedKeysIn({ ...seen, world, partial: options.partial }),
    lastReferences: lastReferencesIn(timeline),
    world,
    workers: WORKERS,
    calls: preparedCalls(trace, pods),
    pods,
    keys: trace.requests.map(keyOfRequest),
    keysOfNodes: new Map(),
    reduced: options.reduced !== false,
    eventsFirst: true,
    reads,
    partial: options.partial,
    unsent: null,
    reportMisfit(index, misfit) {
      if (index < furthest.index) return;
      if (index > furthest.index) {
        furthest.index = index;
        furthest.misfits.clear();
      }
      furthest.misfits.set(JSON.stringify([misfit.request, misfit.sentence]), misfit);
    },
  };
  const initial = initialState(context, objects, options.rules);
  return { context, initial, misfits: () => [...furthest.misfits.values()] };
}

/** A pod that is there at the start: its deletion, later in the trace, shows its grace period. */
function withGrace(initial: InitialObject, pods: TraceContext['pods']): InitialObject {
  const { object } = initial;
  const pod = pods.get(object.uid);
  if (pod === undefined || object.deletionTimestamp !== null) return initial;
  return { ...initial, object: { ...object, pod: { ...pod, finished: false } } };
}

function initialState(
  context: TraceContext,
  objects: readonly InitialObject[],
  rules: Rules,
): TraceState {
  const setup: Setup = {
    name: context.trace.name,
    kinds: context.world.kinds,
    rules,
    objects: objects.map(({ object }) => object),
    users: {},
    finalizers: {},
    deleteWorkers: context.workers,
    orphanWorkers: context.workers,
    caches: 'synced',
    relists: {},
  };
  const stored = objects.map(({ object, written }) => [keyOf(object), written] as const);
  return freeze(
    {
      cluster: initialCluster(setup, context.world),
      changes: 0,
      stored: Object.fromEntries(stored),
      open: {},
      sent: {},
      pendingGets: {},
      late: {},
      lastRead: {},
      checkedMemory: {},
      restarts: context.trace.restarts,
      relists: context.trace.relists,
      listed: {},
      history: null,
      warnings: {},
    },
    true,
  );
}

function namespacesIn(trace: Trace, objects: readonly InitialObject[]): readonly string[] {
  const stored = objects
    .map(({ object }) => object)
    .filter(({ kind }) => trace.kinds[kind]?.storage === 'namespace')
    .map(({ name }) => name);
  const created = trace.requests
    .filter(({ kind, verb }) => kind.storage === 'namespace' && verb === 'create')
    .flatMap(({ name }) => (name === null ? [] : [name]));
  return [...new Set([...stored, ...created])];
}

/** Only the kinds that occur in the trace, because every step of the model reads the table. */
function kindsOf(trace: Trace): KindTable {
  const seen = [
    ...trace.initial,
    ...(trace.changes ?? []),
    ...trace.requests.map((request) => ({ ...request, object: request.answer })),
    ...(trace.final ?? []),
  ];
  const kinds = new Map(seen.map(({ kind }) => [kind.name, kind]));
  for (const { object } of seen) {
    for (const { apiVersion, kind } of object?.ownerReferences ?? []) {
      const owner = resolveKind(trace.kinds, apiVersion, kind);
      if (owner !== null) kinds.set(owner.name, owner);
    }
  }
  for (const kind of Object.values(trace.kinds)) {
    if (kind.storage !== 'generic') kinds.set(kind.name, kind);
  }
  return Object.fromEntries(kinds);
}

/** @param deleting only while the object is being deleted. */
function uidsWith(trace: Trace, finalizer: string, deleting: boolean): ReadonlySet<string> {
  const seen = [
    ...(trace.changes ?? []).map(({ object }) => object),
    ...trace.requests.flatMap(({ answer }) => (answer === null ? [] : [answer])),
  ];
  return new Set(
    seen
      .filter(
        ({ deletionTimestamp, finalizers }) =>
          (!deleting || deletionTimestamp !== null) && finalizers.includes(finalizer),
      )
      .map(({ uid }) => uid),
  );
}
