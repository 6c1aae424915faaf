import { spend } from '../../state/budget.ts';
import type { Call, ItemCall } from '../../state/calls.ts';
import type { Cluster } from '../../state/cluster.ts';
import { stateOf } from '../../state/controllers.ts';
import { formatKey } from '../../state/keys.ts';
import { type ApiObject, isBeingDeleted, keyOf, type ObjectKey } from '../../state/objects.ts';
import { PROGRAMMED, type Programmed, programTaskWords } from '../../state/programs/process.ts';
import {
  type ControllerProgram,
  type ProgramTask,
  programInformer,
} from '../../state/programs/program.ts';
import type { Setup } from '../../state/setup.ts';
import { surroundingsOf } from '../../state/surroundings.ts';
import type { Context } from '../../words/context.ts';
import { nothingToDo } from '../../words/idle.ts';
import { type ActionDefinition, type Actor, action, orNone } from '../actor.ts';
import { beliefLine } from '../collector/beliefs.ts';
import { childKey } from '../workloads/reconciling.ts';
import { owns, programsOf, removalsBy } from './described.ts';
import { possibleTasks } from './incarnations.ts';
import { runPlan } from './planning.ts';
import { earlierClients, forget, hasMemory, queueRemoved } from './processes.ts';
import { answered, callFor, isProgramIdle, objectsOf, stepProgram } from './reconciling.ts';
import { requestKeys } from './requests.ts';

/**
 * Controllers that a user has written in TypeScript (`setup.programs`), and those that a scenario
 * describes (`setup.operators`).
 */
export const PROGRAMS: Actor = {
  actions: {
    reconcileObject: reconciliation(
      'weak',
      'A controller of a user, described (`environment.controllers`) or in TypeScript, does its next step for an object: it reads and decides, or does what it has decided.',
      (setup, program) => program.fairness === 'weak' && requestKeys(setup, program).length < 2,
    ),
    reconcileOneOf: reconciliation(
      'strong',
      'The same, of a controller of several objects. Its queue passes over none of them for ever.',
      (setup, program) => program.fairness === 'weak' && requestKeys(setup, program).length > 1,
    ),
    reconcileObjectAtWill: reconciliation(
      'none',
      'The same, of a controller that may stop for good (`fairness: none`, `mayStop`).',
      (_setup, program) => program.fairness === 'none',
    ),
    restartController: action<{ controller: string }>({
      fairness: 'none',
      about: 'The process of a controller in TypeScript restarts. It has forgotten everything.',
      parameters: (setup) =>
        orNone(
          programsOf(setup)
            .filter(({ restarts }) => restarts > 0)
            .map(({ name }) => ({ controller: name })),
        ),
      reducer:
        (setup) =>
        (cluster, { controller }) => {
          const program = programNamed(setup, controller);
          if (program === undefined || !hasMemory(cluster, program)) return;
          if ((cluster.budget[restartKey(program)] ?? 0) === 0) return;
          if (forget(cluster, program)) spend(cluster, restartKey(program));
        },
      describe: (_context, { controller }) =>
        `${controller}: restarts, remembers nothing, and lists everything anew`,
    }),
  },
  roles: [PROGRAMMED],
  clients: (setup) =>
    programsOf(setup).flatMap((program) =>
      [program.name, ...earlierClients(program)].map((client) => [client, program.name] as const),
    ),
  isIdle: (setup, cluster) =>
    programsOf(setup).every((program) => isProgramIdle(setup, cluster, program)),
  budget: (setup) =>
    Object.fromEntries(
      programsOf(setup).flatMap((program) => [
        ...program.creates.map(({ uid }) => [childKey(uid), 1] as const),
        ...(program.restarts > 0 ? [[restartKey(program), program.restarts] as const] : []),
      ]),
    ),
  informers: (setup) =>
    programsOf(setup).flatMap((program) =>
      program.informers.map((kind) => ({
        name: programInformer(program, kind),
        words: program.name,
        kind,
        inManager: false,
        ...(kind === program.for && program.described === undefined
          ? {
              handle: (cluster, _world, { before, after }) => {
                if (before !== null && after === null)
                  queueRemoved(cluster, program, keyOf(before));
              },
            }
          : {}),
      })),
    ),
  answered: (cluster, setup, client, call, answer) => {
    const program = programsOf(setup).find(
      (one) => one.name === client || earlierClients(one).includes(client),
    );
    if (program === undefined || call.verb === 'deleteCollection') return;
    const programs = { setup, world: surroundingsOf(setup) };
    answered(cluster, programs, program, answer, call, client !== program.name);
  },
  removals: (setup) => [
    ...(setup.operators ?? []).flatMap((operator) => removalsBy(setup, operator)),
    ...(setup.programs ?? []).flatMap((program) =>
      program.finalizers.flatMap((finalizer) =>
        [...new Set(objectsOf(setup, program).map(keyOf))].map((key) => ({
          finalizer,
          key,
          by: `${program.name}${program.fairness === 'none' ? ' (which may stop)' : ''}, as its plan says`,
        })),
      ),
    ),
  ],
  owns: (setup, finalizer) =>
    (setup.programs ?? []).some(({ finalizers }) => finalizers.includes(finalizer)),
  keepsFinalizer: (setup, cluster, key, finalizer) => {
    const owners = [
      ...(setup.operators ?? []).filter((operator) => owns(operator, cluster, key, finalizer)),
      ...(setup.programs ?? []).filter(({ finalizers }) => finalizers.includes(finalizer)),
    ];
    return owners.length > 0 && owners.every(({ fairness }) => fairness === 'none');
  },
};

