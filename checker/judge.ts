import type { Engine, SoughtAnswers, TransitionObserver } from './engine/engine.ts';
import {
  type CompiledProperties,
  type CompiledProperty,
  type Judgement,
  NO_PREDICATE,
} from './judgements.ts';
import type { Property } from './property.ts';
import type { Orbits } from './reductions/reduction.ts';

/** The first place where the search found a property violated, or a witness reached. */
export interface Finding {
  readonly judgement: Judgement;
  readonly state: number;
  /** For step rules: the transition from `state`. */
  readonly step: { readonly instance: number; readonly target: number } | null;
}

interface Pending {
  readonly judgement: Judgement;
  /** The answer of the check that makes a finding. */
  readonly sought: boolean;
  /** No further finding is needed. The trigger may still have to be counted. */
  closed: boolean;
}

/**
 * Step rules, and the question of each: whether its trigger is true; without one, if it is
 * violated.
 */
interface StepRules {
  readonly pending: readonly Pending[];
  readonly questions: SoughtAnswers;
}

/** What the search has decided so far, as JSON. Judgements by their place in their property. */
export interface Decisions {
  /** By property. */
  readonly findings: readonly (null | {
    readonly judgement: number;
    readonly state: number;
    readonly step: Finding['step'];
  })[];
  /** By property. */
  readonly unreached: readonly (readonly number[])[];
  readonly undecided: number;
  /** Checks that need no further finding, by their number. */
  readonly closed: readonly number[];
  /** Properties of the step rules that are still judged where a reduced step would be. */
  readonly stutters: readonly number[];
}

/** A step rule, and an instance whose steps a selector reduces. */
interface Stutter {
  readonly judgement: Judgement;
  readonly selector: { stepRuleJudged(property: number): void };
  readonly instance: number;
}

/**
 * Judges states and transitions during the search. Keeps the first finding of each property. The
 * search is breadth-first, so that finding has a shortest path.
 */
export class Judge<State> implements TransitionObserver {
  watched: ArrayLike<number> = [];
  /** By property: how often its trigger was true. Properties without a trigger are not counted. */
  readonly triggered: Float64Array;
  /** By property. */
  readonly findings: (Finding | null)[];
  /** By property: the judgements of a witness that were not reached so far. */
  readonly unreached: Set<Judgement>[];
  /** States judged so far. */
  judgedStates = 0;
  /** States without successors so far. */
  terminalStates = 0;
  private undecided: number;
  /** Checks that every state needs, without those that are closed; then what they seek. */
  private untriggered: readonly Pending[] = [];
  private answers: SoughtAnswers = { predicates: new Int32Array(0), sought: new Uint8Array(0) };
  private found = new Int32Array(0);
  private readonly onTriggers: Pending[] = [];
  private readonly onTerminals: Pending[] = [];
  /** By instance. Instances with the same rules share them. */
  private onSteps: readonly StepRules[];
  private foundSteps = new Int32Array(0);
  /** Step rules that are judged on reduced steps where their trigger is true. */
  private onStutters: readonly Stutter[] = [];
  private readonly engine: Engine<State>;
  private readonly orbits: Orbits<State> | null;
  private loaded = 0;
  /** Grows whenever `decisions` has another answer. */
  changes = 0;
  private readonly properties: readonly CompiledProperty<State>[];
  /** All checks, in the order of the properties. */
  private readonly all: Pending[] = [];

  constructor(
    engine: Engine<State>,
    { properties }: CompiledProperties<State>,
    orbits: Orbits<State> | null,
  ) {
    this.engine = engine;
    this.orbits = orbits;
    this.properties = properties;
    this.triggered = new Float64Array(properties.length);
    this.findings = properties.map(() => null);
    this.unreached = properties.map(() => new Set());
    this.undecided = properties.length;
    const rules = new Map<CompiledProperty<State>, Pending[]>();
    const untriggered: Pending[] = [];
    for (const compiled of properties) {
      const { property, judgements } = compiled;
      const onStep: Pending[] = [];
      if (property.kind === 'step') rules.set(compiled, onStep);
      for (const judgement of judgements) {
        const pending = { judgement, sought: property.kind === 'witness', closed: false };
        this.all.push(pending);
        switch (property.kind) {
          case 'invariant':
            if (judgement.trigger === NO_PREDICATE) untriggered.push(pending);
            else this.onTriggers.push(pending);
            break;
          case 'witness':
            untriggered.push(pending);
            this.unreached[judgement.property]!.add(judgement);
            break;
          case 'settled':
            this.onTerminals.push(pending);
            break;
          case 'step':
            this.noteReducedSteps(property, judgement, compiled.judged);
            onStep.push(pending);
            break;
          case 'eventually':
            // Needs the finished graph.
            break;
          default: {
            const never: never = property;
            throw new Error(`unknown property kind ${String(never)}`);
          }
        }
      }
    }
    this.onSteps = rulesByInstance(rules, engine.actionCount);
    this.askSteps();
    this.listUntriggered(untriggered);
  }

