import type { DeleteOptions } from '../../state/calls.ts';
import type { ApiObject, NamespaceCondition, NamespacePhase, Uid } from '../../state/objects.ts';

/** The requests of the namespace controller to the API server, and the possible answers. */

/** A served type of namespaced contents, as discovery lists it. */
export interface ContentType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Absent: all verbs. */
  readonly verbs?: readonly string[];
}

/** An object in a list, with the fields that the controller reads. */
export interface ListedItem {
  readonly name: string;
  readonly finalizers: readonly string[];
  /** Pods only: seconds that the pod can still take; 0 when it has ended. */
  readonly graceSeconds?: number;
}

export type NamespaceRequest =
  | { readonly verb: 'get'; readonly name: string }
  | { readonly verb: 'discover' }
  | {
      readonly verb: 'updateStatus';
      readonly name: string;
      readonly phase: NamespacePhase;
      readonly conditions: readonly NamespaceCondition[];
    }
  | { readonly verb: 'finalize'; readonly name: string }
  | { readonly verb: 'deleteNamespace'; readonly name: string; readonly uid: Uid }
  /** Pods with their grace periods, for the estimate. */
  | { readonly verb: 'listPods'; readonly namespace: string }
  | {
      readonly verb: 'deleteCollection';
      readonly type: ContentType;
      readonly namespace: string;
      readonly options: DeleteOptions;
    }
  | { readonly verb: 'list'; readonly type: ContentType; readonly namespace: string }
  | {
      readonly verb: 'delete';
      readonly type: ContentType;
      readonly namespace: string;
      readonly name: string;
      readonly options: DeleteOptions;
    };

/** Each request has its own kind of answer. Any request can fail. */
export type NamespaceAnswer =
  | { readonly kind: 'namespace'; readonly namespace: ApiObject }
  | {
      readonly kind: 'types';
      readonly types: readonly ContentType[];
      readonly error: string | null;
    }
  | { readonly kind: 'items'; readonly items: readonly ListedItem[] }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'failed';
      readonly reason: 'NotFound' | 'Conflict' | 'MethodNotAllowed' | 'Other';
      readonly message: string;
    };

export type FailedAnswer = Extract<NamespaceAnswer, { kind: 'failed' }>;
