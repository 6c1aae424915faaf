import type { FairStates } from '../liveness/fairness.ts';
import type { StateGraph } from '../liveness/graph.ts';
import { transitionBuffer } from '../liveness/graph.ts';
import { fairClosedWalk } from '../liveness/lasso.ts';
import type { LeadsTo } from '../liveness/leads-to.ts';
import type { Obligations } from '../liveness/obligations.ts';
import type { TransitionStep } from '../liveness/prefix.ts';
import type { Resumable } from '../liveness/resumable.ts';

/** How many ends are examined, and for how many of them a loop is computed. */
const MOST_ENDS = 200;
const MOST_LOOPS = 30;

/** A run after which the goal may be missing for ever: its prefix, and the loop if there is one. */
export interface EndlessRun {
  readonly initial: number;
  readonly prefix: readonly TransitionStep[];
  readonly cycle: readonly TransitionStep[];
}

export interface EndlessRuns {
  readonly runs: readonly EndlessRun[];
  readonly complete: boolean;
}

interface Node {
  readonly state: number;
  readonly pending: boolean;
  readonly action: number;
  readonly parent: Node | null;
}

/** Finds a shortest run to each state in which a fair run can remain with the goal pending. */
export function* endlessRuns(
  graph: StateGraph,
  obligations: Obligations,
  { trigger, goal }: LeadsTo,
  fair: FairStates,
): Resumable<EndlessRuns> {
  const seen = new Set<number>();
  const queue: Node[] = [];
  const ends: Node[] = [];
  const discover = (state: number, was: boolean, action: number, parent: Node | null) => {
    const pending = !goal(state) && (was || trigger(state));
    const key = 2 * state + (pending ? 1 : 0);
    if (seen.has(key)) return;
    seen.add(key);
    const node = { state, pending, action, parent };
    queue.push(node);
    const remains = fair.stuttering.has(state) || fair.recurring.has(state);
    if (pending && remains) ends.push(node);
  };
  for (let state = 0; state < graph.initialCount; state++) discover(state, false, -1, null);
  const buffer = transitionBuffer(graph);
  for (let head = 0; head < queue.length && ends.length < MOST_ENDS; head++) {
    if (head % 64 === 0) yield head;
    const node = queue[head]!;
    const count = graph.successors(node.state, buffer);
    const steps = Array.from({ length: count }, (_, index) => ({
      action: buffer.actions[index]!,
      target: buffer.targets[index]!,
    }));
    for (const { action, target } of steps) discover(target, node.pending, action, node);
  }
  const runs: EndlessRun[] = [];
  let loops = 0;
  for (const end of ends) {
    yield runs.length;
    const stutters = fair.stuttering.has(end.state);
    if (!stutters && ++loops > MOST_LOOPS) continue;
    const cycle = stutters ? [] : yield* fairClosedWalk(graph, obligations, fair, end.state);
    runs.push({ ...prefixTo(end), cycle });
  }
  return { runs, complete: ends.length < MOST_ENDS && loops <= MOST_LOOPS };
}

function prefixTo(end: Node): Pick<EndlessRun, 'initial' | 'prefix'> {
  const prefix: TransitionStep[] = [];
  let node = end;
  for (; node.parent !== null; node = node.parent)
    prefix.push({ action: node.action, state: node.state });
  return { initial: node.state, prefix: prefix.reverse() };
}
