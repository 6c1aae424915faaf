import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PinnedCell } from '../../gate/cell.ts';
import { driftsOf } from '../../gate/compare.ts';
import { entryOf, pinnedIn, type Stated } from '../../gate/lock/entry.ts';
import { readLock } from '../../gate/lock/lock.ts';
import { LOCK_SCHEMA, type Lock } from '../../gate/lock/lock-schema.ts';
import { lockText } from '../../gate/lock/lock-text.ts';
import { type Axis, cellName, combinations } from '../../gate/suite/grid.ts';
import type { CellFacts } from '../../report/document/gate-document.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { CODE } from './gate-cli.ts';

/** Names as people and attackers write them, except the one that no record accepts. */
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'constructor',
    'toString',
    '1',
    'x [y=z]',
    '\u202e',
    '"',
    '\u0000',
    'ü',
  ),
  fc.string({ minLength: 1 }).filter((text) => text !== '__proto__'),
);

function record<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  return fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });
}

const count = fc.integer({ min: 1, max: 3 });

const traceFact = fc.record({
  shape: fc.constantFrom('path', 'stutter', 'lasso'),
  length: fc.integer({ min: 0, max: 2 }),
  digest: fc.constantFrom('one', 'other'),
});

const size = fc.record({ states: count, transitions: fc.nat(2), depth: fc.nat(2) });

/**
 * Only judged properties have traces, and only properties that are not vacuous have trigger counts.
 */
const repeatable: fc.Arbitrary<CellFacts> = fc
  .record({
    outcome: fc.constantFrom('complete', 'states', 'depth'),
    size,
    verdicts: record(fc.constantFrom('holds', 'violated', 'vacuous', 'inconclusive')),
    actions: record(count),
    fates: record(fc.constantFrom('goes', 'stays', 'either', 'open')),
  })
  .chain((facts) => {
    const judged = Object.keys(facts.verdicts);
    const exercised = judged.filter((property) => facts.verdicts[property] !== 'vacuous');
    return fc
      .record({ triggered: some(exercised, count), traces: some(judged, traceFact) })
      .map((more) => ({ ...facts, ...more }) as CellFacts);
  });

