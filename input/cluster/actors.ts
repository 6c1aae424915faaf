import {
  type ApiObject,
  isBeingDeleted,
  JOB_TRACKING,
  type KindTable,
  keyOf,
  type Setup,
} from '../../model/index.ts';
import { plural, someNames } from '../../text/layout.ts';
import type { Labels } from '../manifests/label-selector.ts';
import { displayName } from '../manifests/names.ts';
import { ACTOR_NAMES, type ActorName, IDLE } from './actor-names.ts';
import { isTakenWithNode, type NodeStates } from './nodes.ts';
import type { Observation } from './observations.ts';
import { actingWorkloads, type Replaced, type Replacing, replacementsToCome } from './workloads.ts';

export { ACTOR_NAMES, type ActorName } from './actor-names.ts';
export { REPLACEMENT } from './workloads.ts';

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
  /** All objects of the dump. */
  readonly all: readonly ApiObject[];
  readonly kinds: KindTable;
  /** By store key of the object. */
  readonly observations: ReadonlyMap<string, Observation>;
  /** By store key of the object. */
  readonly labels: ReadonlyMap<string, Labels>;
  /** Whether a deletion can reach this object. */
  readonly goes: (object: ApiObject) => boolean;
  /** The same, if a deletion that is to orphan dependents does. */
  readonly goesSurely: (object: ApiObject) => boolean;
  readonly nodes: NodeStates;
}

export interface Inference {
  readonly actors: readonly InferredActor[];
  readonly setup: Pick<
    Setup,
    | 'kubelets'
    | 'emptiedNamespaces'
    | 'definitions'
    | 'storageProtection'
    | 'podGc'
    | 'taintEviction'
    | 'workloads'
  >;
  /** What is made anew once it is gone. */
  readonly replaced: readonly Replaced[];
  /** What is being deleted already, and is made anew all the same. */
  readonly toCome: readonly Replaced[];
  /** Workloads that make objects anew, which the search leaves out. */
  readonly unsearched: readonly Unsearched[];
}

export interface Unsearched {
  /** Display name. */
  readonly name: string;
  readonly replaced: readonly Replaced[];
  /** Store key. */
  readonly parent: string;
  /** How many of its children go. */
  readonly count: number;
}

/** With more children that come back, a search of all orders hardly ends in time. */
const COMING_BACK_MOST = 1;

/**
 * The workloads that are part of the search. What comes back has a uid of its own, and no claim or
 * owner waits for it here, so the fates of what goes do not depend on it.
 */
function searchedOf(replacing: readonly Replacing[]): readonly Replacing[] {
  const count = replacing.reduce((sum, { workload }) => sum + workload.children.length, 0);
  return count <= COMING_BACK_MOST
    ? replacing
    : replacing.filter(({ claims }) => claims.length > 0);
}

/** What the evidence is read from. */
interface Found extends Surroundings {
  readonly replacing: readonly Replacing[];
}

