import { createHash } from 'node:crypto';
import type { ActionInstance } from '../../checker/index.ts';
import { documents } from '../../input/documents/documents.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { PROPERTY_NAMES } from '../../input/property-names.ts';
import { readScenario } from '../../input/scenarios/scenario.ts';
import {
  type ApiObject,
  BUILT_IN_KINDS,
  type Cluster,
  deletionModel,
  equalJson,
  formatKey,
  keyOf,
  type ObjectKey,
  possibleObjects,
  type Setup,
} from '../../model/index.ts';
import { canonical, sorted, successor } from '../../run/execution.ts';
import { fileSubject } from '../../run/tokens/subject.ts';
import { setupDigest, tokenWriter } from '../../run/tokens/token.ts';
import type { Program } from './program.ts';
import type { Happening, Recorder } from './recorder.ts';

/** The run of the server in the model of its scenario. */
export interface ReplayedRun {
  readonly setup: Setup;
  /** The steps that the model has as well. */
  readonly actions: readonly ActionInstance[];
  /** Where the model does something else than the server. Null: nowhere. */
  readonly differs: string | null;
}

/** Reads the scenario as `reapcheck check` does. Throws `InputError`. */
export function setupOf(file: string, text: string): Setup {
  const [document] = documents({ file, text });
  if (document === undefined) throw new Error('a recorded scenario is not empty');
  return readScenario(file, document, new KindCatalogue(BUILT_IN_KINDS), PROPERTY_NAMES).setup;
}

/** A controller has fewer kinds to look at than on the server, or sees them in other steps. */
const MOST_REPETITIONS = 50;

/**
 * Takes the steps of the server in the model of the scenario. What is written must be the same
 * after each step. A step that has nothing to do there (an event of an object that the scenario
 * does not have) is left out; one that would write earlier than on the server waits, and one that
 * is behind is repeated.
 */
export function replayed(setup: Setup, program: Program, { happenings }: Recorder): ReplayedRun {
  const model = deletionModel(setup);
  const [initial] = model.initial;
  if (initial === undefined) throw new Error('a scenario has an initial state');
  const keys = new Set(possibleObjects(setup).map(keyOf));
  const actions: ActionInstance[] = [];
  let state: Cluster = sorted(initial);
  const ways = new Ways(state);
  let next = 0;
  for (const [index, { did, written }] of happenings.entries()) {
    const due = [...written].filter(([key]) => keys.has(key));
    const isDone = (): boolean =>
      due.every(([key, object]) => isAlike(state.store[key] ?? null, object));
    for (; program.steps[next]?.of === index; next++) {
      const action = program.steps[next]?.action;
      if (action === undefined) continue;
      const isOwn = 'name' in did && action === did;
      for (let times = 0; times < (isOwn ? MOST_REPETITIONS : 1); times++) {
        const after = successor(model, action, state);
        if (after === null) break;
        if (isOwn && writesOther(state, after, keys, written)) break;
        actions.push(action);
        state = after;
        ways.shorten(actions, state);
        if (isDone()) break;
      }
    }
    if (isDone()) continue;
    const [key = ''] =
      due.find(([key, object]) => !isAlike(state.store[key] ?? null, object)) ?? [];
    const differs = `after step ${actions.length}, ${formatKey(key)} is not as on the server`;
    return { setup, actions, differs };
  }
  return { setup, actions, differs: null };
}

/**
 * Drops steps that have led back to a state of the run: controllers that try in vain, again and
 * again.
 */
class Ways {
  /** How many steps lead to a state, by its digest. */
  readonly #known = new Map<string, number>();

  constructor(initial: Cluster) {
    this.#known.set(digestOf(initial), 0);
  }

  shorten(actions: ActionInstance[], state: Cluster): void {
    const digest = digestOf(state);
    const before = this.#known.get(digest);
    if (before === undefined) {
      this.#known.set(digest, actions.length);
      return;
    }
    actions.length = before;
    for (const [other, steps] of this.#known) if (steps > before) this.#known.delete(other);
  }
}

function digestOf(state: Cluster): string {
  return createHash('sha256').update(canonical(state)).digest('base64');
}

/** Whether the step writes what the server has not written in this step. */
function writesOther(
  before: Cluster,
  after: Cluster,
  keys: ReadonlySet<ObjectKey>,
  written: Happening['written'],
): boolean {
  return [...keys].some((key) => {
    const [old, now] = [before.store[key] ?? null, after.store[key] ?? null];
    return !isAlike(old, now) && !(written.has(key) && isAlike(now, written.get(key) ?? null));
  });
}

/** As far as a scenario can say it. */
function isAlike(object: ApiObject | null, served: ApiObject | null): boolean {
  if (object === null || served === null) return object === served;
  return equalJson(visibleIn(object), visibleIn(served));
}

function visibleIn(object: ApiObject) {
  const { uid, finalizers, ownerReferences, specFinalizers = [] } = object;
  const { deletionTimestamp: due, deletionGracePeriodSeconds: grace } = object;
  return { uid, finalizers, ownerReferences, specFinalizers, due: due !== null, grace };
}

/** The run as one word. Null: there was not enough time. @param milliseconds to spend. */
export function tokenOf(
  file: string,
  { setup, actions }: ReplayedRun,
  milliseconds: number,
): string | null {
  const end = Date.now() + milliseconds;
  const subject = fileSubject(file);
  const write = tokenWriter(
    deletionModel(setup),
    setupDigest(setup),
    subject,
    () => Date.now() > end,
  );
  return write({ property: null, parameters: null, actions, loopStart: null });
}
