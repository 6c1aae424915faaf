import type { Question } from '../engine/engine.ts';
import { executed } from '../engine/plain.ts';
import type { Instance } from '../instances.ts';
import type { Family, Model, Parameters } from '../model.ts';
import type { Check } from '../options.ts';
import type { Clock } from '../progress.ts';
import type { Property } from '../property.ts';
import { type Claim, shows } from '../traces/confirm.ts';
import { canonicalText } from '../values/canonical.ts';
import { Footprints } from './footprint.ts';
import { relevantRun } from './relevant-steps.ts';

/** How many runs of reducers removing steps may cost. */
const MOST_RUNS = 30_000;
/**
 * When shortening must be done: so many milliseconds after the limit on time. A run that was found
 * at the last moment is worth them.
 */
const LATE_MS = 300;
/** How many states the search for another run may store. */
const MOST_STATES = 20_000;

/**
 * The search before has looked for hidden state in these reducers, and a defect that this one found
 * would only end it. A sample of second runs is enough.
 */
const KNOWN_VIEWS = 512;

/** A step of a run by instance number, and whether it is in the loop. */
interface Item {
  readonly action: number;
  readonly inLoop: boolean;
}

/**
 * A shorter run that shows the same claim, if one is found within bounds. It keeps the relevant
 * steps, then removes steps, many at once first, as long as the rest still shows the claim. Then it
 * searches breadth-first for a shorter run of the same action instances. Every candidate is
 * executed by plain `produce`.
 */
export async function shortened<State>(
  question: Question<State>,
  claim: Claim<State>,
  check: Check<State>,
  clock: Clock,
): Promise<Claim<State>> {
  const isLate = () => clock.isLate(LATE_MS);
  if (isLate()) return claim;
  const footprints = new Footprints(question.model);
  const relevant = relevantRun(question, footprints, claim);
  const shorter = withFewerSteps(question, relevant, isLate);
  if (isLate()) return shorter;
  const fewer = relevantRun(question, footprints, shorter);
  return (await foundBySearch(question, fewer, check, isLate)) ?? fewer;
}

