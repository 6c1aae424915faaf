import { expect } from 'vitest';
import {
  type CheckOptions,
  type CheckResult,
  check,
  type Model,
  type Property,
} from '../../checker/index.ts';
import { formatResult } from './format-result.ts';
import { type Exported, moduleFile } from './replay-tokens.ts';

/**
 * Matchers for models in vitest: `import 'reapcheck/vitest'` in a test or a set-up file. A failure
 * prints the result with the traces, as the command line does.
 */

/** How far to search. */
export interface SearchLimits<State>
  extends Omit<CheckOptions<State>, 'model' | 'properties' | 'interrupted'> {
  /** Ends the search: pass the `signal` of the test, which aborts when the test times out. */
  readonly signal?: AbortSignal;
}

/** How far to search, and where the model is. */
export interface HoldOptions<State>
  extends SearchLimits<State>,
    Partial<Pick<Exported<State>, 'module'>> {}

interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

async function checked<State>(
  model: Model<State>,
  properties: readonly Property<State>[],
  { signal, ...options }: SearchLimits<State> = {},
): Promise<CheckResult> {
  const interrupted = signal === undefined ? {} : { interrupted: () => signal.aborted };
  return check({ ...options, ...interrupted, model, properties });
}

function told<State>(
  pass: boolean,
  expected: string,
  result: CheckResult,
  exported?: Exported<State>,
): Matched {
  const options = exported === undefined ? {} : { exported };
  return { pass, message: () => `expected ${expected}\n\n${formatResult(result, options)}` };
}

/** An open question fails a test whichever way it is asked. */
const OPEN = 'an answer';

/** Nothing is proved unless the search came to its end. */
function isFinished({ outcome }: CheckResult): boolean {
  return outcome === 'complete';
}

expect.extend({
  async toHold<State>(
    model: Model<State>,
    properties: readonly Property<State>[],
    { module, ...limits }: HoldOptions<State> = {},
  ): Promise<Matched> {
    const exported =
      module === undefined ? undefined : { module: moduleFile(module), model, properties };
    const result = await checked(model, properties, limits);
    const pass =
      isFinished(result) && result.properties.every(({ verdict }) => verdict === 'holds');
    const fails = result.properties.some(
      ({ verdict }) => verdict === 'violated' || verdict === 'vacuous',
    );
    if (this.isNot && !pass && !fails) return told(true, OPEN, result, exported);
    const expected = pass ? 'some property not to hold' : 'every property to hold';
    return told(pass, expected, result, exported);
  },

  async toReach<State>(
    model: Model<State>,
    reached: (state: State) => boolean,
    limits?: SearchLimits<State>,
  ): Promise<Matched> {
    const witness = { kind: 'witness', name: 'the state is reached', reached } as const;
    const result = await checked(model, [witness], limits);
    const [property] = result.properties;
    const pass = property?.verdict === 'holds';
    if (this.isNot && property?.verdict === 'inconclusive') return told(true, OPEN, result);
    return told(pass, pass ? 'no such state to be reached' : 'such a state to be reached', result);
  },

  async toHaveStates<State>(
    model: Model<State>,
    states: number,
    limits?: SearchLimits<State>,
  ): Promise<Matched> {
    const always = {
      kind: 'invariant',
      name: 'the states are counted',
      holds: () => true,
    } as const;
    const result = await checked(model, [always], limits);
    const found = result.statistics.states;
    const pass = isFinished(result) && found === states;
    const isMore = result.outcome === 'limited' && found > states;
    if (this.isNot && !isFinished(result) && !isMore) return told(true, OPEN, result);
    const count = isFinished(result) ? `${found}` : `more than ${found}`;
    return told(pass, `${pass ? 'not ' : ''}${states} states, found ${count}`, result);
  },
});

declare module 'vitest' {
  // The parameter has to be called as vitest calls it.
  // biome-ignore lint/suspicious/noExplicitAny: so is the default of vitest.
  interface Matchers<T = any> {
    /**
     * Every property holds. `violated`, `vacuous` and `inconclusive` fail.
     * @example await expect(model).toHold(properties, { signal, module: 'models/plane.ts' })
     */
    toHold: T extends Model<infer State>
      ? (properties: readonly Property<State>[], options?: HoldOptions<State>) => Promise<void>
      : never;
    /**
     * Some reachable state satisfies the predicate.
     * @example await expect(model).toReach((state) => state.count === 3)
     */
    toReach: T extends Model<infer State>
      ? (reached: (state: State) => boolean, limits?: SearchLimits<State>) => Promise<void>
      : never;
    /**
     * The model has this many reachable states.
     * @example await expect(model).toHaveStates(288)
     */
    toHaveStates: T extends Model<infer State>
      ? (states: number, limits?: SearchLimits<State>) => Promise<void>
      : never;
  }
}
