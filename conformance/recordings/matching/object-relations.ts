import {
  type NodeId,
  nodeId,
  type ObjectKey,
  type OwnerReference,
  objectKey,
  resolveKind,
  splitKey,
  type Uid,
} from '../../../model/index.ts';
import { keyOfChange, keyOfRequest } from '../logs/keys.ts';
import type { SeenObject, SeenPlace, Trace } from '../logs/observations.ts';

/**
 * Finds the events that can affect a request of the collector for one object.
 *
 * For an event, the graph builder queues the object itself, its owners and its dependents. A
 * worker reads the nodes of its item, of the item's owners and of its dependents. So an event
 * about any object other than these, and other than another owner of a dependent, can be delivered
 * after the request as well. The exception is an event that precedes, in its stream, one that
 * cannot wait: then what affects that event matters too.
 */
export class ObjectRelations {
  readonly #uids = new Map<ObjectKey, Set<Uid>>();
  readonly #owners = new Map<Uid, Set<Uid>>();
  readonly #dependents = new Map<Uid, Set<Uid>>();
  /** Where dependents and the log place an owner; more than one entry if they disagree. */
  readonly #accounts = new Map<Uid, Set<string>>();
  /**
   * The nodes that the graph may have of an object: as the watch shows it, and as references do.
   */
  readonly #nodes = new Map<Uid, Set<NodeId>>();
  readonly #related = new Map<Uid, ReadonlySet<Uid>>();
  readonly #trace: Trace;

  constructor(trace: Trace) {
    this.#trace = trace;
    for (const initial of trace.initial) {
      this.#note(initial, keyOfChange(initial), initial.object);
    }
    for (const change of trace.changes ?? []) {
      this.#note(change, keyOfChange(change), change.object);
    }
    for (const request of trace.requests) {
      const key = keyOfRequest(request);
      if (request.answer !== null && key !== null) this.#note(request, key, request.answer);
    }
    for (const final of trace.final ?? []) {
      this.#note(final, keyOfChange(final), final.object);
    }
  }

  #note(place: SeenPlace, key: ObjectKey, object: SeenObject): void {
    add(this.#uids, key, object.uid);
    add(this.#accounts, object.uid, key);
    const { kind: watched, namespace } = place;
    const [apiVersion = ''] = watched.apiVersions;
    const [, , name] = splitKey(key);
    const identity = { apiVersion, kind: watched.kind, namespace, name, uid: object.uid };
    add(this.#nodes, object.uid, nodeId(identity));
    for (const reference of object.ownerReferences) {
      add(this.#owners, object.uid, reference.uid);
      add(this.#dependents, reference.uid, object.uid);
      // A reference may give its owner another name: the collector sends its GET to that name.
      const named = this.#keyOf(reference, namespace);
      if (named !== null) add(this.#uids, named, reference.uid);
      const { apiVersion, kind, name, uid } = reference;
      add(this.#nodes, uid, nodeId({ apiVersion, kind, namespace, name, uid }));
      const unknown = `${apiVersion} ${kind} ${namespace} ${name}`;
      add(this.#accounts, reference.uid, named ?? unknown);
    }
  }

  #keyOf(reference: OwnerReference, namespace: string): ObjectKey | null {
    const kind = resolveKind(this.#trace.kinds, reference.apiVersion, reference.kind);
    if (kind === null) return null;
    return objectKey(kind.name, kind.namespaced ? namespace : '', reference.name);
  }

  /** Uids of the objects that were ever at this key, or that a reference placed there. */
  uidsUnder(key: ObjectKey): ReadonlySet<Uid> {
    return this.#uids.get(key) ?? new Set();
  }

  /** Uids of all owners that the object ever had in the log. */
  ownersOf(uid: Uid): ReadonlySet<Uid> {
    return this.#owners.get(uid) ?? new Set();
  }

  /** Uids of all objects that ever named this owner in the log. */
  dependentsOf(uid: Uid): ReadonlySet<Uid> {
    return this.#dependents.get(uid) ?? new Set();
  }

  /** Whether the log and the references place the object at different coordinates. */
  isDisputed(uid: Uid): boolean {
    return (this.#accounts.get(uid)?.size ?? 0) > 1;
  }

  /** Whether the graph has no more than one node of the object, so that no two workers hold it. */
  hasOneNode(uid: Uid): boolean {
    return (this.#nodes.get(uid)?.size ?? 0) === 1;
  }

  /**
   * The object, its owners, its dependents and their other owners. If dependents disagree about an
   * owner, the first one that is seen decides for all: then the owner's other dependents count as
   * well.
   */
  relatedTo(uid: Uid): ReadonlySet<Uid> {
    const known = this.#related.get(uid);
    if (known !== undefined) return known;
    const related = new Set<Uid>([uid]);
    for (const owner of this.#owners.get(uid) ?? []) {
      related.add(owner);
      if (!this.isDisputed(owner)) continue;
      for (const sibling of this.#dependents.get(owner) ?? []) related.add(sibling);
    }
    for (const dependent of this.#dependents.get(uid) ?? []) {
      related.add(dependent);
      for (const owner of this.#owners.get(dependent) ?? []) related.add(owner);
    }
    this.#related.set(uid, related);
    return related;
  }
}

function add<Key, Value>(map: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}
