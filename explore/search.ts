import type { Limits, ProgressEvent, PropertyResult, Trace } from '../checker/index.ts';
import { searchOn } from '../run/extend.ts';
import type { Explorer } from './explorer.ts';
import type { Goal } from './goals.ts';
import type { Found, Session } from './position.ts';

/** The result of a search from the current state. */
export type SearchOutcome =
  | {
      readonly found: true;
      /** The run so far, continued to the goal. */
      readonly session: Session;
      readonly broken: readonly string[];
      readonly states: number;
    }
  | {
      readonly found: false;
      readonly states: number;
      /**
       * Why the answer is unknown: a limit, an interruption or a defect. Null: the goal is
       * unreachable.
       */
      readonly limit: string | null;
      /** Whether nothing triggered the property. */
      readonly vacuous: boolean;
    };

export interface SearchLimits {
  readonly limits: Limits;
  readonly interrupted: () => boolean;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** Searches breadth first, so that the run it finds is a shortest one. */
export async function search(
  { model, words, advice, within }: Explorer,
  session: Session,
  goal: Goal,
  limits: SearchLimits,
): Promise<SearchOutcome> {
  const question = {
    ...{ model, properties: [goal.property], describe: words },
    ...(within === null ? {} : { within }),
  };
  const options = {
    ...limits,
    advice,
    engine: 'tracked',
    auditEvery: 0,
    stopWhenDecided: true,
  } as const;
  const { properties, statistics } = await searchOn(question, session, options);
  const { states } = statistics;
  const result = properties[0]!;
  const { trace, verdict, reason, broken } = result;
  if (trace === null) {
    const limit = verdict === 'inconclusive' ? (reason ?? 'The search ended early.') : null;
    return { found: false, states, limit, vacuous: verdict === 'vacuous' };
  }
  const steps = goal.stopsBefore ? trace.steps.slice(0, -1) : trace.steps;
  const reached: Session = {
    states: [session.states[0]!, ...steps.map(({ state }) => state)],
    actions: steps.map(({ action, parameters }) => ({ name: action, parameters })),
    found: goal.judged ? foundBy(result, trace) : null,
  };
  return { found: true, session: reached, broken, states };
}

function foundBy({ name, parameters }: PropertyResult, { shape, loopStart }: Trace): Found {
  return { property: name, parameters, endless: shape !== 'path', loopStart };
}
