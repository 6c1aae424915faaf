import { TrackedEngine } from '../../../checker/engine/tracked.ts';
import { instancesOf } from '../../../checker/instances.ts';
import { compileProperties } from '../../../checker/judgements.ts';
import { emptyTransitionBuffer } from '../../../checker/liveness/graph.ts';
import { decideReductions } from '../../../checker/reductions/table.ts';
import { canonicalText } from '../../../checker/values/canonical.ts';
import { OTHER_DEPENDENTS } from '../../../model/actors/collector/other-dependents.ts';
import { othersKey } from '../../../model/collector/other-dependents.ts';
import { keyOf, type Setup } from '../../../model/index.ts';
import type { Cluster } from '../../../model/state/cluster.ts';
import { identityOfNode } from '../../../model/state/nodes.ts';
import type { OwnerReference } from '../../../model/state/objects.ts';
import type { OrphanWorker } from '../../../model/state/workers.ts';
import { modelOf } from '../../../run/assemble.ts';

/** The states and steps of a model without any reduction; each state as a text that `look` makes. */
interface Graph {
  readonly texts: readonly string[];
  readonly next: readonly (readonly number[])[];
  /** The steps of other dependents. */
  readonly leaving: readonly (readonly number[])[];
}

function graphOf(setup: Setup, look: (cluster: Cluster) => string): Graph {
  const model = modelOf(setup);
  const instances = instancesOf(model);
  const compiled = compileProperties<Cluster>([], instances);
  const reductions = decideReductions(
    { model, properties: [], reductions: [] },
    instances,
    compiled,
  );
  const engine = new TrackedEngine<Cluster>({
    ...{ model, instances, ...reductions.predicates, reductions },
  });
  const watched = new Uint8Array(instances.length);
  for (let state = 0; state < engine.stateCount; state++) {
    engine.load(state);
    engine.expand({ watched, transition: () => undefined });
  }
  const buffer = emptyTransitionBuffer();
  const states = Array.from({ length: engine.stateCount }, (_, state) => state);
  const steps = states.map((state) => {
    const count = engine.successors(state, buffer);
    return Array.from({ length: count }, (_, index) => ({
      target: buffer.targets[index]!,
      name: instances[buffer.actions[index]!]!.identity.name,
    }));
  });
  return {
    texts: states.map((state) => look(engine.decode(state))),
    next: steps.map((each) => each.map(({ target }) => target)),
    leaving: steps.map((each) =>
      each.flatMap(({ name, target }) => (name in OTHER_DEPENDENTS.actions ? [target] : [])),
    ),
  };
}

/**
 * What a state says of the objects of a part: the state of that part beside others. What the
 * collector remembers of absent owners is left out. A worker that knows less of them reads what
 * it lacks within the same step.
 */
function viewOf(part: Setup): (cluster: Cluster) => string {
  const uids = new Set<string>(part.objects.map(({ uid }) => uid));
  const keys = new Set<string>(part.objects.map(keyOf));
  const isOwn = (id: string): boolean => uids.has(identityOfNode(id).uid);
  const only = <Value>(
    record: Readonly<Record<string, Value>>,
    isKept: (key: string, value: Value) => boolean,
  ): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([key, value]) => isKept(key, value)));
  return (cluster) => {
    const ownNodes = <Value>(record: Readonly<Record<string, Value>>) => only(record, isOwn);
    const others = Object.keys(part.otherDependents ?? {}).filter((uid) =>
      hasOthers(cluster, uid, uids),
    );
    const workers = Object.entries(cluster.deleteWorkers).flatMap(([name, worker]) =>
      isOwn(worker.node) ? [[worker, cluster.unchangedSince[name] ?? null]] : [],
    );
    const seen = {
      others,
      store: only(cluster.store, (key) => keys.has(key)),
      unchangedSince: only(
        cluster.unchangedSince,
        (client, key) => keys.has(key) && cluster.deleteWorkers[client] === undefined,
      ),
      calls: only(
        cluster.calls,
        (client, call) => client in cluster.users || ('key' in call && keys.has(call.key)),
      ),
      users: cluster.users,
      promisedOrphans: only(cluster.promisedOrphans, (uid) => uids.has(uid)),
      surprises: cluster.surprises,
      watch: Object.entries(cluster.watch).flatMap(([kind, stream]) => {
        const own = stream.filter(({ object }) => uids.has(object.identity.uid));
        return own.length === 0 ? [] : [[kind, own]];
      }),
      graph: only(cluster.graph, (uid) => uids.has(uid)),
      dependents: Object.entries(cluster.dependents).flatMap(([uid, dependents]) => {
        const own = dependents.filter((dependent) => uids.has(dependent));
        return uids.has(uid) && own.length > 0 ? [[uid, own]] : [];
      }),
      graphChanges: ownNodes(cluster.graphChanges),
      attemptToDelete: ownNodes(cluster.attemptToDelete),
      attemptToOrphan: ownNodes(cluster.attemptToOrphan),
      processing: ownNodes(cluster.processing),
      orphaning: ownNodes(cluster.orphaning),
      controllers: cluster.controllers,
      workers: workers.map(canonicalText).sort(),
      orphanWorkers: Object.values(cluster.orphanWorkers).flatMap((worker) =>
        isOwn(worker.node) ? [orphanWorkerView(worker, uids)] : [],
      ),
    };
    const text = canonicalText({ ...seen, processing: heldView(seen.processing, uids) });
    // Workers of a queue are alike.
    return text.replaceAll(/\bdelete-\d+/g, 'delete-worker');
  };
}

