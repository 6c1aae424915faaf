import type { Edge, ExplicitGraph } from './explicit-graph.ts';

/**
 * The length of the shortest prefix of a counterexample, or null if there is none. It follows the
 * definition and is for tiny graphs: an infinite run either stutters in one state from some point
 * on, or the edges that it takes infinitely often connect their states strongly. Every such set of
 * edges is tried.
 */
export function shortestPrefixByDefinition(graph: ExplicitGraph): number | null {
  const distance = pendingDistances(graph);
  const inner = graph.edges.filter(({ from, to }) => !graph.goal[from] && !graph.goal[to]);
  const remaining: number[] = [];
  for (let subset = 1; subset < 2 ** inner.length; subset++) {
    const edges = inner.filter((_, position) => (subset & (1 << position)) !== 0);
    const states = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
    const isConnected = states.every((state) => reachable(state, edges).size === states.length);
    if (isConnected && isFair(graph, states, edges)) remaining.push(...states);
  }
  return smallest([...remaining, ...stuttering(graph)].map((state) => distance[state]!));
}

/** The same for graphs of some hundred states: removes what makes a component unfair. */
export function shortestPrefixByRemoval(graph: ExplicitGraph): number | null {
  const distance = pendingDistances(graph);
  const inside = Array.from({ length: graph.states }, (_, state) => state).filter(
    (state) => distance[state] !== Number.POSITIVE_INFINITY,
  );
  const remaining = [...recurring(graph, inside), ...stuttering(graph)];
  return smallest(remaining.map((state) => distance[state]!));
}

/**
 * The same for goals that must stay true: the length of the shortest run to a state without the
 * goal to which a fair run can return for ever, after a trigger. Tries every set of edges.
 */
export function shortestForeverByDefinition(graph: ExplicitGraph): number | null {
  const remaining: number[] = [];
  for (let subset = 1; subset < 2 ** graph.edges.length; subset++) {
    const edges = graph.edges.filter((_, position) => (subset & (1 << position)) !== 0);
    const states = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
    const lacking = states.filter((state) => !graph.goal[state]);
    if (lacking.length === 0) continue;
    const isConnected = states.every((state) => reachable(state, edges).size === states.length);
    if (isConnected && isFair(graph, states, edges)) remaining.push(...lacking);
  }
  const distance = triggeredDistances(graph);
  return smallest([...remaining, ...stuttering(graph)].map((state) => distance[state]!));
}

/** The same for graphs of some hundred states. */
export function shortestForeverByRemoval(graph: ExplicitGraph): number | null {
  const distance = triggeredDistances(graph);
  const inside = Array.from({ length: graph.states }, (_, state) => state).filter(
    (state) => distance[state] !== Number.POSITIVE_INFINITY,
  );
  const lacking = recurring(graph, inside).filter((state) => !graph.goal[state]);
  return smallest([...lacking, ...stuttering(graph)].map((state) => distance[state]!));
}

/** By state: the length of the shortest run that ends there and has met the trigger. */
function triggeredDistances(graph: ExplicitGraph): readonly number[] {
  return pendingDistances({ ...graph, goal: graph.goal.map(() => false) });
}

/**
 * Whether a run is fair that visits exactly these states and takes exactly these edges for ever.
 */
export function isFair(
  graph: ExplicitGraph,
  states: readonly number[],
  edges: readonly Edge[],
): boolean {
  return promises(graph).every(({ kind, members }) => {
    const enabledIn = states.filter((state) => isEnabled(graph, members, state));
    const isTaken = edges.some((edge) => members.includes(edge.action));
    if (kind === 'weak') return isTaken || enabledIn.length < states.length;
    if (kind === 'strong') return isTaken || enabledIn.length === 0;
    return true;
  });
}

/** To each action, and to each group. */
function promises({ fairness, groups = [] }: ExplicitGraph) {
  return [...fairness.map((kind, action) => ({ kind, members: [action] })), ...groups];
}

/** Whether one of the actions is. */
function isEnabled(graph: ExplicitGraph, actions: readonly number[], state: number): boolean {
  return graph.edges.some((edge) => edge.from === state && actions.includes(edge.action));
}

function stuttering(graph: ExplicitGraph): readonly number[] {
  return Array.from({ length: graph.states }, (_, state) => state).filter(
    (state) => !graph.goal[state] && isFair(graph, [state], []),
  );
}

function recurring(graph: ExplicitGraph, states: readonly number[]): readonly number[] {
  const edges = graph.edges.filter(({ from, to }) => states.includes(from) && states.includes(to));
  const reach = new Map(states.map((state) => [state, reachable(state, edges)]));
  const found: number[] = [];
  for (const leader of states) {
    const group = states.filter(
      (state) => reach.get(leader)!.has(state) && reach.get(state)!.has(leader),
    );
    if (group[0] !== leader || group.length === 1) continue;
    const inner = edges.filter(({ from, to }) => group.includes(from) && group.includes(to));
    if (isFair(graph, group, inner)) {
      found.push(...group);
      continue;
    }
    const untaken = promises(graph).filter(
      ({ kind, members }) =>
        kind === 'strong' && !inner.some((edge) => members.includes(edge.action)),
    );
    const rest = group.filter(
      (state) => !untaken.some(({ members }) => isEnabled(graph, members, state)),
    );
    if (rest.length < group.length) found.push(...recurring(graph, rest));
  }
  return found;
}

export function reachable(start: number, edges: readonly Edge[]): ReadonlySet<number> {
  const reached = new Set([start]);
  for (const state of reached) {
    for (const { from, to } of edges) if (from === state) reached.add(to);
  }
  return reached;
}

/** By state: the length of the shortest run that ends there with the goal pending. */
function pendingDistances(graph: ExplicitGraph): readonly number[] {
  const owes = (state: number, owed: boolean) =>
    !graph.goal[state] && (owed || graph.trigger[state]!);
  const distance = new Map<string, number>();
  for (let state = 0; state < graph.initial; state++) {
    distance.set(`${state} ${owes(state, false)}`, 0);
  }
  for (const [pair, length] of distance) {
    const [state, owed] = pair.split(' ');
    for (const { from, to } of graph.edges) {
      if (String(from) !== state) continue;
      const next = `${to} ${owes(to, owed === 'true')}`;
      if (!distance.has(next)) distance.set(next, length + 1);
    }
  }
  return Array.from(
    { length: graph.states },
    (_, state) => distance.get(`${state} true`) ?? Number.POSITIVE_INFINITY,
  );
}

function smallest(lengths: readonly number[]): number | null {
  const length = Math.min(...lengths);
  return length === Number.POSITIVE_INFINITY ? null : length;
}
