import type { ObjectKey, Uid } from './objects.ts';

/** The names under which clients send their requests. */

/** The client under which the owner of a finalizer works on this object. */
export function finalizerClient(finalizer: string, key: string): string {
  return `${finalizer} on ${key}`;
}

/**
 * The client under which the controller of a kind works on one object of the kind, one request at a
 * time.
 */
export function controllerClient(key: ObjectKey, uid: Uid): string {
  return `controller of ${key} (${uid})`;
}

/** Whether this is such a client for the object with this uid. */
export function belongsToController(client: string, uid: Uid): boolean {
  return client.startsWith('controller of ') && client.includes(` (${uid})`);
}

/** Names of the workers of a queue, in the order in which they take work. */
export function workerNames(role: 'delete' | 'orphan', count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${role}-${index + 1}`);
}
