import fc from 'fast-check';
import type { Draft } from 'immer';
import { expect, it } from 'vitest';
import { check, defineModel, type Property } from '../../../checker/index.ts';
import { explore } from '../support/oracle.ts';
import { randomRuns } from '../support/random-runs.ts';
import { CHANGES, type Desk, READS } from '../support/reducer-idioms.ts';

/*
 * What authors write in reducers, as pieces of code that read or change one state. A piece may throw,
 * as an author's code may. Both engines must give what plain `produce` gives.
 */

/** A small number of what was read, so that a wrong reading shows in the state. */
function digest(read: unknown): number {
  const text = JSON.stringify(read) ?? 'undefined';
  let sum = 0;
  for (const letter of text) sum = (31 * sum + letter.charCodeAt(0)) % 1009;
  return sum % 4;
}

interface Idiom {
  readonly reads: readonly string[];
  readonly changes: readonly string[];
  readonly early: boolean;
}

function reducer({ reads, changes, early }: Idiom) {
  return (draft: Draft<Desk>): void => {
    if (early) for (const name of changes) CHANGES[name]!(draft);
    let sum = 0;
    for (const name of reads) sum += digest(READS[name]!(draft));
    if (!early) for (const name of changes) CHANGES[name]!(draft);
    if (reads.length > 0) draft.n = (draft.n + sum) % 4;
  };
}

/** Predicates that read as the reducers do. Each counts the states in which it reads the same. */
function predicates(given: readonly Idiom[]): readonly Property<Desk>[] {
  const names = new Set(['keys', ...given.flatMap(({ reads }) => reads)]);
  return [...names].flatMap((name) =>
    [0, 1, 2, 3].map(
      (value): Property<Desk> => ({
        kind: 'invariant',
        name: `${name} ${value}`,
        trigger: (state) => digest(READS[name]!(state as Draft<Desk>)) === value,
        holds: () => true,
      }),
    ),
  );
}

const idioms = fc.record({
  reads: fc.array(fc.constantFrom(...Object.keys(READS)), { maxLength: 2 }),
  changes: fc.array(fc.constantFrom(...Object.keys(CHANGES)), { maxLength: 3 }),
  early: fc.boolean(),
});

it('runs every idiom of reducers as plain produce does', async () => {
  const used = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(idioms, { minLength: 1, maxLength: 3 }), async (given) => {
      const model = defineModel<Desk>({
        name: 'desk',
        slots: { n: 'value', flat: 'value', cells: 'entries', marks: 'flags', lines: 'queues' },
        initial: [
          {
            n: 0,
            flat: { list: [2, 1], inner: { deep: [] } },
            cells: { a: { n: 0, tags: ['y', 'x'] } },
            marks: { a: true },
            lines: { p: [0, { id: 1 }], q: [1, 2] },
          },
        ],
        actions: Object.fromEntries(
          given.map((idiom, index) => [`a${index}`, { reduce: reducer(idiom) }]),
        ),
      });
      const space = explore(model, 150);
      fc.pre(space !== null);
      const properties = predicates(given);
      const triggered: unknown[] = [];
      for (const engine of ['tracked', 'naive'] as const) {
        const audit = engine === 'tracked' ? 1 : 0;
        const question = { model, properties, engine, auditEvery: audit };
        const { defect, statistics, properties: found } = await check(question);
        expect(defect).toBe(null);
        expect(statistics.states).toBe(space.texts.length);
        triggered.push(found.map((one) => one.triggered));
      }
      expect(triggered[0]).toEqual(triggered[1]);
      for (const { reads, changes } of given) {
        for (const name of [...reads, ...changes]) used.set(name, 1 + (used.get(name) ?? 0));
      }
    }),
    { numRuns: randomRuns(240), seed: 13 },
  );
  expect(used.size).toBe(Object.keys(READS).length + Object.keys(CHANGES).length);
});
