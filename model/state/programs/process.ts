import type { ClusterDraft, ControllerState } from '../cluster.ts';
import { type ControllerRole, setState, stateOf } from '../controllers.ts';
import { formatKey } from '../keys.ts';
import type { ApiObject, ObjectKey, Uid } from '../objects.ts';
import type { World } from '../world.ts';
import type { Memory, ProgramTask } from './program.ts';

/** What a plan has read, by what it asked for: an object, whether it exists, or a list. */
export type Readings = Readonly<Record<string, ApiObject | readonly ApiObject[] | boolean | null>>;

/** The process of a controller in TypeScript. It works on one request at a time. */
export interface Programmed extends ControllerState {
  readonly role: 'programmed';
  /** The object that the request at hand is about. */
  readonly request?: ObjectKey;
  /** What the plan of this request has read, if it has more to read. */
  readonly reads?: Readings;
  /** What is left to do for this request. */
  readonly tasks?: readonly ProgramTask[];
  /** Something has changed since this request began. */
  readonly changed?: true;
  /**
   * Requests for objects that are no longer in the cache: their removal was seen, or one failed.
   */
  readonly queued?: Readonly<Record<ObjectKey, true>>;
  /**
   * Requests during which nothing has changed: they would do the same again. With the reasons for
   * which the API server refuses requests (`refusalsOf`).
   */
  readonly vain?: Readonly<Record<ObjectKey, string>>;
  /** Absent: what the controller starts with. */
  readonly memory?: Memory;
  /** The object in which the process runs, if it depends on one. */
  readonly pod?: Uid;
}

export const PROGRAMMED: ControllerRole<Programmed> = {
  role: 'programmed',
  inManager: false,
  next: ({ tasks: [task] = [], reads }) => {
    if (task === undefined) return reads === undefined ? null : 'is to read more';
    return `is to ${programTaskWords(task)}`;
  },
  clause: ({ vain = {}, request }, name) =>
    request === undefined && Object.keys(vain).length > 0
      ? `${name} has done what it can and waits for a change`
      : null,
};

export function programTaskWords(task: ProgramTask): string {
  switch (task.do) {
    case 'create':
      return `create ${formatKey(task.key)}`;
    case 'delete':
      return `delete ${formatKey(task.key)}`;
    case 'write':
      return task.words;
    case 'outside':
      return `${task.exists ? 'create' : 'delete'} ${task.name}, outside of the cluster`;
    case 'remember':
      return `remember ${JSON.stringify(task.memory)}`;
    case 'requeue':
      return 'try again later';
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}

/** A list of texts as words, and anything else as JSON. */
export function memoryWords(memory: unknown): string {
  const isList = Array.isArray(memory) && memory.every((one) => typeof one === 'string');
  return isList ? memory.join(', ') : JSON.stringify(memory);
}

/** A state without anything in it is none. */
export function setProgrammed(cluster: ClusterDraft, client: string, state: Programmed): void {
  const { vain = {}, queued = {}, ...rest } = state;
  const next: Programmed = {
    ...rest,
    ...(Object.keys(vain).length === 0 ? {} : { vain }),
    ...(Object.keys(queued).length === 0 ? {} : { queued }),
  };
  if (Object.keys(next).length === 1) delete cluster.controllers[client];
  else setState(cluster, client, next);
}

/**
 * Something has changed that a controller can read, or that an answer to it depends on: what was in
 * vain may not be so any more.
 */
export function noteChange(cluster: ClusterDraft, { noting = [] }: Pick<World, 'noting'>): void {
  for (const client of noting) {
    const state = stateOf(cluster, client, PROGRAMMED);
    if (state === null) continue;
    if (state.vain === undefined && (state.request === undefined || state.changed)) continue;
    const { vain: _, ...rest } = state;
    setProgrammed(cluster, client, {
      ...rest,
      ...(state.request === undefined ? {} : { changed: true as const }),
    });
  }
}
