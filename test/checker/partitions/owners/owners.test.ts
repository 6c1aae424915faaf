import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TrackedEngine } from '../../../../checker/engine/tracked.ts';
import { UNGUARDED } from '../../../../checker/guard.ts';
import type { CheckOptions } from '../../../../checker/options.ts';
import { Owners } from '../../../../checker/partitions/owners/owners.ts';
import { RowHash } from '../../../../checker/partitions/owners/row-hash.ts';
import { prepareForPartitions } from '../../../../checker/partitions/question.ts';
import { Spelling } from '../../../../checker/partitions/spelling.ts';
import { Layout } from '../../../../checker/values/layout.ts';
import { planLayout } from '../../../../checker/values/layout-plan.ts';
import { SlotTable } from '../../../../checker/values/slots.ts';
import { anyRule } from '../../support/any-rule.ts';
import { explore } from '../../support/oracle.ts';
import { modelOf, propertiesOf, randomCases } from '../../support/random-models.ts';
import { randomRuns } from '../../support/random-runs.ts';
import {
  symmetricCases,
  symmetricModel,
  symmetricProperties,
} from '../../support/random-symmetric.ts';
import { diceOf } from '../../support/same-search.ts';

const VALUES = 10;
const MOST_STATES = 60;
const PARTITIONS = 3;

/**
 * Looks at each transition: if its effect lets the owner stay, the rows say so too. Returns how
 * many do, and do not.
 */
async function compareOwners<State>(options: CheckOptions<State>, seed: number) {
  const rule = await anyRule(options, diceOf(seed));
  const { question } = prepareForPartitions(options, UNGUARDED);
  const engine = new TrackedEngine(question);
  const exchange = engine.exchange();
  const owners = new Owners(exchange, new Spelling(exchange.slots), PARTITIONS, rule);
  const found = { stays: 0, moves: 0 };
  for (let state = 0; state < engine.stateCount; state++) {
    const owner = owners.of(...exchange.rowOf(state));
    engine.load(state);
    exchange.expand(
      { watched: new Uint8Array(engine.actionCount), transition: () => undefined },
      {
        isStored: (_, effect, words, start) => {
          const target = owners.of(words, start);
          if (!owners.mayMove(effect)) {
            found.stays++;
            expect(target).toBe(owner);
          } else if (target !== owner) found.moves++;
          return true;
        },
        stored: () => undefined,
      },
    );
  }
  return found;
}

it('a step that writes no slot of the rule leads to a state of the same owner', async () => {
  const all = { stays: 0, moves: 0 };
  const add = ({ stays, moves }: typeof all): void => {
    all.stays += stays;
    all.moves += moves;
  };
  await fc.assert(
    fc.asyncProperty(randomCases, symmetricCases, fc.nat(), async (one, other, seed) => {
      const model = modelOf(one);
      const alike = symmetricModel(other);
      fc.pre(explore(model, MOST_STATES) !== null && explore(alike, MOST_STATES) !== null);
      add(await compareOwners({ model, properties: propertiesOf(one) }, seed));
      const properties = symmetricProperties(other);
      add(await compareOwners({ model: alike, properties, reductions: ['symmetry'] }, seed));
    }),
    { numRuns: randomRuns(25) },
  );
  expect(Math.min(all.stays, all.moves)).toBeGreaterThan(10);
});

it('the hash of a state is the same in every layout, and depends on the slots that count', () => {
  const table = new SlotTable({ a: 'value', b: 'value', c: 'value' });
  for (const section of table.sections) {
    const slot = table.slot(section, '');
    for (let value = 0; value < VALUES; value++) table.intern(slot, `${section.key}${value}`);
  }
  const layouts = [planLayout([VALUES, VALUES, VALUES]), new Layout([4, 5, 6], [[2], [1, 0]])];
  const hashes = layouts.map(() => {
    const spelling = new Spelling(table);
    return [new RowHash(spelling, () => true), new RowHash(spelling, ({ number }) => number === 1)];
  });
  const local = fc.nat({ max: VALUES - 1 });
  fc.assert(
    fc.property(fc.tuple(local, local, local), local, (locals, other) => {
      const hashed = (values: readonly number[]) =>
        layouts.map((layout, index) => {
          const row = new Int32Array(1 + layout.width);
          values.forEach((value, slot) => {
            layout.writeAt(row, 1, slot, value);
          });
          return hashes[index]!.map((hash) => hash.of(row, 1, layout));
        });
      const [one, again] = hashed(locals);
      expect(one).toEqual(again);
      expect(hashed([other, locals[1], other])[0]![1]).toBe(one![1]);
      const isSame = other === locals[1];
      expect(hashed([locals[0], other, locals[2]])[0]![1] === one![1]).toBe(isSame);
    }),
  );
});
