/**
 * Whether a plan is a pure function. The search asks it in every state, in an order of its own and
 * not once for each run, so an answer that depends on anything but the question makes every verdict
 * worthless. Three things are tried:
 *
 * - While a plan runs, the clock and random numbers throw.
 * - Each question, which is everything that the plan has read and was given, is asked twice in a
 *   row.
 * - With each question, an earlier one is asked again, in turn. So a plan that counts, or keeps
 *   what it has seen, is found once that changes any answer that it has given.
 */

/** A plan with everything that it reads. Returns its tasks as JSON; undefined for none. */
export type Ask = () => string | undefined;

interface Question {
  readonly ask: Ask;
  readonly answer: string | undefined;
}

/** So many questions of one controller are kept. Most controllers have a few hundred. */
const MOST_QUESTIONS = 10_000;

/** The questions that a plan has answered. */
export class Answers {
  readonly #questions: Question[] = [];
  readonly #known = new Map<string, string | undefined>();
  #next = 0;

  /**
   * @param question everything that the answer may depend on, as text.
   * @param again asks the plan the same question.
   * @returns whether all answers are what they were before.
   */
  agree(question: string, answer: string | undefined, again: Ask): boolean {
    if (this.#known.has(question)) {
      if (this.#known.get(question) !== answer) return false;
    } else {
      if (again() !== answer) return false;
      if (this.#questions.length < MOST_QUESTIONS) {
        this.#known.set(question, answer);
        this.#questions.push({ ask: again, answer });
      }
    }
    const earlier = this.#questions[this.#next % Math.max(1, this.#questions.length)];
    this.#next += 1;
    return earlier === undefined || earlier.ask() === earlier.answer;
  }
}

/** What a plan can reach from anywhere, and what gives another answer each time. */
export const CHANGING: readonly (readonly [owner: object, name: string, words: string])[] = [
  [Date, 'now', 'Date.now'],
  [Math, 'random', 'Math.random'],
  [performance, 'now', 'performance.now'],
  [crypto, 'randomUUID', 'crypto.randomUUID'],
  [crypto, 'getRandomValues', 'crypto.getRandomValues'],
  [process, 'hrtime', 'process.hrtime'],
];

/** The plan that runs, for errors. Null: the model itself runs. */
let running: string | null = null;

/** Throws if a plan runs. */
function refuse(what: string): void {
  if (running === null) return;
  throw new Error(
    `${running} calls ${what}, which gives another answer each time: it must depend on look and self alone`,
  );
}

/**
 * Runs a plan without a clock and without random numbers.
 *
 * @param who the plan, for the error that it gets where it asks for one of them.
 */
export function withoutChange<Result>(who: string, run: () => Result): Result {
  const usual = CHANGING.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
  const clock = globalThis.Date;
  for (const [owner, name, what] of CHANGING) {
    const given: unknown = Reflect.get(owner, name);
    if (typeof given !== 'function') continue;
    const value = (...words: readonly unknown[]): unknown => {
      refuse(what);
      return Reflect.apply(given, owner, words);
    };
    // `process.hrtime.bigint` is a function of its own.
    const bigint = (): unknown => {
      refuse(what);
      return Reflect.apply(Reflect.get(given, 'bigint') as () => unknown, given, []);
    };
    Object.defineProperty(owner, name, {
      configurable: true,
      writable: true,
      value: Object.assign(value, { bigint }),
    });
  }
  globalThis.Date = stoppedClock(clock);
  running = who;
  try {
    return run();
  } finally {
    running = null;
    globalThis.Date = clock;
    CHANGING.forEach(([owner, name], index) => {
      const was = usual[index];
      // Those of a prototype come back when the own ones are gone.
      if (was === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, was);
    });
  }
}

/** Lets the model run inside of a plan: the checker looks at the clock, for its limits. */
export function insideOfPlan<Result>(run: () => Result): Result {
  const who = running;
  running = null;
  try {
    return run();
  } finally {
    running = who;
  }
}

/** `Date`, but for the time of now. */
function stoppedClock(clock: DateConstructor): DateConstructor {
  return new Proxy(clock, {
    apply(target) {
      refuse('Date');
      return target();
    },
    construct(target, given, made) {
      if (given.length === 0) refuse('new Date');
      return Reflect.construct(target, given, made) as object;
    },
  });
}
