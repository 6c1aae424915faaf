import type { Question } from '../engine/engine.ts';
import { executed } from '../engine/plain.ts';
import type { Parameters } from '../model.ts';
import type { Describer } from '../options.ts';
import type { Property } from '../property.ts';
import type { Orbits } from '../reductions/reduction.ts';
import type { Alternative, Alternatives, PropertyResult, Trace } from '../result.ts';
import { type Claim, confirm } from '../traces/confirm.ts';
import { traceOf } from '../traces/trace.ts';
import { traceDifference } from '../traces/trace-difference.ts';
import { canonicalText } from '../values/canonical.ts';
import type { Footprints } from './footprint.ts';
import { orderOf, relevantRun, shownBy } from './relevant-steps.ts';

const COMPARED = {
  path: 'the steps on which the violation depends, up to the order of independent steps',
  endless: 'the steps on which being stuck depends; for loops, the set of their actions',
} as const;

/** How many normal forms are tried to find a known class for a run. */
const MOST_FORMS = 32;

/** A run that ends in a violation, as the search found it. */
export interface FoundRun<State> {
  readonly parameters: Parameters;
  readonly initial: State;
  readonly actions: readonly number[];
  readonly loopStart: number | null;
}

export interface ClassOptions<State> {
  readonly describe: Describer<State> | undefined;
  /** Runs that differ by a renaming only are in one class. */
  readonly orbits: Orbits<State> | null;
  /** How many counterexamples are wanted, including the first one. */
  readonly most: number;
}

/**
 * Classes of counterexamples to one property. Runs of one class have the same relevant steps, in an
 * equivalent order.
 */
export class CounterexampleClasses<State> {
  /** Whether there may be more classes than those of the runs that were added. */
  isCutShort = false;
  /** By class. The first one is the class of the counterexample of the first search. */
  private readonly classes = new Map<string, Claim<State>>();
  /** By normal form of a run: the key of its class. */
  private readonly classByForm = new Map<string, string>();
  private readonly question: Question<State>;
  private readonly footprints: Footprints<State>;
  private readonly property: Property<State>;
  private readonly options: ClassOptions<State>;

  constructor(
    question: Question<State>,
    footprints: Footprints<State>,
    property: Property<State>,
    first: Pick<PropertyResult, 'parameters' | 'trace'>,
    options: ClassOptions<State>,
  ) {
    this.question = question;
    this.footprints = footprints;
    this.property = property;
    this.options = options;
    const { initial, steps, loopStart } = first.trace!;
    const numbers = new Map(
      question.instances.map(({ identity, number }) => [identityText(identity), number]),
    );
    this.add({
      parameters: first.parameters ?? {},
      initial: initial as State,
      actions: steps.map(
        ({ action, parameters }) => numbers.get(identityText({ name: action, parameters }))!,
      ),
      loopStart,
    });
  }

  get count(): number {
    return this.classes.size;
  }

  /** Adds the relevant steps of a run. */
  add({ parameters, initial, actions, loopStart }: FoundRun<State>): void {
    const { question, footprints, property } = this;
    const wanted = { property, parameters, states: [initial], actions: [], loopStart };
    const found = shownBy(question, wanted, actions);
    if (found === null) return;
    const claim = relevantRun(question, footprints, found);
    const key = this.classOf(claim);
    const known = this.classes.get(key);
    const isFirst = known === undefined || known === [...this.classes.values()][0];
    if (known === undefined || (!isFirst && claim.actions.length < known.actions.length)) {
      this.classes.set(key, claim);
    }
  }

  /** The key of the run's class; a new one if no known class has an equivalent run. */
  private classOf(claim: Claim<State>): string {
    const key = this.keyOf(claim);
    const known = this.classByForm.get(key);
    if (known !== undefined) return known;
    // Dependent steps may still lead to the same state in either order.
    const forms = new Map([[key, claim]]);
    for (const form of forms.values()) {
      for (const commuted of forms.size < MOST_FORMS ? commutedRuns(this.question, form) : []) {
        const other = this.keyOf(commuted);
        if (!forms.has(other)) forms.set(other, commuted);
      }
    }
    const names = new Set([...forms.keys()].flatMap((form) => this.classByForm.get(form) ?? []));
    // The earliest class stays, which may be the first one.
    const name = [...this.classes.keys()].find((other) => names.has(other)) ?? key;
    for (const form of forms.keys()) this.classByForm.set(form, name);
    names.delete(name);
    this.join(names, name);
    return name;
  }

