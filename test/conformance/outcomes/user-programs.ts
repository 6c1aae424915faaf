import {
  type Change,
  type DeleteOptions,
  keyOf,
  type ObjectKey,
  type UserRequest,
  type UserStep,
} from '../../../model/index.ts';
import { type Cast, NotPlayable } from './fixture.ts';
import type { PlainStep, Step } from './steps.ts';

/** The steps of a recorded scenario as programs of users. */

export type Programs = Readonly<Record<string, readonly UserStep[]>>;

/** What cannot be told from the steps alone. */
export interface Stage {
  readonly cast: Cast;
  /** The object with this id, created ones of controllers and the namespace included. */
  keyOfId(id: string): ObjectKey;
  /** Keys at which objects of this kind can stand. */
  placesOf(kind: string): readonly ObjectKey[];
}

interface Writing {
  readonly stage: Stage;
  readonly users: Map<string, UserStep[]>;
  /** The user of each entry of a `parallel`. */
  readonly branches: ReadonlyMap<Step | readonly Step[], string>;
  readonly steps: readonly Step[];
}

interface Author {
  readonly user: string;
  after: UserStep['after'];
}

const MAIN = 'alice';

export function compileSteps(steps: readonly Step[], stage: Stage): Programs {
  const branches = new Map<Step | readonly Step[], string>();
  nameBranches(steps, branches);
  const writing: Writing = { stage, users: new Map([[MAIN, []]]), branches, steps };
  writeAll(writing, { user: MAIN, after: [] }, steps);
  return Object.fromEntries(writing.users);
}

function nameBranches(steps: readonly Step[], branches: Map<Step | readonly Step[], string>): void {
  for (const step of steps) {
    if (step.do === 'repeat') nameBranches(step.steps, branches);
    if (step.do !== 'parallel') continue;
    for (const branch of step.steps) {
      branches.set(branch, `branch${branches.size + 1}`);
      nameBranches(isSequence(branch) ? branch : [branch], branches);
    }
  }
}

function isSequence(branch: Step | readonly Step[]): branch is readonly Step[] {
  return Array.isArray(branch);
}

function writeAll(writing: Writing, author: Author, steps: readonly Step[]): void {
  for (const step of steps) {
    switch (step.do) {
      case 'parallel':
        writeBranches(writing, author, step.steps);
        break;
      case 'repeat':
        for (let time = 0; time < step.times; time++) writeAll(writing, author, step.steps);
        break;
      default:
        writeStep(writing, author, step);
    }
  }
}

function begun(writing: Writing, user: string): { user: string; steps: number } {
  return { user, steps: writing.users.get(user)?.length ?? 0 };
}

/** Those of them that are not there at the start. */
function waits(...places: readonly { user: string; steps: number }[]): UserStep['after'] {
  return places.filter(({ steps }) => steps > 0);
}

function writeBranches(
  writing: Writing,
  author: Author,
  branches: readonly (Step | readonly Step[])[],
): void {
  const start = begun(writing, author.user);
  const finished = branches.map((branch) => {
    const user = writing.branches.get(branch) ?? '';
    const own: Author = { user, after: [...author.after, ...waits(start)] };
    writeAll(writing, own, isSequence(branch) ? branch : [branch]);
    return begun(writing, user);
  });
  author.after = [...author.after, ...waits(...finished)];
}

function add(writing: Writing, { user, after }: Author, request: UserRequest): void {
  const program = writing.users.get(user) ?? [];
  program.push({ request, after: after.filter((wait) => wait.user !== user) });
  writing.users.set(user, program);
}