  /** Every property has a finding that decides it. */
  get allDecided(): boolean {
    return this.undecided === 0;
  }

  /** Judges the state, which the engine has loaded. */
  state(state: number): void {
    this.loaded = state;
    this.judgedStates++;
    if (this.onStutters.length > 0) this.stutter();
    const { engine, onTriggers } = this;
    const count = engine.seek(this.answers, this.found);
    for (let at = 0; at < count; at++) {
      const pending = this.untriggered[this.found[at]!]!;
      if (!pending.closed) this.find(pending, state, null);
    }
    if (count > 0) this.listUntriggered(this.untriggered.filter(({ closed }) => !closed));
    for (let at = 0; at < onTriggers.length; at++) {
      const pending = onTriggers[at]!;
      const { trigger, check, property } = pending.judgement;
      if (!engine.test(trigger)) continue;
      this.triggered[property]!++;
      if (!pending.closed && !engine.test(check)) this.find(pending, state, null);
    }
  }

  /** Makes a state that was judged before the source of the transitions to come. */
  revisit(state: number): void {
    this.loaded = state;
  }

  /** Judges the loaded state as one without successors. */
  terminal(state: number): void {
    this.terminalStates++;
    for (const pending of this.onTerminals) {
      if (pending.closed || this.engine.test(pending.judgement.check)) continue;
      this.find(pending, state, null);
    }
  }

  transition(instance: number, target: number): void {
    const { engine, foundSteps } = this;
    const { pending: rules } = this.onSteps[instance]!;
    const count = engine.seekStep(foundSteps);
    let found = false;
    for (let at = 0; at < count; at++) {
      const pending = rules[foundSteps[at]!]!;
      const { trigger, check, property } = pending.judgement;
      if (trigger !== NO_PREDICATE) {
        this.triggered[property]!++;
        engine.reducedBy?.stepRuleJudged(property);
      }
      if (pending.closed || (trigger !== NO_PREDICATE && engine.testStep(check))) continue;
      this.find(pending, this.loaded, { instance, target });
      found = true;
    }
    if (found) this.forgetClosedRules();
  }

  /**
   * Selectors leave out states in which a rule may be judged on the steps that they reduce. Such a
   * step changes nothing that the rule may read, so it is judged there as on a step that leads back
   * to a state of the search.
   */
  private noteReducedSteps(
    property: Property<State>,
    judgement: Judgement,
    judged: readonly boolean[],
  ): void {
    if (property.kind !== 'step') return;
    for (const selector of this.engine.selectors) {
      const instance = judged.findIndex((isJudged, at) => isJudged && selector.reducing[at]);
      if (instance === -1) continue;
      const isNamed = property.actions !== undefined || judgement.trigger === NO_PREDICATE;
      if (isNamed) selector.stepRuleJudged(judgement.property);
      else this.onStutters = [...this.onStutters, { judgement, selector, instance }];
    }
  }

  decisions(): Decisions {
    const placeOf = (judgement: Judgement): number =>
      this.properties[judgement.property]!.judgements.indexOf(judgement);
    return {
      findings: this.findings.map(
        (finding) => finding && { ...finding, judgement: placeOf(finding.judgement) },
      ),
      unreached: this.unreached.map((judgements) => [...judgements].map(placeOf)),
      undecided: this.undecided,
      closed: this.all.flatMap(({ closed }, number) => (closed ? [number] : [])),
      stutters: this.onStutters.map(({ judgement }) => judgement.property),
    };
  }

