import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { StateStore } from '../../../checker/engine/state-store.ts';
import { check, combinations, defineModel } from '../../../checker/index.ts';
import { movesBetween } from '../../../checker/values/layout.ts';
import { planLayout, reviseLayout } from '../../../checker/values/layout-plan.ts';
import { randomRuns } from '../support/random-runs.ts';

const valueCounts = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000_000 })),
  {
    minLength: 1,
    maxLength: 60,
  },
);

/** By slot: bits as `planLayout` spends them, packing all slots for each spare bit. */
function bitsBySlots(counts: readonly number[]): number[] {
  const bits = counts.map((count) => (count <= 1 ? 0 : Math.ceil(Math.log2(count))));
  const widthOf = (sizes: readonly number[]): number => {
    const free: number[] = [];
    for (const size of [...sizes].sort((one, other) => other - one)) {
      if (size === 0) continue;
      const word = free.findIndex((left) => left >= size);
      if (word < 0) free.push(32 - size);
      else free[word]! -= size;
    }
    return free.length;
  };
  const width = widthOf(bits);
  const open = new Set(counts.keys());
  while (open.size > 0) {
    const fullness = (slot: number): number => counts[slot]! / 2 ** bits[slot]!;
    const slot = [...open].reduce((one, other) => (fullness(other) > fullness(one) ? other : one));
    const wider = bits.with(slot, bits[slot]! + 1);
    if (wider[slot]! <= 30 && widthOf(wider) <= width) bits[slot]!++;
    else open.delete(slot);
  }
  return bits;
}

describe('a layout', () => {
  it('spends its spare bits as if all slots were packed for each of them', () => {
    fc.assert(
      fc.property(valueCounts, (counts) => {
        const { mask } = planLayout(counts);
        const bits = counts.map((_, slot) => Math.log2(mask[slot]! + 1));
        expect(bits).toEqual(bitsBySlots(counts));
      }),
    );
  });

  it('reads what was written, whatever other slots hold', () => {
    fc.assert(
      fc.property(valueCounts, fc.nat(), (counts, seed) => {
        const layout = planLayout(counts);
        const row = new Int32Array(layout.width);
        const locals = counts.map((count, slot) => (count <= 1 ? 0 : (seed + 7919 * slot) % count));
        locals.forEach((local, slot) => {
          layout.write(row, slot, local);
        });
        locals.forEach((local, slot) => {
          expect(layout.fits(slot, local)).toBe(true);
          expect(layout.read(row, 0, slot)).toBe(local);
        });
      }),
    );
  });

  it('is revised without changing what rows hold, and is no wider than a new one', () => {
    fc.assert(
      fc.property(
        valueCounts,
        fc.array(fc.nat({ max: 300 }), { maxLength: 80 }),
        (counts, more) => {
          const former = planLayout(counts);
          const grown = Array.from(
            { length: Math.max(counts.length, more.length) },
            (_, slot) => (counts[slot] ?? 1) + (more[slot] ?? 0),
          );
          const revised = reviseLayout(former, grown);
          expect(revised.width).toBeLessThanOrEqual(planLayout(grown).width);
          const store = new StateStore(former.width);
          store.reserve(1);
          counts.forEach((count, slot) => {
            former.write(store.next, slot, count - 1);
          });
          store.hash(0);
          store.insertAll(1, -1);
          store.changeLayout(revised.width, movesBetween(former, revised));
          counts.forEach((count, slot) => {
            expect(revised.read(store.rows, 0, slot)).toBe(count - 1);
          });
          grown.forEach((count, slot) => {
            expect(revised.fits(slot, count - 1)).toBe(true);
          });
        },
      ),
    );
  });

  it('keeps slots apart, however often it is revised', () => {
    // Words must be full, so that a slot with one value has no bits.
    const growths = fc.array(fc.tuple(fc.nat(39), fc.integer({ min: 1, max: 6 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(1, 1, 2, 16, 256), { minLength: 10, maxLength: 40 }),
        fc.array(growths, { minLength: 2, maxLength: 12 }),
        (first, revisions) => {
          const counts: number[] = [...first];
          let layout = planLayout(counts);
          for (const grown of revisions) {
            for (const [slot, bits] of grown) {
              const count = (counts[slot % counts.length] ?? 1) * 2 ** bits;
              counts[slot % counts.length] = Math.min(count, 2 ** 20);
            }
            layout = reviseLayout(layout, counts);
            const slots = layout.slots.flat();
            expect(new Set(slots).size).toBe(slots.length);
            const row = new Int32Array(layout.width);
            counts.forEach((count, slot) => {
              layout.write(row, slot, count - 1);
            });
            counts.forEach((count, slot) => {
              expect(layout.read(row, 0, slot)).toBe(count - 1);
            });
          }
        },
      ),
      { numRuns: randomRuns(200) },
    );
  });

  it('uses spare bits without more words', () => {
    // 33 bits need two words; the other 31 bits are spare.
    const layout = planLayout([...Array(33).keys()].map(() => 2));
    expect(layout.width).toBe(2);
    expect(layout.mask.filter((mask) => mask === 3).length).toBeGreaterThan(20);
  });
});

describe('the store', () => {
  it('finds the stored rows and no others, through growth and changes of layout', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.nat(999), fc.nat(999), fc.nat(999)), {
          minLength: 1,
          maxLength: 300,
          selector: (row) => row.join(),
        }),
        (all) => {
          const narrow = planLayout([1000, 1000, 1000]);
          const wide = planLayout([1000, 2 ** 20, 2 ** 20]);
          const store = new StateStore(narrow.width);
          store.reserve(1);
          const put = (row: readonly number[], layout: typeof narrow) => {
            store.next.fill(0);
            row.forEach((local, slot) => {
              layout.write(store.next, slot, local);
            });
          };
          const kept = all.slice(0, Math.ceil(all.length / 2));
          kept.forEach((row, number) => {
            put(row, narrow);
            store.hash(0);
            store.insertAll(1, number - 1);
            expect(store.found[0]).toBe(number);
          });
          store.changeLayout(wide.width, movesBetween(narrow, wide));
          all.forEach((row, number) => {
            put(row, wide);
            store.hash(0);
            store.findAll(1);
            expect(store.found[0]).toBe(number < kept.length ? number : -1);
          });
          expect([...store.parentsOf(0, kept.length)]).toEqual(kept.map((_, number) => number - 1));
        },
      ),
      { numRuns: 50 },
    );
  });
});

