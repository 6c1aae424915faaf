import type { Identity } from './objects.ts';

/**
 * Name of a node object in the collector's graph. Queues hold node objects, not uids: a node that is
 * replaced in the graph by one with other coordinates stays in the queue as it was.
 */
export type NodeId = string;

export function nodeId(identity: Identity): NodeId {
  return JSON.stringify([
    identity.apiVersion,
    identity.kind,
    identity.namespace,
    identity.name,
    identity.uid,
  ]);
}

export function identityOfNode(id: NodeId): Identity {
  const [apiVersion, kind, namespace, name, uid] = JSON.parse(id) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return { apiVersion, kind, namespace, name, uid };
}
