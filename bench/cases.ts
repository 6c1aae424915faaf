import type { Model, Property } from '../checker/index.ts';
import { type DeletionSize, deletion, finalizerLast, graphTrails } from './models/deletion.ts';
import { exclusive, philosophers } from './models/philosophers.ts';
import { consistent, twoPhaseCommit } from './models/two-phase-commit.ts';

/** A model with its properties, and the number of states that must result. */
export interface Case<State> {
  readonly model: Model<State>;
  readonly properties: readonly Property<State>[];
  readonly states: number;
}

/** Calls back with the case of this name; each case has its own type of state. */
export type CaseUser<Result> = <State>(picked: Case<State>) => Result;

const DELETION: DeletionSize = { objects: 6, workers: 1, shape: 'tree' };
const LARGE_DELETION: DeletionSize = { ...DELETION, workers: 2 };

export const CASE_NAMES = [
  'commit7',
  'commit8',
  'commit9',
  'philosophers12',
  'deletion6',
  'deletion6w2',
] as const;
export type CaseName = (typeof CASE_NAMES)[number];

export function withCase<Result>(name: CaseName, use: CaseUser<Result>): Result {
  const commit = (count: number, states: number) =>
    use({ model: twoPhaseCommit(count), properties: [consistent(count)], states });
  const deleting = (size: DeletionSize, states: number) =>
    use({ model: deletion(size), properties: [graphTrails(size), finalizerLast(size)], states });
  switch (name) {
    case 'commit7':
      return commit(7, 296_448);
    case 'commit8':
      return commit(8, 1_745_408);
    case 'commit9':
      return commit(9, 10_340_352);
    case 'philosophers12':
      return use({ model: philosophers(12), properties: [exclusive(12)], states: 531_440 });
    case 'deletion6':
      return deleting(DELETION, 994_544);
    case 'deletion6w2':
      return deleting(LARGE_DELETION, 4_952_857);
    default: {
      const never: never = name;
      throw new Error(`unknown case ${String(never)}`);
    }
  }
}
