import type { ApiObject } from '../../state/objects.ts';
import type { Remaining } from './conditions.ts';
import type { ContentType, ListedItem } from './requests.ts';

/** What one pass over the contents has found so far. */
export interface Pass {
  /** Types still to be emptied. The first one is in progress. */
  readonly types: readonly ContentType[];
  /** Seconds until something may be gone: for the whole pass, and for the type in progress. */
  readonly estimate: number;
  readonly typeEstimate: number;
  readonly discoveryError: string | null;
  readonly contentErrors: readonly string[];
  readonly remaining: readonly Remaining[];
  readonly finalizersRemaining: Readonly<Record<string, number>>;
  /** The conditions will not say what is left (the rule `namespaceTotals`). */
  readonly totalsLeftOut?: true;
}

/**
 * The next request of one call of `namespacedResourcesDeleter.Delete` (1.20). The namespace is the
 * copy that the call works with, which can differ from the stored one.
 */
export type NamespaceWorker =
  | { readonly at: 'get'; readonly name: string }
  | { readonly at: 'updatePhase'; readonly namespace: ApiObject }
  | { readonly at: 'discover'; readonly namespace: ApiObject }
  | {
      readonly at: 'getAfterConflict';
      readonly namespace: ApiObject;
      readonly retry: 'updatePhase' | 'finalize';
    }
  | {
      readonly at: 'estimate' | 'deleteCollection' | 'listEach' | 'listRemaining';
      readonly namespace: ApiObject;
      readonly pass: Pass;
    }
  | {
      readonly at: 'deleteEach';
      readonly namespace: ApiObject;
      readonly pass: Pass;
      readonly items: readonly ListedItem[];
    }
  | { readonly at: 'updateConditions'; readonly namespace: ApiObject; readonly pass: Pass }
  | { readonly at: 'finalize'; readonly namespace: ApiObject }
  /** After finalizing, if an update does not remove the namespace. */
  | { readonly at: 'deleteNamespace'; readonly namespace: ApiObject };

/** The end of one call. */
export type NamespaceResult =
  | { readonly outcome: 'done' }
  /** `ResourcesRemainingError`: the controller tries again after this many seconds. */
  | { readonly outcome: 'remaining'; readonly estimate: number }
  | { readonly outcome: 'error'; readonly message: string };

/** What the controller remembers from one call to the next: `operationNotSupportedCache`. */
export interface Unsupported {
  readonly operations: readonly string[];
}

export type NamespaceStep =
  | { readonly done: false; readonly worker: NamespaceWorker }
  | { readonly done: true; readonly result: NamespaceResult };
