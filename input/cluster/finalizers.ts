import {
  type ApiObject,
  isBeingDeleted,
  JOB_TRACKING,
  keyOf,
  otherSpecFinalizers,
  thirdPartyFinalizers,
} from '../../model/index.ts';
import { shellQuoted } from '../../text/layout.ts';
import { displayName } from '../manifests/names.ts';
import type { ActorName } from './actors.ts';
import {
  type KnownFinalizer,
  knownFinalizer,
  matches,
  WELL_KNOWN_FINALIZERS,
} from './known/index.ts';
import { isRunningPod } from './links.ts';
import type { NodeStates } from './nodes.ts';
import type { Observation, WorkloadObservation } from './observations.ts';

/**
 * Whether the owner of a finalizer removes it once deletion has begun: `cooperative` sooner or
 * later, `stuck` never, `unknown` perhaps. Unknown is what a finalizer is unless something says
 * more: a wrong "goes" is worse than "goes if its owner acts".
 */
export type FinalizerJudgement = 'cooperative' | 'stuck' | 'unknown';

export interface JudgedFinalizer {
  readonly finalizer: string;
  readonly judgement: FinalizerJudgement;
  /** Why: one sentence without its full stop. */
  readonly evidence: string;
  /** A command that finds its owner; null: the dump says enough, or it is outside of the cluster. */
  readonly settle: string | null;
  /** The row of the table of well-known finalizers; null: none. */
  readonly known: KnownFinalizer | null;
  /** Store keys of the objects here that have it, in the order of the dump. */
  readonly objects: readonly string[];
  /** Whether a deletion may reach one of them. If none does, nobody waits for its owner. */
  readonly reached: boolean;
}

/** What a person has said on the command line. */
export interface FinalizerOptions {
  readonly cooperative: readonly string[];
  readonly stuck: readonly string[];
  /** Rows of the user, before those of the well-known table. */
  readonly finalizers?: readonly KnownFinalizer[];
}

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
  /** Actors that are switched off. */
  readonly off: readonly ActorName[];
}

/** Kinds whose pods can be a controller. */
const RUNNING: readonly string[] = [
  'Deployment.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'ReplicaSet.apps',
  'Pod',
];

/** Judges every third-party finalizer of the objects, in the order of their names. */
export function judgedFinalizers(
  evidence: Evidence,
  { cooperative, stuck, finalizers = [] }: FinalizerOptions,
): readonly JudgedFinalizer[] {
  const table = [...finalizers, ...WELL_KNOWN_FINALIZERS];
  const having = new Map<string, ApiObject[]>();
  for (const object of evidence.objects) {
    const names = new Set([...thirdPartyFinalizers(object), ...otherSpecFinalizers(object)]);
    for (const name of names) {
      const known = having.get(name);
      if (known === undefined) having.set(name, [object]);
      else known.push(object);
    }
  }
  const candidates = evidence.dump.filter(({ kind }) => RUNNING.includes(kind));
  return [...having]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([finalizer, objects]) => {
      const known = knownFinalizer(finalizer, table);
      const reached = objects.some((object) => evidence.goes(object) || isBeingDeleted(object));
      const about = { finalizer, known, objects: objects.map(keyOf), reached };
      if (stuck.includes(finalizer)) {
        return { ...about, ...SETTLED, judgement: 'stuck', evidence: '--stuck-finalizer says so' };
      }
      if (cooperative.includes(finalizer)) {
        const evidence = '--cooperative-finalizer says so';
        return { ...about, ...SETTLED, judgement: 'cooperative', evidence };
      }
      const found = judged(known, candidates, evidence);
      if (found.judgement === 'stuck') return { ...about, ...SETTLED, ...found };
      if (found.judgement === 'unknown') {
        const held = heldDoubt(known, objects, evidence);
        const told = held === null ? found.evidence : `${found.evidence}; ${held}`;
        return { ...about, ...SETTLED, ...found, evidence: told };
      }
      const doubt =
        finalizer === JOB_TRACKING
          ? trackingDoubt(objects, evidence)
          : heldDoubt(known, objects, evidence);
      return doubt === null
        ? { ...about, ...SETTLED, ...found }
        : { ...about, ...SETTLED, judgement: 'unknown', evidence: doubt };
    });
}

