import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Ranks } from '../../../checker/reductions/symmetry/ranks.ts';
import { canonicalText } from '../../../checker/values/canonical.ts';
import { SlotTable } from '../../../checker/values/slots.ts';

it('ranks values by their texts, whenever they were met', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(fc.integer(), fc.string({ maxLength: 3 })), { maxLength: 40 }),
      fc.boolean(),
      (values, isAbsentFirst) => {
        const table = new SlotTable({ at: 'entries' });
        const slot = table.slot(table.section('at')!, 'key');
        const ranks = new Ranks(table);
        if (isAbsentFirst) table.absentLocal(slot);
        for (const value of values) {
          table.intern(slot, value);
          ranks.of(slot);
        }
        table.absentLocal(slot);
        const found = ranks.of(slot);
        const texts = found.map((_, local) =>
          table.isAbsent(slot, local) ? '' : canonicalText(table.value(slot, local)),
        );
        const inOrder = [...found.keys()].sort((one, other) => found[one]! - found[other]!);
        expect(inOrder.map((local) => texts[local])).toEqual([...texts].sort());
      },
    ),
  );
});

it('has a rank for each of many values between two', () => {
  const table = new SlotTable({ at: 'value' });
  const slot = table.slot(table.section('at')!, '');
  const ranks = new Ranks(table);
  table.intern(slot, 'a');
  table.intern(slot, 'c');
  // Each is just before the one before it.
  for (let length = 1; length <= 200; length++) {
    table.intern(slot, `b${'a'.repeat(200 - length)}`);
    ranks.of(slot);
  }
  for (let length = 1; length <= 200; length++) table.intern(slot, `b${'b'.repeat(length)}`);
  expect(new Set(ranks.of(slot)).size).toBe(402);
});
