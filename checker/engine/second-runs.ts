import { NondeterminismError } from '../errors.ts';
import type { Family } from '../model.ts';

/** The new views so far, by name of an action or property. */
class Views {
  private readonly counts = new Map<string, number>();
  /** Of each name, before the first view. */
  private readonly before: number;

  constructor(before: number) {
    this.before = before;
  }

  /** Counts one more, and returns how many there are now. */
  next(name: string): number {
    const views = (this.counts.get(name) ?? this.before) + 1;
    this.counts.set(name, views);
    return views;
  }
}

const viewsOfFamilies = new WeakMap<Family, Views>();

export function viewsOf(family: Family | undefined): Views {
  const known = family && viewsOfFamilies.get(family);
  if (known !== undefined) return known;
  const views = new Views(family?.knownViews ?? 0);
  if (family !== undefined) viewsOfFamilies.set(family, views);
  return views;
}

/**
 * Up to each of these numbers of new views of an action or property, one in so many is run twice.
 */
const SECOND_RUNS: readonly (readonly [views: number, every: number])[] = [
  [64, 1],
  [512, 8],
  [Number.POSITIVE_INFINITY, 64],
];

/** @param view how many new views there were with this one. */
export function isRunTwice(view: number): boolean {
  let row = 0;
  while (view > SECOND_RUNS[row]![0]) row++;
  return view % SECOND_RUNS[row]![1] === 0;
}

/**
 * What a model can reach from anywhere, and what gives another answer each time. Plans of the model
 * run without the same; a test compares the lists.
 */
export const CHANGING: readonly (readonly [owner: object, name: string, words: string])[] = [
  [Date, 'now', 'Date.now'],
  [Math, 'random', 'Math.random'],
  [performance, 'now', 'performance.now'],
  [crypto, 'randomUUID', 'crypto.randomUUID'],
  [crypto, 'getRandomValues', 'crypto.getRandomValues'],
  [process, 'hrtime', 'process.hrtime'],
];

const REFUSED: readonly PropertyDescriptor[] = CHANGING.map(([, , words]) => {
  const refused = () => refuse(words);
  // `process.hrtime.bigint` is a function of its own.
  const value = Object.assign(refused, { bigint: refused });
  return { configurable: true, writable: true, value };
});

/** `performance.now` while user code runs that must not call it. */
let usualNow: (() => number) | null = null;

/** As `performance.now`, also for the limits that end a second run. */
export function milliseconds(): number {
  return usualNow === null ? performance.now() : usualNow.call(performance);
}

/**
 * Runs user code a second time, while the clock and random numbers throw `NondeterminismError`: two
 * runs in a row may well get the same answer from them, within a millisecond or by chance.
 */
export function withoutChance<Result>(run: () => Result): Result {
  const usual = CHANGING.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  const clock = globalThis.Date;
  usualNow = performance.now;
  CHANGING.forEach(([owner, name], index) => {
    Object.defineProperty(owner, name, REFUSED[index]!);
  });
  globalThis.Date = stopped(clock);
  try {
    return run();
  } finally {
    globalThis.Date = clock;
    CHANGING.forEach(([owner, name], index) => {
      const was = usual[index];
      // Those of a prototype come back when the own ones are gone.
      if (was === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, was);
    });
    usualNow = null;
  }
}

const stoppedClocks = new WeakMap<DateConstructor, DateConstructor>();

/** `Date`, but for the time of now. */
function stopped(clock: DateConstructor): DateConstructor {
  const known = stoppedClocks.get(clock);
  if (known !== undefined) return known;
  const made = new Proxy(clock, {
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
