import { check } from '../check.ts';
import { CheckerError, DefectError } from '../errors.ts';
import type { Model } from '../model.ts';
import { canonicalText } from '../values/canonical.ts';
import { checkedState, type Step, successors } from './steps.ts';

/** A run of a model: test cases are made of these. */
export interface Path<State> {
  readonly initial: State;
  readonly steps: readonly Step<State>[];
}

/**
 * A shortest run to a state in which `to` is true; null if there is none. Throws `DefectError` if a
 * reducer fails, and `CheckerError` with the code `tooLarge` if the search ran out of memory.
 */
export async function shortestPath<State>(
  model: Model<State>,
  to: (state: State) => boolean,
): Promise<Path<State> | null> {
  const name = 'the state is reached';
  const result = await check({ model, properties: [{ kind: 'witness', name, reached: to }] });
  if (result.defect !== null) throw new DefectError(result.defect);
  const [property] = result.properties;
  if (property?.verdict === 'inconclusive') {
    throw new CheckerError('tooLarge', `no path was found in ${result.statistics.states} states`);
  }
  const trace = property?.trace ?? null;
  if (trace === null) return null;
  return {
    initial: trace.initial as State,
    steps: trace.steps.map(({ action, parameters, state }) => ({
      action: { name: action, parameters },
      state: state as State,
    })),
  };
}

/** What a set of paths has to contain. */
export interface Cover {
  /** `states`: every reachable state is on some path. `transitions`: every step is. */
  readonly cover: 'states' | 'transitions';
  /** The most states that are explored [10,000]. */
  readonly states?: number;
}

const MOST_STATES = 10_000;

interface Edge<State> {
  readonly step: Step<State>;
  readonly target: Node<State>;
}

/** A node of the breadth-first tree, with all steps that leave it. */
interface Node<State> {
  readonly state: State;
  /** Null for an initial state. */
  readonly parent: { readonly node: Node<State>; readonly step: Step<State> } | null;
  readonly steps: Edge<State>[];
  /** Whether it is the parent of another node. */
  isInner: boolean;
}

/**
 * Paths that together contain every reachable state or every step, each begun in an initial state.
 * For `transitions`, a path goes on as long as it can reach new steps, so there are few paths.
 * Throws `CheckerError` with the code `tooLarge` if there are more states than allowed; else as
 * `successors` does.
 */
export function paths<State>(model: Model<State>, options: Cover): readonly Path<State>[] {
  const nodes = explored(model, options.states ?? MOST_STATES);
  switch (options.cover) {
    case 'states':
      return nodes.filter(({ isInner }) => !isInner).map((node) => pathTo(node));
    case 'transitions':
      return tours(nodes);
    default:
      throw new Error(`unknown cover ${options.cover satisfies never}`);
  }
}

function explored<State>(model: Model<State>, most: number): readonly Node<State>[] {
  const nodes: Node<State>[] = [];
  const known = new Map<string, Node<State>>();
  const nodeOf = (state: State, parent: Node<State>['parent']): Node<State> => {
    const text = canonicalText(state);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (nodes.length >= most) {
      throw new CheckerError('tooLarge', `the model has more than ${most} states`);
    }
    const node: Node<State> = { state, parent, steps: [], isInner: false };
    if (parent !== null) parent.node.isInner = true;
    known.set(text, node);
    nodes.push(node);
    return node;
  };
  for (const state of model.initial) nodeOf(checkedState(model, state), null);
  // The list grows while it is read: breadth-first.
  for (const node of nodes) {
    for (const step of successors(model, node.state)) {
      node.steps.push({ step, target: nodeOf(step.state, { node, step }) });
    }
  }
  return nodes;
}

function pathTo<State>(node: Node<State>): Path<State> {
  const steps: Step<State>[] = [];
  let current = node;
  for (; current.parent !== null; current = current.parent.node) steps.unshift(current.parent.step);
  return { initial: current.state, steps };
}

/** New steps while there are any, then the shortest way to the next state with one, and so on. */
function tours<State>(nodes: readonly Node<State>[]): readonly Path<State>[] {
  const covered = new Set<Step<State>>();
  const isNew = ({ step }: Edge<State>): boolean => !covered.has(step);
  const found: Path<State>[] = [];
  for (const start of nodes.filter(({ parent }) => parent === null)) {
    for (;;) {
      const steps: Step<State>[] = [];
      let here = start;
      for (;;) {
        const way = wayToNew(here, isNew);
        if (way === null) break;
        for (const { step, target } of way) {
          covered.add(step);
          steps.push(step);
          here = target;
        }
      }
      if (steps.length === 0) break;
      found.push({ initial: start.state, steps });
    }
  }
  return found;
}

/** The shortest way on from a node that ends with a new step; null if there is none. */
function wayToNew<State>(
  start: Node<State>,
  isNew: (edge: Edge<State>) => boolean,
): readonly Edge<State>[] | null {
  const before = new Map<Node<State>, { node: Node<State>; edge: Edge<State> } | null>();
  before.set(start, null);
  for (const node of before.keys()) {
    const edge = node.steps.find(isNew);
    if (edge !== undefined) {
      const way = [edge];
      for (let at = before.get(node); at; at = before.get(at.node)) way.unshift(at.edge);
      return way;
    }
    for (const next of node.steps) {
      if (!before.has(next.target)) before.set(next.target, { node, edge: next });
    }
  }
  return null;
}
