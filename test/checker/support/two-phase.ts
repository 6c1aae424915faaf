import {
  consistent,
  type TwoPhaseCommit,
  twoPhaseCommit,
} from '../../../bench/models/two-phase-commit.ts';
import type { Property } from '../../../checker/property.ts';

/** Two-phase commit, in which its property holds. */
export function commitOf(managers: number) {
  const properties = [consistent(managers)];
  return { model: twoPhaseCommit(managers), properties, limits: {} };
}

/** As `commitOf`, with a property that is violated first. */
export function abortingCommitOf(managers: number) {
  const options = commitOf(managers);
  return { ...options, properties: [nothingAborts, ...options.properties] };
}

const nothingAborts: Property<TwoPhaseCommit> = {
  kind: 'invariant',
  name: 'nothing aborts',
  holds: ({ coordinator }) => coordinator !== 'aborted',
};
