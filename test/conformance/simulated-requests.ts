import { applyChange } from '../../model/apiserver/changes.ts';
import { modelApiServer } from '../../model/apiserver/port.ts';
import { readerOf } from '../../model/apiserver/update.ts';
import type { Call, UpdateCall } from '../../model/state/calls.ts';
import type { ClusterDraft } from '../../model/state/cluster.ts';
import type { ApiObject, ObjectKey } from '../../model/state/objects.ts';
import type { World } from '../../model/state/world.ts';

/** Requests of simulated runs at the model's API server. */

/** A request as it is sent. */
export interface SentRequest {
  readonly actor: string;
  readonly verb: 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'get';
  /** Of a collection: without a name. */
  readonly key: ObjectKey;
  readonly body: unknown;
  /** Null for a GET. */
  readonly call: Call | null;
  /** The resourceVersion that it demands. */
  readonly demands: string | null;
}

export interface SimulatedAnswer {
  readonly code: number;
  readonly object: ApiObject | null;
  readonly version: string | null;
  readonly message: string;
}

/** A request at the API server. */
export interface Handling {
  readonly call: Call | null;
  readonly demands: string | null;
  /** The answer, if it is decided although the object is not removed yet. */
  readonly decided: { readonly object: ApiObject; readonly version: string | null } | null;
  readonly answer: SimulatedAnswer | null;
}

const WITNESS = 'the next revision';

/** One step of a request: its next state, and whether it wrote. */
export function stepHandling(
  cluster: ClusterDraft,
  world: World,
  request: SentRequest,
  handling: Handling,
  version: string | null,
  nextVersion: string,
): { readonly next: Handling; readonly wrote: boolean } {
  const { call } = handling;
  const key = keyOfStep(request, call);
  if (call === null) {
    const found = modelApiServer.get(cluster, world, key);
    const object = found.code === 200 ? found.object : null;
    const message = object === null ? 'not found' : '';
    const answer = { code: found.code, object, version, message };
    return { next: { ...handling, answer }, wrote: false };
  }
  const before = cluster.store[key] as ApiObject | undefined;
  if (call.verb === 'update' && before !== undefined && lacksVersion(world, call)) {
    return { next: { ...handling, answer: VERSION_MISSING }, wrote: false };
  }
  const reader = call.verb === 'update' ? readerOf(call) : call.client;
  cluster.unchangedSince = { [WITNESS]: key };
  if (handling.demands !== null && handling.demands === version) {
    cluster.unchangedSince[reader] = key;
  }
  const plainBefore = before === undefined ? undefined : structuredClone(plain(before));
  const progress = modelApiServer.advance(cluster, world, call);
  const wrote = cluster.unchangedSince[WITNESS] === undefined;
  const follows = cluster.unchangedSince[reader] === key;
  cluster.unchangedSince = {};
  const now = wrote && cluster.store[key] !== undefined ? nextVersion : version;
  if (!progress.done) {
    const { call: next } = progress;
    const decided =
      call.verb === 'update' && next.verb === 'update' && plainBefore !== undefined
        ? { object: applyChange(plainBefore, call.change), version: now }
        : null;
    const demands = follows && handling.demands !== null ? now : handling.demands;
    return { next: { call: next, demands, decided, answer: null }, wrote };
  }
  const { answer } = progress;
  if ('reason' in answer) {
    const { code, message } = answer;
    return {
      next: { ...handling, answer: { code, object: null, version: null, message } },
      wrote,
    };
  }
  const shown = handling.decided ?? { object: answer.object, version: now };
  const gone = call.verb === 'delete' && answer.deleted;
  return {
    next: {
      ...handling,
      answer: {
        code: answer.code,
        object: gone ? null : shown.object,
        version: gone ? null : shown.version,
        message: '',
      },
    },
    wrote,
  };
}

/** The object that the next step of a request reads or writes. */
export function keyOfStep({ key }: SentRequest, call: Call | null): ObjectKey {
  return call?.verb === 'deleteCollection' ? (call.current?.key ?? '') : key;
}

/** `AllowUnconditionalUpdate`: a PUT of a custom resource must say which version it replaces. */
function lacksVersion({ kinds }: World, { key, put, resourceVersion, at }: UpdateCall): boolean {
  const [kind = ''] = key.split('/');
  const isCustom = kinds[kind]?.patchTypes === 'mergeOnly';
  return put && !resourceVersion && at === 'update' && isCustom;
}

const VERSION_MISSING: SimulatedAnswer = {
  code: 422,
  object: null,
  version: null,
  message: 'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
};

function plain(object: ApiObject): ApiObject {
  return JSON.parse(JSON.stringify(object)) as ApiObject;
}