function withFewerSteps<State>(
  question: Question<State>,
  claim: Claim<State>,
  isLate: () => boolean,
): Claim<State> {
  const run = new Runs(question, claim, isLate);
  let best = claim;
  let size = Math.ceil(best.actions.length / 2);
  while (size >= 1 && !run.isSpent) {
    let removed = false;
    for (let start = 0; start < best.actions.length && !run.isSpent; ) {
      const items = itemsOf(best);
      const shorter = run.attempt([...items.slice(0, start), ...items.slice(start + size)]);
      if (shorter !== null && shorter.actions.length < best.actions.length) {
        best = shorter;
        removed = true;
      } else start += size;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (!removed) break;
  }
  return best;
}

function itemsOf<State>({ actions, loopStart }: Claim<State>): readonly Item[] {
  return actions.map((action, index) => ({
    action,
    inLoop: loopStart !== null && index >= loopStart,
  }));
}

/** Executes selections of steps, and remembers the successors of every state. */
class Runs<State> {
  private runs = 0;
  private readonly question: Question<State>;
  private readonly claim: Claim<State>;
  private readonly successors = new Map<State, Map<number, State | null>>();

  private readonly isLate: () => boolean;

  constructor(question: Question<State>, claim: Claim<State>, isLate: () => boolean) {
    this.question = question;
    this.claim = claim;
    this.isLate = isLate;
  }

  get isSpent(): boolean {
    return this.runs > MOST_RUNS || this.isLate();
  }

  /**
   * The run of those steps that are enabled, as far as needed; null if it does not show the claim.
   */
  attempt(items: readonly Item[]): Claim<State> | null {
    const { property, parameters } = this.claim;
    const states: State[] = [this.claim.states[0]!];
    const actions: number[] = [];
    let loopStart: number | null = null;
    for (const { action, inLoop } of items) {
      const after = this.successor(states[states.length - 1]!, action);
      if (inLoop) loopStart ??= actions.length;
      if (after === null) continue;
      states.push(after);
      actions.push(action);
      if (loopStart !== null || property.kind === 'settled') continue;
      const claim = { property, parameters, states, actions, loopStart };
      // A leads-to is judged at the end only, as it needs the enabled instances of each state.
      if (property.kind !== 'eventually' && shows(this.question, claim)) return claim;
    }
    if (loopStart === actions.length) loopStart = null;
    if (actions.length === 0 && property.kind === 'step') return null;
    const claim = { property, parameters, states, actions, loopStart };
    return this.shows(claim) ? claim : null;
  }

  private shows(claim: Claim<State>): boolean {
    // These need all instances to be run: whether none is enabled, or the run is fair.
    const { property, actions, loopStart } = claim;
    const tried = loopStart === null ? 1 : actions.length - loopStart;
    if (property.kind === 'settled' || property.kind === 'eventually') {
      this.runs += tried * this.question.instances.length;
    }
    return shows(this.question, claim);
  }

  private successor(state: State, action: number): State | null {
    let known = this.successors.get(state);
    if (known === undefined) {
      known = new Map();
      this.successors.set(state, known);
    }
    if (known.has(action)) return known.get(action) ?? null;
    this.runs++;
    const found = executed(this.question, state, action);
    known.set(action, found);
    return found;
  }
}

/**
 * Searches the model that has only the instances of the run and starts where it starts. What it
 * finds is a run of the whole model too. Not for properties that depend on other instances being
 * disabled.
 */
async function foundBySearch<State>(
  question: Question<State>,
  claim: Claim<State>,
  check: Check<State>,
  isLate: () => boolean,
): Promise<Claim<State> | null> {
  const { property, parameters, actions, states } = claim;
  const depth = actions.length - 1;
  if (property.kind === 'settled' || property.kind === 'eventually' || depth < 1) return null;
  const used = [...new Set(actions)].map((action) => question.instances[action]!);
  const model = restricted(question.model, used, states[0]!);
  const { properties, limit } = await check({
    model,
    properties: [forParameters(property, parameters, Object.keys(model.actions))],
    limits: { states: MOST_STATES, depth },
    reductions: [],
    stopWhenDecided: true,
    interrupted: isLate,
    // What would make this search smaller is of no interest.
    advice: () => '',
  });
  const [found] = properties;
  if (limit?.kind === 'memory' || found === undefined || found.trace === null) return null;
  const numbers = new Map(used.map(({ identity, number }) => [identityText(identity), number]));
  const steps = found.trace.steps.map(({ action, parameters: chosen }) => ({
    action: numbers.get(identityText({ name: action, parameters: chosen }))!,
    inLoop: false,
  }));
  return new Runs(question, claim, isLate).attempt(steps);
}

function restricted<State>(
  model: Model<State>,
  used: readonly Instance<State>[],
  initial: State,
): Model<State> {
  const { name, slots } = model;
  const actions = Object.entries(model.actions).flatMap(([name, action]) => {
    const chosen = used.filter(({ identity }) => identity.name === name);
    if (chosen.length === 0) return [];
    const parameters = chosen.map(({ identity }) => identity.parameters);
    return [[name, action.parameters === undefined ? action : { ...action, parameters }] as const];
  });
  const family: Family = { knownViews: KNOWN_VIEWS };
  return { name, slots, initial: [initial], actions: Object.fromEntries(actions), family };
}

function forParameters<State>(
  property: Property<State>,
  parameters: Parameters,
  known: readonly string[],
): Property<State> {
  const one =
    property.parameters === undefined ? property : { ...property, parameters: [parameters] };
  if (one.kind !== 'step' || one.actions === undefined) return one;
  return { ...one, actions: one.actions.filter((action) => known.includes(action)) };
}

function identityText({ name, parameters }: Instance<unknown>['identity']): string {
  return `${name} ${canonicalText(parameters)}`;
}
