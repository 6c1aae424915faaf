import { type ApiObject, isBeingDeleted, type KindTable, keyOf } from '../../model/index.ts';
import { groupedBy } from '../../text/layout.ts';
import type { Labels } from '../manifests/label-selector.ts';
import { displayName } from '../manifests/names.ts';
import type { ActorName } from './actor-names.ts';
import { budgetsOf, isCovered } from './budgets.ts';
import { type KnownFinalizer, matches } from './known/index.ts';
import type { Links } from './links.ts';
import { byKeyIn, byUidIn, dependentsIn, placesIn, remembered } from './lookups.ts';
import type { NodeStates } from './nodes.ts';
import type { Observation } from './observations.ts';
import { sayUses } from './observed/uses.ts';

/** What the judgement of a finalizer is read from. */
export interface Evidence {
  /** Objects that the question is about. */
  readonly objects: readonly ApiObject[];
  /** All objects of the dump: the workload that runs the owner may be any of them. */
  readonly dump: readonly ApiObject[];
  /** Whether an object may be deleted as well: an owner that goes may go first. */
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly nodes: NodeStates;
  readonly kinds: KindTable;
  /** By store key: the labels of the objects that have some. */
  readonly labels: ReadonlyMap<string, Labels>;
  /** Actors that are switched off. */
  readonly off: readonly ActorName[];
  readonly trackedBy: Links['trackedBy'];
}

/** Why the owner of a finalizer leaves it although it runs. */
export interface Held {
  /**
   * paused: the objects are, by a field or annotation. used: they stay, and it waits for their end.
   * drained: pods that it may not evict. beneath: dependents that another finalizer may hold. unconfirmed:
   * what goes with them, and a person has to agree first. lacking: they, without another object.
   */
  readonly by: 'paused' | 'used' | 'drained' | 'beneath' | 'unconfirmed' | 'lacking';
  readonly objects: readonly ApiObject[];
  /** One clause. */
  readonly why: string;
  /** Of what is paused: the field or the annotation. */
  readonly pause?: string;
  /** What they lack: name and namespace of an AppProject. */
  readonly lacks?: { readonly name: string; readonly namespace: string };
}

/** Whether the object is being deleted, or may be. */
export function isReached(object: ApiObject, { goes }: Pick<Evidence, 'goes'>): boolean {
  return goes(object) || isBeingDeleted(object);
}

/**
 * What stays and may be what the owner of a finalizer waits for, so that the owner leaves it although it
 * runs; null: nothing in the dump.
 */
export function heldDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations } = evidence;
  const { whileThere = [] } = known ?? {};
  const used = (all: readonly ApiObject[], why: string): Held => ({
    by: 'used',
    objects: all,
    why,
  });
  for (const object of objects) {
    if (!isReached(object, evidence)) continue;
    const all = awaitedBy(object, known, dump, observations).filter(
      (other) => !isReached(other, evidence),
    );
    const [awaited] = all;
    if (awaited !== undefined) {
      return used(all, `${displayName(awaited)} stays, and ${known?.owner} waits for it`);
    }
    if (whileThere.length === 0) continue;
    const owners = new Set(object.ownerReferences.map(({ uid }) => uid));
    const uses = (other: ApiObject): boolean | null =>
      owners.has(other.uid) ? null : usesObject(other, object, observations);
    const possible = dump.filter(
      (other) =>
        other.uid !== object.uid &&
        whileThere.some((pattern) => matches(pattern, other.kind)) &&
        uses(other) !== false &&
        // A pod that has ended uses nothing any more.
        other.pod?.finished !== true &&
        (other.namespace === object.namespace || other.namespace === '' || object.namespace === ''),
    );
    const owning = possible.filter(({ uid }) => owners.has(uid));
    const others = (owning.length > 0 ? owning : possible).filter(
      (other) => !isReached(other, evidence),
    );
    const [holding] = others;
    if (holding !== undefined) {
      const name = displayName(holding);
      return used(
        others,
        uses(holding) === true
          ? `${name} stays and uses ${displayName(object)}, and ${known?.owner} waits for it`
          : `${name} stays, and ${known?.owner} waits for ${known?.waitsFor}`,
      );
    }
  }
  return null;
}