function some<Value>(
  names: readonly string[],
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<Record<string, Value>> {
  return names.length === 0
    ? fc.constant({})
    : fc.dictionary(fc.constantFrom(...names), value, { noNullPrototype: true });
}

const ofMachine: fc.Arbitrary<CellFacts> = fc
  .record({
    outcome: fc.constantFrom('time', 'memory'),
    verdicts: record(fc.constantFrom('holds', 'violated', 'vacuous', 'inconclusive')),
  })
  .map(
    (facts) =>
      ({ ...facts, size: null, triggered: {}, traces: {}, actions: {}, fates: {} }) as CellFacts,
  );

const facts = fc.oneof(repeatable, ofMachine);

const cell: fc.Arbitrary<PinnedCell> = fc.record({
  scenario: fc.string(),
  question: fc.string(),
  protocol: fc.constantFrom('v1.20', 'v1.7'),
  rules: record(fc.string()),
  facts,
  isCertain: fc.constant(true),
});

/** Results that a scenario may state, right or wrong. */
const stated: fc.Arbitrary<Stated> = fc.record({
  verdicts: record(fc.constantFrom('holds', 'violated', 'vacuous')),
  size: fc.record(
    { states: count, transitions: fc.nat(2), depth: fc.nat(2) },
    { requiredKeys: [] },
  ),
});

interface Case {
  readonly cell: PinnedCell;
  readonly stated: Stated;
}

const known: fc.Arbitrary<Case> = fc
  .record({ cell, other: stated, isRight: fc.boolean() })
  .map(({ cell: pinned, other, isRight }) => {
    const { verdicts, size: found } = pinned.facts;
    const right = { verdicts: { ...other.verdicts, ...verdicts }, size: found ?? {} };
    return { cell: pinned, stated: isRight ? right : other };
  });

interface Written {
  readonly rules: Lock['rules'];
  readonly properties: readonly string[];
  readonly cells: Readonly<Record<string, Case>>;
}

const written: fc.Arbitrary<Written> = fc.record({
  rules: record(record(fc.string())),
  properties: fc.uniqueArray(name, { maxLength: 4 }),
  cells: record(known),
});

function textOf({ rules, properties, cells }: Written): string {
  const entries = Object.entries(cells).map(([key, { cell: pinned, stated: results }]) => [
    key,
    entryOf(pinned, results, [...properties]),
  ]);
  return lockText({
    schema: LOCK_SCHEMA,
    suite: 'a.suite.yaml',
    code: CODE,
    rules,
    properties: [...properties],
    cells: Object.fromEntries(entries),
  });
}

const read = (text: string): Lock => readLock({ file: 'a.lock.json', text }, 'a.suite.yaml');

describe('a lock', () => {
  it('gives back what it pins, whatever the scenarios state', () => {
    fc.assert(
      fc.property(written, (given) => {
        const lock = read(textOf(given));
        expect(lock.rules).toEqual(given.rules);
        expect(Object.keys(lock.cells).sort()).toEqual(Object.keys(given.cells).sort());
        for (const [key, { cell: pinned, stated: results }] of Object.entries(given.cells)) {
          const entry = lock.cells[key]!;
          expect(pinnedIn(entry, lock.properties, results, null)).toEqual(pinned);
        }
      }),
    );
  });

  it('notices that a scenario states other results, and knows those that came out again', () => {
    fc.assert(
      fc.property(known, stated, facts, (given, other, found) => {
        const entry = entryOf(given.cell, given.stated, []);
        const { facts: before } = given.cell;
        expect(pinnedIn(entry, [], other, before)).toEqual(given.cell);
        const after = pinnedIn(entry, [], other, found);
        const results = ({ verdicts, size: counts }: CellFacts) =>
          JSON.stringify(ordered({ verdicts, size: counts }));
        expect(after.isCertain).toBe(results(after.facts) === results(before));
      }),
    );
  });

  it('repeats no result that a scenario states', () => {
    fc.assert(
      fc.property(cell, ({ facts: found, ...inputs }) => {
        const all = { verdicts: found.verdicts, size: found.size ?? {} } as Stated;
        const entry = entryOf({ ...inputs, facts: found }, all, []);
        for (const field of ['holds', 'violated', 'vacuous', 'states', 'depth'] as const) {
          expect(entry[field]).toBeUndefined();
        }
      }),
    );
  });

  it('has one text, whatever the order of its facts', () => {
    const reversed = <Value>(given: Readonly<Record<string, Value>>): Record<string, Value> =>
      Object.fromEntries(Object.entries(given).reverse());
    fc.assert(
      fc.property(written, ({ rules, properties, cells }) => {
        const others = Object.entries(cells).map(([key, { cell: pinned, stated: results }]) => {
          const { verdicts, triggered, traces, actions, fates } = pinned.facts;
          const other = {
            ...pinned,
            rules: reversed(pinned.rules),
            facts: {
              ...pinned.facts,
              verdicts: reversed(verdicts),
              triggered: reversed(triggered),
              traces: reversed(traces),
              actions: reversed(actions),
              fates: reversed(fates),
            },
          };
          return [key, { cell: other, stated: results }];
        });
        const other = {
          rules: reversed(rules),
          properties: properties.toReversed(),
          cells: reversed(Object.fromEntries(others) as Written['cells']),
        };
        expect(textOf(other)).toBe(textOf({ rules, properties, cells }));
      }),
    );
  });

  it('has one line for each row, which names its cell, and no terminal control characters', () => {
    fc.assert(
      fc.property(written, (given) => {
        const text = textOf(given);
        expect(text).toMatch(/^\{\n[\s\S]*\n\}\n$/);
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
        const { cells } = JSON.parse(text) as { readonly cells: readonly unknown[][] };
        const lines = text.split('\n').filter((line) => /^ {4}\[/.test(line));
        const rows = lines.map((line) => JSON.parse(line.replace(/,$/, '')) as unknown[]);
        expect(rows).toEqual(cells);
        expect(new Set(cells.map(([key]) => key))).toEqual(new Set(Object.keys(given.cells)));
      }),
    );
  });
});

const REPORT = { result: { properties: [] } } as unknown as CheckReport;

function drifted(before: CellFacts, after: CellFacts): boolean {
  const pinned = {
    scenario: '',
    question: '',
    protocol: 'v1.20',
    rules: {},
    facts: before,
    isCertain: true,
  };
  return driftsOf('a cell', pinned, after, REPORT).length > 0;
}

describe('drift', () => {
  it('exists exactly if the facts differ', () => {
    fc.assert(
      fc.property(facts, facts, (before, after) => {
        expect(drifted(before, before)).toBe(false);
        const isSame = JSON.stringify(ordered(before)) === JSON.stringify(ordered(after));
        expect(drifted(before, after)).toBe(!isSame);
      }),
      { numRuns: 500 },
    );
  });

  it('exists if any single fact changes', () => {
    const changes = fc.constantFrom('verdicts', 'triggered', 'traces', 'actions', 'fates');
    fc.assert(
      fc.property(repeatable, changes, fc.nat(), (before, part, at) => {
        const names = Object.keys(before[part]);
        fc.pre(names.length > 0);
        const left = { ...before[part] } as Record<string, unknown>;
        delete left[names[at % names.length]!];
        expect(drifted(before, { ...before, [part]: left })).toBe(true);
        expect(drifted({ ...before, [part]: left }, before)).toBe(true);
      }),
    );
  });
});

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, ordered(part)]);
}

