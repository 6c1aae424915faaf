import type { ActionInstance, Parameters } from '../../checker/index.ts';
import type { Cluster } from '../../model/state.ts';
import { successor } from '../execution.ts';
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
  readonly loopStart: number | null;
}

export function startOf({ initial }: Pick<Explorer, 'initial'>): Session {
  return { states: [initial], actions: [], found: null };
}

export function hereIn({ states }: Session): Cluster {
  return states.at(-1)!;
}

/** The session after these steps. Throws if one of them cannot be taken. */
export function withActions(
  { model }: Explorer,
  session: Session,
  actions: readonly ActionInstance[],
): Session {
  const states = [...session.states];
  for (const action of actions) {
    const after = successor(model, action, states.at(-1)!);
    if (after === null) throw new Error(`${action.name} of a run that was found is not possible`);
    states.push(after);
  }
  return { states, actions: [...session.actions, ...actions], found: null };
}
