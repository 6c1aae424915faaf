import {
  type ApiObject,
  isBeingDeleted,
  type KindTable,
  keyOf,
  type Setup,
  type Workload,
} from '../../model/index.ts';
import { displayName } from '../manifests/names.ts';
import type { Observation } from './observations.ts';

/** The controllers and agents of a real cluster that a dump can call for. */
export const ACTOR_NAMES = [
  'kubelets',
  'namespace-controller',
  'definition-controller',
  'storage-protection',
  'pod-gc',
  'workload-controllers',
] as const;
export type ActorName = (typeof ACTOR_NAMES)[number];

/** One actor around the objects, as the answer lists it. */
export interface InferredActor {
  readonly name: ActorName;
  readonly runs: boolean;
  /** Why: what of the dump, or which option, says so. One sentence without its full stop. */
  readonly evidence: string;
  /** The option that overrules it. */
  readonly overrule: string;
}

export interface ActorOptions {
  readonly with: readonly ActorName[];
  readonly without: readonly ActorName[];
  /** Names of nodes whose machine is gone, whatever the dump says. */
  readonly lostNodes: readonly string[];
}

/** What the inference looks at. */
export interface Surroundings {
  /** The objects that the question is about. */
  readonly objects: readonly ApiObject[];
  readonly kinds: KindTable;
  /** By store key of the object. */
  readonly observations: ReadonlyMap<string, Observation>;
  /** Whether a deletion can reach this object. */
  readonly goes: (object: ApiObject) => boolean;
}

export interface Inference {
  readonly actors: readonly InferredActor[];
  readonly setup: Pick<
    Setup,
    'kubelets' | 'emptiedNamespaces' | 'definitions' | 'storageProtection' | 'podGc' | 'workloads'
  >;
  /** Names of nodes without a kubelet. */
  readonly lostNodes: readonly string[];
}

/** Which actors run around these objects, each with its evidence. */
export function inferActors(around: Surroundings, options: ActorOptions): Inference {
  const lostNodes = lostNodesOf(around, options.lostNodes);
  const findings = ACTOR_NAMES.flatMap((name) => {
    const evidence = EVIDENCE[name](around, lostNodes);
    return evidence === null && !options.with.includes(name) ? [] : [{ name, evidence }];
  });
  const actors = findings.map(({ name, evidence }): InferredActor => {
    if (options.without.includes(name)) {
      return {
        name,
        runs: false,
        evidence: `--without ${name} says so`,
        overrule: `--with ${name}`,
      };
    }
    return {
      name,
      runs: true,
      evidence: evidence ?? `--with ${name} says so`,
      overrule: `--without ${name}`,
    };
  });
  const running = new Set(actors.filter(({ runs }) => runs).map(({ name }) => name));
  const named = (storage: string): readonly ApiObject[] =>
    around.objects.filter(({ kind }) => around.kinds[kind]?.storage === storage);
  const workloads = running.has('workload-controllers') ? replacingWorkloads(around) : [];
  return {
    actors,
    lostNodes,
    setup: {
      ...(running.has('kubelets') ? { kubelets: true } : {}),
      ...(running.has('namespace-controller')
        ? { emptiedNamespaces: named('namespace').map(({ name }) => name) }
        : {}),
      ...(running.has('definition-controller')
        ? { definitions: named('customResourceDefinition').map(keyOf) }
        : {}),
      ...(running.has('storage-protection') ? { storageProtection: true } : {}),
      ...(running.has('pod-gc') ? { podGc: { terminatedPods: 0 } } : {}),
      ...(workloads.length > 0 ? { workloads } : {}),
    },
  };
}

/** Why an actor runs; null: nothing here calls for it. */
const EVIDENCE: Readonly<
  Record<ActorName, (around: Surroundings, lost: readonly string[]) => string | null>
