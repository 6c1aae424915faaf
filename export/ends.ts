import type { ActionInstance, Model } from '../checker/index.ts';
import { type Cluster, deletionModel, equalJson, isQuiet, type Setup } from '../model/index.ts';
import { sorted, successor, watched } from '../run/execution.ts';

/** How runs end if from some state on everything goes as it should. */

/** No run of a scenario needs so many steps to come to rest. */
const MOST_STEPS = 3_000;
/** Steps in a row that change no object, after which the rest only tries in vain. */
const FRUITLESS = 300;

/** The steps that happen sooner or later, those of the API server and of watches first. */
function boundSteps(model: Model<Cluster>): readonly ActionInstance[] {
  const first = ['serve', 'deliver', 'deliverToInformer', 'deliverListed'];
  const place = (name: string): number =>
    first.includes(name) ? first.indexOf(name) : first.length;
  return Object.entries(model.actions)
    .filter(([, { fairness }]) => fairness !== undefined && fairness !== 'none')
    .flatMap(([name, { parameters = [{}] }]) =>
      parameters.map((chosen) => ({ name, parameters: chosen })),
    )
    .toSorted((a, b) => place(a.name) - place(b.name));
}

/** The state after everything that must happen has happened, each step in its turn. */
/** @param look is called before each step that is tried. It may throw. */
export function endFrom(setup: Setup, state: Cluster, look: () => void): Cluster {
  const model = watched(deletionModel(setup, undefined, look), look);
  const steps = boundSteps(model);
  let now = state;
  let fruitless = 0;
  let turn = 0;
  for (let count = 0; count < MOST_STEPS && fruitless < FRUITLESS; count++) {
    const order = [...steps.slice(turn), ...steps.slice(0, turn)];
    const found = firstPossible(model, order, now);
    if (found === null) return now;
    turn = (steps.indexOf(found.step) + 1) % steps.length;
    fruitless = equalJson(found.after.store, now.store) ? fruitless + 1 : 0;
    now = found.after;
    if (isQuiet(setup, now) && fruitless > 2 * steps.length) return now;
  }
  return now;
}

function firstPossible(model: Model<Cluster>, steps: readonly ActionInstance[], state: Cluster) {
  for (const step of steps) {
    const after = successor(model, step, state);
    if (after !== null) return { step, after };
  }
  return null;
}

/** The same requests on a good day: each is sent when everything before it has come to rest. */
export function goodDay(
  setup: Setup,
  requests: readonly ActionInstance[],
  look: () => void,
): Cluster {
  const model = watched(deletionModel(setup, undefined, look), look);
  const [initial] = model.initial;
  if (initial === undefined) throw new Error('a model has an initial state');
  let state = endFrom(setup, sorted(initial), look);
  for (const request of requests) {
    const after = successor(model, request, state);
    if (after !== null) state = endFrom(setup, after, look);
  }
  return state;
}
