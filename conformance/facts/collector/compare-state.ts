import type {
  Cluster,
  CollectorPatch,
  CollectorWarning,
  OwnerReference,
} from '../../../model/index.ts';
import { compareListed, compareSets, type Difference } from '../compare.ts';
import { groupVersion } from '../fixtures.ts';
import type { Names } from './names.ts';
import { absentOwnersOf, eventQueueOf, queueOf } from './observable-state.ts';
import type { AnsweredRequest, RunState } from './run-state.ts';
import type { StatedRequest, StatedWarning } from './shapes.ts';

/** Compares the requests in order; of each request only what the case states. */
export function compareRequests(
  stated: readonly StatedRequest[] | undefined,
  got: readonly AnsweredRequest[],
): Difference | null {
  return compareListed('requests', stated, got.map(showRequest));
}

/** A request in the format of the cases. The resourceVersion in a trace is always `7`. */
function showRequest({ request, code }: AnsweredRequest): object {
  const { group, version } = groupVersion(request.apiVersion);
  const { verb, resource, namespace, name } = request;
  const target = { verb, group, version, resource, namespace, name };
  const answer = { found: code !== 404, status: code };
  switch (request.verb) {
    case 'get':
      return { ...target, ...answer };
    case 'delete': {
      const { propagationPolicy, uidPrecondition } = request;
      return { ...target, ...answer, propagationPolicy, uidPrecondition };
    }
    case 'update':
      return { ...target, ...answer, finalizers: request.finalizers, uidPrecondition: request.uid };
    case 'patch':
      return { ...target, ...answer, patch: showPatch(request.patch) };
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

function showPatch(patch: CollectorPatch): object {
  switch (patch.do) {
    case 'removeOwners':
      return { do: patch.do, uids: patch.uids, uidPrecondition: patch.uidPrecondition };
    case 'unblockOwners': {
      const uids = patch.ownerReferences.map(({ uid }) => uid);
      return { do: patch.do, uids, uidPrecondition: patch.uidPrecondition };
    }
    case 'setFinalizers':
      return { do: patch.do, finalizers: patch.finalizers, resourceVersion: '7' };
    case 'setOwners':
      return { do: patch.do, owners: patch.ownerReferences, resourceVersion: '7' };
    default:
      throw new Error(`unknown patch ${JSON.stringify(patch satisfies never)}`);
  }
}

function compareWarnings(
  stated: readonly StatedWarning[] | undefined,
  got: readonly CollectorWarning[],
): Difference | null {
  const shown = got.map(({ reason, dependent, owner }) => {
    const { apiVersion, kind, name, uid, namespace } = owner;
    return {
      type: 'Warning',
      reason,
      ownerRef: { apiVersion, kind, name, uid },
      notInNamespace: namespace,
      involvedObject: dependent,
    };
  });
  return compareListed('events', stated, shown);
}

/** For nodes in the graph: X has Y as owner exactly if Y has X as dependent. */
export function ownerDependentSymmetry(cluster: Cluster): Difference | null {
  const owned = Object.entries(cluster.graph).flatMap(([dependent, node]) =>
    [...new Set(node.owners.map(({ uid }) => uid))]
      .filter((owner) => cluster.graph[owner] !== undefined)
      .map((owner) => `${dependent} is owned by ${owner}`),
  );
  const depending = Object.entries(cluster.dependents).flatMap(([owner, dependents]) =>
    dependents.map((dependent) => `${dependent} is owned by ${owner}`),
  );
  return compareSets('owner-dependent-symmetry', owned, depending);
}

/** What a step states about queues, memory, requests and warnings; see `statedQueues`. */
interface StatedQueues {
  readonly attemptToDelete?: readonly unknown[] | undefined;
  readonly attemptToOrphan?: readonly unknown[] | undefined;
  readonly graphChanges?: readonly unknown[] | undefined;
  readonly absentOwners?: readonly string[] | undefined;
  readonly requests?: readonly StatedRequest[] | undefined;
  readonly events?: readonly StatedWarning[] | undefined;
}

/** The first difference in everything but the graph. */
export function compareQueues(
  names: Names,
  stated: StatedQueues,
  state: RunState,
  nameReference: (reference: OwnerReference) => unknown,
): Difference | null {
  const { cluster } = state;
  const { attemptToDelete, attemptToOrphan, graphChanges, absentOwners } = stated;
  const absent = absentOwnersOf(cluster, names.ofNode, (uid) => `uid ${uid}`);
  return (
    compareListed('attemptToDelete', attemptToDelete, queueOf(names, cluster, 'attemptToDelete')) ??
    compareListed('attemptToOrphan', attemptToOrphan, queueOf(names, cluster, 'attemptToOrphan')) ??
    compareListed('graphChanges', graphChanges, eventQueueOf(names, state, nameReference)) ??
    compareSets('absentOwners', absentOwners, absent) ??
    compareRequests(stated.requests, state.requests) ??
    compareWarnings(stated.events, state.warnings)
  );
}