  /** Joins classes that have turned out to be one. */
  private join(names: ReadonlySet<string>, into: string): void {
    if (names.size === 0) return;
    for (const name of names) this.classes.delete(name);
    for (const [form, name] of this.classByForm) {
      if (names.has(name)) this.classByForm.set(form, into);
    }
  }

  /** The counterexamples of the other classes, with their differences from the first one. */
  alternatives(first: Trace): Alternatives {
    const [own, ...others] = [...this.classes.values()];
    others.sort((one, other) => one.actions.length - other.actions.length);
    return {
      compared: this.property.kind === 'eventually' ? COMPARED.endless : COMPARED.path,
      classes: this.classes.size,
      complete: !this.isCutShort,
      counterexamples: otherStepsFirst(own!, others)
        .slice(0, this.options.most - 1)
        .map((claim) => this.alternative(this.closestRenaming(own!, claim), first)),
    };
  }

  /** Of the renamed runs, the one that has most actions in common with the first one. */
  private closestRenaming(own: Claim<State>, claim: Claim<State>): Claim<State> {
    const { orbits } = this.options;
    if (orbits === null) return claim;
    const known = new Set(own.actions);
    const others = (actions: readonly number[]) =>
      actions.filter((action) => !known.has(action)).length;
    let closest = claim;
    for (let renaming = 0; renaming < orbits.listed; renaming++) {
      const actions = claim.actions.map((action) => orbits.instance(renaming, action));
      if (others(actions) >= others(closest.actions)) continue;
      closest = shownBy(this.question, claim, actions) ?? closest;
    }
    return closest;
  }

  private alternative(claim: Claim<State>, first: Trace): Alternative {
    const { question, property } = this;
    const { loopStart } = claim;
    const broken = confirm(question, claim);
    const actions = claim.actions.map((action) => question.instances[action]!.identity);
    const endless = property.kind === 'eventually' ? 'stutter' : 'path';
    const shape = loopStart === null ? endless : 'lasso';
    const trace = traceOf(question.model, { ...claim, actions, shape }, this.options.describe);
    const order = orderOf(question, this.footprints, claim);
    return {
      parameters: property.parameters === undefined ? null : claim.parameters,
      trace,
      broken,
      differs: traceDifference(trace, first, (one, other) => order.depends(one, other)),
    };
  }

  private keyOf(claim: Claim<State>): string {
    const { orbits } = this.options;
    const { actions, loopStart } = claim;
    const order = loopStart === null ? orderOf(this.question, this.footprints, claim) : null;
    const key = (rename: (action: number) => number): string => {
      if (order !== null) return order.normalForm(rename);
      const loop = [...new Set(actions.slice(loopStart!).map(rename))];
      return `loop ${loop.sort((one, other) => one - other).join(' ')}`;
    };
    if (orbits === null) return key((action) => action);
    const keys = Array.from({ length: orbits.listed }, (_, renaming) =>
      key((action) => orbits.instance(renaming, action)),
    );
    return keys.sort()[0]!;
  }
}

/** Puts runs that take other steps before those that take the same steps in another order. */
function otherStepsFirst<State>(
  own: Claim<State>,
  others: readonly Claim<State>[],
): readonly Claim<State>[] {
  const seen = new Set([stepsOf(own)]);
  const varied = others.filter((claim) => {
    const steps = stepsOf(claim);
    return !seen.has(steps) && seen.add(steps);
  });
  return [...varied, ...others.filter((claim) => !varied.includes(claim))];
}

function stepsOf<State>({ actions }: Claim<State>): string {
  return [...actions].sort((one, other) => one - other).join(' ');
}

function identityText({
  name,
  parameters,
}: {
  readonly name: string;
  readonly parameters: Parameters;
}): string {
  return `${name} ${canonicalText({ ...parameters })}`;
}

/** The runs that exchange two neighbouring steps and still lead to the same state. */
function commutedRuns<State>(
  question: Question<State>,
  claim: Claim<State>,
): readonly Claim<State>[] {
  const { actions, states, property, loopStart } = claim;
  if (loopStart !== null) return [];
  // The last step of a run that violates a step rule must stay last.
  const last = property.kind === 'step' ? actions.length - 2 : actions.length - 1;
  return Array.from({ length: Math.max(0, last) }, (_, index) => index).flatMap((index) => {
    const [first, second] = [actions[index]!, actions[index + 1]!];
    const between = executed(question, states[index]!, second);
    const after = between === null ? null : executed(question, between, first);
    if (between === null || after === null) return [];
    if (canonicalText(after) !== canonicalText(states[index + 2])) return [];
    return [
      {
        ...claim,
        actions: actions.with(index, second).with(index + 1, first),
        states: states.with(index + 1, between),
      },
    ];
  });
}