const axes: fc.Arbitrary<readonly Axis[]> = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 })
  .map((widths) =>
    widths.map((width, index) => ({
      name: `p${index}`,
      values: Array.from({ length: width }, (_, value) => (value === 0 ? null : `v${value}`)),
    })),
  );

describe('a grid', () => {
  const rowsOf = (given: readonly Axis[], combine: 'full' | 'pairwise') =>
    combinations(given, combine).map((parameters) =>
      given.map(({ name: axis }) => parameters.find((one) => one.name === axis)?.value ?? null),
    );

  it('has every combination', () => {
    fc.assert(
      fc.property(axes, (given) => {
        const rows = rowsOf(given, 'full').map((row) => JSON.stringify(row));
        expect(new Set(rows).size).toBe(given.reduce((all, { values }) => all * values.length, 1));
        expect(rows.length).toBe(new Set(rows).size);
      }),
    );
  });

  it('has every pair of values, no combination twice, and no more than all of them', () => {
    fc.assert(
      fc.property(axes, (given) => {
        const rows = rowsOf(given, 'pairwise');
        for (const [i, one] of given.entries()) {
          for (const [j, other] of given.entries()) {
            if (i >= j) continue;
            const pairs = new Set(rows.map((row) => JSON.stringify([row[i], row[j]])));
            expect(pairs.size).toBe(one.values.length * other.values.length);
          }
        }
        const texts = rows.map((row) => JSON.stringify(row));
        expect(new Set(texts).size).toBe(texts.length);
        expect(rows).toEqual(rowsOf(given, 'pairwise'));
      }),
    );
  });

  it('is much smaller by pairs', () => {
    const four = ['a', 'b', 'c', 'd'].map((axis) => ({ name: axis, values: ['1', '2', '3'] }));
    expect(combinations(four, 'full')).toHaveLength(81);
    expect(combinations(four, 'pairwise').length).toBeLessThanOrEqual(15);
  });

  it('names its cells', () => {
    expect(cellName('a', [])).toBe('a');
    expect(
      cellName('a', [
        { name: 'protocol', value: 'v1.7' },
        { name: 'workers', value: '2' },
      ]),
    ).toBe('a [protocol=v1.7 workers=2]');
  });
});
