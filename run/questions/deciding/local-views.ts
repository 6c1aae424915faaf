import type { Property } from '../../../checker/index.ts';
import type { AlikeSetup } from '../../../input/cluster/likeness/alike.ts';
import { byKeyIn, byUidIn, dependentsIn } from '../../../input/cluster/lookups.ts';
import {
  type ApiObject,
  type Cluster,
  keyOf,
  kubeletClient,
  type Uid,
} from '../../../model/index.ts';

/**
 * The local views that a search reaches, by class of objects. A local view is the state of one
 * object and of what it refers to, up to names: what the API server stores of them, what the
 * collector's graph has of them, and the request of a pod's kubelet. Which other objects there are
 * is not in it.
 */
export type LocalViews = ReadonlyMap<string, ReadonlySet<string>>;

/** Records local views while a search judges `property`, which always holds. */
export interface ViewRecorder {
  readonly property: Property<Cluster>;
  readonly views: LocalViews;
}

/**
 * Records the local views of the objects of which others that are alike were left out, and of all
 * that is beneath them. The judge evaluates a predicate for all values of what it reads, so no view
 * is missed. What a confluent step writes is not in a view, so the reduced graph has all of them.
 */
export function viewRecorder({ setup, groups, classes }: AlikeSetup): ViewRecorder {
  const { objects } = setup;
  const kept = new Set(groups.flatMap((group) => group.kept));
  const observed = new Set<Uid>(kept);
  const dependents = dependentsIn(objects);
  // The set grows while it is read.
  for (const owner of observed) {
    for (const { uid } of dependents.get(owner) ?? []) observed.add(uid);
  }
  const views = new Map<string, Set<string>>();
  const uids: ReadonlySet<string> = new Set(objects.map(({ uid }) => uid));
  const lenses = new Map(
    objects.flatMap((object) => {
      if (!observed.has(object.uid)) return [];
      const found = new Set<string>();
      const name = classes.get(object.uid) ?? object.uid;
      const seen = views.get(name) ?? found;
      views.set(name, seen);
      const lens = new Lens(neighbourhood(object, objects), uids);
      return [[keyOf(object) as string, { lens, seen }] as const];
    }),
  );
  return {
    views,
    property: {
      kind: 'invariant',
      name: VIEWS,
      parameters: [...lenses.keys()].map((object) => ({ object })),
      holds: (cluster, { object }) => {
        const view = lenses.get(String(object));
        view?.seen.add(view.lens.look(cluster));
        return true;
      },
    },
  };
}

/** The name of the property that records them, which no report shows. */
export const VIEWS = 'local views';

/** Whether every class that both searches have observed has the same local views in both. */
export function haveSameViews(before: LocalViews, after: LocalViews): boolean {
  return [...after].every(([name, views]) => {
    const known = before.get(name);
    return (
      known !== undefined && known.size === views.size && [...views].every((v) => known.has(v))
    );
  });
}

/** The object and, transitively, its owners, its claims and the claim of a volume. */
function neighbourhood(object: ApiObject, objects: readonly ApiObject[]): readonly ApiObject[] {
  const byUid = byUidIn(objects);
  const byKey = byKeyIn(objects);
  const found = new Set([object]);
  for (const { ownerReferences, pod, namespace, volume } of found) {
    const others = [
      ...ownerReferences.map(({ uid }) => byUid.get(uid)),
      ...(pod?.claims ?? []).map((name) => byKey.get(`PersistentVolumeClaim/${namespace}/${name}`)),
      ...(volume === undefined ? [] : [byKey.get(volume.claim)]),
    ];
    for (const other of others) if (other !== undefined) found.add(other);
  }
  return [...found];
}

class Lens {
  private readonly objects: readonly ApiObject[];
  private readonly places = new Map<string, string>();
  private readonly own: ReadonlySet<string>;
  private readonly all: ReadonlySet<string>;

  /** @param all uids, also of objects elsewhere. */
  constructor(objects: readonly ApiObject[], all: ReadonlySet<string>) {
    this.objects = objects;
    this.own = new Set(objects.map(({ uid }) => uid));
    this.all = all;
    for (const [index, object] of objects.entries()) {
      const key = keyOf(object);
      this.places.set(object.name, `name ${index}`);
      this.places.set(object.uid, `uid ${index}`);
      this.places.set(key, `key ${index}`);
      this.places.set(kubeletClient(key), `kubelet ${index}`);
    }
  }

  look({ store, graph, dependents, calls, controllers }: Cluster): string {
    return JSON.stringify(
      this.objects.map((object) => {
        const key = keyOf(object);
        const client = kubeletClient(key);
        const parts = [
          ...[store[key], graph[object.uid], dependents[object.uid]],
          ...[calls[client], controllers[client]],
        ];
        return parts.map((part) => this.nameless(part ?? null));
      }),
    );
  }

  private nameless(value: unknown): unknown {
    if (typeof value === 'string') return this.places.get(value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      return value
        .filter((part) => typeof part !== 'string' || !this.isElsewhere(part))
        .map((part) => this.nameless(part))
        .sort();
    }
    return Object.fromEntries(
      Object.entries(value).map(([field, part]) => [
        this.places.get(field) ?? field,
        this.nameless(part),
      ]),
    );
  }

  private isElsewhere(uid: string): boolean {
    return this.all.has(uid) && !this.own.has(uid);
  }
}
