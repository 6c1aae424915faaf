import { type ApiObject, keyOf } from '../../../model/index.ts';
import { groupedBy } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { type KnownFinalizer, matchesOf } from '../known/index.ts';
import { byUidIn, dependentsIn, remembered } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import type { Observation } from '../observations.ts';
import { sayUses } from '../observed/uses.ts';
import { type Evidence, firstHeld, type Held, isReached } from './evidence.ts';
import { areRangesApart } from './ranges.ts';

/**
 * What stays and may be what the owner of a finalizer waits for, so that the owner leaves it
 * although it runs; null: nothing in the dump.
 */
export function heldDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  const { dump, observations } = evidence;
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
    const others = usersOf(object, known, evidence).filter((other) => !isReached(other, evidence));
    const isSure = (other: ApiObject): boolean =>
      (known?.runs === 'control plane' || known?.surely === true) &&
      usesObject(other, object, observations) === true &&
      !isLetGo(object, observations) &&
      holdsOn(other, object, observations);
    const holding = others.find(isSure) ?? others[0];
    if (holding !== undefined) {
      const name = displayName(holding);
      if (usesObject(holding, object, observations) !== true) {
        return used(others, `${name} stays, and ${known?.owner} waits for ${known?.waitsFor}`);
      }
      const why = `${name} stays and uses ${displayName(object)}, and ${known?.owner} waits for it`;
      return { ...used(others, why), ...(isSure(holding) ? { sure: true as const } : {}) };
    }
  }
  return null;
}

/**
 * A snapshot with the finalizer of a provisioner that fills no claim from it: that takes it off
 * once it has filled one, and never if it gave up (kubernetes-csi/external-provisioner#1507); null:
 * none.
 */
export function unfilledDoubt(
  finalizer: string,
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  if (finalizer !== FILLS_FROM) return null;
  return firstHeld('unseen', objects, evidence, (object) =>
    usersOf(object, known, evidence).length > 0
      ? null
      : `no claim in the dump is being filled from ${displayName(object)}, and ${known?.owner} takes it off only once one has been filled`,
  );
}

const FILLS_FROM = 'provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection';

/**
 * What may use an object, of the kinds that its owner waits for; those that own it stand for all.
 * Dependents that the owner waits for are judged by themselves.
 */
function usersOf(
  object: ApiObject,
  known: KnownFinalizer | null,
  { dump, observations }: Evidence,
): readonly ApiObject[] {
  const { whileThere = [], waitsForDependents = false, project = '' } = known ?? {};
  if (whileThere.length === 0) return [];
  const owners = new Set(object.ownerReferences.map(({ uid }) => uid));
  const own = new Set(waitsForDependents ? (dependentsIn(dump).get(object.uid) ?? []) : []);
  const possible = dump.filter(
    (other) =>
      other.uid !== object.uid &&
      matchesOf(whileThere, other.kind) &&
      !own.has(other) &&
      !areApart(object, other, project, observations) &&
      !areRangesApart(object, other, { observations }) &&
      (owners.has(other.uid) || usesObject(other, object, observations) !== false) &&
      // A pod that has ended uses nothing any more.
      other.pod?.finished !== true &&
      (other.namespace === object.namespace || other.namespace === '' || object.namespace === ''),
  );
  const owning = possible.filter(({ uid }) => owners.has(uid));
  return owning.length > 0 ? owning : possible;
}

/** Whether two objects belong to different ones of the project, as its labels on both say. */
function areApart(
  one: ApiObject,
  other: ApiObject,
  project: string,
  observations: ReadonlyMap<string, Observation>,
): boolean {
  const belongsTo = (object: ApiObject): readonly string[] =>
    marksOn(observations, object).flatMap((mark) =>
      mark.mark === 'trackedBy' && mark.tool === project ? [mark.name] : [],
    );
  const [first = [], second = []] = [one, other].map(belongsTo);
  return first.length > 0 && second.length > 0 && !first.some((name) => second.includes(name));
}

/**
 * Whether only a deletion ends that one object uses the other: not if a pod ends by itself
 * (`isPodDone` and `isPodTerminated` wait for its phase), and not if it has no node yet, as a claim
 * is reserved for a pod with a node (`reserveForPod`, `bindClaim`, 1.34).
 */
function holdsOn(
  { kind, pod, ...using }: ApiObject,
  used: ApiObject,
  observations: ReadonlyMap<string, Observation>,
): boolean {
  if (kind !== 'Pod') return true;
  const observed = observations.get(keyOf({ kind, ...using }));
  const isReserved = used.kind !== 'ResourceClaim.resource.k8s.io' || pod?.scheduled === true;
  return observed?.of === 'pod' && observed.endless && isReserved;
}

/** Whether what uses it has been deleted once already, perhaps under the same name. */
function isLetGo(object: ApiObject, observations: ReadonlyMap<string, Observation>): boolean {
  const marks = marksOn(observations, object);
  return marks.some(({ mark }) => mark === 'letGo');
}

/** The objects that an object names as those that have to go first. */
function awaitedBy(
  object: ApiObject,
  known: KnownFinalizer | null,
  dump: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): readonly ApiObject[] {
  return marksOn(observations, object).flatMap((mark) =>
    mark.mark === 'awaits' && mark.tool === known?.project
      ? (byNameIn(dump).get(mark.name) ?? []).filter(
          ({ kind, namespace }) =>
            kind.split('.')[0] === mark.kind &&
            (namespace === '' || namespace === object.namespace),
        )
      : [],
  );
}