function programNamed(setup: Setup, name: string): ControllerProgram | undefined {
  return programsOf(setup).find((program) => program.name === name);
}

function restartKey({ name }: ControllerProgram): string {
  return `restart of ${name}`;
}

function reconciliation(
  fairness: ActionDefinition['fairness'],
  about: string,
  isChosen: (setup: Setup, program: ControllerProgram) => boolean,
): ActionDefinition {
  return action<{ controller: string; object: ObjectKey }>({
    fairness,
    about,
    parameters: (setup) =>
      orNone(
        programsOf(setup)
          .filter((program) => isChosen(setup, program))
          .flatMap((program) =>
            requestKeys(setup, program).map((key) => ({ controller: program.name, object: key })),
          ),
      ),
    reducer:
      (setup, world) =>
      (cluster, { controller, object }) => {
        const program = programNamed(setup, controller);
        if (program !== undefined) stepProgram(cluster, { setup, world }, program, object);
      },
    request: (setup, before, { controller }) => requestOf(setup, before, controller),
    continued: (after, { controller }) => after.calls[controller] ?? null,
    obstacle: nothingToDo,
    describe: describeStep,
    beliefs: beliefsOf,
  });
}

function stateIn(cluster: Cluster, controller: string): Programmed | null {
  return stateOf(cluster, controller, PROGRAMMED);
}

/** The request that the next step sends. */
function requestOf(setup: Setup, cluster: Cluster, controller: string): Call | null {
  const program = programNamed(setup, controller);
  const [task] = stateIn(cluster, controller)?.tasks ?? [];
  if (program === undefined || task === undefined) return null;
  const call: ItemCall | null = callFor(cluster, program, task);
  return call;
}