/** Which actors run around these objects, each with its evidence. */
export function inferActors(around: Surroundings, options: ActorOptions): Inference {
  const found: Found = {
    ...around,
    replacing: actingWorkloads({ ...around, goes: around.goesSurely }),
  };
  const actors = ACTOR_NAMES.flatMap((name): readonly InferredActor[] => {
    const finding = FINDINGS[name](found);
    if (options.without.includes(name)) {
      const idle = finding === null ? `, though nothing here calls for it: ${IDLE[name]}` : '';
      return [stopped(name, `--without ${name} says so${idle}`)];
    }
    if (options.with.includes(name)) {
      const idle =
        finding?.runs === true ? '' : `, but there is nothing for it to do: ${IDLE[name]}`;
      return [running(name, `--with ${name} says so${idle}`)];
    }
    if (finding === null) return [];
    return [finding.runs ? running(name, finding.evidence) : stopped(name, finding.evidence)];
  });
  const runs = new Set(actors.flatMap(({ name, runs }) => (runs ? [name] : [])));
  const going = (storage: string): readonly ApiObject[] =>
    around.objects.filter(
      (object) => around.kinds[object.kind]?.storage === storage && around.goes(object),
    );
  const acting = runs.has('workload-controllers') ? found.replacing : [];
  const replacing = searchedOf(acting);
  const outOfService = [...around.nodes.outOfService].sort();
  return {
    actors,
    replaced: replacing.flatMap(({ replaced }) => replaced),
    toCome: options.without.includes('workload-controllers')
      ? []
      : replacementsToCome({ ...around, goes: around.goesSurely }),
    unsearched: acting
      .filter((one) => !replacing.includes(one))
      .map(({ name, replaced, workload }) => ({
        ...{ name, replaced },
        parent: workload.parent.key,
        count: workload.children.length,
      })),
    setup: {
      ...(runs.has('kubelets') ? { kubelets: true } : {}),
      ...(runs.has('namespace-controller')
        ? { emptiedNamespaces: going('namespace').map(({ name }) => name) }
        : {}),
      ...(runs.has('definition-controller')
        ? { definitions: going('customResourceDefinition').map(keyOf) }
        : {}),
      ...(runs.has('storage-protection') ? { storageProtection: true } : {}),
      ...(runs.has('pod-gc')
        ? { podGc: { terminatedPods: 0, ...(outOfService.length > 0 ? { outOfService } : {}) } }
        : {}),
      ...(runs.has('node-lifecycle') ? { taintEviction: true } : {}),
      ...(replacing.length > 0 ? { workloads: replacing.map(({ workload }) => workload) } : {}),
    },
  };
}

function running(name: ActorName, evidence: string): InferredActor {
  return { name, runs: true, evidence, overrule: `--without ${name}` };
}

function stopped(name: ActorName, evidence: string): InferredActor {
  return { name, runs: false, evidence, overrule: `--with ${name}` };
}

/** Whether an actor runs, and why, in one sentence without its full stop; null: it has no part. */
type Finding = { readonly runs: boolean; readonly evidence: string } | null;

