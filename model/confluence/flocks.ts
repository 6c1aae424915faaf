import { actOnly } from '../acting.ts';
import { GARBAGE_COLLECTOR } from '../actors/collector/garbage-collector.ts';
import { KUBELETS } from '../actors/nodes/kubelet.ts';
import type { Cluster } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { possibleObjects } from '../state/instances.ts';
import { identityOfNode } from '../state/nodes.ts';
import { FOREGROUND, isBeingDeleted, keyOf, ORPHAN, type Uid } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { DeleteWorker } from '../state/workers.ts';
import { canWait } from '../users/sending.ts';
import type { Mortals } from './mortals.ts';

/**
 * Flocks: all objects of a kind have the same single owner and no dependents, and nobody but the
 * collector and kubelets sends a request for them. Such as the pods of the only ReplicaSet.
 */
export class Flocks {
  private readonly setup: Setup;
  private readonly mortals: Mortals;
  /** By member: its owner. */
  private readonly owners: ReadonlyMap<Uid, Uid>;

  constructor(setup: Setup, mortals: Mortals) {
    this.setup = setup;
    this.mortals = mortals;
    this.owners = ownersOfMembers(setup, mortals);
  }

  get areAny(): boolean {
    return this.owners.size > 0;
  }

  /**
   * Whether the first event of a stream shows that a member is being deleted. It only lets workers drop the
   * item of the member. A worker that still does the work sends a DELETE, which changes nothing, or
   * removes the pod in the place of the kubelet, or finds that it is gone. The last shows in the graph earlier
   * than the watch does. The owner needs that of all members, and once all are gone, their events can be
   * handled too.
   */
  isDeletionSeenAtOnce(cluster: Cluster, kind: string): boolean {
    const [event] = cluster.watch[kind] ?? [];
    if (event?.type !== 'update') return false;
    const { identity, deletion, ownerReferences } = event.object;
    const { uid } = identity;
    if (!this.owners.has(uid) || event.old.uid !== uid) return false;
    if (!deletion.beingDeleted || deletion.orphan || deletion.foreground) return false;
    const node = cluster.graph[uid];
    if (node === undefined) return this.mortals.isDead(cluster, uid);
    return !node.virtual && equalJson(node.owners, ownerReferences);
  }

  /**
   * Whether a worker with the item of a member can GET it, or its owner, at once. A later GET of the member
   * can only find that it is gone, as the DELETE would. Its owner waits for its dependents; while the
   * graph has the member, no worker ends that.
   */
  isReadAtOnce(cluster: Cluster, worker: DeleteWorker): boolean {
    const { uid } = identityOfNode(worker.node);
    const owner = this.owners.get(uid);
    if (owner === undefined || cluster.processing[worker.node] === undefined) return false;
    switch (worker.at) {
      case 'getItem':
        return true;
      case 'getOwner':
        return this.mortals.isDead(cluster, uid) || this.isHeldBack(cluster, uid, owner);
      default:
        return false;
    }
  }

  private isHeldBack(cluster: Cluster, uid: Uid, owner: Uid): boolean {
    const name = this.mortals.nodes.get(owner);
    if (name === undefined || cluster.processing[name] !== undefined) return false;
    if (!this.areUsersDone(cluster)) return false;
    const waits = this.mortals.keysOf(owner).some((key) => {
      const stored = cluster.store[key];
      return (
        stored?.uid === owner && isBeingDeleted(stored) && stored.finalizers.includes(FOREGROUND)
      );
    });
    const known = cluster.graph[uid];
    return (
      waits &&
      known !== undefined &&
      cluster.dependents[owner]?.includes(uid) === true &&
      known.owners.some((each) => each.uid === owner && each.blockOwnerDeletion === true)
    );
  }

  private areUsersDone({ users, calls }: Cluster): boolean {
    return Object.entries(this.setup.users).every(
      ([user, steps]) => users[user] === steps.length && calls[user] === undefined,
    );
  }
}

function ownersOfMembers(setup: Setup, mortals: Mortals): ReadonlyMap<Uid, Uid> {
  const { rules } = setup;
  if (rules.waitingOwner !== 'foreground' || rules.absenceProof !== 'liveRead') return new Map();
  if (!actOnly(setup, [GARBAGE_COLLECTOR, KUBELETS])) return new Map();
  const requests = JSON.stringify(setup.users);
  if (requests.includes('"deleteCollection"') || canWait(setup)) return new Map();
  const owners = new Map<Uid, Uid>();
  for (const kind of new Set(setup.objects.map((object) => object.kind))) {
    const members = possibleObjects(setup).filter((object) => object.kind === kind);
    const above = new Set(members.flatMap(({ uid }) => [...(mortals.owners.get(uid) ?? [])]));
    const [owner, ...others] = above;
    if (owner === undefined || others.length > 0) continue;
    const isFlock = members.every(
      (object) =>
        setup.objects.includes(object) &&
        mortals.isLeaf(object.uid) &&
        mortals.owners.get(object.uid)?.size === 1 &&
        !isBeingDeleted(object) &&
        !object.finalizers.includes(ORPHAN) &&
        !object.finalizers.includes(FOREGROUND) &&
        !requests.includes(JSON.stringify(keyOf(object))),
    );
    if (isFlock) for (const { uid } of members) owners.set(uid, owner);
  }
  return owners;
}
