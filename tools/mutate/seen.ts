import { createHash } from 'node:crypto';
import { check, type Limits, type Property } from '../../checker/index.ts';
import type { Cluster, Setup } from '../../model/index.ts';
import { modelOf } from '../../run/assemble.ts';

/** Null: a limit was hit, or the model has a defect. */
export interface Seen {
  readonly graph: string | null;
  /** The limit was that of the memory. */
  readonly isFull: boolean;
}

/**
 * A digest of what users can see of a model: the graph of the stored objects, of the answers that
 * clients get and of what is outside the cluster. Two models with equal digests differ only inside
 * the components.
 */
export async function seenGraph(setup: Setup, limits: Limits): Promise<Seen> {
  const edges = new Set<string>();
  const seenOf = (cluster: Cluster): string => {
    const { store, users, surprises, unearned } = cluster;
    // A model refuses reads of parts that it does not have.
    const outside = 'outside' in cluster ? cluster.outside : null;
    return JSON.stringify([store, users, surprises, unearned, outside]);
  };
  const recorder: Property<Cluster> = {
    kind: 'step',
    name: 'records what users see',
    holds: (before, _action, after) => {
      const [from, to] = [seenOf(before), seenOf(after)];
      if (from !== to) edges.add(digest(`${from} ${to}`));
      return true;
    },
  };
  const result = await check<Cluster>({
    model: modelOf(setup),
    properties: [recorder],
    limits,
    reductions: [],
  });
  const isComplete = result.outcome === 'complete';
  return {
    graph: isComplete ? digest([...edges].sort().join()) : null,
    isFull: result.limit?.kind === 'memory',
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