/** Whether the graph has, or will have again, other dependents of an owner. */
function hasOthers(cluster: Cluster, owner: string, uids: ReadonlySet<string>): boolean {
  if (cluster.budget[othersKey(owner)] !== undefined) return true;
  const names = (references: readonly OwnerReference[]): boolean =>
    references.some(({ uid }) => uid === owner);
  return (
    Object.entries(cluster.graph).some(([uid, { owners }]) => !uids.has(uid) && names(owners)) ||
    Object.values(cluster.watch)
      .flat()
      .some(
        ({ type, object }) =>
          type !== 'delete' && !uids.has(object.identity.uid) && names(object.ownerReferences),
      )
  );
}

/** A worker whose last patches are those of other dependents has nothing left to patch here. */
function orphanWorkerView(worker: OrphanWorker, uids: ReadonlySet<string>): OrphanWorker {
  if (worker.at !== 'patchDependents') return worker;
  const calls = Object.fromEntries(Object.entries(worker.calls).filter(([uid]) => uids.has(uid)));
  return Object.keys(calls).length === 0 && !worker.failed
    ? { node: worker.node, at: 'getForFinalizer', attempt: 1 }
    : { ...worker, calls };
}

function heldView(processing: Cluster['processing'], uids: ReadonlySet<string>): unknown {
  return Object.entries(processing).map(([id, held]) => [
    id,
    held === 'current'
      ? held
      : { ...held, dependents: held.dependents.filter((uid) => uids.has(uid)) },
  ]);
}

/**
 * Whether every run of the whole, as far as one sees it at the objects of the part, is a run of the
 * part. Null: it is. Otherwise a step of the whole that the part lacks, as two views.
 */
export function missingStep(whole: Setup, part: Setup): readonly [string, string] | null {
  const look = viewOf(part);
  const large = graphOf(whole, look);
  const small = graphOf(part, look);
  if (large.texts[0] !== small.texts[0]) return [large.texts[0] ?? '', small.texts[0] ?? ''];
  // By state of the whole: the states of the part that can correspond to it.
  const partners = large.texts.map(() => new Set<number>());
  const open: (readonly [number, number])[] = [];
  const meet = (state: number, partner: number): void => {
    if (partners[state]?.has(partner) !== false) return;
    partners[state].add(partner);
    open.push([state, partner]);
    // Steps that one does not see.
    for (const next of small.next[partner] ?? []) {
      if (small.texts[next] === large.texts[state]) meet(state, next);
    }
  };
  meet(0, 0);
  const missing = (state: number, after: number): boolean => {
    const text = large.texts[after];
    let isFound = false;
    for (const partner of partners[state] ?? []) {
      const one = small.next[partner] ?? [];
      // The last other dependent leaves, and its owner is queued: two steps in the part.
      const two = (small.leaving[partner] ?? []).flatMap((next) => small.next[next] ?? []);
      for (const next of [partner, ...one, ...two]) {
        if (small.texts[next] !== text) continue;
        isFound = true;
        meet(after, next);
      }
    }
    return !isFound;
  };
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [state] = pair;
    const after = large.next[state]?.find((next) => missing(state, next));
    if (after !== undefined) return [large.texts[state] ?? '', large.texts[after] ?? ''];
  }
  return null;
}
