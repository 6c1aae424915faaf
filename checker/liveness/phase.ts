import { limitOf } from '../errors.ts';
import type { Judgement } from '../judgements.ts';
import type { Clock, SearchProgress } from '../progress.ts';
import type { AmpleSelector } from '../reductions/reduction.ts';
import type { LimitKind } from '../result.ts';
import type { EdgeGraph } from './edges.ts';
import { counterexample, type LeadsToCounterexample, type LeadsToJudgement } from './leads-to.ts';
import type { Obligations } from './obligations.ts';
import type { LeadsTo } from './pending.ts';
import type { Resumable } from './resumable.ts';

export interface LivenessPlan {
  readonly graph: EdgeGraph;
  readonly obligations: Obligations;
  /** All leads-tos of the check. They are judged together. */
  readonly questions: ReadonlyMap<Judgement, LeadsTo>;
  /** Judges them, in the order of `questions`. */
  readonly judge: () => Resumable<readonly LeadsToJudgement[]>;
  readonly clock: Clock;
  readonly progress: (done: number) => SearchProgress;
}

/** What a pass over the graph allocates at once: see `pendingStates`. */
const BYTES_PER_STATE = 16;

/** The passes over the finished graph, with the same limits and pauses as the search. */
export class LivenessPhase<State> {
  private readonly plan: LivenessPlan;
  private answers: ReadonlyMap<Judgement, LeadsToJudgement> | null = null;
  private readonly provisos = new Map<AmpleSelector<State>, boolean>();
  private cutShort: LimitKind | null = null;

  constructor(plan: LivenessPlan) {
    this.plan = plan;
  }

  /** The limit that was hit in this phase. After it, nothing is answered. */
  get limit(): LimitKind | null {
    return this.cutShort;
  }

  /** Whether the graph violates the cycle proviso of a selector. Null if a limit was hit first. */
  async violatesCycleProviso(selector: AmpleSelector<State>): Promise<boolean | null> {
    const known = this.provisos.get(selector);
    if (known !== undefined) return known;
    const { graph } = this.plan;
    const isReduced = () => graph.reducedBy === selector;
    const answer = await this.run(selector.violatesCycleProviso(graph, isReduced));
    if (answer !== null) this.provisos.set(selector, answer);
    return answer;
  }

  /** Null if a limit was hit first. */
  async judge(judgement: Judgement): Promise<LeadsToJudgement | null> {
    const { questions, judge } = this.plan;
    if (this.answers === null) {
      const answers = await this.run(judge());
      if (answers === null) return null;
      this.answers = new Map([...questions.keys()].map((key, index) => [key, answers[index]!]));
    }
    return this.answers.get(judgement)!;
  }

  /** For a violated judgement. Null if a limit was hit first. */
  async counterexample(judgement: Judgement): Promise<LeadsToCounterexample | null> {
    const { graph, obligations, questions } = this.plan;
    const answer = await this.judge(judgement);
    if (answer === null || answer.fair === null) return null;
    return this.run(counterexample(graph, obligations, questions.get(judgement)!, answer.fair));
  }

  private async run<Result>(task: Resumable<Result>): Promise<Result | null> {
    const { clock, progress } = this.plan;
    let done = 0;
    while (this.cutShort === null) {
      if (clock.pauseIsDue) {
        this.cutShort = await clock.pause(() => progress(done));
        continue;
      }
      clock.arm();
      try {
        if (done === 0) clock.room(BYTES_PER_STATE * this.plan.graph.stateCount);
        const step = task.next();
        if (step.done === true) return step.value;
        done = step.value;
      } catch (error) {
        // Predicates throw `DefectError`. A `RangeError` is an array that could not be allocated.
        this.cutShort = error instanceof RangeError ? 'memory' : limitOf(error);
      } finally {
        clock.disarm();
      }
    }
    return null;
  }
}
