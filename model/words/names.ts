import { workerNames } from '../state/client-names.ts';
import { identityIn, instancesOf, possibleObjects } from '../state/instances.ts';
import { formatKey } from '../state/keys.ts';
import { type KindTable, resolveKind } from '../state/kinds.ts';
import { identityOfNode, type NodeId } from '../state/nodes.ts';
import { coordinatesOf, type Identity, type OwnerReference, type Uid } from '../state/objects.ts';
import type { Setup } from '../state/setup.ts';

/** Names of things as people write them. */
export interface Names {
  /** `Kind/name`, with its uid if the model has several objects of that name. */
  identity(identity: Identity): string;
  node(id: NodeId): string;
  /** The owner that a reference in an object of that namespace names. */
  owner(reference: OwnerReference, namespace: string): string;
  /** The object with this uid. */
  uid(uid: Uid): string;
  /** The sender behind a client of the API server. */
  client(client: string): string;
}

/**
 * `Kind/name` or `Kind/name.namespace`. The kind includes its group unless that is the core group.
 */
export function formatIdentity(kinds: KindTable, identity: Identity): string {
  const { apiVersion, kind, namespace, name } = identity;
  const table = resolveKind(kinds, apiVersion, kind);
  return formatKey(`${table?.name ?? kind}/${namespace}/${name}`);
}

/** Everything that has a uid, under each of its names. */
function identities(setup: Setup): readonly Identity[] {
  const objects = possibleObjects(setup).map((object) => identityIn(setup, object));
  return [...objects, ...instancesOf(setup).nodes.map(identityOfNode)];
}

function workers(
  role: 'delete' | 'orphan',
  count: number,
  words: string,
): readonly (readonly [string, string])[] {
  return workerNames(role, count).map((name, index) => [
    name,
    count === 1 ? words : `${words} ${index + 1}`,
  ]);
}

/** @param clients of the API server, each with its words. */
export function namesWith(
  setup: Setup,
  clients: readonly (readonly [client: string, words: string])[],
): Names {
  const byUid = new Map<Uid, Identity>();
  const uidsByName = new Map<string, Set<Uid>>();
  for (const identity of identities(setup)) {
    const name = formatIdentity(setup.kinds, identity);
    if (!byUid.has(identity.uid)) byUid.set(identity.uid, identity);
    uidsByName.set(name, (uidsByName.get(name) ?? new Set()).add(identity.uid));
  }
  const actors = new Map([
    ...workers('delete', setup.deleteWorkers, 'gc worker'),
    ...workers('orphan', setup.orphanWorkers, 'gc orphan worker'),
    ...clients,
  ]);
  const identity = (which: Identity): string => {
    const name = formatIdentity(setup.kinds, which);
    return (uidsByName.get(name)?.size ?? 0) > 1 ? `${name} (uid ${which.uid})` : name;
  };
  return {
    identity,
    node: (id) => identity(identityOfNode(id)),
    owner: (reference, namespace) => {
      const kind = resolveKind(setup.kinds, reference.apiVersion, reference.kind);
      return identity(coordinatesOf(reference, kind?.namespaced === false ? '' : namespace));
    },
    uid: (uid) => {
      const known = byUid.get(uid);
      return known === undefined ? `uid ${uid}` : identity(known);
    },
    client: (client) => actors.get(client) ?? client,
  };
}
