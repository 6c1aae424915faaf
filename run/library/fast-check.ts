import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  type ActionNameOf,
  type ActionOf,
  type AnyModel,
  apply,
  enabled,
  type Model,
  type Parameters,
  type Path,
  type StateOf,
} from '../../checker/index.ts';

/*
 * Tests of a real implementation against a model, with fast-check: random runs that are shrunk to a
 * short one, and given paths, such as tours through all transitions. The implementation must be
 * deterministic, and take only steps that the test asks for.
 */

/** How a test drives the implementation. `Seen` is what model and implementation have in common. */
export interface Driver<M extends AnyModel, Real, Seen> {
  /**
   * Asks the implementation for a step. The answer is whether it did it; `false` means that it
   * refused. An action that is left out here is never asked for.
   */
  readonly actions: {
    readonly [Name in ActionNameOf<M>]?: (
      real: Real,
      parameters: ActionOf<M, Name>['parameters'],
    ) => boolean | Promise<boolean>;
  };
  /** What can be seen of the implementation after a step: plain data. */
  readonly observe: (real: Real) => Seen | Promise<Seen>;
  /** What must be seen in a state of the model. */
  readonly expected: (state: StateOf<M>) => Seen;
}

/** What is generated. */
export interface RunOptions {
  /** Also ask for steps that the model does not allow, which must be refused [true]. */
  readonly refusals?: boolean;
  /** The most steps of a run [30]. */
  readonly steps?: number;
  /** The `replayPath` that a failure has printed. */
  readonly replayPath?: string;
}

/** The model's side of a run, as fast-check passes it from command to command. */
export interface ModelSide<State> {
  state: State;
}

/**
 * A property of fast-check: whatever is asked of a fresh implementation, it does what the model
 * allows, refuses what the model does not, and shows what the model shows. A failure prints the
 * shortest run that was found and says what differs.
 *
 * @example await fc.assert(conforms(model, driver, () => new LockService()))
 */
export function conforms<M extends AnyModel, Real extends object, Seen>(
  model: M,
  driver: Driver<M, Real, Seen>,
  create: () => Real | Promise<Real>,
  options: RunOptions = {},
): fc.IAsyncProperty<[number, Iterable<fc.AsyncCommand<ModelSide<StateOf<M>>, Real>>]> {
  const initial = fc.nat(model.initial.length - 1);
  return fc.asyncProperty(initial, commandsOf(model, driver, options), async (index, commands) => {
    const start: StateOf<M> = model.initial[index];
    const setup = async () => ({ model: { state: start }, real: await create() });
    await fc.asyncModelRun(setup, commands);
  });
}

/** Commands for `fc.asyncModelRun`, if a test needs more than `conforms`. */
export function commandsOf<M extends AnyModel, Real extends object, Seen>(
  model: M,
  driver: Driver<M, Real, Seen>,
  { refusals = true, steps = 30, replayPath }: RunOptions = {},
): fc.Arbitrary<Iterable<fc.AsyncCommand<ModelSide<StateOf<M>>, Real>>> {
  const arbitraries = Object.entries(model.actions).flatMap(([name, { parameters }]) => {
    if (driverOf(driver, name) === undefined) return [];
    const choices: readonly Parameters[] = parameters ?? [{}];
    const commands = choices.map((choice) => commandOf(model, driver, name, choice, refusals));
    return [fc.constantFrom(...commands)];
  });
  return fc.commands(arbitraries, {
    maxCommands: steps,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  });
}

/**
 * Takes a path of the model on a fresh implementation, which must start as the path does. Throws if
 * the implementation refuses a step or shows something else: a test case for each of
 * `paths(model, { cover: 'transitions' })`.
 */
export async function followPath<M extends AnyModel, Real extends object, Seen>(
  model: M,
  driver: Driver<M, Real, Seen>,
  path: Path<StateOf<M>>,
  real: Real,
): Promise<void> {
  let { initial: state } = path;
  for (const { action } of path.steps) {
    if (driverOf(driver, action.name) === undefined) {
      throw new Error(`the driver has no action ${action.name}, which is on the path`);
    }
    state = await stepped(model, driver, action.name, action.parameters, state, real);
  }
}

function commandOf<M extends AnyModel, Real extends object, Seen>(
  model: M,
  driver: Driver<M, Real, Seen>,
  name: string,
  parameters: Parameters,
  refusals: boolean,
): fc.AsyncCommand<ModelSide<StateOf<M>>, Real> {
  return {
    check: ({ state }) => refusals || isEnabled(model, state, name, parameters),
    async run(side, real) {
      side.state = await stepped(model, driver, name, parameters, side.state, real);
    },
    toString: () => stepText(name, parameters),
  };
}

/** Asks both sides for a step, and compares them. Returns the state of the model after it. */
async function stepped<M extends AnyModel, Real, Seen>(
  model: M,
  driver: Driver<M, Real, Seen>,
  name: string,
  parameters: Parameters,
  state: StateOf<M>,
  real: Real,
): Promise<StateOf<M>> {
  const isAllowed = isEnabled(model, state, name, parameters);
  const after = isAllowed ? apply(plain(model), state, { name, parameters }) : state;
  const isDone = await driverOf(driver, name)!(real, parameters);
  const step = stepText(name, parameters);
  if (isDone !== isAllowed) {
    const [did, must] = isDone ? ['did', 'refuse'] : ['refused', 'do'];
    throw new Error(`the implementation ${did} ${step}; by the model it must ${must} it`);
  }
  const seen = await driver.observe(real);
  const expected = driver.expected(after);
  if (isDeepStrictEqual(seen, expected)) return after;
  const asked = isAllowed ? step : `the refusal of ${step}`;
  throw new Error(
    `after ${asked} the implementation shows ${JSON.stringify(seen)}; by the model it must show ` +
      `${JSON.stringify(expected)}`,
  );
}

function isEnabled<M extends AnyModel>(
  model: M,
  state: StateOf<M>,
  name: string,
  parameters: Parameters,
): boolean {
  return enabled(plain(model), state).some(
    (action) =>
      action.name === name && isDeepStrictEqual({ ...action.parameters }, { ...parameters }),
  );
}

type Asked<Real> = (real: Real, parameters: Parameters) => boolean | Promise<boolean>;

function driverOf<M extends AnyModel, Real, Seen>(
  { actions }: Driver<M, Real, Seen>,
  name: string,
): Asked<Real> | undefined {
  return (actions as Readonly<Record<string, Asked<Real> | undefined>>)[name];
}

/** A model that was defined is one of the engine; its type only says more. */
function plain<M extends AnyModel>(model: M): Model<StateOf<M>> {
  const same: unknown = model;
  return same as Model<StateOf<M>>;
}

function stepText(name: string, parameters: Parameters): string {
  const list = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return list.length === 0 ? name : `${name}(${list.join(', ')})`;
}
