import type { Draft } from 'immer';
import {
  combinations,
  defineModel,
  type Invariant,
  type Model,
  type StepRule,
} from '../../checker/index.ts';

type Task = 'removeFinalizer' | 'deleteBackground' | 'deleteForeground';

/**
 * State of a small deletion protocol: an API server, one watch stream for each object, and a
 * collector whose workers decide in one step and write in the next. Objects are numbered from 1.
 */
export interface Deletion {
  /** What the server holds; absent when removed. */
  readonly store: Readonly<Record<string, 'live' | 'foreground'>>;
  /** Events sent and not yet seen by the collector. */
  readonly watch: Readonly<Record<string, readonly ('modified' | 'deleted')[]>>;
  /** What the collector believes. */
  readonly graph: Readonly<Record<string, 'live' | 'foreground'>>;
  /** The collector's work queue, whose keys are unique. */
  readonly queued: Readonly<Record<string, true>>;
  readonly workers: Readonly<Record<string, 'idle' | { readonly task: Task; readonly of: number }>>;
}

export interface DeletionSize {
  readonly objects: number;
  readonly workers: number;
  readonly shape: 'chain' | 'tree';
}

/** The owner's number, 0 for none. */
function ownerOf(object: number, shape: DeletionSize['shape']): number {
  return shape === 'chain' ? object - 1 : Math.floor(object / 2);
}

function objectNumbers(size: DeletionSize): readonly number[] {
  return Array.from({ length: size.objects }, (_, index) => index + 1);
}

function dependentsOf(object: number, size: DeletionSize): readonly number[] {
  return objectNumbers(size).filter((other) => ownerOf(other, size.shape) === object);
}

function setForeground(draft: Draft<Deletion>, object: number): void {
  draft.store[object] = 'foreground';
  draft.watch[object]!.push('modified');
}

function remove(draft: Draft<Deletion>, object: number): void {
  delete draft.store[object];
  draft.watch[object]!.push('deleted');
}