/** The objects that an object names as those that have to go first. */
function awaitedBy(
  object: ApiObject,
  known: KnownFinalizer | null,
  dump: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): readonly ApiObject[] {
  return (observations.get(keyOf(object))?.marks ?? []).flatMap((mark) =>
    mark.mark === 'awaits' && mark.tool === known?.project
      ? (byNameIn(dump).get(mark.name) ?? []).filter(
          ({ kind, namespace }) =>
            kind.split('.')[0] === mark.kind &&
            (namespace === '' || namespace === object.namespace),
        )
      : [],
  );
}

/** Whether an object uses the other one, by the fields in which its kind says so; null: not said. */
function usesObject(
  object: ApiObject,
  used: ApiObject,
  observations: ReadonlyMap<string, Observation>,
): boolean | null {
  const usedKind = used.kind.split('.')[0] ?? used.kind;
  const ofKind = (observations.get(keyOf(object))?.marks ?? []).flatMap((mark) =>
    mark.mark === 'uses' && mark.kind === usedKind ? [mark] : [],
  );
  const isIt = (mark: (typeof ofKind)[number]): boolean =>
    mark.name === (mark.isNamespace === true ? used.namespace : used.name);
  if (ofKind.some(isIt)) return true;
  if (ofKind.length === 0 && !sayUses(object.kind, usedKind)) return null;
  return ofKind.some(({ name }) => name === null) ? null : false;
}

/**
 * Why the Job controller may leave its finalizer on one of these pods; null: it does not. It takes it
 * off pods that are being deleted, but not if they belong to another controller
 * (kubernetes/kubernetes#124798), or if their Job counts only pods that have ended (`isPodFailed`,
 * 1.28) and no kubelet ends them.
 */
export function trackingDoubt(pods: readonly ApiObject[], evidence: Evidence): string | null {
  const { dump, observations, nodes } = evidence;
  for (const pod of pods) {
    const controller = pod.ownerReferences.find((reference) => reference.controller === true);
    if (controller === undefined || !isReached(pod, evidence)) continue;
    const { apiVersion, kind, name, uid } = controller;
    if (kind !== 'Job' || !apiVersion.startsWith('batch/')) {
      return `${displayName(pod)} belongs to ${kind}/${name}, and the Job controller leaves such pods alone`;
    }
    const job = byUidIn(dump).get(uid);
    const observed = job === undefined ? undefined : observations.get(keyOf(job));
    const node = pod.pod?.node ?? '';
    const isLeft = nodes.lost.has(node) && !nodes.absent.has(node) && !nodes.outOfService.has(node);
    if (observed?.of === 'workload' && observed.countsEnded && isLeft && !pod.pod?.finished) {
      return `Job/${name} counts a pod only once it has ended (podReplacementPolicy: Failed), and ${node} ${nodes.lost.get(node)}`;
    }
  }
  return null;
}

/**
 * An object of these that is paused, or belongs to a paused one: its controllers do nothing for it
 * until that is over; null: none.
 */
export function pausedDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  if (known === null) return null;
  const { dump, observations } = evidence;
  const pauseOf = (object: ApiObject): string | null => {
    for (const mark of observations.get(keyOf(object))?.marks ?? []) {
      if (mark.mark === 'paused' && mark.tool === known.project) return mark.by;
    }
    return null;
  };
  for (const object of objects) {
    if (!isReached(object, evidence)) continue;
    const above = (observations.get(keyOf(object))?.marks ?? []).flatMap((mark) =>
      mark.mark === 'trackedBy' && mark.tool === known.project
        ? (byNameIn(dump).get(mark.name) ?? []).filter(
            ({ kind, namespace }) =>
              kind.startsWith(`${mark.kind}.`) && namespace === object.namespace,
          )
        : [],
    );
    for (const one of [object, ...above]) {
      const by = pauseOf(one);
      if (by === null) continue;
      const why = `${displayName(one)} is paused (${by}), and ${known.owner} does nothing for it`;
      return { by: 'paused', objects: [one], why, pause: by };
    }
  }
  return null;
}

/**
 * An attachment that its finalizer may hold, where the owner waits until the volume is attached to no
 * node (`canDeleteVolume` of the external provisioner, `SyncNewOrUpdatedPersistentVolume` of the external
 * attacher); null: none. Attachments that no pod needs are deleted by the attach-detach controller.
 *
 * @param holds whether a finalizer may stay on an object.
 */
