import fc from 'fast-check';
import { expect, it } from 'vitest';
import { choiceCount, choices } from '../../../checker/instances.ts';
import { SlotTable } from '../../../checker/values/slots.ts';

it('the entries that were present are sorted, and each is present for a first time once', () => {
  const entry = fc.record({
    key: fc.constantFrom('b', '10', 'a', '9', 'B', 'ä'),
    value: fc.option(fc.nat(2)),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
      const table = new SlotTable({ items: 'entries' });
      const section = table.section('items')!;
      let first = 0;
      table.onFirstPresence = () => {
        first++;
      };
      const seen = new Set<string>();
      for (const { key, value } of entries) {
        const slot = table.slot(section, key);
        if (value === null) table.absentLocal(slot);
        else {
          table.intern(slot, value);
          seen.add(key);
        }
        expect(section.present.map((present) => present.key)).toEqual([...seen].sort());
        expect(first).toBe(seen.size);
      }
    }),
  );
});

it('choices are counted as if they were copied', () => {
  const some = fc.option(fc.array(fc.constant({ a: 1 }), { maxLength: 3 }), { nil: undefined });
  fc.assert(fc.property(some, (given) => choiceCount(given) === choices(given).length));
});
