import { Auditor } from '../checker/audit.ts';
import { TrackedEngine } from '../checker/engine/tracked.ts';
import { Judge } from '../checker/judge.ts';
import type { CheckOptions } from '../checker/options.ts';
import { CHUNK_STATES } from '../checker/parallel/board.ts';
import { Helper } from '../checker/parallel/helper.ts';
import type { HelperTask, OwnerMessage } from '../checker/parallel/messages.ts';
import { Team } from '../checker/parallel/team.ts';
import type { HelperThread } from '../checker/parallel/threads.ts';
import { Clock } from '../checker/progress.ts';
import { prepareQuestion } from '../checker/question.ts';
import { type AheadOfSearch, search } from '../checker/search.ts';
import { gatherPlans } from '../input/gather.ts';
import { inputOptions } from '../input/options/input-options.ts';
import { judgedBy, modelOf } from '../run/assemble.ts';
import { optimiseLater } from '../run/compiler.ts';
import { CASE_NAMES, withCase } from './cases.ts';

/**
 * `node critical-path.js CASE|SCENARIO MOST-STATES THREADS` prints how long a search would take if each
 * thread had a core for itself, on a machine that is not quiet. All threads run in this one, in turn:
 * next is always the one that has used the least CPU time. Waits of the owner for a chunk count. The
 * start of Node and the time after the search do not.
 */
const [input = 'commit8', mostStates = '1000000', threadCount = '2'] = process.argv.slice(2);

/** Seconds of CPU that a thread needs to load its modules. Here they are loaded once, for all. */
const LOADING = 0.25;

const PROBES = 20_000;

/** CPU seconds of this process, with its compilers, without what it takes to ask for them. */
class Stopwatch {
  private readonly cost: number;
  private last = 0;

  constructor() {
    const start = seconds();
    for (let probe = 0; probe < PROBES; probe++) seconds();
    this.cost = (seconds() - start) / PROBES;
    this.last = seconds();
  }

  /** Since the last call. */
  lap(): number {
    const now = seconds();
    const lap = now - this.last - this.cost;
    this.last = now;
    return lap;
  }
}

function seconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

class Hand<State> implements HelperThread {
  /** When it has done what it does. */
  clock: number;
  busy = 0;
  following = 0;
  private readonly messages: OwnerMessage[] = [];
  readonly helper: Helper<State>;

  constructor(task: HelperTask, searched: CheckOptions<State>, clock: number) {
    this.clock = clock;
    this.helper = new Helper(task, searched, () => this.messages.shift()!);
  }

  send(message: OwnerMessage): void {
    this.messages.push(structuredClone(message));
  }

  /** The chunk in work. */
  get chunk(): number {
    const claimed = Reflect.get(this.helper, 'claimed') as { readonly chunk: number } | null;
    return claimed?.chunk ?? -1;
  }

  async end(): Promise<void> {}
}

async function measured<State>(given: Pick<CheckOptions<State>, 'model' | 'properties'>) {
  const limits = mostStates === 'all' ? {} : { states: Number(mostStates) };
  const count = Number(threadCount);
  const threads = { count, module: new URL('file:///none') };
  const watch = new Stopwatch();
  const clock = new Clock({ limits });
  const options: CheckOptions<State> = { ...given, limits };
  const prepared = prepareQuestion(count === 1 ? options : { ...options, threads }, clock);
  const { question, compiled, within, reductions } = prepared;
  const engine = new TrackedEngine(question);
  const judge = new Judge(engine, compiled, reductions.orbits);
  const auditor = new Auditor(engine, question, 0);
  const hands: Hand<State>[] = [];
  let owner = 0;
  let waited = 0;
  let taken = 0;
  const team = new Team(options, prepared, engine, judge, threads, (task) => {
    owner += watch.lap();
    for (let index = 1; index < count; index++) {
      const hand = new Hand(task, options, owner + LOADING);
      hand.clock += watch.lap();
      hands.push(hand);
    }
    return hands;
  });
  const work = (hand: Hand<State>, chunk: number) => {
    while (hand.clock <= owner) {
      const isClaimed = hand.helper.claim();
      const lead = watch.lap();
      hand.clock += lead;
      hand.following += lead;
      if (!isClaimed) {
        hand.clock = Math.max(hand.clock, owner + 1e-6);
        return;
      }
      hand.helper.prepare();
      const lap = watch.lap();
      hand.clock += lap;
      hand.busy += lap;
    }
    if (hand.chunk !== chunk) return;
    waited += hand.clock - owner;
    owner = hand.clock;
  };
  const ahead: AheadOfSearch = {
    has: (state) => {
      if (state % CHUNK_STATES === 0) {
        owner += watch.lap();
        for (const hand of hands) work(hand, state / CHUNK_STATES);
      }
      return team.has(state);
    },
    take: (state) => {
      taken++;
      return team.take(state);
    },
  };
  const plan = { engine, judge, auditor, clock, limits, stopWhenDecided: false, within };
  await search({ ...plan, ahead: count === 1 ? null : ahead });
  owner += watch.lap();
  return {
    states: engine.stateCount,
    taken,
    seconds: owner,
    waited,
    busy: hands.map(({ busy }) => busy),
    following: hands.map(({ following }) => following),
  };
}

async function casePicked() {
  const name = CASE_NAMES.find((known) => known === input);
  if (name !== undefined) return withCase(name, (picked) => measured(picked));
  const [plan] = await gatherPlans(inputOptions({ input: [input] }), (async function* () {})());
  return measured({ model: modelOf(plan!.setup), properties: judgedBy(plan!) });
}

// As the command does.
optimiseLater();
process.stdout.write(`${JSON.stringify(await casePicked())}\n`);
