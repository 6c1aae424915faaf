import type { Answer, Call, Cluster, World } from '../../../model/index.ts';
import { compare, type Difference } from '../compare.ts';
import { errorOf, type RequestStep, runStep } from './run-request.ts';

/** A request of a branch, made when its turn comes. */
export interface BranchStep {
  call(cluster: Cluster): Call;
  /** The error that the case states; undefined if it states none. */
  readonly error: string | null | undefined;
  /** Equal for equal requests. */
  readonly label: string;
}

/** One branch: its request in flight, and its requests from there on. */
interface Branch {
  readonly call: Call | null;
  readonly steps: readonly BranchStep[];
}

export interface Ending {
  readonly cluster: Cluster;
  /** The first error of any request, in the order of answers. */
  readonly failure: Answer | null;
  /** The first answer that differs from the stated one. */
  readonly difference: Difference | null;
}

interface Situation extends Ending {
  readonly branches: readonly Branch[];
}

/** The search stops after this many situations. */
export const LIMIT = 200_000;

/**
 * Explores every interleaving of the branches, one atomic step at a time. Branches that are at the
 * same request are interchangeable, so situations are compared with their branches sorted.
 *
 * @returns the distinct ends, or null if there are more situations than the limit.
 */
export function inAllInterleavings(
  start: Cluster,
  world: World,
  branches: readonly (readonly BranchStep[])[],
): readonly Ending[] | null {
  const first: Situation = {
    cluster: start,
    failure: null,
    difference: null,
    branches: branches.map((steps) => ({ call: null, steps })),
  };
  const step = cachedStep(world);
  const seen = new Set<string>([textOf(first)]);
  const open: Situation[] = [first];
  const ends = new Map<string, Ending>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const situations = successors(step, next);
    if (situations.length === 0) ends.set(textOf(next), next);
    for (const situation of situations) {
      const text = textOf(situation);
      if (seen.has(text)) continue;
      if (seen.size >= LIMIT) return null;
      seen.add(text);
      open.push(situation);
    }
  }
  return [...ends.values()];
}

/** Equal for branches with the same request in flight and the same requests to come. */
function branchText({ call, steps }: Branch): string {
  return JSON.stringify([call, steps.map(({ label }) => label)]);
}

function textOf({ cluster, failure, difference, branches }: Situation): string {
  const { store, unchangedSince } = cluster;
  return JSON.stringify([
    store,
    unchangedSince,
    failure,
    difference,
    branches.map(branchText).sort(),
  ]);
}

type Step = (cluster: Cluster, call: Call) => RequestStep;

/** A cache of steps: the same request meets the same store in many situations. */
function cachedStep(world: World): Step {
  const known = new Map<string, RequestStep>();
  return (cluster, call) => {
    const text = JSON.stringify([cluster.store, cluster.unchangedSince, call]);
    const served = known.get(text) ?? runStep(cluster, world, call);
    known.set(text, served);
    return served;
  };
}

function successors(serve: Step, situation: Situation): readonly Situation[] {
  const taken = new Set<string>();
  return situation.branches.flatMap((branch, index) => {
    const [step, ...later] = branch.steps;
    const text = branchText(branch);
    if (step === undefined || taken.has(text)) return [];
    taken.add(text);
    const call = branch.call ?? step.call(situation.cluster);
    const { cluster, progress } = serve(situation.cluster, call);
    let { failure, difference } = situation;
    if (progress.done) {
      const error = errorOf(progress.answer);
      if (error !== null) failure ??= progress.answer;
      if (step.error !== undefined) difference ??= compare('error', step.error, error);
    }
    const next: Branch = progress.done
      ? { call: null, steps: later }
      : { call: progress.call, steps: branch.steps };
    const branches = situation.branches.map((other, at) => (at === index ? next : other));
    return [{ cluster, failure, difference, branches }];
  });
}
