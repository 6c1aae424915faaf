import { proceed } from '../../apiserver/client.ts';
import { rememberRead } from '../../apiserver/store.ts';
import type { Answer, ItemCall } from '../../state/calls.ts';
import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { stateOf } from '../../state/controllers.ts';
import { possibleObjects } from '../../state/instances.ts';
import type { ApiObject, ObjectKey } from '../../state/objects.ts';
import { noteChange, PROGRAMMED, type Programmed } from '../../state/programs/process.ts';
import type { ControllerProgram, ProgramTask } from '../../state/programs/program.ts';
import type { Setup } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import { childKey } from '../workloads/reconciling.ts';
import { freeIncarnation, incarnation, possibleTasks } from './incarnations.ts';
import { type Planned, runPlan } from './planning.ts';
import {
  forget,
  isOfEarlierProcess,
  isRunning,
  NOTHING,
  podOf,
  processOf,
  set,
} from './processes.ts';
import { readerOfProgram } from './reading.ts';
import {
  inCache,
  isInVain,
  isRequested,
  isRequestedBy,
  type Programs,
  refusals,
  requestKeys,
} from './requests.ts';

/**
 * The loop of a controller in TypeScript: mirrors `Controller.processNextWorkItem` of
 * controller-runtime (0.20) with one worker. A request names an object. For it the controller reads
 * and decides, and then does one task after the other. After an error the rest is left, and the
 * request comes again.
 *
 * A request for an object that the cache has can come at any time, because the informers list
 * everything again from time to time (`SyncPeriod`), and other changes, which the model does not
 * keep, reach them. For an object that the cache lacks there is a request after its removal was
 * seen, until one has succeeded, and for each object in the caches that names it as its controller.
 */

/** The next step of the controller on the request for this object. */
export function stepProgram(
  cluster: ClusterDraft,
  { setup, world }: Programs,
  program: ControllerProgram,
  key: ObjectKey,
): void {
  const { name } = program;
  if (!isRunning(cluster, program)) return;
  const before = stateOf(cluster, name, PROGRAMMED) ?? NOTHING;
  if (isOfEarlierProcess(cluster, program, before)) {
    forget(cluster, program);
    return;
  }
  if (cluster.calls[name] !== undefined) return;
  const now = processOf(cluster, program);
  if (now.request !== undefined && now.request !== key) return;
  const [task] = now.tasks ?? [];
  if (task !== undefined) perform(cluster, { setup, world }, program, task);
  else think(cluster, { setup, world }, program, now, key);
}

/** Reads, and decides if nothing more is to be read. */
function think(
  cluster: ClusterDraft,
  programs: Programs,
  program: ControllerProgram,
  now: Programmed,
  key: ObjectKey,
): void {
  const { setup } = programs;
  if (now.request === undefined) {
    if (!isRequested(cluster, setup, program, key)) return;
    if (isInVain(cluster, programs, program, now, key)) return;
  }
  const planned = runPlan(setup, program, cluster, key, now.reads ?? {});
  const { reads: _, queued = {}, ...rest } = now;
  // An event that comes while a request is at hand makes another one.
  const { [key]: taken, ...others } = queued;
  const begun: Programmed = {
    ...rest,
    ...podOf(cluster, program),
    request: key,
    queued: now.request === undefined ? others : queued,
  };
  if (planned.at === 'reading') {
    remember(cluster, program, planned);
    set(cluster, program, { ...begun, reads: planned.seen });
    return;
  }
  const tasks = possibleTasks(cluster, program, planned.tasks);
  if (tasks.length === 0) {
    // Nothing was to be done, and nothing was written down in between.
    if (now.request === undefined && taken === undefined) return;
    finish(cluster, programs, program, begun, 'done');
    return;
  }
  remember(cluster, program, planned);
  advance(cluster, programs, program, { ...begun, tasks });
}

