import type { Cluster, WatchEvent } from '../state/cluster.ts';
import { equalJson } from '../state/equal.ts';
import { identityOfNode, type NodeId } from '../state/nodes.ts';
import type { Uid } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';
import type { Mortals } from './mortals.ts';

/**
 * What the collector still has to do about dead objects: events, nodes, items. (Dead: gone for good,
 * with all that can ever be beneath them.) Nothing of it changes the store, except that an owner may
 * wait until such a node has left the graph. So the collector can do it at once, where an owner loses
 * nothing by that.
 */
export class Remains {
  private readonly mortals: Mortals;
  /** Keys and kinds of which a request speaks. */
  private readonly requests: string;

  constructor({ users }: Setup, mortals: Mortals) {
    this.mortals = mortals;
    this.requests = JSON.stringify(users);
  }

  /**
   * Whether the first event of a stream can be delivered at once, and with it all up to the deletion of
   * its object: all of them are about dead objects. So nobody sees a node that an event makes anew or
   * changes, and the effect of all of them is that these nodes are not in the graph.
   */
  isSettledAtOnce(cluster: Cluster, kind: string): boolean {
    return this.settled(cluster, cluster.watch[kind] ?? []) > 0;
  }

  /**
   * Whether the collector's own event of a deletion can be handled at once. An earlier event of the object
   * would bring the node back, so there may be none but those that are delivered at once as well.
   */
  isRemovedAtOnce(cluster: Cluster, id: NodeId): boolean {
    const { uid } = identityOfNode(id);
    if (!this.mortals.isDead(cluster, uid) || !this.mayLeave(cluster, uid)) return false;
    return Object.values(cluster.watch).every((stream) => {
      const last = stream.findLastIndex(
        ({ type, object }) => type !== 'delete' && object.identity.uid === uid,
      );
      return last < 0 || last < this.settled(cluster, stream);
    });
  }

  /** How many events at the head of a stream can be delivered at once. */
  private settled(cluster: Cluster, stream: readonly WatchEvent[]): number {
    const begun = new Map<Uid, WatchEvent>();
    let settled = 0;
    for (const [index, event] of stream.entries()) {
      const { uid } = event.object.identity;
      const first = begun.get(uid) ?? event;
      if (!this.isHarmless(cluster, event, first)) break;
      if (event.type === 'delete') begun.delete(uid);
      else begun.set(uid, first);
      if (begun.size === 0) settled = index + 1;
    }
    return settled;
  }

  private isHarmless(cluster: Cluster, event: WatchEvent, first: WatchEvent): boolean {
    const { identity, ownerReferences, deletion } = event.object;
    const { uid } = identity;
    const known = cluster.graph[uid];
    return (
      this.mortals.isDead(cluster, uid) &&
      !(event.type === 'update' && event.old.uid !== uid) &&
      // The start of orphaning queues the owner elsewhere.
      !deletion.orphan &&
      equalJson(ownerReferences, first.object.ownerReferences) &&
      (known === undefined || known.virtual || equalJson(known.owners, ownerReferences)) &&
      this.mayLeave(cluster, uid)
    );
  }

  /**
   * Whether the node can leave the graph now, or come and leave. Each of its owners is dead, or gone for
   * good and known, or waits for its dependents, and no worker looks at it at the moment. The only effect is
   * that a waiting owner is queued. It would be queued later otherwise, and until then each look at it
   * finds that it has to wait; so it may as well stay in the queue until then.
   *
   * One look more or less at a waiting owner must not matter. It queues the dependents that it finds; so
   * these are dead, or wait themselves (and are not queued), or have no other owner and no dependents. A
   * further look at one of the last kind sends a DELETE for an object that has been deleted before.
   */
  private mayLeave(cluster: Cluster, uid: Uid): boolean {
    const { graph, attemptToOrphan, orphaning } = cluster;
    const id = this.mortals.nodes.get(uid);
    if (id === undefined) return false;
    if (attemptToOrphan[id] !== undefined || orphaning[id] !== undefined) return false;
    return [...(this.mortals.owners.get(uid) ?? [])].every((owner) => {
      if (this.mortals.isDead(cluster, owner)) return true;
      const node = graph[owner];
      const name = this.mortals.nodes.get(owner);
      if (node === undefined || node.virtual || name === undefined) return false;
      if (attemptToOrphan[name] !== undefined || orphaning[name] !== undefined) return false;
      if (cluster.processing[name] !== undefined) return false;
      if (this.mortals.isGone(cluster, owner)) return true;
      return node.deletingDependents && this.isLookedAtTwice(cluster, owner);
    });
  }

  private isLookedAtTwice(cluster: Cluster, owner: Uid): boolean {
    return [...(this.mortals.dependents.get(owner) ?? [])].every(
      (uid) =>
        cluster.graph[uid]?.deletingDependents === true ||
        this.mortals.isDead(cluster, uid) ||
        (this.mortals.isLeaf(uid) &&
          this.mortals.owners.get(uid)?.size === 1 &&
          !this.isRequested(uid)),
    );
  }

  /** Whether a user sends a request for an object. */
  private isRequested(uid: Uid): boolean {
    const keys = this.mortals.keysOf(uid);
    return (
      this.requests.includes('"deleteCollection"') ||
      keys.some((key) => this.requests.includes(JSON.stringify(key)))
    );
  }

  /**
   * Whether a look at a waiting owner would find that it has to wait, and do nothing. It is repeated when one
   * of the dependents leaves the graph. All objects that can ever be its dependents are in the graph
   * and wait themselves, or are dead: so a later look would not find another one to queue.
   */
  hasToWait(cluster: Cluster, id: NodeId): boolean {
    const { uid } = identityOfNode(id);
    const node = cluster.graph[uid];
    if (node === undefined || node.virtual || !node.deletingDependents) return false;
    if (this.mortals.nodes.get(uid) !== id || this.mortals.isGone(cluster, uid)) return false;
    const dependents = cluster.dependents[uid] ?? [];
    let isBlocked = false;
    for (const dependent of this.mortals.dependents.get(uid) ?? []) {
      const below = cluster.graph[dependent];
      const waits = dependents.includes(dependent) && below?.deletingDependents === true;
      if (!waits && !this.mortals.isDead(cluster, dependent)) return false;
      if (!waits) continue;
      if (!below.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true))
        return false;
      isBlocked = true;
    }
    return isBlocked;
  }
}
