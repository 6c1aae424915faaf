import { type Explanation, NOTHING_CHANGED } from '../../../input/manifests/explanation.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { Plan } from '../../../input/plan.ts';
import type { Look } from '../../../input/work-clock.ts';
import {
  type ApiObject,
  isBeingDeleted,
  keyOf,
  type Uid,
  type UserStep,
} from '../../../model/index.ts';
import type { Basis, Condition, ObjectFate } from '../../../report/document/answer.ts';
import type { CheckReport } from '../../../report/document/result-document.ts';
import { blockersOf } from '../blockers.ts';
import { type Budget, plannedInTime } from '../deciding/decision.ts';
import { doubtsOn } from '../doubted.ts';
import { finalizeCommand, withoutFinalizers } from '../kubectl.ts';
import { basisOf, decideWorlds, fateOf } from '../outcome.ts';
import { type Blocker, HARM, type Hanging, type Option, type Step } from './option.ts';

/** A remedy that was executed in the model, and after which everything that it is for goes. */
export interface FoundRemedy {
  readonly objects: readonly ApiObject[];
  readonly steps: readonly Step[];
  readonly harm: number;
  readonly along: readonly string[];
  readonly basis: Basis;
  /** What may refuse it. */
  readonly on: readonly Condition[];
  /** The plans that were searched, for tests of the claim. */
  readonly plan: Plan;
  readonly checks: readonly CheckReport[];
}

export interface Remedies {
  readonly found: readonly FoundRemedy[];
  /** Whether the time was up before all of them were tried. */
  readonly isCut: boolean;
}

/** What becomes of the objects after a change. */
interface Tried {
  readonly plan: Plan;
  readonly works: boolean;
  readonly isUndecided: boolean;
  readonly hanging: readonly Hanging[];
  readonly fates: ReadonlyMap<Uid, ObjectFate>;
  /** What may refuse a DELETE without which something does not go. The fates do not say it. */
  readonly on: readonly Condition[];
  readonly basis: Basis;
  readonly checks: readonly CheckReport[];
}

const ROUNDS = 6;
const FOUND_MOST = 6;

/**
 * Searches remedies for objects that hang together: the least harmful way to remove each reason,
 * and then the other ways one at a time. What still hangs after a change gives further reasons.
 *
 * @param lacking what hangs as well, of which the dump does not say enough.
 */
export async function remediesFor(
  explanation: Explanation,
  objects: readonly ApiObject[],
  hanging: readonly Hanging[],
  budget: Budget,
  lacking: ReadonlySet<Uid> = new Set(),
): Promise<Remedies> {
  const state: Search = { explanation, objects, budget, lacking, isCut: false };
  const changed = { ...NOTHING_CHANGED, targets: objects };
  const first = plannedInTime(budget, (look) => explanation.planAfter(changed, look));
  if (first === null) return { found: [], isCut: true };
  const base = await leastHarm(state, blockersOf(hanging, first, explanation));
  if (base === null) return { found: [], isCut: state.isCut };
  const found = [remedyOf(base, objects)];
  for (const [place, { options }] of base.blockers.entries()) {
    for (const option of options.slice((base.chosen[place] ?? 0) + 1)) {
      if (found.length >= FOUND_MOST) break;
      const chosen = base.options.map((other, index) => (index === place ? option : other));
      const tried = await attempt(state, chosen);
      if (tried?.works === true) {
        const whole = { ...base, options: chosen, tried };
        const used = base.options[place];
        found.push(remedyOf(used?.deletes.length ? await lean(state, whole) : whole, objects));
      }
    }
  }
  const sorted = [...found].sort(
    (a, b) => a.harm - b.harm || totalHarm(a) - totalHarm(b) || a.steps.length - b.steps.length,
  );
  // A remedy that contains all steps of another one is left out.
  const isMore = (one: FoundRemedy, other: FoundRemedy): boolean =>
    other.steps.length < one.steps.length &&
    other.steps.every(({ command }) => one.steps.some((step) => step.command === command));
  return {
    found: sorted.filter((one) => !sorted.some((other) => isMore(one, other))),
    isCut: state.isCut,
  };
}