/** The versions that an update may demand. */
function remember(cluster: ClusterDraft, program: ControllerProgram, planned: Planned): void {
  const written =
    planned.at === 'reading'
      ? planned.newest
      : planned.tasks.flatMap((task) =>
          task.do === 'write' && task.put === true ? [task.key] : [],
        );
  for (const key of planned.newest) {
    if (written.includes(key)) rememberRead(cluster, readerOfProgram(program, key), key);
  }
}

/** Does what needs no request, up to the next task that is a step of its own. */
function advance(
  cluster: ClusterDraft,
  programs: Programs,
  program: ControllerProgram,
  now: Programmed,
): void {
  let { tasks = [], memory, queued, changed, vain } = now;
  for (let [task] = tasks; task !== undefined; [task] = tasks) {
    if (task.do === 'remember') {
      if (JSON.stringify(task.memory) !== JSON.stringify(memory ?? program.memory)) {
        changed = true;
        vain = undefined;
      }
      memory = task.memory;
    } else if (task.do === 'requeue') {
      queued = { ...queued, [now.request ?? '']: true };
    } else break;
    tasks = tasks.slice(1);
  }
  const { tasks: _, memory: _old, changed: _was, queued: _queued, vain: _vain, ...rest } = now;
  const isInitial =
    memory === undefined || JSON.stringify(memory) === JSON.stringify(program.memory);
  const next: Programmed = {
    ...rest,
    ...(isInitial ? {} : { memory }),
    ...(changed === undefined ? {} : { changed }),
    ...(queued === undefined ? {} : { queued }),
    ...(vain === undefined ? {} : { vain }),
  };
  if (tasks.length > 0) set(cluster, program, { ...next, tasks });
  else finish(cluster, programs, program, next, isRequeued(now) ? 'failed' : 'done');
}

function isRequeued({ tasks = [] }: Programmed): boolean {
  return tasks.some((task) => task.do === 'requeue');
}

function perform(
  cluster: ClusterDraft,
  programs: Programs,
  program: ControllerProgram,
  task: ProgramTask,
): void {
  if (task.do === 'outside') {
    const { outside } = cluster;
    if (outside === undefined) throw new Error(`${program.name}: the model has nothing outside`);
    if ((outside[task.name] === true) !== task.exists) {
      if (task.exists) outside[task.name] = true;
      else delete outside[task.name];
      noteChange(cluster, programs.world);
    }
    succeed(cluster, programs, program);
    return;
  }
  const call = callFor(cluster, program, task);
  if (call === null) {
    // Whatever uid the new object would have, a POST of a name that is taken is refused.
    if (task.do === 'create' && cluster.store[task.key] !== undefined) {
      refuse(cluster, programs, program, task);
    }
    return;
  }
  const answer = proceed(cluster, programs.world, program.name, call);
  if (answer !== null) answered(cluster, programs, program, answer, call);
}

/** The request of a task. Null: it cannot be sent yet, or the task is none. */
export function callFor(
  cluster: Cluster | ClusterDraft,
  program: ControllerProgram,
  task: ProgramTask,
): ItemCall | null {
  const { name: client } = program;
  switch (task.do) {
    case 'create': {
      const next = freeIncarnation(cluster, program, task.key);
      if (next === null) return null;
      return { verb: 'create', client, object: incarnation(next, task.references) };
    }
    case 'delete':
      return { verb: 'delete', client, key: task.key, options: task.options, at: 'get' };
    case 'write':
      return {
        verb: 'update',
        client,
        key: task.key,
        change: task.change,
        uid: task.uid ?? null,
        put: task.put === true,
        resourceVersion: task.put === true,
        reader: readerOfProgram(program, task.key),
        at: 'update',
      };
    case 'outside':
    case 'remember':
    case 'requeue':
      return null;
    default:
      throw new Error(`unknown task ${JSON.stringify(task satisfies never)}`);
  }
}

