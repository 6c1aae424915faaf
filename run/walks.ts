import { type Limits, type ProgressEvent, simulate } from '../checker/index.ts';
import type { Plan } from '../input/plan.ts';
import type { CheckReport } from '../report/document/result-document.ts';
import { reportOn } from './assemble.ts';
import { adviceOn } from './limit-advice.ts';
import type { WorkerModule } from './worker-process.ts';

/** The walks through the model of one plan. Plain JSON, so that any process can take them. */
export interface WalksQuestion {
  readonly plan: Plan;
  readonly walks: number;
  readonly steps: number;
  readonly seed: number;
  readonly limits: Limits;
  /** The limits that the user gave, where less is left of them. */
  readonly asked?: Limits;
  /** The command line that repeats this alone. */
  readonly again: string;
}

/** The answer of a process that takes walks. */
export interface WalksAnswer {
  /** The report as JSON. */
  readonly json: string;
}

export const WALKS_WORKER: WorkerModule = { main: 'run/walks-worker' };

/** Takes the walks in this process. */
export function walksReport(
  { plan, walks, steps, seed, limits, asked, again }: WalksQuestion,
  onProgress: (event: ProgressEvent) => void = () => undefined,
  interrupted: () => boolean = () => false,
): Promise<CheckReport> {
  const advice = adviceOn(plan.setup, 'walks', asked);
  const how = { walks, steps, seed, limits, onProgress, interrupted };
  return reportOn(plan, again, (question) => simulate({ ...question, advice, ...how }), how);
}
