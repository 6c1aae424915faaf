import type { DeleteOptions } from '../../state/calls.ts';
import type { ApiObject, NamespaceCondition, NamespacePhase, Uid } from '../../state/objects.ts';

/** What the namespace controller asks of the API server, and what it can be told. */

/** A served type of namespaced contents, as discovery lists it. */
export interface ContentType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Absent means all of them. */
  readonly verbs?: readonly string[];
}

/** An object in a list, as far as the controller reads it. */
export interface ListedItem {
  readonly name: string;
  readonly finalizers: readonly string[];
  /** Of pods: seconds that this one may still take; 0 when it has ended. */
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

/** Each request has its own kind of answer; any of them may fail. */
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
