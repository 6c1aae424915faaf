import {
  type ApiObject,
  type DeleteOptions,
  type Fact,
  keyOf,
  type UserRequest,
  type UserStep,
} from '../../../model/index.ts';
import { Unsupported } from '../outcome.ts';
import { definedKind, definitionOf } from './definitions.ts';
import type { Fixture } from './fixture.ts';
import { modelFact } from './model-facts.ts';
import { branchesOf, type PlainStep, type StatedOptions, type Step } from './schema.ts';

/**
 * The steps of a scenario as programs of users, and the questions that the scenario asks. A step
 * asks its question at a point of a program: between two steps of one user.
 */

/** The point where a user has finished exactly this many steps and has not begun the next one. */
export interface ProgramPoint {
  readonly user: string;
  readonly steps: number;
  /** Steps that other users must have finished. */
  readonly after: UserStep['after'];
}

export type Question = { readonly step: number | 'expect' } & (
  | {
      readonly ask: 'answers';
      readonly user: string;
      readonly userStep: number;
      readonly expected: string;
    }
  /** The facts become true on every fair run from here. */
  | { readonly ask: 'await'; readonly point: ProgramPoint; readonly facts: readonly Fact[] }
  /** The facts are true in every state in which the user is at the point. */
  | { readonly ask: 'hold'; readonly point: ProgramPoint; readonly facts: readonly Fact[] }
  /** The facts are true when the user reaches the point. */
  | { readonly ask: 'now'; readonly point: ProgramPoint; readonly facts: readonly Fact[] }
  /**
   * The facts are true when the user is at the point, `awaited` is true, and nothing is pending.
   */
  | {
      readonly ask: 'whenQuiet';
      readonly point: ProgramPoint;
      readonly awaited: readonly Fact[];
      readonly facts: readonly Fact[];
    }
  /** After all of these steps, no state has `fact` and lacks `without`. */
  | {
      readonly ask: 'never';
      readonly after: UserStep['after'];
      readonly fact: Fact;
      readonly without: Fact;
    }
);

export interface UserPrograms {
  readonly users: Readonly<Record<string, readonly UserStep[]>>;
  readonly questions: readonly Question[];
  /** The end of the whole scenario. */
  readonly end: ProgramPoint;
  /** The facts of the last wait; null if there was a request after it. */
  readonly awaited: readonly Fact[] | null;
  /** The point after each object was created, by the object's key. */
  readonly created: ReadonlyMap<string, ProgramPoint>;
}

interface Builder {
  readonly fixture: Fixture;
  readonly users: Map<string, UserStep[]>;
  readonly questions: Question[];
  readonly created: Map<string, ProgramPoint>;
  /** How often the definition of each kind was created. */
  readonly definitions: Map<string, number>;
  /** Kinds whose definition a step has deleted. */
  readonly deleted: Set<string>;
  branches: number;
}

/** One sequence of steps, that of one user. */
interface Branch {
  readonly user: string;
  after: UserStep['after'];
  awaited: readonly Fact[] | null;
}

const MAIN = 'test';

/** @param settlesFirst before each delete, wait until the collector has nothing left to do. */
export function writePrograms(
  fixture: Fixture,
  steps: readonly Step[],
  settlesFirst: boolean,
): UserPrograms {
  const builder: Builder = {
    fixture,
    users: new Map([[MAIN, []]]),
    questions: [],
    created: new Map(),
    definitions: new Map(),
    deleted: new Set(),
    branches: 0,
  };
  const main: Branch = { user: MAIN, after: [], awaited: null };
  for (const [index, step] of steps.entries()) {
    if (step.do === 'parallel') writeBranches(builder, main, index, branchesOf(step), settlesFirst);
    else writeStep(builder, main, index, step, settlesFirst);
  }
  return {
    users: Object.fromEntries(builder.users),
    questions: builder.questions,
    end: pointOf(builder, main),
    awaited: main.awaited,
    created: builder.created,
  };
}

function pointOf(builder: Builder, branch: Branch): ProgramPoint {
  const steps = builder.users.get(branch.user)?.length ?? 0;
  return { user: branch.user, steps, after: branch.after };
}

function writeBranches(
  builder: Builder,
  main: Branch,
  index: number,
  branches: readonly (readonly PlainStep[])[],
  settlesFirst: boolean,
): void {
  const { user, steps } = pointOf(builder, main);
  const finished: { user: string; steps: number }[] = [];
  for (const sequence of branches) {
    builder.branches++;
    const name = `branch ${builder.branches}`;
    builder.users.set(name, []);
    const branch: Branch = { user: name, after: [...main.after, { user, steps }], awaited: null };
    for (const step of sequence) {
      writeStep(builder, branch, index, step, settlesFirst);
    }
    finished.push({ user: name, steps: builder.users.get(name)?.length ?? 0 });
  }
  main.after = [...main.after, ...finished];
  main.awaited = null;
}

/** Adds a step to the branch's program. */
function add(
  builder: Builder,
  branch: Branch,
  request: UserRequest,
  answer?: UserStep['answer'],
): void {
  const step = { request, after: branch.after, ...(answer === undefined ? {} : { answer }) };
  builder.users.get(branch.user)?.push(step);
}

