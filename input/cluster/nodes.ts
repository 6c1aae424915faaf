import { type ApiObject, isBeingDeleted, keyOf, toleratesLoss } from '../../model/index.ts';
import type { Observation } from './observations.ts';

/** What is known of the nodes that pods are bound to. */
export interface NodeStates {
  /** Names of nodes without a kubelet that acts, sorted; each with the reason, one clause. */
  readonly lost: ReadonlyMap<string, string>;
  /**
   * Names of nodes that report not to be ready. Their kubelets still report, and so may end pods,
   * or not: the reason says why, one clause.
   */
  readonly unready: ReadonlyMap<string, string>;
  /** Those of them that do not exist, although the dump has other nodes. */
  readonly absent: ReadonlySet<string>;
  /** Those of them with the taint that lets pod gc remove their pods. */
  readonly outOfService: ReadonlySet<string>;
}

export interface NodeOptions {
  readonly with: readonly string[];
  readonly without: readonly string[];
  /** Names of nodes whose machine is gone, whatever the dump says. */
  readonly lostNodes: readonly string[];
}

/**
 * Reads the states of the nodes off the Node objects of a dump, unless the options say otherwise.
 */
export function nodeStates(
  objects: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
  options: NodeOptions,
): NodeStates {
  const lost = new Map(options.lostNodes.map((node) => [node, 'is given as lost']));
  const unready = new Map<string, string>();
  const absent = new Set<string>();
  const outOfService = new Set<string>();
  const present = new Set<string>();
  for (const object of objects) {
    if (object.kind !== 'Node') continue;
    present.add(object.name);
    const observation = observations.get(keyOf(object));
    if (observation?.of !== 'Node') continue;
    const { ready, because } = observation;
    // `--with kubelets` overrules what the dump says of a node, not what is absent.
    if (!options.with.includes('kubelets') && !lost.has(object.name)) {
      // The node controller writes Unknown and taints the node, once the kubelet has stopped to
      // report.
      if (ready === 'Unknown') lost.set(object.name, 'does not answer');
      // Only a kubelet that runs reports False.
      if (ready === 'False') unready.set(object.name, because);
    }
    if (observation.outOfService && lost.has(object.name)) outOfService.add(object.name);
  }
  for (const { pod } of objects) {
    if (present.size === 0 || pod?.node === undefined || present.has(pod.node)) continue;
    if (lost.has(pod.node)) continue;
    absent.add(pod.node);
    lost.set(pod.node, 'is not among the nodes of the dump');
  }
  return {
    lost: new Map([...lost].sort(([a], [b]) => (a < b ? -1 : 1))),
    unready,
    absent,
    outOfService,
  };
}

/**
 * Whether a controller deletes this pod for the sake of its node: pod gc if the node is absent,
 * taint eviction if it does not answer and the pod does not tolerate that.
 */
export function isTakenWithNode(
  object: ApiObject,
  { lost, absent, outOfService }: NodeStates,
  without: readonly string[],
): boolean {
  const node = object.pod?.node;
  if (node === undefined) return false;
  if (absent.has(node)) return !without.includes('pod-gc');
  if (!lost.has(node) || isBeingDeleted(object) || without.includes('node-lifecycle')) return false;
  return !toleratesLoss(object, outOfService.has(node));
}
