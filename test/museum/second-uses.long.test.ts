import { expect, it } from 'vitest';
import { nameMeant } from '../../input/property-names.ts';
import { judged } from '../model/judged-scenario.ts';
import { SECOND_USES } from './second-uses.ts';

/** Values of rules and properties of the museum show outside of it, too. */
it.each(SECOND_USES)('$rule matters in $scenario', async (one) => {
  const { scenario, rule, values, property, verdict } = one;
  const found = [];
  for (const value of values) {
    found.push((await judged(scenario, { [rule]: value }, nameMeant(property))).verdict);
  }
  expect(found).toEqual([verdict, verdict === 'holds' ? 'violated' : 'holds']);
});