  /** Call this before the search. */
  restore({ findings, unreached, undecided, closed, stutters }: Decisions): void {
    this.properties.forEach(({ judgements }, property) => {
      const finding = findings[property] ?? null;
      this.findings[property] = finding && {
        ...finding,
        judgement: judgements[finding.judgement]!,
      };
      this.unreached[property] = new Set(unreached[property]!.map((place) => judgements[place]!));
    });
    this.undecided = undecided;
    for (const number of closed) this.all[number]!.closed = true;
    this.onStutters = this.onStutters.filter(({ judgement }) =>
      stutters.includes(judgement.property),
    );
    this.listUntriggered(this.untriggered.filter((pending) => !pending.closed));
    this.forgetClosedRules();
  }

  private stutter(): void {
    for (const { judgement, selector, instance } of this.onStutters) {
      if (!this.engine.testStutter(judgement.trigger, instance)) continue;
      selector.stepRuleJudged(judgement.property);
      this.changes++;
      this.onStutters = this.onStutters.filter(
        (other) => other.judgement.property !== judgement.property,
      );
    }
  }

  private listUntriggered(pending: readonly Pending[]): void {
    this.untriggered = pending;
    this.answers = {
      predicates: Int32Array.from(pending, ({ judgement }) => judgement.check),
      sought: Uint8Array.from(pending, ({ sought }) => (sought ? 1 : 0)),
    };
    this.found = new Int32Array(pending.length);
  }

  private find(pending: Pending, state: number, step: Finding['step']): void {
    this.changes++;
    const { judgement } = pending;
    const { property } = judgement;
    this.findings[property] ??= { judgement, state, step };
    const unreached = this.unreached[property]!;
    if (pending.sought) {
      // If one member reaches it, the renamed run reaches each image.
      const reached = this.imagesOf(judgement);
      for (const other of this.untriggered) {
        if (reached.has(other.judgement)) other.closed = true;
      }
      for (const image of reached) unreached.delete(image);
      if (unreached.size === 0) this.undecided--;
      return;
    }
    this.undecided--;
    for (const other of [
      this.untriggered,
      this.onTriggers,
      this.onTerminals,
      ...[...new Set(this.onSteps)].map(({ pending }) => pending),
    ].flat()) {
      if (other.judgement.property === property) other.closed = true;
    }
  }

  private imagesOf(judgement: Judgement): ReadonlySet<Judgement> {
    return this.orbits?.imagesOf(judgement) ?? new Set([judgement]);
  }

  private forgetClosedRules(): void {
    const openOf = new Map(
      [...new Set(this.onSteps)].map((rules) => [rules, rulesOf(rules.pending.filter(isOpen))]),
    );
    this.onSteps = this.onSteps.map((rules) => openOf.get(rules)!);
    this.askSteps();
  }

  private askSteps(): void {
    this.watched = Uint8Array.from(this.onSteps, ({ pending }) => (pending.length > 0 ? 1 : 0));
    this.foundSteps = new Int32Array(Math.max(0, ...this.onSteps.map((r) => r.pending.length)));
    this.engine.askSteps(this.onSteps.map(({ questions }) => questions));
  }
}

function rulesOf(pending: readonly Pending[]): StepRules {
  const opener = ({ judgement: { trigger, check } }: Pending): number =>
    trigger === NO_PREDICATE ? check : trigger;
  const sought = ({ judgement: { trigger } }: Pending): number =>
    trigger === NO_PREDICATE ? 0 : 1;
  const questions = {
    predicates: Int32Array.from(pending, opener),
    sought: Uint8Array.from(pending, sought),
  };
  return { pending, questions };
}

/** The rules that judge the steps of each instance, in the order of the properties. */
function rulesByInstance<State>(
  rules: ReadonlyMap<CompiledProperty<State>, readonly Pending[]>,
  instanceCount: number,
): readonly StepRules[] {
  // Few lists differ, while there may be thousands of properties and of instances.
  const lists = [...new Set([...rules.keys()].map(({ judged }) => judged))];
  const made = new Map<string, StepRules>();
  return Array.from({ length: instanceCount }, (_, instance) => {
    const key = lists.map((judged) => (judged[instance] ? 1 : 0)).join('');
    const known = made.get(key);
    if (known !== undefined) return known;
    const judging = [...rules].filter(([{ judged }]) => judged[instance]);
    const list = rulesOf(judging.flatMap(([, pending]) => pending));
    made.set(key, list);
    return list;
  });
}

/** Whether there is still something to find or to count. */
function isOpen({ closed, judgement }: Pending): boolean {
  return !closed || judgement.trigger !== NO_PREDICATE;
}
