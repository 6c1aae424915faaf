import { TrackedEngine } from '../../../checker/engine/tracked.ts';
import { instancesOf } from '../../../checker/instances.ts';
import { compileProperties } from '../../../checker/judgements.ts';
import { emptyTransitionBuffer } from '../../../checker/liveness/graph.ts';
import { decideReductions } from '../../../checker/reductions/table.ts';
import { canonicalText } from '../../../checker/values/canonical.ts';
import { canUnblock } from '../../../input/cluster/piecemeal.ts';
import { OTHER_DEPENDENTS } from '../../../model/actors/collector/other-dependents.ts';
import { DEPENDENTS, othersKey } from '../../../model/collector/other-dependents.ts';
import { keyOf, type Setup } from '../../../model/index.ts';
import type { Cluster, DeletionMarks, WatchEvent } from '../../../model/state/cluster.ts';
import { identityOfNode } from '../../../model/state/nodes.ts';
import type { OwnerReference } from '../../../model/state/objects.ts';
import type { OrphanWorker } from '../../../model/state/workers.ts';
import { modelOf } from '../../../run/assemble.ts';

/**
 * The states and steps of a model without any reduction; each state as a text that `look` makes.
 */
interface Graph {
  readonly texts: readonly string[];
  readonly next: readonly (readonly number[])[];
  /** The steps of other dependents. */
  readonly leaving: readonly (readonly number[])[];
}

/** Larger graphs take too much time and memory for a test. */
const LARGEST = 30_000;

interface Explored extends Omit<Graph, 'texts'> {
  readonly states: readonly Cluster[];
}

/** Each piece of a whole is compared with it. */
const explored = new WeakMap<Setup, Explored | null>();

/** Null: it is too large. */
function graphOf(setup: Setup, look: (cluster: Cluster) => string): Graph | null {
  const known = explored.get(setup);
  const graph = known === undefined ? explore(setup) : known;
  explored.set(setup, graph);
  return graph && { ...graph, texts: graph.states.map(look) };
}

function explore(setup: Setup): Explored | null {
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
    if (engine.stateCount > LARGEST) return null;
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
    states: states.map((state) => engine.decode(state)),
    next: steps.map((each) => each.map(({ target }) => target)),
    leaving: steps.map((each) =>
      each.flatMap(({ name, target }) => (name in OTHER_DEPENDENTS.actions ? [target] : [])),
    ),
  };
}

/**
 * What a state says of the objects of a piece: the state of that piece beside others. What the
 * collector remembers of absent owners is left out. A worker that knows less of them reads what
 * it lacks within the same step. Of owners that have owners themselves, only what is stored, what
 * the graph has and what is on its way there counts, without their references: who works on them
 * differs. Only a property reads which orphans were promised.
 */
