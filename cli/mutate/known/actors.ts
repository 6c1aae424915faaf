import type { KnownSurvivors } from './group.ts';

export const ACTORS: readonly KnownSurvivors[] = [
  {
    kind: 'equivalent',
    why: 'The objects of a first list are handled in one order more or less, and in the other ones all the same.',
    mutants: [
      'restart, startControllers: events.length > 1, taken for false',
      'watch, deliverListed: delete cluster.listing[kind];, skipped',
    ],
  },
  {
    kind: 'equivalent',
    why: 'A version that a worker of before has read stays noted; workers read anew before they demand one.',
    mutants: ['restart, forgetEverything: workers.includes(name), taken for false'],
  },
];
