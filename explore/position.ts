import type { ActionInstance, Parameters } from '../checker/index.ts';
import { type Explorer, initialOf } from './explorer.ts';

/** The current position: a run of the model so far. */
export interface Session {
  /** The initial state first; never empty. */
  readonly states: readonly unknown[];
  /** One fewer than states. */
  readonly actions: readonly ActionInstance[];
  /** What a search found, if the run ends there. */
  readonly found: Found | null;
}

export interface Found {
  readonly property: string;
  readonly parameters: Parameters | null;
  /** Whether the run is endless: it stays in its last state, or loops. */
  readonly endless: boolean;
  /** The index of the step that a loop begins with. */
  readonly loopStart: number | null;
}

export function startOf(explorer: Pick<Explorer, 'model'>): Session {
  return { states: [initialOf(explorer, 0)], actions: [], found: null };
}

export function hereIn({ states }: Session): unknown {
  return states.at(-1)!;
}