interface Search {
  readonly explanation: Explanation;
  readonly objects: readonly ApiObject[];
  readonly budget: Budget;
  readonly lacking: ReadonlySet<Uid>;
  isCut: boolean;
}

interface Base {
  readonly blockers: readonly Blocker[];
  readonly chosen: readonly number[];
  readonly options: readonly Option[];
  readonly tried: Tried;
}

/** Null: no way was found to remove all reasons. */
async function leastHarm(state: Search, known: readonly Blocker[]): Promise<Base | null> {
  let blockers = known;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (blockers.length === 0 || blockers.some(({ options }) => options.length === 0)) return null;
    const first = await withChoice(
      state,
      blockers,
      blockers.map(() => 0),
    );
    if (first === null) return null;
    if (first.tried.works) return first;
    const names = new Set(blockers.map(({ name }) => name));
    const { hanging, plan } = first.tried;
    const more = blockersOf(hanging, plan, state.explanation).filter(
      ({ name }) => !names.has(name),
    );
    if (more.length > 0) {
      blockers = [...blockers, ...more];
      continue;
    }
    return nextHarm(state, blockers);
  }
  return null;
}

/**
 * Without the steps that it does not need: what another way deletes has reasons of its own, which
 * this way need not remove.
 */
async function lean(state: Search, base: Base): Promise<Base> {
  let found = base;
  for (const option of base.options) {
    const options = found.options.filter((one) => one !== option);
    const tried = options.length === 0 ? null : await attempt(state, options);
    if (tried?.works === true) found = { ...found, options, tried };
  }
  return found;
}

/** One reason after the other with its other ways. */
async function nextHarm(state: Search, blockers: readonly Blocker[]): Promise<Base | null> {
  for (const [place, { options }] of blockers.entries()) {
    for (const choice of options.keys()) {
      if (choice === 0) continue;
      const chosen = blockers.map((_, index) => (index === place ? choice : 0));
      const base = await withChoice(state, blockers, chosen);
      if (base?.tried.works === true) return base;
    }
  }
  return null;
}

async function withChoice(
  state: Search,
  blockers: readonly Blocker[],
  chosen: readonly number[],
): Promise<Base | null> {
  const options = blockers.flatMap(({ options: all }, index) => all[chosen[index] ?? 0] ?? []);
  const tried = await attempt(state, options);
  return tried === null ? null : { blockers, chosen, options, tried };
}

/** A part of the time that is left, for one attempt. */
const SHARE = 0.4;

/** Null: the time is up. */
async function attempt(state: Search, options: readonly Option[]): Promise<Tried | null> {
  const { explanation, objects, budget, lacking } = state;
  const left = budget.deadline - Date.now();
  const plan = plannedInTime(budget, (look) => planWith(explanation, objects, options, look));
  if (plan === null) {
    state.isCut = true;
    return null;
  }
  const until = { ...budget, deadline: Date.now() + left * SHARE };
  const tried = await execute(plan, objects, until, lacking);
  if (tried.isUndecided) state.isCut = true;
  return tried;
}

/** The plan in which a user does these steps. */
function planWith(
  explanation: Explanation,
  objects: readonly ApiObject[],
  options: readonly Option[],
  look: Look,
): Plan {
  const steps = options.flatMap(({ requests }) =>
    requests.map((request): UserStep => ({ request, after: [] })),
  );
  const deletes = options.flatMap((option) => option.deletes);
  const changed = {
    targets: [...objects, ...deletes],
    users: steps.length === 0 ? {} : { kubectl: steps },
    observations: new Map(options.flatMap(({ observations }) => [...observations])),
    nodesBack: options.flatMap(({ nodesBack }) => nodesBack),
  };
  const plan = explanation.planAfter(changed, look);
  return options.reduce((changed, { change }) => change(changed), plan);
}

