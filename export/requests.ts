import {
  type ApiObject,
  actingCall,
  applyChange,
  type Call,
  type Change,
  type DeleteOptions,
  describer,
  equalJson,
  keyOf,
  type ObjectKey,
  type UpdateCall,
} from '../model/index.ts';
import { EXPORT_ERRORS } from './errors.ts';
import { manifestOf, targetOf } from './objects.ts';
import type { SourceRun } from './source.ts';
import type { Json, TestRequest } from './test-case.ts';

/** Steps of users for which a cluster has no request. */
const NO_CLIENT = ['stopControllers', 'startControllers', 'loseNode', 'serveVersion'];

/** What the clients send, in the order of the run. Throws `InputError`. */
export function requestsOf(run: SourceRun): readonly TestRequest[] {
  const { setup, states, actions } = run;
  const words = describer(setup);
  const all = actions.flatMap((action, index): readonly TestRequest[] => {
    const [before, after] = [states[index], states[index + 1]];
    if (action.name !== 'request' && action.name !== 'startControllers') return [];
    if (before === undefined || after === undefined) return [];
    const user = String(action.parameters.user);
    const request = setup.users[user]?.[before.users[user] ?? 0]?.request;
    const said = words.action(action, before, after);
    if (request !== undefined && NO_CLIENT.includes(request.do)) {
      throw EXPORT_ERRORS.noClient(index + 1, said);
    }
    if (request?.do === 'read') return readAt(run, index, user, request.key, said);
    const call = actingCall(setup, before, action);
    if (call === null) return [];
    return [requestOf(run, index, user, call, said)];
  });
  const isRead = ({ does }: TestRequest): number => (does.verb === 'read' ? 0 : 1);
  return all.toSorted((a, b) => a.step - b.step || isRead(a) - isRead(b));
}

function requestOf(
  run: SourceRun,
  index: number,
  user: string,
  call: Call,
  words: string,
): TestRequest {
  const common = { step: index + 1, words, overlaps: overlaps(run, index, user) };
  const { setup } = run;
  switch (call.verb) {
    case 'create':
      return {
        ...common,
        target: targetOf(setup, keyOf(call.object)),
        does: {
          verb: 'create',
          manifest: manifestOf(setup, call.object),
          uid: call.object.uid,
        },
      };
    case 'delete':
      return {
        ...common,
        target: { ...targetOf(setup, call.key), ...versionIn(call.apiVersion) },
        does: { verb: 'delete', ...deletion(call.options, user) },
      };
    case 'deleteCollection':
      return {
        ...common,
        target: {
          ...targetOf(setup, `${call.kind}/${call.namespace}/`),
          ...versionIn(call.apiVersion),
        },
        does: { verb: 'delete', ...deletion(call.options, user) },
      };
    case 'update': {
      const stored = run.states[index]?.store[call.key];
      const patch = patchOf(call, stored, index);
      const versionOf = call.resourceVersion ? user : null;
      return {
        ...common,
        target: targetOf(setup, call.key),
        does: { verb: 'patch', patch, versionOf },
      };
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

function versionIn(apiVersion: string | undefined): { readonly apiVersion?: string } {
  return apiVersion === undefined ? {} : { apiVersion };
}

function deletion({ preconditions, dryRun, ...options }: DeleteOptions, user: string) {
  const uid = preconditions?.uid;
  return {
    options: {
      ...options,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
      ...(dryRun === true ? { dryRun: ['All'] } : {}),
    },
    versionOf: preconditions?.resourceVersion === undefined ? null : user,
  };
}

/** A merge patch with what the request leaves behind. A PUT of the run becomes one, too. */
function patchOf({ change, uid }: UpdateCall, stored: ApiObject | undefined, index: number): Json {
  const before = stored ?? NOTHING;
  const after = applyChange(before as ApiObject, change);
  const { finalizers, ownerReferences } = after;
  const metadata = {
    ...(uid === null ? {} : { uid }),
    ...(equalJson(finalizers, before.finalizers) ? {} : { finalizers }),
    ...(equalJson(ownerReferences, before.ownerReferences) ? {} : { ownerReferences }),
    ...(isTouch(change) ? { annotations: { 'reapcheck/step': String(index + 1) } } : {}),
  };
  return {
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(change.do === 'scale' ? { spec: { replicas: change.replicas } } : {}),
  };
}

const NOTHING = { finalizers: [], ownerReferences: [] } as const;

function isTouch(change: Change): boolean {
  return change.do === 'touch' || (change.do === 'setMetadata' && change.other !== 'same');
}

/** Whether the next request of the run is sent before this one is answered. */
function overlaps({ states, actions }: SourceRun, index: number, user: string): boolean {
  for (let at = index + 1; at < actions.length; at++) {
    if (states[at]?.calls[user] === undefined) return false;
    if (actions[at]?.name === 'request') return true;
  }
  return false;
}

/**
 * A client reads while the run waits for a request. The object must be the same then as at the step
 * that reads it.
 */
function readAt(
  run: SourceRun,
  index: number,
  user: string,
  key: ObjectKey,
  words: string,
): readonly TestRequest[] {
  const { setup, states, actions } = run;
  const waits = actions.flatMap((action, at) => {
    const state = states[at];
    const isWait = action.name === 'request' && state !== undefined;
    return isWait && actingCall(setup, state, action) !== null ? [at] : [];
  });
  const isSame = (at: number): boolean =>
    states
      .slice(Math.min(at, index), Math.max(at, index) + 1)
      .every((state) => equalJson(state.store[key] ?? null, states[index]?.store[key] ?? null));
  const next = waits.find((at) => at >= index);
  // No request follows that could demand what was read.
  if (next === undefined) return [];
  const at = [next, ...waits.filter((wait) => wait < index).toReversed()].find(isSame);
  if (at === undefined) throw EXPORT_ERRORS.noClient(index + 1, `${words}, at that very moment`);
  const does = { verb: 'read', user } as const;
  return [{ step: at + 1, words, target: targetOf(setup, key), does, overlaps: false }];
}