export function attachedDoubt(
  known: Pick<KnownFinalizer, 'detaches' | 'owner'> | null,
  volumes: readonly ApiObject[],
  evidence: Pick<Evidence, 'dump' | 'observations'>,
  holds: (finalizer: string, object: ApiObject) => boolean,
): Held | null {
  if (known?.detaches !== true) return null;
  for (const volume of volumes.filter(({ kind }) => kind === 'PersistentVolume')) {
    for (const attachment of attachmentsOf(volume, evidence.dump, evidence.observations)) {
      const finalizer = attachment.finalizers.find((name) => holds(name, attachment));
      if (finalizer === undefined) continue;
      const why = `${known.owner} waits for ${displayName(attachment)}, which ${finalizer} may hold`;
      // A deletion that has begun ends with the other finalizer, which has a remedy of its own.
      return { by: isBeingDeleted(attachment) ? 'beneath' : 'used', objects: [attachment], why };
    }
  }
  return null;
}

/** The attachments of a volume to nodes, as far as the dump has them. */
export function attachmentsOf(
  volume: ApiObject,
  objects: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): readonly ApiObject[] {
  const byKey = byKeyIn(objects);
  return (attachmentsIn(observations).get(volume.name) ?? []).flatMap(
    (key) => byKey.get(key) ?? [],
  );
}

/** By name of a volume: the store keys of its attachments. */
const attachmentsIn = remembered((observations: ReadonlyMap<string, Observation>) => {
  const found = [...observations].flatMap(([key, { marks = [] }]) =>
    marks.flatMap((mark) =>
      mark.mark === 'uses' && mark.kind === 'PersistentVolume' && mark.name !== null
        ? [{ key, volume: mark.name }]
        : [],
    ),
  );
  const groups = [...groupedBy(found, ({ volume }) => volume)];
  return new Map(groups.map(([volume, all]) => [volume, all.map(({ key }) => key)]));
});

/** A dependent that stays, or that a finalizer may hold, where the owner waits for all; null: none. */
export function dependentsDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
  doubtful: ReadonlySet<string>,
): Held | null {
  if (known?.waitsForDependents !== true) return null;
  for (const object of objects) {
    if (!isReached(object, evidence)) continue;
    const held = (dependentsIn(evidence.dump).get(object.uid) ?? []).find(({ finalizers }) =>
      finalizers.some((finalizer) => doubtful.has(finalizer)),
    );
    if (held === undefined) continue;
    const finalizer = held.finalizers.find((name) => doubtful.has(name));
    const why = `${known.owner} waits for ${displayName(held)}, which ${finalizer} may hold`;
    return { by: 'beneath', objects: [held], why };
  }
  return null;
}

/**
 * Pods that the owner of the finalizer has to evict from a node first, and may not; null: none that the
 * dump shows. A node that the dump does not connect with the object may have any of the pods.
 */
export function drainDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  if (known?.drains !== true) return null;
  const { dump, observations } = evidence;
  for (const object of objects.filter((one) => isReached(one, evidence))) {
    const own = byUidIn(dump).get(object.uid);
    const nodes = inOrder(dump, [
      ...(own === undefined ? [] : [own]),
      ...(dependentsIn(dump).get(object.uid) ?? []),
    ]).filter(({ kind }) => kind === 'Node');
    const byNode = podsByNode(dump);
    const placed =
      nodes.length === 0
        ? [...byNode.values()].flat()
        : nodes.flatMap(({ name }) => byNode.get(name) ?? []);
    const pods = inOrder(dump, placed).filter(
      (one) =>
        one.pod?.finished !== true &&
        !isBeingDeleted(one) &&
        observations.get(keyOf(one))?.of !== 'mirror pod',
    );
    const first = `${known.owner} drains ${nodes.map(displayName)[0] ?? 'its node'} first`;
    const kept = pods.flatMap((pod) => {
      const why = keptOnNode(pod, known, evidence);
      return why === null ? [] : [{ pod, why }];
    });
    if (kept.length > 0) {
      const why = `${first}, and ${kept[0]?.why}`;
      return { by: 'drained', objects: kept.map(({ pod }) => pod), why };
    }
  }
  return null;
}