function writeStep(
  builder: Builder,
  branch: Branch,
  index: number,
  step: PlainStep,
  settlesFirst: boolean,
): void {
  const { fixture, questions } = builder;
  const facts = 'facts' in step ? step.facts.map((stated) => modelFact(fixture, stated)) : [];
  switch (step.do) {
    case 'create':
      for (const stated of step.objects) {
        write(builder, branch, index, { do: 'create', object: fixture.object(stated.key) }, step);
        builder.created.set(stated.key, pointOf(builder, branch));
      }
      return;
    case 'delete': {
      if (settlesFirst) add(builder, branch, { do: 'settle' });
      const object = fixture.object(step.object);
      const options = deleteOptions(fixture, step.options ?? null);
      write(builder, branch, index, { do: 'delete', key: keyOf(object), options }, step);
      return;
    }
    case 'patch':
    case 'update':
      write(builder, branch, index, updateRequest(fixture, step), step);
      return;
    case 'createDefinition':
      // The tests delete a definition with a helper that waits until its kind is not served any
      // more.
      awaitGone(builder, branch, step);
      write(builder, branch, index, definitionRequest(builder, step), step);
      return;
    case 'deleteDefinition':
      write(builder, branch, index, definitionRequest(builder, step), step);
      return;
    case 'startCollector':
      if (step.untilSynced === true) awaitFacts(builder, branch, index, [{ fact: 'delivered' }]);
      return;
    case 'awaitCollectorKnows': {
      const known = step.objects.map(
        (key): Fact => ({ fact: 'collectorKnows', uid: fixture.object(key).uid, is: true }),
      );
      awaitFacts(builder, branch, index, known);
      return;
    }
    case 'await':
      awaitFacts(builder, branch, index, facts);
      return;
    case 'hold': {
      const { awaited } = branch;
      questions.push({ step: index, ask: 'hold', point: pointOf(builder, branch), facts });
      // Within these seconds what had happened before reaches the collector.
      add(builder, branch, { do: 'await', facts: [{ fact: 'delivered' }] });
      branch.awaited = awaited;
      return;
    }
    case 'check': {
      const point = pointOf(builder, branch);
      const { awaited } = branch;
      if (awaited === null) questions.push({ step: index, ask: 'now', point, facts });
      else questions.push({ step: index, ask: 'whenQuiet', point, awaited, facts });
      return;
    }
    case 'slowWatch':
      return;
    default:
      throw new Error(`unknown step ${JSON.stringify(step satisfies never)}`);
  }
}

function awaitFacts(builder: Builder, branch: Branch, index: number, facts: readonly Fact[]): void {
  const point = pointOf(builder, branch);
  builder.questions.push({ step: index, ask: 'await', point, facts });
  add(builder, branch, { do: 'await', facts });
  branch.awaited = facts;
}

function write(
  builder: Builder,
  branch: Branch,
  index: number,
  request: UserRequest,
  { stated }: { readonly stated?: { readonly error?: string | null | undefined } | undefined },
): void {
  const error = stated?.error;
  const expected =
    error === undefined || error === null ? 'success' : builder.fixture.reason(error);
  const { user, steps } = pointOf(builder, branch);
  // There is no question for a request without a stated answer, except that a create must succeed.
  const asked = error !== undefined || request.do === 'create';
  add(builder, branch, request, asked ? expected : undefined);
  if (asked) {
    builder.questions.push({ step: index, ask: 'answers', user, userStep: steps, expected });
  }
  branch.awaited = null;
}

function deleteOptions(fixture: Fixture, stated: StatedOptions): DeleteOptions {
  if (stated === null) return {};
  const { orphanDependents, propagationPolicy, gracePeriodSeconds, preconditions } = stated;
  const uid =
    preconditions?.uidOf === undefined
      ? preconditions?.uid
      : fixture.object(preconditions.uidOf).uid;
  return {
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(uid === undefined ? {} : { preconditions: { uid } }),
  };
}

function updateRequest(
  fixture: Fixture,
  step: Extract<PlainStep, { do: 'patch' | 'update' }>,
): UserRequest {
  const object = fixture.object(step.object);
  const patch = { do: 'update', key: keyOf(object), put: false, uid: null, resourceVersion: false };
  if (step.do === 'update') {
    const change = { do: 'setFinalizers', finalizers: step.finalizers } as const;
    return { ...patch, do: 'update', put: true, uid: object.uid, change };
  }
  if (step.addOwner !== undefined && step.remove === undefined) {
    const ownerReferences = [fixture.reference(step.addOwner)];
    return { ...patch, do: 'update', change: { do: 'unblockOwners', ownerReferences } };
  }
  const field = step.addOwner === undefined ? step.remove?.split(/[./]/).at(-1) : undefined;
  if (field === 'finalizers') {
    return { ...patch, do: 'update', change: { do: 'setFinalizers', finalizers: [] } };
  }
  if (field === 'ownerReferences') {
    return { ...patch, do: 'update', change: { do: 'setOwnerReferences', ownerReferences: [] } };
  }
  throw new Unsupported(`the patch of ${step.object}`);
}

function awaitGone(
  builder: Builder,
  branch: Branch,
  step: Extract<PlainStep, { do: 'createDefinition' }>,
): void {
  const kind = definedKind(step);
  if (!builder.deleted.has(kind)) return;
  const made = builder.definitions.get(kind) ?? 0;
  const keys = [keyOf(definitionOf(builder.fixture, kind, made))];
  add(builder, branch, { do: 'await', facts: [{ fact: 'count', keys, count: 0 }] });
}

function definitionRequest(
  builder: Builder,
  step: Extract<PlainStep, { do: 'deleteDefinition' | 'createDefinition' }>,
): UserRequest {
  const kind = definedKind(step);
  const made = builder.definitions.get(kind) ?? 0;
  if (step.do === 'deleteDefinition') {
    const key = keyOf(definitionOf(builder.fixture, kind, made));
    builder.deleted.add(kind);
    return { do: 'delete', key, options: {} };
  }
  builder.definitions.set(kind, made + 1);
  const object: ApiObject = definitionOf(builder.fixture, kind, made + 1);
  return { do: 'create', object };
}
