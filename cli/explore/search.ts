import {
  type ActionInstance,
  check,
  type Limits,
  type ProgressEvent,
} from '../../checker/index.ts';
import type { Cluster } from '../../model/state.ts';
import type { Explorer } from './explorer.ts';
import type { Goal } from './goals.ts';

/** What a search from a state on came to. */
export type SearchOutcome =
  | {
      readonly found: true;
      readonly actions: readonly ActionInstance[];
      /** Of an endless run: where it comes back to; null if it stays in its last state. */
      readonly loopStart: number | null;
      readonly endless: boolean;
      readonly broken: readonly string[];
      readonly parameters: Readonly<Record<string, string | number | boolean>> | null;
      readonly states: number;
    }
  | {
      readonly found: false;
      readonly states: number;
      /** Why it is not known: a limit, an interruption or a defect. Null: there is nothing to find. */
      readonly limit: string | null;
      /** Nothing has triggered the property. */
      readonly vacuous: boolean;
    };

export interface SearchLimits {
  readonly limits: Limits;
  readonly interrupted: () => boolean;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** Searches breadth first, so that what it finds is a shortest way. */
export async function search(
  { model, words }: Explorer,
  from: Cluster,
  { property, judged }: Goal,
  { limits, interrupted, onProgress }: SearchLimits,
): Promise<SearchOutcome> {
  const result = await check({
    model: { ...model, initial: [from] },
    properties: [property],
    // What is asked for by name must not be taken for something else that looks like it.
    symmetry: judged,
    stopWhenDecided: true,
    limits,
    interrupted,
    onProgress,
    describe: words,
  });
  const { states } = result.statistics;
  const [found] = result.properties;
  const { trace } = found ?? { trace: null };
  if (found === undefined || trace === null) {
    const isKnown = found?.verdict !== 'inconclusive';
    const limit = isKnown ? null : (found?.reason ?? 'the search ended early');
    return { found: false, states, limit, vacuous: found?.verdict === 'vacuous' };
  }
  return {
    found: true,
    actions: trace.steps.map(({ action, parameters }) => ({ name: action, parameters })),
    loopStart: trace.loopStart,
    endless: trace.shape !== 'path',
    broken: found.broken,
    parameters: found.parameters,
    states,
  };
}
