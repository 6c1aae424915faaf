import type { GroupObligation } from '../../../checker/liveness/obligations.ts';
import type { Model, Parameters } from '../../../checker/model.ts';
import type { Eventually, Property, StepRule } from '../../../checker/property.ts';
import type { Verdict } from '../../../checker/result.ts';
import type { ExplicitGraph } from './explicit-graph.ts';
import { shortestPrefixByRemoval } from './liveness-oracle.ts';

/*
 * The answers that `check` must give, found as plainly as can be: states are JSON texts, reducers
 * run on plain copies, every question is a loop over lists. Shares no code with the checker.
 */

export interface OracleTransition {
  readonly from: number;
  readonly action: string;
  readonly parameters: Parameters;
  readonly instance: number;
  readonly to: number;
}

export interface OracleSpace {
  /** JSON with sorted keys, in breadth-first order. */
  readonly texts: readonly string[];
  readonly initialCount: number;
  /** By state: the fewest transitions from an initial state. */
  readonly depths: readonly number[];
  readonly transitions: readonly OracleTransition[];
}

export interface OracleVerdict {
  readonly verdict: Verdict;
  /** Summed over all parameters; for a witness, the number of parameters reached. */
  readonly triggered: number;
  /** The length of the shortest counterexample or example; for a lasso, of its prefix. */
  readonly length: number | null;
}

/** All reachable states and transitions, or null if there are more states than the limit. */
export function explore<State>(model: Model<State>, limit: number): OracleSpace | null {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const depths: number[] = [];
  const transitions: OracleTransition[] = [];
  const insert = (state: unknown, depth: number): number => {
    const text = sortedText(state);
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, texts.length);
    texts.push(text);
    depths.push(depth);
    return texts.length - 1;
  };
  for (const state of model.initial) insert(state, 0);
  const initialCount = texts.length;
  for (let from = 0; from < texts.length; from++) {
    if (texts.length > limit) return null;
    let instance = 0;
    for (const [action, { reduce, parameters: choices }] of Object.entries(model.actions)) {
      for (const parameters of choices ?? [{}]) {
        const draft = JSON.parse(texts[from]!);
        reduce(draft, parameters);
        const to = insert(draft, depths[from]! + 1);
        if (to !== from) transitions.push({ from, action, parameters, instance, to });
        instance++;
      }
    }
  }
  return { texts, initialCount, depths, transitions };
}

export function judge<State>(
  space: OracleSpace,
  model: Model<State>,
  property: Property<State>,
): OracleVerdict {
  const choices = property.parameters ?? [{}];
  const all = choices.map((parameters) => judgeChoice(space, model, property, parameters));
  const lengths = all.flatMap(({ length }) => (length === null ? [] : [length]));
  const shortest = lengths.length === 0 ? null : Math.min(...lengths);
  if (property.kind === 'witness') {
    // Each choice must be reached. The example shown is for one of them.
    const reached = all.filter(({ verdict }) => verdict === 'holds').length;
    return reached === choices.length
      ? { verdict: 'holds', triggered: reached, length: shortest }
      : { verdict: 'violated', triggered: reached, length: null };
  }
  const triggered = all.reduce((sum, one) => sum + one.triggered, 0);
  if (shortest !== null) return { verdict: 'violated', triggered, length: shortest };
  const vacuous = triggered === 0 && property.kind !== 'settled';
  return { verdict: vacuous ? 'vacuous' : 'holds', triggered, length: null };
}