interface Counters {
  readonly counters: Readonly<Record<string, number>>;
  readonly log: readonly string[];
}

/** Domains grow during the whole search, so rows are re-encoded often. */
function counting(names: readonly string[], most: number) {
  return defineModel<Counters>({
    name: 'counting',
    slots: { counters: 'entries', log: 'value' },
    initial: [{ counters: {}, log: [] }],
    actions: {
      count: {
        parameters: combinations({ name: names }),
        reduce(draft, { name }) {
          const now = draft.counters[String(name)] ?? 0;
          if (now === most) return;
          draft.counters[String(name)] = now + 1;
          if (now % 4 === 3) draft.log = [String(name), String(now)];
        },
      },
    },
  });
}

test('a search whose rows are re-encoded many times counts nothing twice', async () => {
  const seen = new Set<string>();
  const collector = {
    kind: 'invariant',
    name: 'collector',
    holds(state: Counters) {
      seen.add(JSON.stringify(state));
      return true;
    },
  } as const;
  const model = counting(['a', 'b', 'c'], 11);
  const naive = await check({ model, properties: [collector], engine: 'naive' });
  const expected = new Set(seen);
  seen.clear();
  const tracked = await check({ model, properties: [collector], auditEvery: 100 });
  expect(tracked.defect).toBe(null);
  expect(seen).toEqual(expected);
  const { states, transitions, layers } = naive.statistics;
  expect(tracked.statistics).toMatchObject({ states, transitions, layers });
});

test('10,000 states of one slot', async () => {
  const model = counting(['a'], 10_000);
  const witness = {
    kind: 'witness',
    name: 'counted up',
    reached: ({ counters }: Counters) => counters.a === 10_000,
  } as const;
  const result = await check({ model, properties: [witness] });
  expect(result.statistics).toMatchObject({ states: 10_001, transitions: 10_000, layers: 10_001 });
  expect(result.properties[0]?.verdict).toBe('holds');
  expect(result.properties[0]?.trace?.steps).toHaveLength(10_000);
});