/** Searches a plan in every world that the dump leaves open. */
export async function execute(
  plan: Plan,
  objects: readonly ApiObject[],
  budget: Budget,
  lacking: ReadonlySet<Uid> = new Set(),
): Promise<Tried> {
  const decisions = await decideWorlds(plan, budget);
  const absent = new Set(plan.cluster?.unknownOwners.map(({ reference }) => reference.uid));
  const fates = new Map(
    plan.setup.objects
      .filter(({ uid }) => !absent.has(uid))
      .map((object) => [object.uid, fateOf(object, plan, decisions)]),
  );
  const asked = new Set(objects.map(({ uid }) => uid));
  const hanging = plan.setup.objects.flatMap((object): readonly Hanging[] => {
    const fate = fates.get(object.uid);
    if (fate === undefined || fate.fate === 'goes' || lacking.has(object.uid)) return [];
    const isMeant = asked.has(object.uid) || isBeingDeleted(object) || fate.fate !== 'stays';
    return isMeant ? [{ object, waits: fate.waits }] : [];
  });
  return {
    plan,
    works: hanging.length === 0 && objects.every(({ uid }) => fates.get(uid)?.fate === 'goes'),
    isUndecided: [...fates.values()].some(({ on }) => on.some(({ kind }) => kind === 'limit')),
    hanging,
    fates,
    on: eachOnce(
      plan.setup.objects
        .filter(({ uid }) => fates.get(uid)?.fate === 'goes')
        .flatMap((object) => doubtsOn(object, plan)),
    ),
    basis: basisOf(decisions, plan),
    checks: decisions.flatMap(({ reports }) => reports),
  };
}

function eachOnce(conditions: readonly Condition[]): readonly Condition[] {
  return [...new Map(conditions.map((condition) => [condition.text, condition])).values()];
}

/** What may refuse these patches: each is asked about by its own command. */
function patchesOn(patches: readonly { object: ApiObject; step: Step }[], plan: Plan) {
  const doubts = (plan.cluster?.doubts ?? []).filter(({ by }) => by === 'update');
  return doubts.flatMap(({ object, why }): readonly Condition[] => {
    const patched = patches.find((one) => keyOf(one.object) === object);
    if (patched === undefined) return [];
    const text = `goes if admission lets the patch of it through (${why})`;
    return [{ kind: 'admission', settle: `${patched.step.command} --dry-run=server`, text }];
  });
}

function remedyOf({ options, tried }: Base, objects: readonly ApiObject[]): FoundRemedy {
  const { kinds } = tried.plan.setup;
  // Two finalizers can have the same way out.
  const all = options.flatMap(({ steps: own }) => own);
  const steps = [...new Map(all.map((one) => [`${one.text} ${one.command}`, one])).values()];
  const patches = new Map<string, { object: ApiObject; finalizers: string[]; left: Set<string> }>();
  for (const { patches: own, leaves } of options) {
    for (const { object, finalizer } of own) {
      const key = keyOf(object);
      const known = patches.get(key) ?? { object, finalizers: [], left: new Set<string>() };
      known.finalizers.push(finalizer);
      if (leaves !== null) known.left.add(leaves);
      patches.set(key, known);
    }
  }
  const patched = [...patches.values()].map(({ object, finalizers, left }) => {
    const names = finalizers.join(' and ');
    const isInSpec = !finalizers.every((name) => object.finalizers.includes(name));
    const rest = (object.specFinalizers ?? []).filter((name) => !finalizers.includes(name));
    const step: Step = {
      text: `take ${names} off ${isInSpec ? 'spec.finalizers of ' : ''}${displayName(object)}`,
      command: isInSpec
        ? finalizeCommand(object, rest)
        : withoutFinalizers(object, finalizers, kinds),
      leaves: [...left].join('; ') || null,
      harm: HARM.cleanup,
    };
    return { object, step };
  });
  const along = tried.plan.setup.objects.filter(
    (object) => !isBeingDeleted(object) && tried.fates.get(object.uid)?.fate === 'goes',
  );
  return {
    objects,
    steps: [...steps, ...patched.map(({ step }) => step)],
    harm: Math.max(0, ...options.map(({ harm }) => harm)),
    along: along.map(displayName),
    basis: tried.basis,
    on: eachOnce([...tried.on, ...patchesOn(patched, tried.plan)]),
    plan: tried.plan,
    checks: tried.checks,
  };
}

function totalHarm({ steps }: FoundRemedy): number {
  return steps.reduce((sum, { harm }) => sum + harm, 0);
}
