import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineModel } from '../../checker/authoring/define.ts';
import { combinations } from '../../checker/model.ts';
import type { Property } from '../../checker/property.ts';
import { explore, judge, type OracleVerdict } from './support/oracle.ts';
import { modelOf, randomCases } from './support/random-models.ts';

interface Printer {
  jobs: Record<string, 'new' | 'printing'>;
  queue: { waiting: string[] };
  paper: number;
}

/** Two jobs and two sheets of paper. A waiting job may be cancelled. */
const printer = defineModel<Printer>({
  name: 'printer',
  slots: { jobs: 'entries', queue: 'queues', paper: 'value' },
  initial: [{ jobs: { a: 'new', b: 'new' }, queue: { waiting: [] }, paper: 1 }],
  actions: {
    submit: {
      parameters: combinations({ job: ['a', 'b'] }),
      reduce(draft, { job }) {
        if (draft.jobs[String(job)] !== 'new') return;
        draft.jobs[String(job)] = 'printing';
        draft.queue.waiting.push(String(job));
      },
    },
    print: {
      fairness: 'weak',
      reduce(draft) {
        if (draft.paper === 0) return;
        const job = draft.queue.waiting.shift();
        if (job === undefined) return;
        delete draft.jobs[job];
        draft.paper--;
      },
    },
  },
});

/*
 * By hand: nothing submitted (1 state); one waiting (2); both waiting, in two orders (2); one
 * printed, the other new (2) or waiting (2). Transitions: 2 from the first, 2 from each of the two
 * with one waiting, 1 from each of the four that still can do something.
 */
it('agrees with a model that was explored by hand', () => {
  const space = explore(printer, 100)!;
  expect(space.texts.length).toBe(9);
  expect(space.transitions.length).toBe(2 + 2 * 2 + 2 * 1 + 2 * 1);
  expect(Math.max(...space.depths)).toBe(3);
  expect(space.texts[0]).toBe('{"jobs":{"a":"new","b":"new"},"paper":1,"queue":{"waiting":[]}}');
});

it.each<[Property<Printer>, OracleVerdict]>([
  [
    { kind: 'invariant', name: 'there is paper', holds: ({ paper }) => paper > 0 },
    { verdict: 'violated', triggered: 9, length: 2 },
  ],
  [
    {
      kind: 'invariant',
      name: 'b waits behind a',
      trigger: ({ queue }) => queue.waiting.length === 2,
      holds: ({ queue }) => queue.waiting[0] === 'a',
    },
    { verdict: 'violated', triggered: 2, length: 2 },
  ],
  [
    {
      kind: 'invariant',
      name: 'never triggered',
      trigger: ({ paper }) => paper > 1,
      holds: () => false,
    },
    { verdict: 'vacuous', triggered: 0, length: null },
  ],
  [
    {
      kind: 'step',
      name: 'only printing uses paper',
      actions: ['submit'],
      holds: (before, _action, after) => before.paper === after.paper,
    },
    { verdict: 'holds', triggered: 6, length: null },
  ],
  [
    {
      kind: 'step',
      name: 'printing empties the queue',
      trigger: (_before, { name }) => name === 'print',
      holds: (_before, _action, after) => after.queue.waiting.length === 0,
    },
    { verdict: 'violated', triggered: 4, length: 3 },
  ],
  [
    {
      kind: 'settled',
      name: 'all jobs are done',
      settled: ({ jobs }) => Object.keys(jobs).length === 0,
    },
    { verdict: 'violated', triggered: 2, length: 3 },
  ],
  [
    {
      kind: 'witness',
      name: 'each job can be alone',
      parameters: combinations({ job: ['a', 'b'] }),
      reached: ({ jobs }, { job }) => Object.keys(jobs).join() === job,
    },
    { verdict: 'holds', triggered: 2, length: 2 },
  ],
  [
    { kind: 'witness', name: 'all are done', reached: ({ jobs }) => !('a' in jobs || 'b' in jobs) },
    { verdict: 'violated', triggered: 0, length: null },
  ],
  [
    {
      kind: 'eventually',
      name: 'a submitted job is printed',
      parameters: combinations({ job: ['a', 'b'] }),
      trigger: ({ jobs }, { job }) => jobs[String(job)] === 'printing',
      goal: ({ jobs }, { job }) => !(String(job) in jobs),
    },
    { verdict: 'violated', triggered: 8, length: 3 },
  ],
  [
    {
      kind: 'eventually',
      name: 'the first job is printed',
      trigger: ({ queue }) => queue.waiting.length > 0,
      goal: ({ paper }) => paper === 0,
    },
    { verdict: 'holds', triggered: 6, length: null },
  ],
  [
    { kind: 'eventually', name: 'something is printed', goal: ({ paper }) => paper === 0 },
    { verdict: 'violated', triggered: 1, length: 0 },
  ],
])('judges %o', (property, expected) => {
  expect(judge(explore(printer, 100)!, printer, property)).toEqual(expected);
});

it('gets random models of all sizes', () => {
  const sizes = { onlyInitial: 0, few: 0, many: 0 };
  fc.assert(
    fc.property(randomCases, (random) => {
      const space = explore(modelOf(random), 150);
      if (space === null) return;
      if (space.texts.length === space.initialCount) sizes.onlyInitial++;
      else if (space.texts.length <= 10) sizes.few++;
      else sizes.many++;
    }),
    { numRuns: 300 },
  );
  expect(sizes.few).toBeGreaterThan(50);
  expect(sizes.many).toBeGreaterThan(50);
});