> = {
  kubelets: ({ objects }, lost) => {
    const pods = objects.filter(({ pod }) => pod?.node !== undefined);
    const nodes = [...new Set(pods.map(({ pod }) => pod?.node ?? ''))].sort();
    const alive = nodes.filter((node) => !lost.includes(node));
    if (alive.length === 0) return null;
    const without = nodes.filter((node) => lost.includes(node));
    const gone = without.length === 0 ? '' : `; none on ${without.join(', ')}`;
    return `${counted(pods.length, 'pod')} on ${listed(alive)}${gone}`;
  },
  'namespace-controller': (around) => storageEvidence(around, 'namespace'),
  'definition-controller': (around) => storageEvidence(around, 'customResourceDefinition'),
  'storage-protection': ({ objects }) => {
    const stored = objects.filter(({ kind }) => STORAGE.includes(kind));
    return stored.length === 0
      ? null
      : `${counted(stored.length, 'claim or volume', 'claims or volumes')}`;
  },
  // Pods that no kubelet looks after: unscheduled ones, and those of nodes that are gone.
  'pod-gc': ({ objects }) => {
    const pods = objects.filter(({ pod }) => pod !== undefined && !pod.scheduled);
    return pods.length === 0 ? null : `${counted(pods.length, 'pod')} on no node`;
  },
  'workload-controllers': (around) => {
    const parents = replacingWorkloads(around);
    if (parents.length === 0) return null;
    return `${listed(parents.map(({ name }) => name))} stays and replaces what is deleted beneath it`;
  },
};

const STORAGE: readonly string[] = ['PersistentVolumeClaim', 'PersistentVolume'];

function storageEvidence({ objects, kinds, goes }: Surroundings, storage: string): string | null {
  const found = objects.filter((object) => kinds[object.kind]?.storage === storage && goes(object));
  return found.length === 0 ? null : `${listed(found.map(displayName))} is deleted`;
}

/** Nodes that the options name, and those of the dump that are not ready. */
function lostNodesOf({ observations }: Surroundings, given: readonly string[]): readonly string[] {
  const notReady = [...observations].flatMap(([key, observation]) =>
    observation.of === 'Node' && (observation.ready === 'False' || observation.ready === 'Unknown')
      ? [key.slice(key.lastIndexOf('/') + 1)]
      : [],
  );
  return [...new Set([...given, ...notReady])].sort();
}

const REPLACING: readonly string[] = [
  'Deployment.apps',
  'ReplicaSet.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'ReplicationController',
];

/**
 * A workload that no deletion reaches replaces each child that one does reach. All others are
 * passed over: a controller does nothing for a parent that is being deleted or gone.
 */
function replacingWorkloads({
  objects,
  observations,
  goes,
}: Surroundings): readonly (Workload & { readonly name: string })[] {
  return objects.flatMap((parent) => {
    if (!REPLACING.includes(parent.kind) || goes(parent) || isBeingDeleted(parent)) return [];
    const children = objects.filter(({ ownerReferences }) =>
      ownerReferences.some(({ uid, controller }) => uid === parent.uid && controller === true),
    );
    const going = children.filter(goes);
    if (going.length === 0) return [];
    const observation = observations.get(keyOf(parent));
    const wanted = observation?.of === 'workload' ? observation.replicas : children.length;
    return [
      {
        name: displayName(parent),
        parent: { key: keyOf(parent), uid: parent.uid },
        replicas: Math.max(wanted, children.length),
        caches: 'own' as const,
        selects: children.map(keyOf),
        children: going.map((child) => replacementOf(parent, child)),
      },
    ];
  });
}

/** What the uid, and often the name, of a replacement ends with. */
export const REPLACEMENT = '-replacement';

/** StatefulSets and DaemonSets reuse the name; the others make up a new one. */
function replacementOf(parent: ApiObject, child: ApiObject): ApiObject {
  const reused = parent.kind === 'StatefulSet.apps' || parent.kind === 'Deployment.apps';
  return {
    ...child,
    name: reused ? child.name : `${child.name}${REPLACEMENT}`,
    uid: `${child.uid}${REPLACEMENT}`,
    finalizers: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
  };
}

function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

const LISTED = 3;

function listed(names: readonly string[]): string {
  const more = names.length - LISTED;
  return more <= 0 ? names.join(', ') : `${names.slice(0, LISTED).join(', ')} and ${more} more`;
}
