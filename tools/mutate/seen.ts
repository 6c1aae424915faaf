import { createHash } from 'node:crypto';
import { check, type Property } from '../../checker/index.ts';
import type { Cluster, Setup } from '../../model/index.ts';
import { modelOf } from '../../run/assemble.ts';

/**
 * A digest of what users can see of a model: the graph of the stored objects, of the answers that
 * clients get and of what is outside the cluster. Two models with equal digests differ only inside
 * the components. Null: a limit was hit, or the model has a defect.
 *
 * @param states limit of the search.
 */
export async function seenGraph(setup: Setup, states: number): Promise<string | null> {
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
    limits: { states },
    reductions: [],
  });
  if (result.outcome !== 'complete') return null;
  return digest([...edges].sort().join());
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
