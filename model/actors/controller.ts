import type { DefinitionWorker } from '../definition/controller.ts';
import type { NamespaceActor } from '../namespace/actor.ts';

/** A controller at work on one namespace or one definition. */
export type Controller =
  | { readonly empties: 'namespace'; readonly actor: NamespaceActor; readonly seen: Contents }
  /** What was left of exactly these contents was the same: it will be again. */
  | { readonly empties: 'namespace'; readonly triedInVain: Contents }
  | { readonly empties: 'definition'; readonly worker: DefinitionWorker };

/** What is in a namespace, as far as a pass over it depends on that. */
export type Contents = string;

export function isAtWork(controller: Controller | undefined): boolean {
  return controller !== undefined && !('triedInVain' in controller);
}
