import type { ActionInstance } from '../../checker/index.ts';
import {
  actingCall,
  applyChange,
  type Call,
  type Cluster,
  equalJson,
  formatKey,
  keyOf,
  type Setup,
} from '../../model/index.ts';

/** A run of the search: the steps, and the states around them. */
export interface KnownRun {
  /** The setup in which it was found. */
  readonly setup: Setup;
  /** One more than actions. */
  readonly states: readonly Cluster[];
  readonly actions: readonly ActionInstance[];
  /** Absent: the server plays all controllers. */
  readonly played?: PlayedController;
}

/** A controller of the run whose part a client plays: the operator under test. */
export interface PlayedController {
  readonly controller: string;
  /** Milliseconds that the run waits for the operator. */
  readonly patience: number;
}

/** A request that a client has to send at a step of the run. */
export interface SentCall {
  /** The index of the step. */
  readonly at: number;
  /** The user or the controller that sends it in the run. */
  readonly who: string;
  readonly call: Call;
}

/** The requests that clients send in the run, in its order. */
export function sentCalls(run: KnownRun): readonly SentCall[] {
  return run.actions.flatMap((action, at): SentCall | [] => {
    const before = run.states[at];
    if (before === undefined) return [];
    const call = actingCall(run.setup, before, action);
    if (call === null) return [];
    if (action.name === 'request') return { at, who: String(action.parameters.user), call };
    const isSent = isOfPlayed(run, action) && before.calls[call.client] === undefined;
    return isSent ? { at, who: call.client, call } : [];
  });
}

/** Whether the request is an update that changes nothing of what the model keeps. */
export function isTouch({ states }: KnownRun, { at, call }: SentCall): boolean {
  if (call.verb !== 'update') return false;
  const stored = states[at]?.store[call.key];
  return stored !== undefined && equalJson(applyChange(stored, call.change), stored);
}

/**
 * Whether the step is one of the controller that a client plays, or of a cache of that controller.
 */
export function isOfPlayed({ played }: KnownRun, { parameters }: ActionInstance): boolean {
  if (played === undefined) return false;
  const { controller, informer } = parameters;
  return controller === played.controller || String(informer).startsWith(`${played.controller}: `);
}

/**
 * Whether a client sends what the user of the run sends. What an update changes shows afterwards.
 */
export function isSame(call: Call, wanted: Call): boolean {
  switch (call.verb) {
    case 'create': {
      if (wanted.verb !== 'create') return false;
      const { object } = call;
      return (
        keyOf(object) === keyOf(wanted.object) &&
        equalJson(object.finalizers, wanted.object.finalizers) &&
        equalJson(object.ownerReferences, wanted.object.ownerReferences)
      );
    }
    case 'delete':
      return (
        wanted.verb === 'delete' &&
        call.key === wanted.key &&
        equalJson(call.options, wanted.options)
      );
    case 'deleteCollection':
      return (
        wanted.verb === 'deleteCollection' &&
        call.kind === wanted.kind &&
        call.namespace === wanted.namespace &&
        equalJson(call.options, wanted.options)
      );
    case 'update':
      return wanted.verb === 'update' && call.key === wanted.key;
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

/**
 * Whether an operator sends what the controller of the run sends. What it does shows afterwards.
 */
export function isAlike(call: Call, wanted: Call): boolean {
  const isOfOne = call.verb === 'delete' && wanted.verb === 'delete';
  return isOfOne ? call.key === wanted.key : isSame(call, wanted);
}

export function wordsOf(call: Call): string {
  switch (call.verb) {
    case 'create':
      return `POST ${formatKey(keyOf(call.object))}`;
    case 'deleteCollection':
      return `DELETE of all ${call.kind}`;
    case 'delete':
      return `DELETE ${formatKey(call.key)} ${JSON.stringify(call.options)}`;
    case 'update':
      return `${call.put ? 'PUT' : 'PATCH'} ${formatKey(call.key)}`;
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}