/** Each once, in the order of the dump. */
function inOrder(dump: readonly ApiObject[], objects: readonly ApiObject[]): readonly ApiObject[] {
  const places = placesIn(dump);
  const placeOf = ({ uid }: ApiObject): number => places.get(uid) ?? 0;
  return [...new Set(objects)].sort((one, other) => placeOf(one) - placeOf(other));
}

const podsByNode = remembered((dump: readonly ApiObject[]) =>
  groupedBy(
    dump.filter(({ pod }) => pod?.node !== undefined),
    ({ pod }) => pod?.node ?? '',
  ),
);

const byNameIn = remembered((dump: readonly ApiObject[]) => groupedBy(dump, ({ name }) => name));

/** Why the pod may not be evicted: a clause; null: it may. */
function keptOnNode(pod: ApiObject, known: KnownFinalizer, evidence: Evidence): string | null {
  const { dump, observations, goes, labels } = evidence;
  const marks = observations.get(keyOf(pod))?.marks ?? [];
  if (marks.some(({ mark, tool }) => mark === 'keptBy' && tool === known.project)) {
    return `does not evict ${displayName(pod)}, which says so in an annotation`;
  }
  const budgets = budgetsOf(dump, pod.namespace).flatMap((other) => {
    const observed = observations.get(keyOf(other));
    const covers =
      observed?.of === 'PodDisruptionBudget' &&
      !goes(other) &&
      isCovered(pod, other, observed.selector, labels);
    return covers ? [{ name: displayName(other), allowed: observed.allowed }] : [];
  });
  const [one, other] = budgets;
  const none = budgets.find(({ allowed }) => allowed === 0);
  if (none !== undefined) return `${none.name} allows no eviction of ${displayName(pod)} now`;
  if (one === undefined) return null;
  if (other !== undefined) {
    return `${one.name} and ${other.name} both cover ${displayName(pod)}: no pod with two budgets can be evicted`;
  }
  return one.allowed === null
    ? `the dump does not say whether ${one.name} allows an eviction of ${displayName(pod)}`
    : null;
}

const APPLICATION = 'Application.argoproj.io';

/** What an Application deletes only once a person agrees, and nobody has; null: nothing. */
export function unconfirmedDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { observations, trackedBy } = evidence;
  for (const object of objects) {
    const isMeant = known?.project === 'Argo CD' && object.kind === APPLICATION;
    if (!isMeant || !isReached(object, evidence)) continue;
    const marks = observations.get(keyOf(object))?.marks ?? [];
    if (marks.some(({ mark }) => mark === 'agreed')) continue;
    const asking = [object, ...trackedBy(object)].flatMap((one) =>
      (observations.get(keyOf(one))?.marks ?? []).flatMap((mark) =>
        mark.mark === 'asksFor' && mark.of === (one === object ? 'tracked' : 'itself')
          ? [{ one, by: mark.by }]
          : [],
      ),
    );
    const [first] = asking;
    if (first === undefined) continue;
    const why = `Argo CD deletes nothing of ${displayName(object)} until a person confirms it, once it is being deleted (${displayName(first.one)}: ${first.by})`;
    return { by: 'unconfirmed', objects: [object], why };
  }
  return null;
}

/** An Application whose project is not there, or may go first: Argo CD cannot finalize it (`getAppProj`). */
export function projectDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations } = evidence;
  const projects = dump.filter(({ kind }) => kind === 'AppProject.argoproj.io');
  const [other] = projects;
  if (known?.project !== 'Argo CD' || other === undefined) return null;
  for (const object of objects) {
    if (object.kind !== APPLICATION || !isReached(object, evidence)) continue;
    const [name] = (observations.get(keyOf(object))?.marks ?? []).flatMap((mark) =>
      mark.mark === 'uses' && mark.kind === 'AppProject' && mark.name ? [mark.name] : [],
    );
    if (name === undefined) continue;
    const found = projects.filter((project) => project.name === name);
    // With a finalizer, a project waits for its Applications.
    if (found.some((one) => !isReached(one, evidence) || one.finalizers.length > 0)) continue;
    const lack = found.length === 0 ? 'which the dump lacks' : 'which may go first';
    const why = `Argo CD finalizes ${displayName(object)} only while AppProject/${name} is there, ${lack}`;
    const { namespace } = found[0] ?? other;
    return { by: 'lacking', objects: [object], why, lacks: { name, namespace } };
  }
  return null;
}
