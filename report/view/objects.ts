import {
  type ApiObject,
  type Cluster,
  FOREGROUND,
  type GraphNode,
  identityIn,
  isBeingDeleted,
  isWatched,
  type Names,
  plainFinalizer,
  type Setup,
  type World,
} from '../../model/index.ts';

/** What is needed to describe the states of one model. */
export interface Viewpoint {
  readonly setup: Setup;
  readonly world: World;
  readonly names: Names;
}

/** One object as it is stored, and as the collector's graph has it. */
export interface ObjectView {
  /** `Kind/name`, with the uid if the model has several objects of that name. */
  readonly name: string;
  /** Null: nothing with this uid is stored. */
  readonly stored: StoredView | null;
  /** Null: the graph has no node with this uid. */
  readonly believed: BelievedView | null;
  /** The collector does not watch the kind, so the graph lacks the object for good. */
  readonly unwatched?: true;
}

export interface StoredView {
  readonly beingDeleted: boolean;
  readonly finalizers: readonly string[];
  /** Other fields that an actor reads: grace period, phase, initializers, ... */
  readonly notes: readonly string[];
}

export interface BelievedView {
  /** The graph knows it from references only. */
  readonly virtual: boolean;
  readonly beingDeleted: boolean;
  /** The graph has it in foreground deletion. */
  readonly deletingDependents: boolean;
  /** The coordinates of the node if they differ from those of the object. */
  readonly otherName?: string;
}

export function objectViews(
  viewpoint: Viewpoint,
  cluster: Cluster,
): Readonly<Record<string, ObjectView>> {
  const { names } = viewpoint;
  const views = new Map<string, ObjectView>();
  for (const object of Object.values(cluster.store)) {
    views.set(object.uid, storedObject(viewpoint, cluster, object));
  }
  for (const [uid, node] of Object.entries(cluster.graph)) {
    if (views.has(uid)) continue;
    const believed = nodeView(node);
    views.set(uid, { name: names.identity(node.identity), stored: null, believed });
  }
  for (const { ownerReferences, namespace } of Object.values(cluster.store)) {
    for (const reference of ownerReferences) {
      if (views.has(reference.uid)) continue;
      const name = names.owner(reference, namespace);
      views.set(reference.uid, { name, stored: null, believed: null });
    }
  }
  const byName = [...views].sort(([a, { name: first }], [b, { name: second }]) =>
    first === second ? compare(a, b) : compare(first, second),
  );
  return Object.fromEntries(byName);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function storedObject(
  { setup, names }: Viewpoint,
  cluster: Cluster,
  object: ApiObject,
): ObjectView {
  const name = names.identity(identityIn(setup, object, cluster.served));
  const node = cluster.graph[object.uid];
  const otherName = node === undefined ? name : names.identity(node.identity);
  return {
    name,
    stored: {
      beingDeleted: isBeingDeleted(object),
      finalizers: object.finalizers.map(plainFinalizer),
      notes: notesOf(object),
    },
    believed:
      node === undefined
        ? null
        : { ...nodeView(node), ...(otherName === name ? {} : { otherName }) },
    ...(isWatched(setup, object.kind) ? {} : { unwatched: true }),
  };
}

function nodeView({ virtual, beingDeleted, deletingDependents }: GraphNode): BelievedView {
  return { virtual, beingDeleted, deletingDependents };
}

/** Whether the stored object is in foreground deletion. */
export function waitsForDependents({ beingDeleted, finalizers }: StoredView): boolean {
  return beingDeleted && finalizers.includes(FOREGROUND);
}

function notesOf(object: ApiObject): readonly string[] {
  const { initializers, pod, volume, specFinalizers = [] } = object;
  const seconds = object.deletionGracePeriodSeconds ?? 0;
  return [
    ...(seconds > 0 ? [`${seconds} s of grace`] : []),
    ...(object.phase === undefined ? [] : [`phase ${object.phase}`]),
    ...specFinalizers.map((finalizer) => `spec.finalizers ${finalizer}`),
    ...(object.conditions ?? [])
      .filter(({ status }) => status === 'True')
      .map(({ type, reason }) => `${type}: ${reason}`),
    ...(initializers?.pending ?? []).map((name) => `waits for initializer ${name}`),
    ...(initializers?.failed === true ? ['rejected'] : []),
    ...(object.replicas === undefined ? [] : [`replicas ${object.replicas}`]),
    ...(object.otherLabels === true ? ['no selector matches it'] : []),
    ...(object.observedGeneration !== undefined && object.observedGeneration < object.generation
      ? [`generation ${object.generation}, observed ${object.observedGeneration}`]
      : []),
    ...(pod?.finished === true ? ['finished'] : []),
    ...(pod?.node === undefined ? [] : [`on Node/${pod.node}`]),
    ...(volume === undefined ? [] : [volume.bound ? 'bound' : 'released']),
  ];
}