export function judgeChoice<State>(
  space: OracleSpace,
  model: Model<State>,
  property: Property<State>,
  parameters: Parameters,
): OracleVerdict {
  const states = space.texts.map((text) => JSON.parse(text) as State);
  switch (property.kind) {
    case 'invariant': {
      const triggered = numbersWhere(
        states,
        (state) => property.trigger?.(state, parameters) ?? true,
      );
      const bad = triggered.filter((state) => !property.holds(states[state]!, parameters));
      return safety(
        triggered.length,
        bad.map((state) => space.depths[state]!),
      );
    }
    case 'settled': {
      const last = numbersWhere(states, (_, number) =>
        space.transitions.every(({ from }) => from !== number),
      );
      const stuck = last.filter((state) => !property.settled(states[state]!, parameters));
      return safety(
        last.length,
        stuck.map((state) => space.depths[state]!),
      );
    }
    case 'witness': {
      const reached = numbersWhere(states, (state) => property.reached(state, parameters));
      const lengths = reached.map((state) => space.depths[state]!);
      return {
        ...safety(reached.length, lengths),
        verdict: reached.length > 0 ? 'holds' : 'violated',
      };
    }
    case 'step':
      return judgeSteps(space, states, property, parameters);
    case 'eventually':
      return judgeEventually(space, model, property, parameters);
    default:
      return property satisfies never;
  }
}

function judgeSteps<State>(
  space: OracleSpace,
  states: readonly State[],
  property: StepRule<State>,
  parameters: Parameters,
): OracleVerdict {
  const bad: number[] = [];
  let triggered = 0;
  for (const { from, action, parameters: chosen, to } of space.transitions) {
    if (property.actions !== undefined && !property.actions.includes(action)) continue;
    const step = [states[from]!, { name: action, parameters: chosen }, states[to]!] as const;
    if (property.trigger !== undefined && !property.trigger(...step, parameters)) continue;
    triggered++;
    if (!property.holds(...step, parameters)) bad.push(space.depths[from]! + 1);
  }
  return safety(triggered, bad);
}

function judgeEventually<State>(
  space: OracleSpace,
  model: Model<State>,
  property: Eventually<State>,
  parameters: Parameters,
): OracleVerdict {
  const graph = leadsToGraph(space, model, property, parameters);
  const length = shortestPrefixByRemoval(graph);
  const triggered = graph.trigger.filter(Boolean).length;
  return { verdict: length === null ? 'holds' : 'violated', triggered, length };
}

/** The groups of the model's fairness, as numbers of instances. */
function groupsOf<State>({ actions, fairness = [] }: Model<State>): readonly GroupObligation[] {
  const instances = Object.entries(actions).flatMap(([name, action]) =>
    (action.parameters ?? [{}]).map((parameters: Parameters) => ({ name, parameters })),
  );
  const groups: GroupObligation[] = [];
  for (const { weak, strong, each } of fairness) {
    const names = weak ?? strong;
    const values = new Map<unknown, number[]>();
    instances.forEach(({ name, parameters }, number) => {
      if (!names.includes(name)) return;
      const value = each === undefined ? 'all' : parameters[each];
      values.set(value, [...(values.get(value) ?? []), number]);
    });
    for (const members of values.values()) {
      groups.push({ kind: weak === undefined ? 'strong' : 'weak', members });
    }
  }
  return groups;
}

/** A leads-to as a question on the space. */
export function leadsToGraph<State>(
  space: OracleSpace,
  model: Model<State>,
  property: Eventually<State>,
  parameters: Parameters,
): ExplicitGraph {
  const states = space.texts.map((text) => JSON.parse(text) as State);
  return {
    states: states.length,
    initial: space.initialCount,
    fairness: Object.values(model.actions).flatMap((action) =>
      (action.parameters ?? [{}]).map(() => action.fairness ?? 'none'),
    ),
    groups: groupsOf(model),
    edges: space.transitions.map(({ from, instance, to }) => ({ from, action: instance, to })),
    trigger: states.map(
      (state, number) => property.trigger?.(state, parameters) ?? number < space.initialCount,
    ),
    goal: states.map((state) => property.goal(state, parameters)),
  };
}

function safety(triggered: number, lengths: readonly number[]): OracleVerdict {
  if (lengths.length > 0) return { verdict: 'violated', triggered, length: Math.min(...lengths) };
  return { verdict: triggered === 0 ? 'vacuous' : 'holds', triggered, length: null };
}

function numbersWhere<State>(
  states: readonly State[],
  holds: (state: State, number: number) => boolean,
): readonly number[] {
  return states.flatMap((state, number) => (holds(state, number) ? [number] : []));
}

/** Copies with sorted keys and no shared parts. */
export function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}