function viewOf(
  whole: Setup,
  part: Setup,
  above: ReadonlySet<string>,
): (cluster: Cluster) => string {
  // They are dependents of both kinds, one after the other.
  const unblocking = new Set<string>(
    whole.objects.filter((object) => canUnblock(whole, object)).map(({ uid }) => uid),
  );
  const uids = new Set<string>(part.objects.map(({ uid }) => uid));
  const keys = new Set<string>(part.objects.map(keyOf));
  const isOwn = (id: string): boolean => {
    const { uid } = identityOfNode(id);
    return uids.has(uid) && !above.has(uid);
  };
  const aboveKeys = new Set<string>(
    part.objects.filter(({ uid }) => above.has(uid)).map((object) => keyOf(object)),
  );
  const bare = <Object extends { readonly ownerReferences: unknown }>(object: Object): Object => ({
    ...object,
    ownerReferences: [],
  });
  const only = <Value>(
    record: Readonly<Record<string, Value>>,
    isKept: (key: string, value: Value) => boolean,
  ): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([key, value]) => isKept(key, value)));
  /** Whether the graph has, or will have again, other dependents of an owner. */
  const hasOthers = (
    cluster: Cluster,
    owner: string,
    which: (typeof DEPENDENTS)[number],
  ): boolean => {
    if (cluster.budget[othersKey(owner, which)] !== undefined) return true;
    const isMeant = (uid: string, references: readonly OwnerReference[]): boolean =>
      (!uids.has(uid) || above.has(uid)) &&
      references.some(
        (reference) =>
          reference.uid === owner &&
          (reference.blockOwnerDeletion === true
            ? which === 'blocking' || unblocking.has(uid)
            : which === 'free'),
      );
    return (
      Object.entries(cluster.graph).some(([uid, { owners }]) => isMeant(uid, owners)) ||
      Object.values(cluster.watch)
        .flat()
        .some(
          ({ type, object }) =>
            type !== 'delete' && isMeant(object.identity.uid, object.ownerReferences),
        )
    );
  };
  /**
   * An event of its references has brought an owner back that is gone. Nothing is attached to it.
   */
  const isBack = (cluster: Cluster, uid: string): boolean =>
    above.has(uid) &&
    !Object.values(cluster.store).some((stored) => stored.uid === uid) &&
    !(cluster.dependents[uid] ?? []).some((dependent) => uids.has(dependent));
  return (cluster) => {
    const ownNodes = <Value>(record: Readonly<Record<string, Value>>) => only(record, isOwn);
    const others = Object.entries(part.otherDependents ?? {}).map(([owner, ends]) => [
      owner,
      // Nothing notices whether those that stay are there.
      DEPENDENTS.filter((which) => {
        return (ends[which] ?? 'stay') !== 'stay' && hasOthers(cluster, owner, which);
      }),
    ]);
    const workers = Object.entries(cluster.deleteWorkers).flatMap(([name, worker]) =>
      isOwn(worker.node) ? [[worker, cluster.unchangedSince[name] ?? null]] : [],
    );
    const seen = {
      others,
      store: Object.fromEntries(
        Object.entries(cluster.store)
          .filter(([key]) => keys.has(key))
          .map(([key, object]) => [key, aboveKeys.has(key) ? bare(object) : object]),
      ),
      unchangedSince: only(
        cluster.unchangedSince,
        (client, key) =>
          keys.has(key) && !aboveKeys.has(key) && cluster.deleteWorkers[client] === undefined,
      ),
      calls: only(
        cluster.calls,
        (client, call) =>
          client in part.users || ('key' in call && keys.has(call.key) && !aboveKeys.has(call.key)),
      ),
      users: only(cluster.users, (user) => user in part.users),
      surprises: cluster.surprises,
      watch: Object.entries(cluster.watch).flatMap(([kind, stream]) => {
        const own = stream.filter(({ object }) => uids.has(object.identity.uid));
        const seen = withoutEmptyEvents(own, above);
        return seen.length === 0 ? [] : [[kind, seen]];
      }),
      graph: Object.fromEntries(
        Object.entries(cluster.graph)
          .filter(([uid]) => uids.has(uid) && !isBack(cluster, uid))
          .map(([uid, node]) => [uid, above.has(uid) ? { ...node, owners: [] } : node]),
      ),
      dependents: Object.entries(cluster.dependents).flatMap(([uid, dependents]) => {
        const own = dependents.filter((uid) => uids.has(uid) && !above.has(uid));
        return uids.has(uid) && own.length > 0 ? [[uid, own]] : [];
      }),
      graphChanges: ownNodes(cluster.graphChanges),
      attemptToDelete: ownNodes(cluster.attemptToDelete),
      attemptToOrphan: ownNodes(cluster.attemptToOrphan),
      processing: ownNodes(cluster.processing),
      orphaning: ownNodes(cluster.orphaning),
      controllers: cluster.controllers,
      workers: workers.map((worker) => anonymous(canonicalText(worker))).sort(),
      orphanWorkers: Object.values(cluster.orphanWorkers).flatMap((worker) =>
        isOwn(worker.node) ? [orphanWorkerView(worker, uids)] : [],
      ),
    };
    return anonymous(canonicalText({ ...seen, processing: heldView(seen.processing, uids) }));
  };
}

/** Workers of a queue are alike. */
function anonymous(text: string): string {
  return text.replaceAll(/\bdelete-\d+/g, 'delete-worker');
}

/** Events of owners that change nothing but references. */
function withoutEmptyEvents(
  events: readonly WatchEvent[],
  above: ReadonlySet<string>,
): readonly WatchEvent[] {
  return events.flatMap((event): readonly WatchEvent[] => {
    if (!above.has(event.object.identity.uid)) return [event];
    const isEmpty = event.type === 'update' && hasSameMarks(event.old, event.object.deletion);
    return isEmpty ? [] : [{ ...event, object: { ...event.object, ownerReferences: [] } } as const];
  });
}

function hasSameMarks(before: DeletionMarks, after: DeletionMarks): boolean {
  const { beingDeleted, foreground, orphan } = before;
  return canonicalText({ beingDeleted, foreground, orphan }) === canonicalText(after);
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
export function missingStep(
  whole: Setup,
  part: Setup,
  above: ReadonlySet<string>,
): readonly [string, string] | 'too large' | null {
  const look = viewOf(whole, part, above);
  const large = graphOf(whole, look);
  const small = large === null ? null : graphOf(part, look);
  if (large === null || small === null) return 'too large';
  if (!small.texts.includes(large.texts[0] ?? ''))
    return [large.texts[0] ?? '', small.texts[0] ?? ''];
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
  // A worker of the piece may first have to drop an item.
  for (const [state, text] of small.texts.entries()) if (text === large.texts[0]) meet(0, state);
  const missing = (state: number, after: number): boolean => {
    const text = large.texts[after];
    let isFound = false;
    for (const partner of partners[state] ?? []) {
      // An event of one dependent can be several steps of the environment, then one of the piece.
      const silent = new Set([partner]);
      for (const state of silent) for (const next of small.leaving[state] ?? []) silent.add(next);
      const then = [...silent].flatMap((state) => small.next[state] ?? []);
      for (const next of new Set([...silent, ...then])) {
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
