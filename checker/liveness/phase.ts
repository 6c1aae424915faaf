import type { Judgement } from '../judgements.ts';
import type { Fairness } from '../model.ts';
import type { Clock, Standing } from '../progress.ts';
import { hasConfluentCycle } from '../reductions/confluence/cycles.ts';
import { judgeOnQuotient, type Quotient } from '../reductions/symmetry/quotient.ts';
import type { LimitKind } from '../result.ts';
import { type FairnessCodes, fairnessCodes } from './fairness.ts';
import type { StateGraph } from './graph.ts';
import {
  counterexample,
  judgeLeadsTo,
  type LeadsTo,
  type LeadsToCounterexample,
  type LeadsToJudgement,
} from './leads-to.ts';
import type { Steps } from './resumable.ts';

/** The passes over the finished graph, with the same limits and pauses as the search. */
export class LivenessPhase {
  private readonly graph: StateGraph;
  private readonly codes: FairnessCodes;
  private readonly questions: ReadonlyMap<Judgement, LeadsTo>;
  /** Null: the graph has every state for itself. */
  private readonly quotient: Quotient | null;
  /** Asked after `successors`: whether that state's one transition is a confluent step. */
  private readonly isConfluent: () => boolean;
  private readonly clock: Clock;
  private readonly standing: (done: number) => Standing;
  private answers: ReadonlyMap<Judgement, LeadsToJudgement> | null = null;
  private confluentCycle: boolean | null = null;
  private cutShort: LimitKind | null = null;

  constructor(
    graph: StateGraph,
    fairness: readonly Fairness[],
    /** All that will be asked: it is judged together. */
    questions: ReadonlyMap<Judgement, LeadsTo>,
    quotient: Quotient | null,
    isConfluent: () => boolean,
    clock: Clock,
    standing: (done: number) => Standing,
  ) {
    this.graph = graph;
    this.codes = fairnessCodes(fairness);
    this.questions = questions;
    this.quotient = quotient;
    this.isConfluent = isConfluent;
    this.clock = clock;
    this.standing = standing;
  }

  /** The limit that was hit in this phase; nothing is answered any more then. */
  get limit(): LimitKind | null {
    return this.cutShort;
  }

  /** Whether only the answer that it holds is to be relied on. */
  get isQuotient(): boolean {
    return this.quotient !== null;
  }

  /** Whether a confluent step lies on a cycle. Null if a limit was hit first. */
  async hasConfluentCycle(): Promise<boolean | null> {
    this.confluentCycle ??= await this.run(hasConfluentCycle(this.graph, this.isConfluent));
    return this.confluentCycle;
  }

  /** Null if a limit was hit first. */
  async judge(judgement: Judgement): Promise<LeadsToJudgement | null> {
    const { graph, codes, questions, quotient } = this;
    if (this.answers === null) {
      const asked = [...questions.values()];
      const answers = await this.run(
        quotient === null
          ? judgeLeadsTo(graph, codes, asked)
          : judgeOnQuotient(graph, codes, asked, quotient),
      );
      if (answers === null) return null;
      this.answers = new Map([...questions.keys()].map((key, index) => [key, answers[index]!]));
    }
    return this.answers.get(judgement)!;
  }

  /** For a judgement that came out violated. Null if a limit was hit first. */
  async counterexample(judgement: Judgement): Promise<LeadsToCounterexample | null> {
    const { graph, codes } = this;
    const answer = await this.judge(judgement);
    if (answer === null || answer.fair === null) return null;
    return this.run(counterexample(graph, codes, this.questions.get(judgement)!, answer.fair));
  }

  private async run<Result>(steps: Steps<Result>): Promise<Result | null> {
    let done = 0;
    while (this.cutShort === null) {
      if (this.clock.pauseIsDue) {
        this.cutShort = await this.clock.pause(() => this.standing(done));
        continue;
      }
      try {
        const step = steps.next();
        if (step.done === true) return step.value;
        done = step.value;
      } catch (error) {
        // Errors of predicates are defects of the model; this is an array that could not be had.
        if (!(error instanceof RangeError)) throw error;
        this.cutShort = 'memory';
      }
    }
    return null;
  }
}
