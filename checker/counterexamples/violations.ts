import type { Engine } from '../engine/engine.ts';
import { type CompiledProperties, type Judgement, NO_PREDICATE } from '../judgements.ts';
import type { SearchJudge } from '../search.ts';

/** A transition that violates a step rule. */
export interface ViolatingTransition {
  readonly instance: number;
  readonly target: number;
  readonly judgement: Judgement;
}

/** Where a property is violated: in states (for `settled`: terminal ones), or on transitions. */
export interface Violations {
  readonly states: Map<number, Judgement>;
  /** By source state. */
  readonly transitions: Map<number, ViolatingTransition[]>;
}

/** Collects all violations that a search meets. The judge keeps only the first. */
export class ViolationCollector<State> implements SearchJudge {
  readonly allDecided = false;
  readonly watched: Uint8Array;
  /** By property; empty for leads-tos and witnesses. */
  readonly found: readonly Violations[];
  private readonly onStates: Judgement[] = [];
  private readonly onTerminals: Judgement[] = [];
  private readonly onSteps: readonly Judgement[][];
  private readonly engine: Engine<State>;
  private loaded = 0;

  constructor(engine: Engine<State>, { properties }: CompiledProperties<State>) {
    this.engine = engine;
    this.watched = new Uint8Array(engine.actionCount);
    this.onSteps = Array.from({ length: engine.actionCount }, () => []);
    this.found = properties.map(() => ({ states: new Map(), transitions: new Map() }));
    for (const { property, judgements, judged } of properties) {
      if (property.kind === 'invariant') this.onStates.push(...judgements);
      if (property.kind === 'settled') this.onTerminals.push(...judgements);
      if (property.kind !== 'step') continue;
      judged.forEach((isJudged, instance) => {
        if (!isJudged) return;
        this.onSteps[instance]!.push(...judgements);
        this.watched[instance] = 1;
      });
    }
  }

  state(state: number): void {
    this.loaded = state;
    for (const judgement of this.onStates) this.note(state, judgement);
  }

  revisit(state: number): void {
    this.loaded = state;
  }

  terminal(state: number): void {
    for (const judgement of this.onTerminals) this.note(state, judgement);
  }

  transition(instance: number, target: number): void {
    for (const judgement of this.onSteps[instance]!) {
      const { trigger, check, property } = judgement;
      if (trigger !== NO_PREDICATE && !this.engine.testStep(trigger)) continue;
      if (this.engine.testStep(check)) continue;
      const { transitions } = this.found[property]!;
      const known = transitions.get(this.loaded) ?? [];
      if (known.some((other) => other.instance === instance)) continue;
      transitions.set(this.loaded, [...known, { instance, target, judgement }]);
    }
  }

  private note(state: number, judgement: Judgement): void {
    const { engine } = this;
    const { states } = this.found[judgement.property]!;
    if (states.has(state)) return;
    if (judgement.trigger !== NO_PREDICATE && !engine.test(judgement.trigger)) return;
    if (!engine.test(judgement.check)) states.set(state, judgement);
  }
}
