import type { DefinitionWorker } from '../definition/controller.ts';
import type { NamespaceActor } from '../namespace/actor.ts';

/** A controller at work on one namespace or one definition. */
export type Controller =
  | { readonly role: 'namespace'; readonly actor: NamespaceActor; readonly seen: Contents }
  /** What was left of exactly these contents was the same: it will be again. */
  | { readonly role: 'namespace'; readonly triedInVain: Contents }
  | { readonly role: 'definition'; readonly worker: DefinitionWorker };

/** What is in a namespace, as far as a pass over it depends on that. */
export type Contents = string;

export function isAtWork(controller: Controller | undefined): boolean {
  return controller !== undefined && !('triedInVain' in controller);
}

/** Whether it ends with the controller manager. */
export function isInManager({ role }: Controller): boolean {
  switch (role) {
    case 'namespace':
      return true;
    // A part of the API server.
    case 'definition':
      return false;
    default:
      throw new Error(`unknown role ${role satisfies never}`);
  }
}