const FINDINGS: Readonly<Record<ActorName, (found: Found) => Finding>> = {
  kubelets: ({ objects, goes, nodes }) => {
    const pods = objects.filter((object) => object.pod?.scheduled === true && goes(object));
    if (pods.length === 0) return null;
    const lost = [...new Set(pods.flatMap(({ pod }) => pod?.node ?? []))]
      .filter((node) => nodes.lost.has(node))
      .sort();
    const gone = someNames(lost.map((node) => `${node} ${nodes.lost.get(node)}`));
    const alive = pods.filter(({ pod }) => pod?.node === undefined || !nodes.lost.has(pod.node));
    const on = [...new Set(alive.flatMap(({ pod }) => pod?.node ?? []))].sort();
    if (alive.length === 0) {
      return { runs: false, evidence: `${plural(pods.length, 'pod')} without a kubelet: ${gone}` };
    }
    const none = lost.length === 0 ? '' : `; none where ${gone}`;
    return { runs: true, evidence: `${plural(alive.length, 'pod')} on ${someNames(on)}${none}` };
  },
  'namespace-controller': (found) => storageFinding(found, 'namespace'),
  'definition-controller': (found) => storageFinding(found, 'customResourceDefinition'),
  'storage-protection': ({ objects, goes }) => {
    const stored = objects.filter((object) => STORAGE.includes(object.kind) && goes(object));
    if (stored.length === 0) return null;
    const claims = new Set(
      stored.flatMap(({ kind, namespace, name }) =>
        kind === 'PersistentVolumeClaim' ? [`${namespace}/${name}`] : [],
      ),
    );
    const users = objects.filter(
      ({ pod, namespace }) =>
        pod?.scheduled === true &&
        (pod.claims ?? []).some((claim) => claims.has(`${namespace}/${claim}`)),
    );
    // `podUsesPVC` looks at the node of a pod, not at its phase (kubernetes/kubernetes#113828).
    const finished = users.filter(({ pod }) => pod?.finished === true);
    const also =
      finished.length === 0
        ? ''
        : `, ${someNames(finished.map(displayName))} although finished: it counts until it is deleted`;
    const mount = users.length === 1 ? 'mounts a claim' : 'mount a claim';
    const held =
      users.length === 0 ? '' : `; ${plural(users.length, 'pod')} on a node ${mount}${also}`;
    const are = stored.length === 1 ? 'is' : 'are';
    return { runs: true, evidence: `${someNames(stored.map(displayName))} ${are} deleted${held}` };
  },
  // Pods that no kubelet looks after.
  'pod-gc': ({ objects, goes, nodes }) => {
    const reasons = [
      podsWhere(objects, 'bound to no node and being deleted', (object) => {
        return object.pod?.scheduled === false && isBeingDeleted(object);
      }),
      podsWhere(objects, 'on a node that the dump lacks', ({ pod }) =>
        nodes.absent.has(pod?.node ?? ''),
      ),
      podsWhere(objects, 'on a node that is out of service', ({ pod }) =>
        nodes.outOfService.has(pod?.node ?? ''),
      ),
      ...objects
        .filter((object) => object.kind === 'Node' && goes(object))
        .map((node) =>
          podsWhere(
            objects,
            `on ${node.name}, which is deleted`,
            ({ pod }) => pod?.node === node.name,
          ),
        ),
    ].filter((reason) => reason !== '');
    return reasons.length === 0 ? null : { runs: true, evidence: reasons.join('; ') };
  },
  'node-lifecycle': ({ objects, nodes }) => {
    const here = podsWhere(
      objects,
      'on a node that does not answer: taint eviction marks them for deletion',
      (object) =>
        !nodes.absent.has(object.pod?.node ?? '') &&
        object.pod?.finished !== true &&
        isTakenWithNode(object, nodes, []),
    );
    return here === '' ? null : { runs: true, evidence: here };
  },
  'workload-controllers': ({ replacing }) => {
    if (replacing.length === 0) return null;
    const making = replacing.filter(({ replaced }) => replaced.length > 0);
    const stay = making.length === 1 ? 'stays and replaces' : 'stay and replace';
    const made =
      making.length === 0
        ? []
        : [`${someNames(making.map(({ name }) => name))} ${stay} what is deleted beneath`];
    const kept = replacing
      .filter(({ claims }) => claims.length > 0)
      .map(
        ({ name, claims }) =>
          `${name} sets the owner references of ${someNames(claims)} while it is not being deleted`,
      );
    return { runs: true, evidence: [...made, ...kept].join('; ') };
  },
  'job-tracking': ({ objects, goes }) => {
    const pods = podsWhere(
      objects,
      `with ${JOB_TRACKING}, which the Job controller removes, also once the Job is gone`,
      (object) => object.finalizers.includes(JOB_TRACKING) && goes(object),
    );
    return pods === '' ? null : { runs: true, evidence: pods };
  },
};

const STORAGE: readonly string[] = ['PersistentVolumeClaim', 'PersistentVolume'];

function podsWhere(
  objects: readonly ApiObject[],
  words: string,
  isOne: (object: ApiObject) => boolean,
): string {
  const pods = objects.filter((object) => object.pod !== undefined && isOne(object));
  return pods.length === 0 ? '' : `${plural(pods.length, 'pod')} ${words}`;
}

function storageFinding(around: Surroundings, storage: string): Finding {
  const { objects, kinds, goes } = around;
  const found = objects.filter((object) => kinds[object.kind]?.storage === storage && goes(object));
  if (found.length === 0) return null;
  const names = someNames(found.map(displayName));
  return { runs: true, evidence: `${names} ${found.length === 1 ? 'is' : 'are'} deleted` };
}