/** The API server has answered the request that the controller has in flight. */
export function answered(
  cluster: ClusterDraft,
  programs: Programs,
  program: ControllerProgram,
  answer: Answer,
  call: ItemCall,
  isOfEarlier = false,
): void {
  const isError = 'reason' in answer;
  if (!isError && call.verb === 'create') {
    const { uid } = call.object;
    delete cluster.budget[childKey(uid)];
    // The promise concerned the object that had this uid before.
    delete cluster.promisedOrphans[uid];
  }
  const now = processOf(cluster, program);
  const [task] = now.tasks ?? [];
  // The process that has sent the request is gone.
  if (isOfEarlier || now.request === undefined || task === undefined) return;
  const isFine = !isError || (answer.reason === 'NotFound' && call.verb !== 'create');
  if (isFine) succeed(cluster, programs, program);
  else refuse(cluster, programs, program, task);
}

/** The first task has failed. */
function refuse(
  cluster: ClusterDraft,
  programs: Programs,
  program: ControllerProgram,
  task: ProgramTask,
): void {
  if ('mayFail' in task && task.mayFail === true) succeed(cluster, programs, program);
  else finish(cluster, programs, program, processOf(cluster, program), 'failed');
}

/** The first task is done. */
function succeed(cluster: ClusterDraft, programs: Programs, program: ControllerProgram): void {
  const now = processOf(cluster, program);
  advance(cluster, programs, program, { ...now, tasks: (now.tasks ?? []).slice(1) });
}

/** The request is done, or is left after an error, and then comes again. */
function finish(
  cluster: ClusterDraft,
  programs: Programs,
  program: ControllerProgram,
  now: Programmed,
  result: 'done' | 'failed',
): void {
  const { request = '', reads: _, tasks: _tasks, changed, queued = {}, vain = {}, ...rest } = now;
  const { request: _request, ...kept } = rest as Programmed;
  for (const reader of Object.keys(cluster.unchangedSince)) {
    if (reader.startsWith(`${program.name}: `)) delete cluster.unchangedSince[reader];
  }
  const comesAgain =
    result === 'failed' &&
    program.described === undefined &&
    inCache(cluster, program, request) === null;
  const next = comesAgain ? { ...queued, [request]: true as const } : queued;
  const isOver =
    next[request] === undefined && !isRequestedBy(cluster, programs.setup, program, request);
  set(cluster, program, {
    ...kept,
    queued: next,
    vain:
      changed === true || isOver
        ? vain
        : { ...vain, [request]: refusals(cluster, programs, program) },
  });
}

/** Whether the controller has nothing to do, or only what would change nothing. */
export function isProgramIdle(setup: Setup, cluster: Cluster, program: ControllerProgram): boolean {
  if (!isRunning(cluster, program) || program.fairness === 'none') return true;
  const now = stateOf(cluster, program.name, PROGRAMMED) ?? NOTHING;
  if (isOfEarlierProcess(cluster, program, now) || now.request !== undefined) return false;
  const programs = { setup, world: surroundingsOf(setup) };
  return requestKeys(setup, program).every((key) => {
    if (!isRequested(cluster, setup, program, key)) return true;
    if (lacksObjects(cluster, setup, program, key)) return false;
    if (isInVain(cluster, programs, program, now, key)) return true;
    if (now.queued?.[key] !== undefined) return false;
    const planned = runPlan(setup, program, cluster, key, {});
    return planned.at === 'decided' && planned.tasks.length === 0;
  });
}

/** Whether the controller wants to create an object once more than it can. */
function lacksObjects(
  cluster: Cluster,
  setup: Setup,
  program: ControllerProgram,
  key: ObjectKey,
): boolean {
  if (program.described?.uidsReturn !== false) return false;
  const planned = runPlan(setup, program, cluster, key, {});
  if (planned.at === 'reading') return false;
  return possibleTasks(cluster, program, planned.tasks).length < planned.tasks.length;
}

/** Every object that a request of this controller can be about, or that it can create. */
export function objectsOf(setup: Setup, program: ControllerProgram): readonly ApiObject[] {
  const kinds = [...program.informers, ...program.creates.map(({ kind }) => kind)];
  return possibleObjects(setup).filter(({ kind }) => kinds.includes(kind));
}
