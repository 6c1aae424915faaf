import { availableParallelism } from 'node:os';
import { machineMegabytes } from '../checker/index.ts';
import { type Reply, type WorkerModule, WorkerProcess } from './worker-process.ts';

/** Something that answers one question at a time: a process of this machine, or any of a fleet. */
export interface Answerer<Question extends object, Answer> {
  /** @param seconds for the work, without the time until it begins; null: no limit. */
  ask(question: Question, seconds: number | null): Promise<Reply<Answer>>;
  /** Gives up the question that it has. */
  stop(): void;
}

/** Where questions are answered. The answers are the same at every place. */
export interface Workplace {
  /** @param most so many can be of use at a time. Each must be stopped in the end. */
  answerers<Question extends object, Answer>(
    module: WorkerModule,
    most: number,
  ): readonly Answerer<Question, Answer>[];
  /** What one of them may take of the memory; null: those who answer know. */
  readonly megabytes: number | null;
}

/** @param processes how many; null: one per core. */
export function processesHere(processes: number | null = null): Workplace {
  const count = processes ?? availableParallelism();
  return {
    // The processes share the memory of the machine.
    megabytes: Math.max(1, machineMegabytes() / count),
    answerers: <Question extends object, Answer>(module: WorkerModule, most: number) =>
      Array.from(
        { length: Math.min(count, most) },
        () => new WorkerProcess<Question, Answer>(module),
      ),
  };
}
