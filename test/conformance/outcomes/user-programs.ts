import {
  type Change,
  type DeleteOptions,
  keyOf,
  type ObjectKey,
  type UserRequest,
  type UserStep,
} from '../../../model/index.ts';
import { type Fixture, UnknownStep } from './fixture.ts';
import type { PlainStep, Step } from './steps.ts';

/** The steps of a recorded scenario as programs of users. */

export type Programs = Readonly<Record<string, readonly UserStep[]>>;

/** What the steps alone do not show. */
export interface Surroundings {
  readonly fixture: Fixture;
  /** The object with this id. It may be the namespace, or an object that a controller creates. */
  keyOfId(id: string): ObjectKey;
  /** The possible keys of objects of this kind. */
  placesOf(kind: string): readonly ObjectKey[];
}

interface Builder {
  readonly surroundings: Surroundings;
  readonly users: Map<string, UserStep[]>;
  /** The user for each entry of a `parallel`. */
  readonly branches: ReadonlyMap<Step | readonly Step[], string>;
  readonly steps: readonly Step[];
}

interface Branch {
  readonly user: string;
  after: UserStep['after'];
}

const MAIN = 'alice';

export function userProgramsOf(steps: readonly Step[], surroundings: Surroundings): Programs {
  const branches = new Map<Step | readonly Step[], string>();
  nameBranches(steps, branches);
  const builder: Builder = { surroundings, users: new Map([[MAIN, []]]), branches, steps };
  writeAll(builder, { user: MAIN, after: [] }, steps);
  return Object.fromEntries(builder.users);
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

function writeAll(builder: Builder, branch: Branch, steps: readonly Step[]): void {
  for (const step of steps) {
    switch (step.do) {
      case 'parallel':
        writeBranches(builder, branch, step.steps);
        break;
      case 'repeat':
        for (let time = 0; time < step.times; time++) writeAll(builder, branch, step.steps);
        break;
      default:
        writeStep(builder, branch, step);
    }
  }
}

function begun(builder: Builder, user: string): { user: string; steps: number } {
  return { user, steps: builder.users.get(user)?.length ?? 0 };
}

/** Only the places after at least one step. */
function waits(...places: readonly { user: string; steps: number }[]): UserStep['after'] {
  return places.filter(({ steps }) => steps > 0);
}

function writeBranches(
  builder: Builder,
  branch: Branch,
  branches: readonly (Step | readonly Step[])[],
): void {
  const start = begun(builder, branch.user);
  const finished = branches.map((entry) => {
    const user = builder.branches.get(entry) ?? '';
    const own: Branch = { user, after: [...branch.after, ...waits(start)] };
    writeAll(builder, own, isSequence(entry) ? entry : [entry]);
    return begun(builder, user);
  });
  branch.after = [...branch.after, ...waits(...finished)];
}

function add(builder: Builder, { user, after }: Branch, request: UserRequest): void {
  const program = builder.users.get(user) ?? [];
  program.push({ request, after: after.filter((wait) => wait.user !== user) });
  builder.users.set(user, program);
}

function writeStep(builder: Builder, branch: Branch, step: PlainStep): void {
  const { surroundings } = builder;
  const { fixture } = surroundings;
  switch (step.do) {
    case 'create': {
      const object = fixture.createdBy(step);
      fixture.setMeaning(step);
      if (step.retryUntil !== undefined) {
        const free = { fact: 'count', keys: [keyOf(object)], count: 0 } as const;
        add(builder, branch, { do: 'await', facts: [free] });
      }
      add(builder, branch, { do: 'create', object });
      return;
    }
    case 'delete': {
      const key = surroundings.keyOfId(step.id);
      if (step.pre?.rv === 'live') add(builder, branch, { do: 'read', key });
      add(builder, branch, { do: 'delete', key, options: deleteOptions(fixture, step) });
      return;
    }
    case 'dropFinalizer': {
      const change: Change = { do: 'removeFinalizer', finalizer: step.finalizer };
      add(builder, branch, patch(surroundings.keyOfId(step.id), change));
      return;
    }
    case 'setFinalizers': {
      const change: Change = { do: 'setFinalizers', finalizers: step.finalizers };
      add(builder, branch, patch(surroundings.keyOfId(step.id), change));
      return;
    }
    case 'setOwners': {
      const ownerReferences = fixture.references(step.owners);
      const change: Change = { do: 'setOwnerReferences', ownerReferences };
      add(builder, branch, patch(surroundings.keyOfId(step.id), change));
      return;
    }
    case 'patch': {
      const { change, version } = metadataChange(step.merge.metadata);
      const request = patch(surroundings.keyOfId(step.id), change);
      add(builder, branch, { ...request, resourceVersion: version !== null });
      return;
    }
    case 'put': {
      const key = surroundings.keyOfId(step.id);
      const { change } = metadataChange(step.mutate.metadata);
      // The body is the object as just read, with the changes.
      add(builder, branch, { do: 'read', key });
      const { uid } = fixture.object(step.id);
      add(builder, branch, { ...patch(key, change), put: true, uid, resourceVersion: true });
      return;
    }
    case 'get':
      writeGet(builder, branch, step.id);
      return;
    case 'settle':
      add(builder, branch, { do: 'settle' });
      return;
    case 'waitCount': {
      const keys = surroundings.placesOf(step.kind);
      add(builder, branch, { do: 'await', facts: [{ fact: 'count', keys, count: step.count }] });
      return;
    }
    case 'kcm':
      add(builder, branch, {
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
 * Every user that later uses the version reads the object here. None of them goes on before all
 * have read it.
 */
function writeGet(builder: Builder, branch: Branch, id: string): void {
  const key = builder.surroundings.keyOfId(id);
  const readers = readersOf(builder, id);
  const start = begun(builder, branch.user);
  const finished = readers.map((user) => {
    const own: Branch = { user, after: [...branch.after, ...waits(start)] };
    add(builder, own, { do: 'read', key });
    return begun(builder, user);
  });
  branch.after = [...branch.after, ...waits(...finished)];
}

/** The branches that use the version of this object. */
function readersOf(builder: Builder, id: string): readonly string[] {
  const version = JSON.stringify(`$${id}.rv`);
  return [...builder.branches]
    .filter(([branch]) => JSON.stringify(branch).includes(version))
    .map(([, user]) => user);
}

function deleteOptions(
  fixture: Fixture,
  step: Extract<PlainStep, { do: 'delete' }>,
): DeleteOptions {
  const { policy, orphanDependents, grace, pre } = step;
  const uid = pre?.uid?.startsWith('$') ? fixture.object(pre.uid.slice(1)).uid : pre?.uid;
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

/** The metadata in a merge patch, or the change of metadata in a PUT. */
function metadataChange(metadata: Readonly<Record<string, unknown>>): {
  readonly change: Change;
  readonly version: string | null;
} {
  const { labels, annotations, finalizers, resourceVersion, ...rest } = metadata;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new UnknownStep(`a patch of metadata.${unknown}`);
  const other = labels === undefined && annotations === undefined ? 'same' : 'data';
  const version = typeof resourceVersion === 'string' ? resourceVersion : null;
  if (finalizers === undefined) return { change: { do: 'touch' }, version };
  if (!Array.isArray(finalizers)) throw new UnknownStep('a patch of metadata.finalizers');
  return { change: { do: 'setMetadata', finalizers: finalizers.map(String), other }, version };
}
