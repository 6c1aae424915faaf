import type { Answer, Call, DeleteCall, ObjectKey, UpdateCall } from '../../model/index.ts';
import type { Body } from './body.ts';
import type { Stored } from './stored-objects.ts';
import type { View } from './views.ts';

/** What a PUT or PATCH changes in the object that it finds, decided when its transaction runs. */
export interface Update {
  readonly call: UpdateCall;
  /** What is kept of the object afterwards. */
  readonly body: Body;
  /** Whether the resourceVersion that the request demands is that of the stored object. */
  readonly asRead: boolean;
  /** The resourceVersion that the request demands. Empty: none. */
  readonly version: string;
}

/** An answer that the server gives without the model: the request is wrong in itself. */
export interface Refusal {
  readonly refusal: unknown;
}

/** A writing request of a client. */
export type Asked =
  | { readonly verb: 'create'; readonly call: Call; readonly body: Body }
  | {
      readonly verb: 'delete';
      readonly call: Call;
      /** The key that is demanded at the revision that the client names. */
      readonly readAt?: { readonly key: ObjectKey; readonly revision: string };
    }
  | {
      readonly verb: 'update';
      readonly call: UpdateCall;
      /** Called before the transaction, with what is stored. */
      readonly update: (stored: Stored | null) => Update | Refusal;
    };

/** The answer of the model, with the object as clients see it. */
export interface Answered {
  readonly answer: Answer;
  readonly view: View | null;
}

export function versionOf(asked: Asked): string {
  return asked.verb === 'delete' ? (asked.readAt?.revision ?? '') : '';
}

export function keyOfCall(call: Call): ObjectKey {
  if (call.verb === 'create') {
    return `${call.object.kind}/${call.object.namespace}/${call.object.name}`;
  }
  return call.verb === 'deleteCollection' ? '' : call.key;
}

export function isDryRun(call: Call): boolean {
  if (call.verb === 'create' || call.verb === 'update') return call.dryRun === true;
  return (call as DeleteCall).options.dryRun === true;
}
