import {
  type ApiObject,
  type DeleteOptions,
  type Fact,
  keyOf,
  type UserRequest,
  type UserStep,
} from '../../../model/index.ts';
import { definedKind, definitionOf } from './definitions.ts';
import { type Cast, NotUnderstood } from './fixture.ts';
import { modelFact } from './model-facts.ts';
import { branchesOf, type PlainStep, type StatedOptions, type Step } from './schema.ts';

/**
 * The steps of a scenario as programs of users, and what is asked on the way. What one step asks is
 * asked of a place: a point between two steps of one user's program.
 */

/** Where a user has begun and finished exactly this many steps, and may begin the next one. */
export interface Place {
  readonly user: string;
  readonly steps: number;
  /** Other users that have to be at least this far. */
  readonly after: UserStep['after'];
}

export type Question = { readonly step: number | 'expect' } & (
  | {
      readonly ask: 'answers';
      readonly user: string;
      readonly userStep: number;
      readonly expected: string;
    }
  /** On every fair run from here. */
  | { readonly ask: 'await'; readonly place: Place; readonly facts: readonly Fact[] }
  /** In every state in which the user is there. */
  | { readonly ask: 'hold'; readonly place: Place; readonly facts: readonly Fact[] }
  /** At the moment in which the user comes there. */
  | { readonly ask: 'now'; readonly place: Place; readonly facts: readonly Fact[] }
  /** When the user is there, what was awaited is so, and nothing is pending. */
  | {
      readonly ask: 'whenQuiet';
      readonly place: Place;
      readonly awaited: readonly Fact[];
      readonly facts: readonly Fact[];
    }
  /** In no state once all of these steps are done. */
  | {
      readonly ask: 'never';
      readonly after: UserStep['after'];
      readonly fact: Fact;
      readonly without: Fact;
    }
);

export interface Script {
  readonly users: Readonly<Record<string, readonly UserStep[]>>;
  readonly questions: readonly Question[];
  /** The end of the whole scenario. */
  readonly end: Place;
  /** What has been awaited last, if nothing was requested since. */
  readonly awaited: readonly Fact[] | null;
  /** Where each object has been created, by its key. */
  readonly created: ReadonlyMap<string, Place>;
}

interface Writing {
  readonly cast: Cast;
  readonly users: Map<string, UserStep[]>;
  readonly questions: Question[];
  readonly created: Map<string, Place>;
  /** How often the definition of each kind has been made. */
  readonly definitions: Map<string, number>;
  branches: number;
}

/** One user's part of the script that is being written. */
interface Author {
  readonly user: string;
  after: UserStep['after'];
  awaited: readonly Fact[] | null;
}

const MAIN = 'test';

/** @param settlesFirst wait before each delete until the collector has nothing left to do. */
export function writeScript(cast: Cast, steps: readonly Step[], settlesFirst: boolean): Script {
  const writing: Writing = {
    cast,
    users: new Map([[MAIN, []]]),
    questions: [],
    created: new Map(),
    definitions: new Map(),
    branches: 0,
  };
  const main: Author = { user: MAIN, after: [], awaited: null };
  for (const [index, step] of steps.entries()) {
    if (step.do === 'parallel') writeBranches(writing, main, index, branchesOf(step), settlesFirst);
    else writeStep(writing, main, index, step, settlesFirst);
  }
  return {
    users: Object.fromEntries(writing.users),
    questions: writing.questions,
    end: placeOf(writing, main),
    awaited: main.awaited,
    created: writing.created,
  };
}

function placeOf(writing: Writing, author: Author): Place {
  const steps = writing.users.get(author.user)?.length ?? 0;
  return { user: author.user, steps, after: author.after };
}

function writeBranches(
  writing: Writing,
  main: Author,
  index: number,
  branches: readonly (readonly PlainStep[])[],
  settlesFirst: boolean,
): void {
  const { user, steps } = placeOf(writing, main);
  const finished: { user: string; steps: number }[] = [];
  for (const branch of branches) {
    writing.branches++;
    const name = `branch ${writing.branches}`;
    writing.users.set(name, []);
    const author: Author = { user: name, after: [...main.after, { user, steps }], awaited: null };
    for (const step of branch) {
      writeStep(writing, author, index, step, settlesFirst);
    }
    finished.push({ user: name, steps: writing.users.get(name)?.length ?? 0 });
  }
  main.after = [...main.after, ...finished];
  main.awaited = null;
}

/** Adds a step to the author's program. */
function add(
  writing: Writing,
  author: Author,
  request: UserRequest,
  answer?: UserStep['answer'],
): void {
  const step = { request, after: author.after, ...(answer === undefined ? {} : { answer }) };
  writing.users.get(author.user)?.push(step);
}

