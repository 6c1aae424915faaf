import { produce } from 'immer';
import { LISTS } from './actors/collector/lists.ts';
import { lostNodeKey } from './actors/nodes/kubelet.ts';
import { ACTORS } from './actors/registry.ts';
import { withObservedGeneration } from './actors/workloads/generations.ts';
import { withInitializers } from './apiserver/initializers.ts';
import { observe, receivesEvents, streamOf } from './apiserver/store.ts';
import { processGraphChange } from './collector/graph-builder.ts';
import { withoutIdleItems } from './collector/idle-items.ts';
import { startMonitors } from './collector/monitors.ts';
import { type Cluster, EMPTY_CLUSTER, type WatchEvent } from './state/cluster.ts';
import { instancesOf } from './state/instances.ts';
import { isWatched } from './state/kinds.ts';
import { type ApiObject, isVisible, keyOf, type Uid } from './state/objects.ts';
import type { Setup } from './state/setup.ts';
import type { World } from './state/world.ts';

/**
 * The state in which a model starts.
 *
 * `synced`: the collector has handled an add event for every object, and every item in its queues
 * for which a worker would find nothing to do. The other items stay queued (owners that do not
 * exist, deletions in progress). `cold`: the same events are still undelivered.
 *
 * @param look called again and again meanwhile; what it throws ends the work.
 */
export function initialCluster(setup: Setup, world: World, look: () => void = () => {}): Cluster {
  const watched = instancesOf(setup).kinds.filter((kind) => isWatched(setup, kind));
  const empty: Cluster = {
    ...EMPTY_CLUSTER,
    store: Object.fromEntries(
      setup.objects.map((object) => [
        keyOf(object),
        withInitializers(world, withObservedGeneration(world, object)),
      ]),
    ),
    watch: Object.fromEntries(watched.map((kind) => [streamOf(world, kind), []])),
    unseen: Object.fromEntries((world.informers ?? []).map(({ name }) => [name, []])),
    stopped: Object.fromEntries(
      (setup.lostNodes ?? []).map((node) => [lostNodeKey(node), true as const]),
    ),
    controllers: Object.assign({}, ...ACTORS.map((actor) => actor.initialStates?.(setup) ?? {})),
    budget: Object.assign(
      {},
      ...[LISTS, ...ACTORS].map((actor) => actor.budget?.(setup, world) ?? {}),
    ),
    ...(setup.outside === undefined
      ? {}
      : { outside: Object.fromEntries(setup.outside.map((name) => [name, true as const])) }),
  };
  const begun = produce(empty, (cluster) => {
    // The informers listed before the API server started again.
    startMonitors(cluster, world);
    for (const kind of setup.notInstalled ?? []) cluster.notInstalled[kind] = true;
  });
  const isWatchedKind = new Set(watched);
  const unobserved = new Set(world.unobserved);
  const seen = setup.objects.filter(
    (object) =>
      isWatchedKind.has(object.kind) &&
      !unobserved.has(object.uid) &&
      receivesEvents(begun, object.kind) &&
      isVisible(withInitializers(world, object)),
  );
  const isSeen = new Set(seen);
  const told = produce(begun, (cluster) => {
    if (setup.caches === 'cold') {
      for (const object of seen) {
        const event: WatchEvent = {
          type: 'add',
          key: keyOf(object),
          object: observe(object, world),
        };
        (cluster.watch[streamOf(world, object.kind)] as WatchEvent[]).push(event);
      }
      return;
    }
    for (const object of ownersFirst(setup)) {
      if (!isSeen.has(object)) continue;
      look();
      processGraphChange(cluster, world, {
        type: 'add',
        object: observe(object, world),
        old: null,
      });
    }
  });
  return setup.caches === 'cold' ? told : withoutIdleItems(told, world, look);
}

/** Owners before dependents, as far as there is no cycle, to avoid needless virtual nodes. */
function ownersFirst({ objects }: Setup): Setup['objects'] {
  const uids = new Set(objects.map(({ uid }) => uid));
  const places = new Map(objects.map((object, place) => [object, place]));
  const dependents = new Map<Uid, ApiObject[]>();
  /** For each object: its owners that have no place yet. */
  const waiting = new Map<ApiObject, Set<Uid>>();
  for (const object of objects) {
    const owners = object.ownerReferences.map(({ uid }) => uid).filter((uid) => uids.has(uid));
    waiting.set(object, new Set(owners));
    for (const owner of owners) {
      const known = dependents.get(owner);
      if (known === undefined) dependents.set(owner, [object]);
      else known.push(object);
    }
  }
  const ordered: ApiObject[] = [];
  const isFree = (object: ApiObject): boolean => waiting.get(object)?.size === 0;
  for (let free = objects.filter(isFree); waiting.size > 0; ) {
    // The first of a cycle.
    const [first] = waiting.keys();
    const next = free.length > 0 || first === undefined ? free : [first];
    const freed = new Set<ApiObject>();
    for (const object of next) {
      waiting.delete(object);
      ordered.push(object);
      for (const dependent of dependents.get(object.uid) ?? []) {
        waiting.get(dependent)?.delete(object.uid);
        if (isFree(dependent)) freed.add(dependent);
      }
    }
    free = [...freed].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  }
  return ordered;
}