/** Objects own each other as a chain or a binary tree. */
export function deletion(size: DeletionSize): Model<Deletion> {
  const { shape } = size;
  const objects = objectNumbers(size);
  const workerNames = Array.from({ length: size.workers }, (_, index) => `worker${index + 1}`);
  const perObject = combinations({ object: objects });
  const dependents = new Map(objects.map((object) => [object, dependentsOf(object, size)]));
  const known = (draft: Draft<Deletion>, object: number) =>
    dependents.get(object)!.filter((dependent) => dependent in draft.graph);

  /** What a worker decides about an object after it has read it and its owner. */
  function decide(draft: Draft<Deletion>, object: number): Task | 'wait' | 'nothing' {
    if (!(object in draft.graph) || !(object in draft.store)) return 'nothing';
    if (draft.graph[object] === 'foreground') {
      return known(draft, object).length === 0 ? 'removeFinalizer' : 'wait';
    }
    const owner = ownerOf(object, shape);
    if (owner === 0 || draft.store[owner] === 'live') return 'nothing';
    if (draft.store[object] === 'foreground') return 'deleteForeground';
    return draft.store[owner] === 'foreground' && known(draft, object).length > 0
      ? 'deleteForeground'
      : 'deleteBackground';
  }

  return defineModel<Deletion>({
    name: `deletion of ${size.objects} objects in a ${shape}, ${size.workers} workers`,
    slots: {
      store: 'entries',
      watch: 'queues',
      graph: 'entries',
      queued: 'flags',
      workers: 'entries',
    },
    initial: [
      {
        store: Object.fromEntries(objects.map((object) => [object, 'live'])),
        watch: Object.fromEntries(objects.map((object) => [object, []])),
        graph: Object.fromEntries(objects.map((object) => [object, 'live'])),
        queued: {},
        workers: Object.fromEntries(workerNames.map((name) => [name, 'idle'])),
      },
    ],
    actions: {
      userForeground: {
        parameters: perObject,
        reduce(draft, { object }) {
          if (draft.store[Number(object)] === 'live') setForeground(draft, Number(object));
        },
      },
      userBackground: {
        parameters: perObject,
        reduce(draft, { object }) {
          if (draft.store[Number(object)] === 'live') remove(draft, Number(object));
        },
      },
      observe: {
        parameters: perObject,
        fairness: 'weak',
        reduce(draft, parameters) {
          const object = Number(parameters.object);
          const event = draft.watch[object]!.shift();
          if (event === undefined) return;
          for (const dependent of known(draft, object)) draft.queued[dependent] = true;
          if (event === 'modified') {
            draft.graph[object] = 'foreground';
            draft.queued[object] = true;
            return;
          }
          delete draft.graph[object];
          const owner = ownerOf(object, shape);
          if (draft.graph[owner] === 'foreground') draft.queued[owner] = true;
        },
      },
      take: {
        parameters: combinations({ worker: workerNames, object: objects }),
        fairness: 'weak',
        reduce(draft, parameters) {
          const object = Number(parameters.object);
          if (!draft.queued[object] || draft.workers[String(parameters.worker)] !== 'idle') return;
          for (const name of workerNames) {
            const worker = draft.workers[name]!;
            if (worker !== 'idle' && worker.of === object) return;
          }
          delete draft.queued[object];
          const task = decide(draft, object);
          if (task === 'wait') {
            for (const dependent of known(draft, object)) {
              if (draft.graph[dependent] === 'live') draft.queued[dependent] = true;
            }
          } else if (task !== 'nothing') {
            draft.workers[String(parameters.worker)] = { task, of: object };
          }
        },
      },
      write: {
        parameters: combinations({ worker: workerNames }),
        fairness: 'weak',
        reduce(draft, parameters) {
          const worker = draft.workers[String(parameters.worker)]!;
          if (worker === 'idle') return;
          const { task, of } = worker;
          const stored = draft.store[of];
          if (task === 'deleteForeground' && stored === 'live') setForeground(draft, of);
          if (task === 'removeFinalizer' && stored === 'foreground') remove(draft, of);
          if (task === 'deleteBackground' && stored !== undefined) remove(draft, of);
          draft.workers[String(parameters.worker)] = 'idle';
        },
      },
    },
  });
}

/** The collector forgets an object only after the server has removed it. */
export function graphTrails(size: DeletionSize): Invariant<Deletion> {
  return {
    kind: 'invariant',
    name: 'the graph forgets only what is gone',
    parameters: combinations({ object: objectNumbers(size) }),
    holds: ({ graph, store }, { object }) => Number(object) in graph || !(Number(object) in store),
  };
}

/** A finalizer is removed only when every dependent is gone. */
export function finalizerLast(size: DeletionSize): Invariant<Deletion> {
  return {
    kind: 'invariant',
    name: 'finalizers go after the dependents',
    parameters: combinations({
      worker: Array.from({ length: size.workers }, (_, index) => `worker${index + 1}`),
    }),
    holds({ store, workers }, parameters) {
      const worker = workers[String(parameters.worker)]!;
      if (worker === 'idle' || worker.task !== 'removeFinalizer') return true;
      return dependentsOf(worker.of, size).every((dependent) => !(dependent in store));
    },
  };
}

/** Wrong on purpose: a user's delete between a worker's read and its write breaks it. */
export function ordered(size: DeletionSize): StepRule<Deletion> {
  return {
    kind: 'step',
    name: 'an object in foreground deletion outlives its dependents',
    parameters: combinations({ object: objectNumbers(size) }),
    holds(before, _action, after, parameters) {
      const object = Number(parameters.object);
      if (before.store[object] !== 'foreground' || object in after.store) return true;
      return dependentsOf(object, size).every((dependent) => !(dependent in before.store));
    },
  };
}
