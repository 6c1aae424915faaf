import { shareOut } from '../../run/worker-process.ts';
import { type Answerer, processesHere, type Workplace } from '../../run/workplace.ts';
import type { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import { KillRates, type Order } from './kill-rates.ts';
import { type Answer, type Asked, ENDLESS, type Question } from './messages.ts';
import { type Mutant, mutantWords } from './mutants.ts';
import type { Seen } from './seen.ts';
import type { Baseline, Outcome } from './suite.ts';

/** The fate of a mutant. */
export type Fate =
  /** The verdict of a property changes: the specification notices the mutant. */
  | {
      readonly fate: 'killed';
      readonly scenario: string;
      readonly property: string;
      readonly expected: string;
      readonly found: string;
    }
  /**
   * The mutant is not a model any more, or its search does not end. It says nothing about the
   * properties.
   */
  | { readonly fate: 'broken'; readonly scenario: string; readonly why: string }
  /** The state space changes, but no verdict does. */
  | { readonly fate: 'survived'; readonly scenarios: readonly string[] }
  /** The state space changes, but not what users can see of it: see `seenGraph`. */
  | { readonly fate: 'unseen'; readonly scenarios: readonly string[] }
  /** No scenario changes its behaviour. */
  | { readonly fate: 'unchanged' }
  /** No scenario reaches the decision or reads the rule. */
  | { readonly fate: 'notReached' };

export interface Trial {
  readonly mutant: Mutant;
  readonly words: string;
  readonly fate: Fate;
}

/** What an earlier run has found. */
export interface Earlier {
  /** Whether it was of the same code and the same scenarios. */
  readonly isSame: boolean;
  /** By the words of the mutant. */
  readonly fates: ReadonlyMap<string, Fate>;
}

export interface MutationOptions {
  /** Where mutants are tried; absent: one process per core of this machine. */
  readonly place?: Workplace;
  /** Which scenario kills first; absent: as the scenarios before did, and by time. */
  readonly order?: Order;
  /**
   * What the same code and scenarios gave is taken over. What killed a mutant of other code
   * probably kills it again, so it is tried first.
   */
  readonly earlier?: Earlier | null;
  readonly onProgress?: (done: number, of: number, killed: number) => void;
  /** Ends the run: Ctrl-C, or the time is up. */
  readonly interrupted?: () => boolean;
  /** Limit of each search; null: none. A mutant whose search hits it is left out. */
  readonly megabytes?: number | null;
}

/** A process that has loaded the instrumented model, here or elsewhere. */
type MutantProcess = Answerer<Asked, Answer>;

function within(megabytes: number | null, worker: Answerer<Question, Answer>): MutantProcess {
  return {
    ask: (question, seconds) => worker.ask({ ...question, megabytes }, seconds),
    stop: () => worker.stop(),
  };
}

const MODULE = { main: 'tools/mutate/worker', first: 'tools/mutate/register' };

/**
 * Only ends a process that hangs. How many states and decisions a search may take limits the work,
 * whatever the machine does besides.
 */
const PATIENCE_SECONDS = 1_800;
const INTERRUPTION_MILLISECONDS = 50;
/** There were too many states. That says nothing about the property. */
const INCONCLUSIVE = 'inconclusive';
/**
 * A scenario with more states than this is left out if this many others decide differently as well.
 */
const LARGE = 2_000;
const OTHERS_ENOUGH = 10;

/**
 * Tries every mutant on the scenarios in which it decides differently, until one kills it. The
 * scenario with the most kills per time comes first.
 */
export async function runMutants(
  mutants: readonly Mutant[],
  {
    place = processesHere(),
    order = new KillRates(),
    earlier = null,
    onProgress,
    interrupted,
    megabytes = null,
  }: MutationOptions = {},
): Promise<readonly Trial[]> {
  const processes = place.answerers<Question, Answer>(MODULE, Number.POSITIVE_INFINITY);
  const workers = processes.map((each) => within(megabytes, each));
  const isOver = (): boolean => interrupted?.() === true;
  const stop = (): void => {
    for (const worker of workers) worker.stop();
  };
  // One scenario alone can take minutes.
  const watch = setInterval(() => isOver() && stop(), INTERRUPTION_MILLISECONDS);
  try {
    const baselines = await baselinesOf(workers, megabytes).catch((error: unknown) => {
      if (isOver()) return null;
      throw error;
    });
    if (baselines === null) return [];
    const trials: (Trial | undefined)[] = mutants.map(() => undefined);
    let done = 0;
    let killed = 0;
    await shareOut(workers, mutants, async (worker, mutant, index) => {
      if (isOver()) return;
      const words = mutantWords(mutant);
      const before = earlier?.fates.get(words);
      const fate =
        before !== undefined && earlier?.isSame === true
          ? before
          : await fateOf(worker, mutant, baselines, order, killerIn(before));
      // What a process that was stopped has not answered says nothing of the mutant.
      if (isOver() || fate === null) return;
      trials[index] = { mutant, words, fate };
      if (fate.fate === 'killed') killed += 1;
      done += 1;
      onProgress?.(done, mutants.length, killed);
    });
    return trials.filter((trial) => trial !== undefined);
  } finally {
    clearInterval(watch);
    stop();
  }
}

/** The scenario that has killed the mutant. */
function killerIn(fate: Fate | undefined): string | null {
  return fate?.fate === 'killed' ? fate.scenario : null;
}

/** Null if there was no answer. */
async function answerOf(worker: MutantProcess, question: Asked): Promise<Answer | null> {
  const told = await worker.ask(question, PATIENCE_SECONDS);
  return told.reply === 'answer' ? told.answer : null;
}

async function baselinesOf(
  workers: readonly MutantProcess[],
  megabytes: number | null,
): Promise<readonly Baseline[]> {
  const listed = await workers[0]?.ask({ ask: 'scenarios' }, PATIENCE_SECONDS);
  if (listed?.reply !== 'answer' || listed.answer.answer !== 'scenarios') {
    const why = listed?.reply === 'died' ? `: ${listed.why}` : '';
    throw new Error(`the process for mutants did not start${why}`);
  }
  const baselines: Baseline[] = [];
  await shareOut(workers, listed.answer.names, async (worker, scenario) => {
    const told = await answerOf(worker, { ask: 'baseline', scenario });
    if (told?.answer !== 'baseline') throw new Error(`${scenario} does not end`);
    const { reached, decisive, outcome } = told.baseline;
    if (megabytes !== null && outcome.limit === 'memory') throw unchangedFull(scenario, megabytes);
    const sets = { reached: new Set(reached), decisive: new Set(decisive) };
    baselines.push({ ...told.baseline, ...sets });
  });
  return baselines;
}

/** Without what the model does as it is, nothing is known of any mutant. */
function unchangedFull(scenario: string, megabytes: number): InputError {
  return MESSAGES.memoryFull(
    `searching ${scenario} as it is`,
    megabytes,
    'as every mutant is compared with it',
  );
}

/** Null: the memory was full before anything was known. */
async function fateOf(
  worker: MutantProcess,
  mutant: Mutant,
  baselines: readonly Baseline[],
  rates: Order,
  killer: string | null,
): Promise<Fate | null> {
  if (!baselines.some((baseline) => comesBy(baseline, mutant))) return { fate: 'notReached' };
  const tried = worthTrying(baselines.filter((baseline) => decidesOtherwise(baseline, mutant)));
  const changed: string[] = [];
  let broken: Fate | null = null;
  const first = tried.filter(({ scenario }) => scenario === killer);
  const others = tried.filter(({ scenario }) => scenario !== killer);
  for (const { scenario, outcome } of [...first, ...rates.bestFirst(others)]) {
    const { states: known } = outcome;
    const told = await answerOf(worker, { ask: 'mutant', mutant, scenario, states: known });
    if (told?.answer !== 'mutant') return { fate: 'broken', scenario, why: ENDLESS };
    const { defect, states, transitions, limit } = told.outcome;
    if (limit === 'memory') return null;
    const difference = defect === null ? differingVerdict(outcome, told.outcome) : null;
    rates.note(scenario, difference !== null);
    if (difference !== null) return { fate: 'killed', scenario, ...difference };
    const isEndless = Object.values(told.outcome.verdicts).includes(INCONCLUSIVE);
    const why = defect ?? (isEndless ? 'it has many times the states' : null);
    if (why !== null) broken ??= { fate: 'broken', scenario, why };
    const isSame = states === outcome.states && transitions === outcome.transitions;
    if (!isSame) changed.push(scenario);
  }
  if (broken !== null) return broken;
  if (changed.length === 0) return { fate: 'unchanged' };
  const isSeen = await changesWhatIsSeen(worker, mutant, baselines, changed);
  return isSeen === null ? null : { fate: isSeen ? 'survived' : 'unseen', scenarios: changed };
}

/** By scenario: what users see of the model as it is. Filled on demand. */
const SEEN = new Map<string, Promise<Seen>>();

/**
 * Whether users can see a difference in one of these scenarios, as far as the search can say. Null:
 * the memory was full before that.
 */
async function changesWhatIsSeen(
  worker: MutantProcess,
  mutant: Mutant,
  baselines: readonly Baseline[],
  changed: readonly string[],
): Promise<boolean | null> {
  const ask = async (of: Mutant | null, { scenario, outcome }: Baseline) => {
    const question = { ask: 'seen', mutant: of, scenario, states: outcome.states } as const;
    const told = await answerOf(worker, question);
    return told?.answer === 'seen' ? told : { graph: null, isFull: false };
  };
  for (const baseline of baselines.filter(({ scenario }) => changed.includes(scenario))) {
    const { scenario } = baseline;
    const before = SEEN.get(scenario) ?? ask(null, baseline);
    SEEN.set(scenario, before);
    const [known, now] = [await before, await ask(mutant, baseline)];
    if (known.isFull || now.isFull) return null;
    if (known.graph === null || known.graph !== now.graph) return true;
  }
  return false;
}

/** Leaves out the large scenarios if there are enough small ones. */
function worthTrying(baselines: readonly Baseline[]): readonly Baseline[] {
  const small = baselines.filter(({ outcome }) => outcome.states <= LARGE);
  return small.length < OTHERS_ENOUGH ? baselines : small;
}

/** Whether the scenario reads the rule with another value, or reaches the decision. */
function comesBy({ rules, reached }: Baseline, mutant: Mutant): boolean {
  if (mutant.kind === 'decision') return reached.has(mutant.number);
  return rules[mutant.rule] !== undefined && rules[mutant.rule] !== mutant.value;
}

/**
 * Nothing can change in a scenario in which the condition always has the value that the mutant
 * gives it.
 */
function decidesOtherwise(baseline: Baseline, mutant: Mutant): boolean {
  if (mutant.kind === 'decision') return baseline.decisive.has(mutant.number);
  return comesBy(baseline, mutant);
}

/** A verdict that differs. A property that is violated now says most. */
function differingVerdict(
  before: Outcome,
  after: Outcome,
): { readonly property: string; readonly expected: string; readonly found: string } | null {
  const differences = Object.entries(before.verdicts)
    .map(([property, expected]) => {
      return { property, expected, found: after.verdicts[property] ?? 'missing' };
    })
    .filter(({ expected, found }) => found !== expected && found !== INCONCLUSIVE);
  return differences.find(({ found }) => found === 'violated') ?? differences[0] ?? null;
}
