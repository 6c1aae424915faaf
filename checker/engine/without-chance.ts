import { NondeterminismError } from '../errors.ts';

/**
 * Runs user code while the clock and random numbers throw `NondeterminismError`. Two runs in a row may
 * well get the same answer from them: within a millisecond, or by chance.
 */
export function withoutChance<Result>(run: () => Result): Result {
  const { random } = Math;
  const clock = globalThis.Date;
  Math.random = () => refuse('Math.random');
  globalThis.Date = stopped(clock);
  try {
    return run();
  } finally {
    Math.random = random;
    globalThis.Date = clock;
  }
}

const stoppedClocks = new WeakMap<DateConstructor, DateConstructor>();

/** `Date`, but for the time of now. */
function stopped(clock: DateConstructor): DateConstructor {
  const known = stoppedClocks.get(clock);
  if (known !== undefined) return known;
  const made = new Proxy(clock, {
    get: (target, key) =>
      key === 'now' ? () => refuse('Date.now') : (Reflect.get(target, key) as unknown),
    apply: () => refuse('Date'),
    construct(target, given, of) {
      if (given.length === 0) refuse('new Date');
      return Reflect.construct(target, given, of) as object;
    },
  });
  stoppedClocks.set(clock, made);
  return made;
}

function refuse(what: string): never {
  throw new NondeterminismError(
    `it calls ${what}, which gives another answer each time; it must depend on its arguments only`,
  );
}
