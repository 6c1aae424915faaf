import type { Waiter } from '../actors/kubectl.ts';
import type { NamespaceActor } from '../actors/namespaces/sync.ts';
import type { RunningPod } from '../actors/nodes/containers.ts';
import type { Errand } from '../actors/requests.ts';
import type { Reconciling } from '../actors/workloads/reconciling.ts';
import type { DefinitionWorker } from '../definition/controller.ts';

/** Somebody at work: a controller on one object, a kubelet on a pod, a client that waits. */
export type Controller =
  | { readonly role: 'namespace'; readonly actor: NamespaceActor; readonly seen: Contents }
  /** What was left of exactly these contents was the same: it will be again. */
  | { readonly role: 'namespace'; readonly triedInVain: Contents }
  /** It has tried as often as it is bound to. */
  | { readonly role: 'namespace'; readonly gaveUp: true }
  /** What the namespace controller remembers of all namespaces. */
  | { readonly role: 'namespaceMemory'; readonly operations: readonly string[] }
  | { readonly role: 'definition'; readonly worker: DefinitionWorker }
  /** Before the live list of pods that follows the look at the cached ones. */
  | { readonly role: 'claimCheck' }
  /** Before the live GET of a node that the cache does not have. */
  | { readonly role: 'nodeCheck'; readonly node: string }
  | Errand
  | RunningPod
  | Waiter
  | Reconciling;

/** What is in a namespace, as far as a pass over it depends on that. */
export type Contents = string;

export function isAtWork(controller: Controller | undefined): boolean {
  return controller !== undefined && !('triedInVain' in controller) && !('gaveUp' in controller);
}

/** Whether it ends with the controller manager. */
export function isInManager({ role }: Controller): boolean {
  switch (role) {
    case 'namespace':
    case 'namespaceMemory':
    case 'workload':
    case 'claimCheck':
    case 'nodeCheck':
    case 'errand':
      return true;
    // A part of the API server.
    case 'definition':
    // A kubelet, a client.
    case 'pod':
    case 'waiter':
    // A process of its own.
    case 'operator':
      return false;
    default:
      throw new Error(`unknown role ${role satisfies never}`);
  }
}