function describeStep(
  { setup }: Context,
  { controller, object }: { readonly controller: string; readonly object: ObjectKey },
  before: Cluster,
  after: Cluster,
): string {
  const old = stateIn(before, controller);
  const now = stateIn(after, controller);
  const name = formatKey(object);
  const [task] = old?.tasks ?? [];
  if (task?.do === 'create')
    return `${controller}: POST ${formatKey(task.key)} -> 409 AlreadyExists`;
  if (task !== undefined) {
    const verb = task.do === 'outside' ? (task.exists ? 'creates' : 'deletes') : 'continues with';
    const what = task.do === 'outside' ? `${task.name}, outside of the cluster` : name;
    return `${controller}: ${verb} ${what}`;
  }
  if (old?.pod !== undefined && now?.pod !== old.pod) {
    return `${controller}: starts again, remembers nothing, and lists everything anew`;
  }
  if (now?.reads !== undefined) {
    const read = Object.keys(now.reads).filter((one) => !Object.hasOwn(old?.reads ?? {}, one));
    return `${controller}: reads, for ${name}: ${read.map((one) => readWords(one, now.reads?.[one])).join('; ')}`;
  }
  const program = programNamed(setup, controller);
  const planned =
    program === undefined ? null : runPlan(setup, program, before, object, old?.reads ?? {});
  const tasks =
    program !== undefined && planned?.at === 'decided'
      ? possibleTasks(before, program, planned.tasks)
      : [];
  if (tasks.length === 0) return `${controller}: has nothing to do for ${name}`;
  // What a described controller has created in its teardown is bookkeeping, and not said of it.
  const isSaid = ({ do: what }: ProgramTask): boolean =>
    program?.described === undefined || what !== 'remember';
  const words = tasks.filter(isSaid).map((one) => {
    const why = one.because === undefined ? '' : ` (${one.because})`;
    return `${programTaskWords(one)}${why}`;
  });
  const about = program?.described === undefined ? `, for ${name},` : '';
  return `${controller}: decides${about} to ${words.join('; to ')}`;
}

/** What was read, and what was found. */
function readWords(read: string, found: unknown): string {
  const [how = '', ...rest] = read.split(' ');
  const what = rest.join(' ');
  if (how === 'outside') return `${what} ${found === true ? 'exists' : 'does not exist'}`;
  if (what.startsWith('list ')) {
    const { length } = Array.isArray(found) ? (found as readonly unknown[]) : [];
    return `${how === 'live' ? 'LIST' : 'cache of'} ${what.slice('list '.length)} -> ${length}`;
  }
  const verb = how === 'live' ? 'GET' : 'cache:';
  return `${verb} ${formatKey(what)} -> ${found === null ? 'none' : 'there'}`;
}

/** What the caches show otherwise than the store, if the controller decides by it. */
function beliefsOf(
  { setup }: Context,
  { controller, object }: { readonly controller: string; readonly object: ObjectKey },
  before: Cluster,
): readonly string[] {
  const program = programNamed(setup, controller);
  const state = stateIn(before, controller);
  if (program === undefined || state?.tasks !== undefined) return [];
  const { seen } = runPlan(setup, program, before, object, state?.reads ?? {});
  return Object.entries(seen).flatMap(([read, found]) => {
    if (!read.startsWith('cache ')) return [];
    if (read.startsWith('cache list ')) {
      const kind = read.slice('cache list '.length);
      const listed = listWords(Array.isArray(found) ? (found as readonly ApiObject[]) : []);
      const there = Object.values(before.store).filter((object) => object.kind === kind);
      const stored = listWords(there);
      return listed === stored ? [] : [beliefLine(`of ${kind} there is ${listed}`, stored)];
    }
    const key = read.slice('cache '.length);
    const believed = objectWords(found);
    const stored = objectWords(before.store[key] ?? null);
    return believed === stored ? [] : [beliefLine(`${formatKey(key)} ${believed}`, stored)];
  });
}

function listWords(objects: readonly ApiObject[]): string {
  const words = objects.map((object) => {
    const name = formatKey(keyOf(object));
    return isBeingDeleted(object) ? `${name}, being deleted` : name;
  });
  return words.length === 0 ? 'none' : words.sort().join('; ');
}

function objectWords(object: unknown): string {
  if (object === null || typeof object !== 'object') return 'is not there';
  const { deletionTimestamp, finalizers } = object as {
    readonly deletionTimestamp: number | null;
    readonly finalizers: readonly string[];
  };
  const marks = [
    ...(deletionTimestamp === null ? [] : ['is being deleted']),
    ...(finalizers.length === 0 ? [] : [`has ${finalizers.join(', ')}`]),
  ];
  return marks.length === 0 ? 'is there' : marks.join(' and ');
}