function writeStep(
  writing: Writing,
  author: Author,
  index: number,
  step: PlainStep,
  settlesFirst: boolean,
): void {
  const { cast, questions } = writing;
  const facts = 'facts' in step ? step.facts.map((stated) => modelFact(cast, stated)) : [];
  switch (step.do) {
    case 'create':
      for (const stated of step.objects) {
        write(writing, author, index, { do: 'create', object: cast.object(stated.key) }, step);
        writing.created.set(stated.key, placeOf(writing, author));
      }
      return;
    case 'delete': {
      if (settlesFirst) add(writing, author, { do: 'settle' });
      const object = cast.object(step.object);
      const options = deleteOptions(cast, step.options ?? null);
      write(writing, author, index, { do: 'delete', key: keyOf(object), options }, step);
      return;
    }
    case 'patch':
    case 'update':
      write(writing, author, index, updateRequest(cast, step), step);
      return;
    case 'deleteDefinition':
    case 'createDefinition':
      write(writing, author, index, definitionRequest(writing, step), step);
      return;
    case 'startCollector':
      if (step.untilSynced === true) awaitFacts(writing, author, index, [{ fact: 'delivered' }]);
      return;
    case 'awaitCollectorKnows': {
      const known = step.objects.map(
        (key): Fact => ({ fact: 'collectorKnows', uid: cast.object(key).uid, is: true }),
      );
      awaitFacts(writing, author, index, known);
      return;
    }
    case 'await':
      awaitFacts(writing, author, index, facts);
      return;
    case 'hold': {
      const { awaited } = author;
      questions.push({ step: index, ask: 'hold', place: placeOf(writing, author), facts });
      add(writing, author, { do: 'await', facts: [] });
      author.awaited = awaited;
      return;
    }
    case 'check': {
      const place = placeOf(writing, author);
      const { awaited } = author;
      if (awaited === null) questions.push({ step: index, ask: 'now', place, facts });
      else questions.push({ step: index, ask: 'whenQuiet', place, awaited, facts });
      return;
    }
    case 'slowWatch':
      return;
    default:
      throw new Error(`unknown step ${JSON.stringify(step satisfies never)}`);
  }
}

function awaitFacts(writing: Writing, author: Author, index: number, facts: readonly Fact[]): void {
  const place = placeOf(writing, author);
  writing.questions.push({ step: index, ask: 'await', place, facts });
  add(writing, author, { do: 'await', facts });
  author.awaited = facts;
}

function write(
  writing: Writing,
  author: Author,
  index: number,
  request: UserRequest,
  { stated }: { readonly stated?: { readonly error?: string | null | undefined } | undefined },
): void {
  const error = stated?.error;
  const expected = error === undefined || error === null ? 'success' : writing.cast.reason(error);
  const { user, steps } = placeOf(writing, author);
  // A request whose answer the scenario leaves open is not asked about; one that creates must work.
  const asked = error !== undefined || request.do === 'create';
  add(writing, author, request, asked ? expected : undefined);
  if (asked) {
    writing.questions.push({ step: index, ask: 'answers', user, userStep: steps, expected });
  }
  author.awaited = null;
}

function deleteOptions(cast: Cast, stated: StatedOptions): DeleteOptions {
  if (stated === null) return {};
  const { orphanDependents, propagationPolicy, gracePeriodSeconds, preconditions } = stated;
  const uid =
    preconditions?.uidOf === undefined ? preconditions?.uid : cast.object(preconditions.uidOf).uid;
  return {
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(uid === undefined ? {} : { preconditions: { uid } }),
  };
}

function updateRequest(
  cast: Cast,
  step: Extract<PlainStep, { do: 'patch' | 'update' }>,
): UserRequest {
  const object = cast.object(step.object);
  const patch = { do: 'update', key: keyOf(object), put: false, uid: null, resourceVersion: false };
  if (step.do === 'update') {
    const change = { do: 'setFinalizers', finalizers: step.finalizers } as const;
    return { ...patch, do: 'update', put: true, uid: object.uid, change };
  }
  if (step.addOwner !== undefined && step.remove === undefined) {
    const ownerReferences = [cast.reference(step.addOwner)];
    return { ...patch, do: 'update', change: { do: 'unblockOwners', ownerReferences } };
  }
  const field = step.addOwner === undefined ? step.remove?.split(/[./]/).at(-1) : undefined;
  if (field === 'finalizers') {
    return { ...patch, do: 'update', change: { do: 'setFinalizers', finalizers: [] } };
  }
  if (field === 'ownerReferences') {
    return { ...patch, do: 'update', change: { do: 'setOwnerReferences', ownerReferences: [] } };
  }
  throw new NotUnderstood(`the patch of ${step.object}`);
}

function definitionRequest(
  writing: Writing,
  step: Extract<PlainStep, { do: 'deleteDefinition' | 'createDefinition' }>,
): UserRequest {
  const kind = definedKind(step);
  const made = writing.definitions.get(kind) ?? 0;
  if (step.do === 'deleteDefinition') {
    const key = keyOf(definitionOf(writing.cast, kind, made));
    return { do: 'delete', key, options: {} };
  }
  writing.definitions.set(kind, made + 1);
  const object: ApiObject = definitionOf(writing.cast, kind, made + 1);
  return { do: 'create', object };
}