function writeStep(writing: Writing, author: Author, step: PlainStep): void {
  const { stage } = writing;
  const { cast } = stage;
  switch (step.do) {
    case 'create': {
      const object = cast.createdBy(step);
      cast.enter(step);
      if (step.retryUntil !== undefined) {
        const free = { fact: 'count', keys: [keyOf(object)], count: 0 } as const;
        add(writing, author, { do: 'await', facts: [free] });
      }
      add(writing, author, { do: 'create', object });
      return;
    }
    case 'delete': {
      const key = stage.keyOfId(step.id);
      if (step.pre?.rv === 'live') add(writing, author, { do: 'read', key });
      add(writing, author, { do: 'delete', key, options: deleteOptions(cast, step) });
      return;
    }
    case 'dropFinalizer': {
      const change: Change = { do: 'removeFinalizer', finalizer: step.finalizer };
      add(writing, author, patch(stage.keyOfId(step.id), change));
      return;
    }
    case 'setFinalizers': {
      const change: Change = { do: 'setFinalizers', finalizers: step.finalizers };
      add(writing, author, patch(stage.keyOfId(step.id), change));
      return;
    }
    case 'setOwners': {
      const ownerReferences = cast.references(step.owners);
      const change: Change = { do: 'setOwnerReferences', ownerReferences };
      add(writing, author, patch(stage.keyOfId(step.id), change));
      return;
    }
    case 'patch': {
      const { change, version } = metadataChange(step.merge.metadata);
      const request = patch(stage.keyOfId(step.id), change);
      add(writing, author, { ...request, resourceVersion: version !== null });
      return;
    }
    case 'put': {
      const key = stage.keyOfId(step.id);
      const { change } = metadataChange(step.mutate.metadata);
      // The body is the object as it was just read, with the changes.
      add(writing, author, { do: 'read', key });
      const { uid } = cast.object(step.id);
      add(writing, author, { ...patch(key, change), put: true, uid, resourceVersion: true });
      return;
    }
    case 'get':
      writeGet(writing, author, step.id);
      return;
    case 'settle':
      add(writing, author, { do: 'settle' });
      return;
    case 'waitCount': {
      const keys = stage.placesOf(step.kind);
      add(writing, author, { do: 'await', facts: [{ fact: 'count', keys, count: step.count }] });
      return;
    }
    case 'kcm':
      add(writing, author, {
        do: step.action === 'stop' ? 'stopControllers' : 'startControllers',
      });
      return;
    case 'sleep':
    case 'graph':
      return;
    default:
      throw new Error(`unknown step ${JSON.stringify(step satisfies never)}`);
  }
}

function patch(key: ObjectKey, change: Change): Extract<UserRequest, { do: 'update' }> {
  return { do: 'update', key, change, put: false, uid: null, resourceVersion: false };
}

/**
 * Every user that names the version later on reads the object here; none goes on before all of them
 * have.
 */
function writeGet(writing: Writing, author: Author, id: string): void {
  const key = writing.stage.keyOfId(id);
  const readers = readersOf(writing, id);
  const start = begun(writing, author.user);
  const finished = readers.map((user) => {
    const own: Author = { user, after: [...author.after, ...waits(start)] };
    add(writing, own, { do: 'read', key });
    return begun(writing, user);
  });
  author.after = [...author.after, ...waits(...finished)];
}

/** The branches that name the version of this object. */
function readersOf(writing: Writing, id: string): readonly string[] {
  const version = JSON.stringify(`$${id}.rv`);
  return [...writing.branches]
    .filter(([branch]) => JSON.stringify(branch).includes(version))
    .map(([, user]) => user);
}

function deleteOptions(cast: Cast, step: Extract<PlainStep, { do: 'delete' }>): DeleteOptions {
  const { policy, orphanDependents, grace, pre } = step;
  const uid = pre?.uid?.startsWith('$') ? cast.object(pre.uid.slice(1)).uid : pre?.uid;
  return {
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(pre === undefined
      ? {}
      : {
          preconditions: {
            ...(uid === undefined ? {} : { uid }),
            ...(pre.rv === undefined ? {} : { resourceVersion: true as const }),
          },
        }),
  };
}

/** The metadata of a merge patch, or what a PUT changes in it. */
function metadataChange(metadata: Readonly<Record<string, unknown>>): {
  readonly change: Change;
  readonly version: string | null;
} {
  const { labels, annotations, finalizers, resourceVersion, ...rest } = metadata;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new NotPlayable(`a patch of metadata.${unknown}`);
  const other = labels === undefined && annotations === undefined ? 'same' : 'data';
  const version = typeof resourceVersion === 'string' ? resourceVersion : null;
  if (finalizers === undefined) return { change: { do: 'touch' }, version };
  if (!Array.isArray(finalizers)) throw new NotPlayable('a patch of metadata.finalizers');
  return { change: { do: 'setMetadata', finalizers: finalizers.map(String), other }, version };
}
