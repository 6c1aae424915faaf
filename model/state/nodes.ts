import type { Identity } from './objects.ts';

/**
 * Name of a node object in the collector's graph. Queues hold node objects, not uids: if a node
 * with other coordinates replaces a node in the graph, the old one stays in the queue as it was.
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