type Judgement = Pick<JudgedFinalizer, 'judgement' | 'evidence'> & { readonly settle?: string };

const SETTLED = { settle: null } as const;

/** Lists the workloads of these names, or all. */
export function searchFor(workloads: readonly string[]): string {
  const all = 'kubectl get deployments,statefulsets,daemonsets -A';
  return workloads.length === 0 ? all : `${all} | grep -E ${shellQuoted(workloads.join('|'))}`;
}

function judged(
  known: KnownFinalizer | null,
  candidates: readonly ApiObject[],
  evidence: Evidence,
): Judgement {
  if (known === null) {
    const settle = searchFor([]);
    return { judgement: 'unknown', evidence: 'no controller for it is known', settle };
  }
  const off = known.actor !== undefined && evidence.off.includes(known.actor);
  if (off) return { judgement: 'stuck', evidence: `--without ${known.actor} says so` };
  if (known.runs === 'nobody') {
    return { judgement: 'unknown', evidence: `${known.owner} has to remove it` };
  }
  if (known.runs === 'control plane') {
    return { judgement: 'cooperative', evidence: `${known.owner} is part of every cluster` };
  }
  const found = candidates.filter((object) => isOwner(known, object));
  const faults = found.map((object) => ({ object, fault: faultOf(object, evidence) }));
  const running = faults.find(({ fault }) => fault === null);
  if (running !== undefined) {
    return { judgement: 'cooperative', evidence: `${displayName(running.object)} runs its owner` };
  }
  const [first] = faults;
  if (first !== undefined) {
    const which = `${displayName(first.object)}, which may run its owner,`;
    return { judgement: 'unknown', evidence: `${which} ${first.fault}` };
  }
  if (known.runs === 'cloud') {
    return {
      judgement: 'unknown',
      evidence: `${known.owner} is outside of what the dump shows`,
    };
  }
  const settle = searchFor(known.workloads ?? []);
  return {
    judgement: 'unknown',
    evidence: `no workload in the dump runs ${known.owner}`,
    settle,
  };
}

/** What stays and may be what the owner of a finalizer waits for; null: nothing in the dump. */
function heldDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  { dump, goes, observations }: Evidence,
): string | null {
  const { whileThere = [] } = known ?? {};
  for (const object of objects) {
    if (whileThere.length === 0 || !(goes(object) || isBeingDeleted(object))) continue;
    const owners = new Set(object.ownerReferences.map(({ uid }) => uid));
    const uses = (other: ApiObject): boolean | null =>
      owners.has(other.uid) ? null : usesObject(other, object, observations);
    const possible = dump.filter(
      (other) =>
        other.uid !== object.uid &&
        whileThere.some((pattern) => matches(pattern, other.kind)) &&
        uses(other) !== false &&
        (other.namespace === object.namespace || other.namespace === '' || object.namespace === ''),
    );
    const owning = possible.filter(({ uid }) => owners.has(uid));
    const holding = (owning.length > 0 ? owning : possible).find(
      (other) => !goes(other) && !isBeingDeleted(other),
    );
    if (holding !== undefined) {
      if (uses(holding) === true) {
        return `${displayName(holding)} stays and uses ${displayName(object)}, and ${known?.owner} waits for it`;
      }
      return `${displayName(holding)} stays, and ${known?.owner} waits for ${known?.waitsFor}`;
    }
  }
  return null;
}

/** Whether an object uses the other one, by the fields in which its kind says so; null: not said. */
function usesObject(
  object: ApiObject,
  used: ApiObject,
  observations: ReadonlyMap<string, Observation>,
): boolean | null {
  const uses = (observations.get(keyOf(object))?.marks ?? []).flatMap((mark) =>
    mark.mark === 'uses' ? [mark] : [],
  );
  if (uses.length === 0) return null;
  const ofKind = uses.filter(({ kind }) => kind === used.kind.split('.')[0]);
  if (ofKind.some(({ name }) => name === used.name)) return true;
  return ofKind.some(({ name }) => name === null) ? null : false;
}

