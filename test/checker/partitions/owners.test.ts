import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Owners } from '../../../checker/partitions/owners.ts';
import { Spelling } from '../../../checker/partitions/spelling.ts';
import { Layout } from '../../../checker/values/layout.ts';
import { planLayout } from '../../../checker/values/layout-plan.ts';
import { SlotTable } from '../../../checker/values/slots.ts';

const VALUES = 10;

it('the owner of a state is the same in every layout, whatever was hashed before', () => {
  const table = new SlotTable({ a: 'value', b: 'value', c: 'value' });
  for (const section of table.sections) {
    const slot = table.slot(section, '');
    for (let value = 0; value < VALUES; value++) table.intern(slot, `${section.key}${value}`);
  }
  const layouts = [planLayout([VALUES, VALUES, VALUES]), new Layout([4, 5, 6], [[2], [1, 0]])];
  const owners = layouts.map(() => new Owners(new Spelling(table), 7));
  const local = fc.nat({ max: VALUES - 1 });
  fc.assert(
    fc.property(fc.tuple(local, local, local), (locals) => {
      const [one, other] = layouts.map((layout, index) => {
        const row = new Int32Array(1 + layout.width);
        locals.forEach((value, slot) => {
          layout.writeAt(row, 1, slot, value);
        });
        return owners[index]!.hash(row, 1, layout);
      });
      expect(one).toBe(other);
    }),
  );
});
