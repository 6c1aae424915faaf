import { Auditor } from '../../../checker/audit.ts';
import { TrackedEngine } from '../../../checker/engine/tracked.ts';
import { Judge } from '../../../checker/judge.ts';
import type { CheckOptions } from '../../../checker/options.ts';
import { Helper } from '../../../checker/parallel/helper.ts';
import type { HelperTask, OwnerMessage } from '../../../checker/parallel/messages.ts';
import { Team } from '../../../checker/parallel/team.ts';
import { Clock } from '../../../checker/progress.ts';
import { prepareQuestion } from '../../../checker/question.ts';
import { type AheadOfSearch, search } from '../../../checker/search.ts';

/** Everything that a search leaves behind, down to the order in which it has learnt. */
export interface Trail {
  readonly found: unknown;
  /** How many states were taken over from helpers. */
  readonly taken: number;
}

/** Random numbers from 0 to `below`. */
export type Dice = (below: number) => number;

export function diceOf(seed: number): Dice {
  let state = seed | 1;
  return (below) => {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    return ((state >>> 8) & 0xffff) % below;
  };
}

/**
 * The search of one thread.
 *
 * @param change is called with the engine before the search.
 */
export function searchAlone<State>(
  options: CheckOptions<State>,
  change: (engine: TrackedEngine<State>) => void = () => undefined,
): Promise<Trail> {
  return trail(options, 0, () => 0, change);
}

/**
 * The search with helpers, which run in this thread: the dice decide who is next. So each run can
 * be repeated, and no test depends on the scheduling of the machine.
 */
export function searchTogether<State>(
  options: CheckOptions<State>,
  helpers: number,
  dice: Dice,
): Promise<Trail> {
  return trail(options, helpers, dice);
}

async function trail<State>(
  options: CheckOptions<State>,
  helpers: number,
  dice: Dice,
  change: (engine: TrackedEngine<State>) => void = () => undefined,
): Promise<Trail> {
  const { limits = {}, auditEvery = 0, stopWhenDecided = false } = options;
  const clock = new Clock({ limits });
  const threads = { count: helpers + 1, module: new URL('file:///none'), fromStates: 1 };
  const prepared = prepareQuestion({ ...options, threads }, clock);
  const { question, compiled, within, reductions } = prepared;
  const engine = new TrackedEngine(question);
  engine.saving!.begin();
  change(engine);
  const judge = new Judge(engine, compiled, reductions.orbits);
  const auditor = new Auditor(engine, question, auditEvery);
  const hands: Hand<State>[] = [];
  const team =
    helpers === 0
      ? null
      : new Team(options, prepared, engine, judge, threads, (task) => {
          for (let index = 0; index < helpers; index++) hands.push(new Hand(task, options));
          return hands;
        });
  const ahead = team === null ? null : new Scheduled(team, hands, dice);
  const plan = { engine, judge, auditor, clock, limits, stopWhenDecided, within };
  const end = await search({ ...plan, ahead });
  await team?.stop();
  engine.saving!.mark();
  const { judgedStates, terminalStates } = judge;
  const { head, rows, parents, learnt } = engine.saving!.part();
  return {
    taken: ahead?.taken ?? 0,
    found: {
      ...{ end, head, judgedStates, terminalStates, decisions: judge.decisions() },
      rows: [...rows],
      parents: [...parents],
      learnt: [...learnt],
      triggered: [...judge.triggered],
      reducerRuns: [...engine.reducerRuns],
      audited: auditor.audited,
      bytes: engine.bytes,
    },
  };
}

/** A helper, and what was sent to it. */
class Hand<State> {
  private readonly messages: OwnerMessage[] = [];
  private readonly helper: Helper<State>;
  private hasClaim = false;

  constructor(task: HelperTask, searched: CheckOptions<State>) {
    this.helper = new Helper(task, searched, () => this.messages.shift()!);
  }

  send(message: OwnerMessage): void {
    // What is not shared is copied, as it is for a thread.
    this.messages.push(structuredClone(message));
  }

  /** Half of its work: it claims a chunk, or prepares the one that it has claimed. */
  work(): void {
    if (this.hasClaim) this.helper.prepare();
    this.hasClaim = !this.hasClaim && this.helper.claim();
  }

  async end(): Promise<void> {}
}

/** Lets helpers work between the steps of the search. */
class Scheduled<State> implements AheadOfSearch {
  taken = 0;
  private readonly team: AheadOfSearch;
  private readonly hands: readonly Hand<State>[];
  private readonly dice: Dice;

  constructor(team: AheadOfSearch, hands: readonly Hand<State>[], dice: Dice) {
    this.team = team;
    this.hands = hands;
    this.dice = dice;
  }

  has(state: number): boolean {
    const { hands, dice } = this;
    while (hands.length > 0 && dice(8) === 0) {
      for (let times = dice(6); times > 0; times--) hands[dice(hands.length)]!.work();
    }
    return this.team.has(state);
  }

  take(state: number): number | null {
    this.taken++;
    return this.team.take(state);
  }
}
