import type { ActionInstance, Parameters } from '../checker/index.ts';
import type { Cluster } from '../model/index.ts';
import type { Explorer } from './explorer.ts';

/** Where somebody stands in a run of the model. */
export interface Session {
  /** The initial state first; never empty. */
  readonly states: readonly Cluster[];
  /** One fewer than states. */
  readonly actions: readonly ActionInstance[];
  /** That the run so far is what a search has found. */
  readonly found: Found | null;
}

export interface Found {
  readonly property: string;
  readonly parameters: Parameters | null;
  /** It never ends: it stays in its last state, or comes back. */
  readonly endless: boolean;
  /** Where it comes back to: the index of a step. */
  readonly loopStart: number | null;
}

export function startOf({ initial }: Pick<Explorer, 'initial'>): Session {
  return { states: [initial], actions: [], found: null };
}

export function hereIn({ states }: Session): Cluster {
  return states.at(-1)!;
}