/**
 * Why the Job controller may leave its finalizer on one of these pods; null: it does not. It takes it
 * off pods that are being deleted, but not if they belong to another controller
 * (kubernetes/kubernetes#124798), or if their Job counts only pods that have ended (`isPodFailed`,
 * 1.28) and no kubelet ends them.
 */
function trackingDoubt(
  pods: readonly ApiObject[],
  { goes, dump, observations, nodes }: Evidence,
): string | null {
  for (const pod of pods) {
    const controller = pod.ownerReferences.find((reference) => reference.controller === true);
    if (controller === undefined || !(goes(pod) || isBeingDeleted(pod))) continue;
    const { apiVersion, kind, name, uid } = controller;
    if (kind !== 'Job' || !apiVersion.startsWith('batch/')) {
      return `${displayName(pod)} belongs to ${kind}/${name}, and the Job controller leaves such pods alone`;
    }
    const job = dump.find((object) => object.uid === uid);
    const observed = job === undefined ? undefined : observations.get(keyOf(job));
    const node = pod.pod?.node ?? '';
    const isLeft = nodes.lost.has(node) && !nodes.absent.has(node) && !nodes.outOfService.has(node);
    if (observed?.of === 'workload' && observed.countsEnded && isLeft && !pod.pod?.finished) {
      return `Job/${name} counts a pod only once it has ended (podReplacementPolicy: Failed), and ${node} ${nodes.lost.get(node)}`;
    }
  }
  return null;
}

function isOwner({ workloads = [], ownedBy }: KnownFinalizer, object: ApiObject): boolean {
  if (ownedBy !== undefined) return object.ownerReferences.some(({ kind }) => kind === ownedBy);
  // ReplicaSets and pods have one or two more parts in their names.
  const parts = object.name.split('-');
  const more = object.kind === 'Pod' ? [1, 2] : object.kind === 'ReplicaSet.apps' ? [1] : [0];
  return more
    .map((count) => `-${parts.slice(0, parts.length - count).join('-')}`)
    .some((name) => workloads.some((workload) => name.endsWith(`-${workload}`)));
}

/** The workloads of the dump that may run the owner of a finalizer, Deployments first. */
export function workloadsOf(
  known: KnownFinalizer,
  dump: readonly ApiObject[],
): readonly ApiObject[] {
  const found = dump.filter((object) => RUNNING.includes(object.kind) && isOwner(known, object));
  return [...found].sort((a, b) => RUNNING.indexOf(a.kind) - RUNNING.indexOf(b.kind));
}

/** Why this workload is no evidence that the owner acts: a clause; null: it is. */
function faultOf(object: ApiObject, { dump, goes, observations, nodes }: Evidence): string | null {
  if (isBeingDeleted(object)) return 'is being deleted';
  if (goes(object)) return 'may be deleted first';
  if (object.pod !== undefined) return isRunningPod(object, nodes) ? null : 'does not run';
  const observed = observations.get(keyOf(object));
  if (observed?.of !== 'workload') return null;
  if (observed.replicas === 0) return 'has 0 replicas';
  if (observed.ready === 0) return 'has no ready pod';
  return lostRights(object, observed, dump, goes, observations);
}

/** A controller whose account or bindings go can no longer remove a finalizer. */
function lostRights(
  { namespace }: ApiObject,
  { serviceAccount }: WorkloadObservation,
  dump: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  observations: ReadonlyMap<string, Observation>,
): string | null {
  if (serviceAccount === '') return null;
  const going = dump.find((object) => {
    if (object.kind === 'ServiceAccount') {
      return object.namespace === namespace && object.name === serviceAccount && goes(object);
    }
    const observed = observations.get(keyOf(object));
    if (observed?.of !== 'binding' || !goes(object)) return false;
    return observed.accounts.includes(`${namespace}/${serviceAccount}`);
  });
  return going === undefined ? null : `loses its rights with ${displayName(going)}`;
}
