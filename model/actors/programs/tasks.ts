import { formatKey, kindOf } from '../../state/keys.ts';
import { kindNamed } from '../../state/kinds.ts';
import { type ApiObject, keyOf, type ObjectKey, type OwnerReference } from '../../state/objects.ts';
import type {
  ControllerProgram,
  Memory,
  Owner,
  ProgramTask,
  Task,
} from '../../state/programs/program.ts';
import type { Setup } from '../../state/setup.ts';
import { deeplyFrozen, demandOutside, keyFor, planOf } from './reading.ts';

/** What the plan knows when it decides. */
interface Known {
  /** The namespace of the request. */
  readonly namespace: string;
  /** What the plan has read, by key. */
  readonly objects: ReadonlyMap<ObjectKey, ApiObject>;
}

/** The fields of each kind of task, besides `do` and `because`. */
const FIELDS: Readonly<Record<Task['do'], readonly string[]>> = {
  create: ['object', 'controller', 'owners', 'mayFail'],
  delete: ['object', 'uid', 'propagationPolicy', 'gracePeriodSeconds', 'mayFail'],
  addFinalizer: ['object', 'finalizer', 'with', 'mayFail'],
  removeFinalizer: ['object', 'finalizer', 'with', 'mayFail'],
  adopt: ['object', 'owner', 'with', 'mayFail'],
  addOwner: ['object', 'owner', 'with', 'mayFail'],
  removeOwner: ['object', 'owner', 'with', 'mayFail'],
  createOutside: ['name', 'mayFail'],
  deleteOutside: ['name', 'mayFail'],
  remember: ['memory'],
  requeue: [],
};

/** Throws if `told` is not a list of tasks that this controller may do. */
export function checkedTasks(
  setup: Setup,
  program: ControllerProgram,
  told: unknown,
  known: Known,
): readonly ProgramTask[] {
  if (!Array.isArray(told)) {
    throw new Error(
      `the plan of ${program.name} returns ${worded(told)}: it must return a list of tasks, which may be empty`,
    );
  }
  return told.flatMap((task: unknown) => {
    demandTask(program, task);
    return programTask(setup, program, task, known);
  });
}

function worded(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? typeof value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

function demandTask(program: ControllerProgram, task: unknown): asserts task is Task {
  const wrong = (what: string): Error =>
    new Error(`the plan of ${program.name} returns the task ${worded(task)}: ${what}`);
  if (typeof task !== 'object' || task === null || Array.isArray(task)) {
    throw wrong('a task is an object with the field do');
  }
  const given = task as Readonly<Record<string, unknown>>;
  const names = Object.keys(FIELDS);
  if (typeof given.do !== 'string' || !Object.hasOwn(FIELDS, given.do)) {
    throw wrong(`do must be one of ${names.join(', ')}`);
  }
  const fields = [...FIELDS[given.do as Task['do']], 'do', 'because'];
  const unknown = Object.keys(given).find((field) => !fields.includes(field));
  if (unknown !== undefined) {
    throw wrong(`it has the unknown field ${unknown}; known are ${fields.join(', ')}`);
  }
  for (const field of ['object', 'finalizer', 'name']) {
    if (fields.includes(field) && typeof given[field] !== 'string') {
      throw wrong(`${field} must be a text`);
    }
  }
  for (const field of ['because', 'uid']) {
    if (given[field] !== undefined && typeof given[field] !== 'string') {
      throw wrong(`${field} must be a text`);
    }
  }
  if (given.mayFail !== undefined && typeof given.mayFail !== 'boolean') {
    throw wrong('mayFail must be true or false');
  }
  if (![undefined, 'update', 'patch', 'apply'].includes(given.with as string | undefined)) {
    throw wrong('with must be update, patch or apply');
  }
  const policies = [undefined, 'Foreground', 'Background', 'Orphan'];
  if (!policies.includes(given.propagationPolicy as string | undefined)) {
    throw wrong('propagationPolicy must be Foreground, Background or Orphan');
  }
  const { gracePeriodSeconds: grace } = given;
  if (grace !== undefined && !(Number.isSafeInteger(grace) && Number(grace) >= 0)) {
    throw wrong('gracePeriodSeconds must be a whole number >= 0');
  }
  const owners = [
    given.controller,
    given.owner,
    ...(Array.isArray(given.owners) ? given.owners : []),
  ];
  if (given.owners !== undefined && !Array.isArray(given.owners))
    throw wrong('owners must be a list');
  if (fields.includes('owner') && given.owner === undefined) throw wrong('owner is missing');
  for (const owner of owners) {
    if (owner !== undefined && !isOwner(owner)) {
      throw wrong('an owner must be an object that look has returned');
    }
  }
  if (given.do === 'remember' && !isJson(given.memory)) throw wrong('memory must be plain JSON');
}

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, name, uid } = value as Partial<Record<keyof Owner, unknown>>;
  return [kind, name, uid].every((part) => typeof part === 'string');
}

/** Whether a value is a part of a state. */
export function isJson(value: unknown): value is Memory {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every(isJson);
}

