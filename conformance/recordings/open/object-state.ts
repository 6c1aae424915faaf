import { produce } from 'immer';
import {
  type ApiObject,
  type Call,
  EMPTY_CLUSTER,
  modelApiServer,
  type ObjectKey,
  type Progress,
  type World,
} from '../../../model/index.ts';

/** One object of a log without bodies, and the requests for it. */

export interface ObjectState {
  /** Null if it does not exist. */
  readonly object: ApiObject | null;
  /** resourceVersion; null if the log does not show it. */
  readonly version: string | null;
  /** Uids that were removed: no later object has one of them. */
  readonly dead: readonly string[];
  /** Requests that the API server has received and not yet answered, by index. */
  readonly open: Readonly<Record<string, Handling>>;
}

/** A request at the API server. */
export interface Handling {
  /** The position of the handler; null before the first access, and for a GET. */
  readonly call: Call | null;
  /** The object of an update that is to be removed: the answer shows it. */
  readonly decided: ApiObject | null;
  /** Whether the object is still in the version that the request demands. */
  readonly current: boolean;
  /** The answer fits the log. */
  readonly done: boolean;
}

export const RECEIVED: Handling = { call: null, decided: null, current: false, done: false };

/** The result of one access of a handler. */
export interface Access {
  readonly object: ApiObject | null;
  readonly wrote: boolean;
  readonly progress: Progress;
}

/** A client that has read the object: it shows whether an access writes the object. */
const WITNESS = 'witness';

/** @param current whether the object is in the version that the request demands. */
export function access(
  world: World,
  key: ObjectKey,
  object: ApiObject | null,
  call: Call,
  current: boolean,
): Access {
  let progress: Progress | null = null;
  const reader = call.verb === 'update' ? (call.reader ?? call.client) : call.client;
  const before = {
    ...EMPTY_CLUSTER,
    store: object === null ? {} : { [key]: object },
    unchangedSince: { [WITNESS]: key, ...(current ? { [reader]: key } : {}) },
  };
  const after = produce(before, (cluster) => {
    progress = modelApiServer.advance(cluster, world, call);
  });
  if (progress === null) throw new Error('the API server did not answer');
  const stored = after.store[key] ?? null;
  return {
    object: stored === null ? null : plain(world, stored),
    wrote: after.unchangedSince[WITNESS] === undefined,
    progress,
  };
}

/** Generations are not compared: a body that is not logged may have changed the spec. */
function plain(world: World, object: ApiObject): ApiObject {
  return { ...object, generation: world.kinds[object.kind]?.generation === true ? 1 : 0 };
}

export function nameOfState({ object, version, dead, open }: ObjectState): string {
  return JSON.stringify([object, version, dead, open]);
}
