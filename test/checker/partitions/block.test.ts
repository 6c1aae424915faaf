import { expect, it } from 'vitest';
import { packBlock, readBlock } from '../../../checker/partitions/block.ts';
import { Spelling } from '../../../checker/partitions/spelling.ts';
import { planLayout } from '../../../checker/values/layout-plan.ts';
import { SlotTable } from '../../../checker/values/slots.ts';

const MANY = 40;

it('a block may be older than slots of its engine, which are absent in its rows', () => {
  const table = new SlotTable({ a: 'value', b: 'entries' });
  const slot = table.slot(table.sections[0]!, '');
  for (const value of ['x', 'y']) table.intern(slot, value);
  const layout = planLayout([2]);
  for (let key = 0; key < MANY; key++) {
    table.intern(table.slotOrAbsent(table.sections[1]!, `key ${key}`), true);
  }
  const words = Int32Array.of(1);
  const keyed = { numbers: Float64Array.of(0), instances: Int32Array.of(0) };
  const rows = { words, layout, count: 1, hashes: Int32Array.of(0), ...keyed };
  const other = new SlotTable({ a: 'value', b: 'entries' });
  const read = readBlock(new Spelling(other), packBlock(new Spelling(table), rows));
  expect(read.rows).toMatchObject({ count: 1, columns: [] });
  expect(other.slots.map(({ section, key }) => section.key + key)).toEqual(['a']);
  expect(other.value(other.slots[0]!, read.rows.common[0]![1])).toBe('y');
});