/**
 * Whether an object uses the other one, by the fields in which its kind says so; null: not said.
 */
function usesObject(
  object: ApiObject,
  used: ApiObject,
  observations: ReadonlyMap<string, Observation>,
): boolean | null {
  const usedKind = used.kind.split('.')[0] ?? used.kind;
  const ofKind = marksOn(observations, object).flatMap((mark) =>
    mark.mark === 'uses' && mark.kind === usedKind ? [mark] : [],
  );
  const isIt = (mark: (typeof ofKind)[number]): boolean =>
    mark.name === (mark.isNamespace === true ? used.namespace : used.name);
  if (ofKind.some(isIt)) return true;
  if (ofKind.length === 0 && !sayUses(object.kind, usedKind)) return null;
  return ofKind.some(({ name }) => name === null) ? null : false;
}

/**
 * Why the Job controller may leave its finalizer on one of these pods; null: it does not. It takes
 * it off pods that are being deleted, but not if they belong to another controller
 * (kubernetes/kubernetes#124798), or to a Job of another one (`syncOrphanPod`, 1.32), or if their
 * Job counts only pods that have ended (`isPodFailed`, 1.28) and no kubelet ends them.
 */
export function trackingDoubt(pods: readonly ApiObject[], evidence: Evidence): string | null {
  const { dump, observations } = evidence;
  for (const pod of pods) {
    const controller = pod.ownerReferences.find((reference) => reference.controller === true);
    if (controller === undefined || !isReached(pod, evidence)) continue;
    const { apiVersion, kind, name, uid } = controller;
    if (kind !== 'Job' || !apiVersion.startsWith('batch/')) {
      return `${displayName(pod)} belongs to ${kind}/${name}, and the Job controller leaves such pods alone`;
    }
    const job = byUidIn(dump).get(uid);
    const observed = job === undefined ? undefined : observations.get(keyOf(job));
    const manager = observed?.of === 'workload' ? observed.managedBy : null;
    if (manager !== null) {
      return `Job/${name} is managed by ${manager}, and while it is there, the Job controller leaves its pods to that`;
    }
    const why = unendedBy(pod, evidence);
    if (observed?.of === 'workload' && observed.countsEnded && why !== null) {
      return `Job/${name} counts a pod only once it has ended (podReplacementPolicy: Failed), and ${why}`;
    }
  }
  return null;
}

/** Why no kubelet ends a pod, as one clause; null: one does, or it has ended. */
function unendedBy({ pod }: ApiObject, { nodes }: Pick<Evidence, 'nodes'>): string | null {
  const node = pod?.node ?? '';
  if (pod?.finished === true || nodes.absent.has(node) || nodes.outOfService.has(node)) return null;
  const why = nodes.lost.get(node) ?? nodes.unready.get(node);
  return why === undefined ? null : `${node} ${why}`;
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
    for (const mark of marksOn(observations, object)) {
      if (mark.mark === 'paused' && mark.tool === known.project) return mark.by;
    }
    return null;
  };
  return firstHeld('paused', objects, evidence, (object) => {
    const above = marksOn(observations, object).flatMap((mark) =>
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
      return { objects: [one], why, pause: by };
    }
    return null;
  });
}

/** An object of these with a hook that its controllers wait for; null: none. */
export function hookedDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
): Held | null {
  return firstHeld('hooked', objects, evidence, (object) => {
    for (const mark of marksOn(evidence.observations, object)) {
      if (mark.mark !== 'hooked' || mark.tool !== known?.project) continue;
      const why = `${displayName(object)} has the hook ${mark.by}, and ${known.owner} waits until that is taken off`;
      return { why, pause: mark.by };
    }
    return null;
  });
}

/**
 * Something for whose end the owner of a finalizer waits, and that another finalizer may hold, or
 * that no kubelet ends: dependents, and what goes as well and uses the object; null: none.
 */
export function beneathDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
  mayHold: (finalizer: string, object: ApiObject) => boolean,
): Held | null {
  const { dump, observations } = evidence;
  if (known === null) return null;
  const awaited = (object: ApiObject): readonly ApiObject[] => [
    ...(known.waitsForDependents === true ? (dependentsIn(dump).get(object.uid) ?? []) : []),
    ...[
      ...awaitedBy(object, known, dump, observations),
      ...usersOf(object, known, evidence),
    ].filter((other) => isReached(other, evidence)),
  ];
  return firstHeld('beneath', objects, evidence, (object) => {
    for (const other of awaited(object)) {
      const finalizer = other.finalizers.find((name) => mayHold(name, other));
      const unended = unendedBy(other, evidence);
      const waits = `${known.owner} waits for ${displayName(other)}`;
      if (finalizer !== undefined) {
        return { objects: [other], why: `${waits}, which ${finalizer} may hold` };
      }
      if (unended !== null) return { objects: [other], why: `${waits}, and ${unended}` };
    }
    return null;
  });
}

const byNameIn = remembered((dump: readonly ApiObject[]) => groupedBy(dump, ({ name }) => name));