function programTask(
  setup: Setup,
  program: ControllerProgram,
  task: Task,
  known: Known,
): ProgramTask | readonly ProgramTask[] {
  const { because } = task;
  const said = {
    ...('mayFail' in task && task.mayFail === true ? { mayFail: true as const } : {}),
    ...(because === undefined ? {} : { because }),
  };
  const why = because === undefined ? {} : { because };
  switch (task.do) {
    case 'create': {
      const key = keyFor(setup, planOf(program), task.object, known.namespace);
      if (!program.creates.some((object) => keyOf(object) === key)) {
        const creates = [...new Set(program.creates.map((one) => formatKey(keyOf(one))))];
        throw new Error(
          `the plan of ${program.name} creates ${formatKey(key)}, which is not in its list creates: ${creates.join(', ') || 'empty'}`,
        );
      }
      const { controller, owners = [] } = task;
      const references = [
        ...(controller === undefined ? [] : [referenceTo(setup, program, controller, true)]),
        ...owners.map((owner) => referenceTo(setup, program, owner, false)),
      ];
      return { do: 'create', key, references, ...said };
    }
    case 'delete': {
      const key = keyFor(setup, planOf(program), task.object, known.namespace);
      const { uid, propagationPolicy, gracePeriodSeconds } = task;
      const options = {
        ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      };
      return { do: 'delete', key, options, ...said };
    }
    case 'addFinalizer':
    case 'removeFinalizer': {
      const { finalizer } = task;
      const { key, object } = asRead(setup, program, task.object, known);
      const adds = task.do === 'addFinalizer';
      if (adds && !program.finalizers.includes(finalizer)) {
        throw new Error(
          `the plan of ${program.name} adds the finalizer ${finalizer}, which is not in its list finalizers: ${program.finalizers.join(', ') || 'empty'}`,
        );
      }
      if (object.finalizers.includes(finalizer) === adds) return [];
      const others = object.finalizers.filter((name) => name !== finalizer);
      const words = adds
        ? `add the finalizer ${finalizer} to ${formatKey(key)}`
        : `remove the finalizer ${finalizer} from ${formatKey(key)}`;
      const { uid } = object;
      const listed = adds ? [...others, finalizer] : others;
      switch (task.with) {
        case 'patch': {
          const change = { do: 'setFinalizers' as const, finalizers: listed };
          return { do: 'write', key, change, words, ...said };
        }
        case 'apply':
          return { do: 'write', key, change: { do: task.do, finalizer }, uid, words, ...said };
        default: {
          const change = { do: task.do, finalizer };
          return { do: 'write', key, change, uid, put: true, words, ...said };
        }
      }
    }
    case 'adopt':
    case 'addOwner':
    case 'removeOwner': {
      const { key, object } = asRead(setup, program, task.object, known);
      const { owner } = task;
      const others = object.ownerReferences.filter(({ uid }) => uid !== owner.uid);
      const isRemoval = task.do === 'removeOwner';
      if (isRemoval && others.length === object.ownerReferences.length) return [];
      const reference = isRemoval ? null : referenceTo(setup, program, owner, task.do === 'adopt');
      const ownerReferences = reference === null ? others : [...others, reference];
      const name = `${owner.kind}/${owner.name}`;
      const words = isRemoval
        ? `remove the owner ${name} from ${formatKey(key)}`
        : `make ${name} ${task.do === 'adopt' ? 'the controller' : 'an owner'} of ${formatKey(key)}`;
      const change = { do: 'setOwnerReferences' as const, ownerReferences };
      if (JSON.stringify(ownerReferences) === JSON.stringify(object.ownerReferences)) return [];
      const { uid } = object;
      switch (task.with) {
        case 'patch':
          return { do: 'write', key, change, words, ...said };
        case 'apply': {
          const one =
            reference === null
              ? { do: 'removeOwners' as const, uids: [owner.uid] }
              : { do: 'adopt' as const, reference };
          return { do: 'write', key, change: one, uid, words, ...said };
        }
        default:
          return { do: 'write', key, change, uid, put: true, words, ...said };
      }
    }
    case 'createOutside':
    case 'deleteOutside': {
      demandOutside(program, task.name);
      return { do: 'outside', name: task.name, exists: task.do === 'createOutside', ...why };
    }
    case 'remember':
      return { do: 'remember', memory: deeplyFrozen(task.memory), ...why };
    case 'requeue':
      return { do: 'requeue', ...why };
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}

/** The object as the plan has read it: an update or a patch is made from that. */
function asRead(
  setup: Setup,
  program: ControllerProgram,
  text: string,
  { namespace, objects }: Known,
): { readonly key: ObjectKey; readonly object: ApiObject } {
  const key = keyFor(setup, planOf(program), text, namespace);
  const object = objects.get(key);
  const { informers, creates, described } = program;
  if (
    described === undefined &&
    ![...informers, ...creates.map(({ kind }) => kind)].includes(kindOf(key))
  ) {
    throw new Error(
      `the plan of ${program.name} changes ${formatKey(key)}, and has no informer for ${kindOf(key)}: add it to informers`,
    );
  }
  if (object !== undefined) return { key, object };
  throw new Error(
    `the plan of ${program.name} changes ${formatKey(key)}, which it has not read or not found: look at it first`,
  );
}

function referenceTo(
  setup: Setup,
  program: ControllerProgram,
  { kind, name, uid }: Owner,
  isController: boolean,
): OwnerReference {
  if (!program.owners.includes(kind)) {
    throw new Error(
      `the plan of ${program.name} makes a ${kind} an owner, and its list owners is ${program.owners.join(', ')}`,
    );
  }
  const served = kindNamed(setup.kinds, kind);
  const reference = { apiVersion: served.apiVersions[0] ?? '', kind: served.kind, name, uid };
  return isController ? { ...reference, controller: true, blockOwnerDeletion: true } : reference;
}
