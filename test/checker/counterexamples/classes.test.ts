import { expect, it } from 'vitest';
import { defineModel } from '../../../checker/authoring/define.ts';
import { CounterexampleClasses } from '../../../checker/counterexamples/classes.ts';
import { Footprints } from '../../../checker/counterexamples/footprint.ts';
import { instancesOf } from '../../../checker/instances.ts';
import { compileProperties } from '../../../checker/judgements.ts';
import type { Invariant } from '../../../checker/property.ts';
import { NO_REDUCTIONS } from '../../../checker/reductions/reduction.ts';
import { traceOf } from '../../../checker/traces/trace.ts';

const BITS = [0, 1, 2, 3, 4, 5] as const;

it('classes that a later run connects are joined', () => {
  interface Sum {
    readonly sum: number;
  }
  // Every step reads what the others change, but all orders lead to the same state.
  const model = defineModel<Sum>({
    name: 'bits',
    slots: { sum: 'value' },
    initial: [{ sum: 0 }],
    actions: {
      set: {
        parameters: BITS.map((bit) => ({ bit })),
        reduce: (draft, { bit }) => {
          draft.sum |= 1 << Number(bit);
        },
      },
    },
  });
  const property: Invariant<Sum> = {
    kind: 'invariant',
    name: 'some bit is missing',
    holds: ({ sum }) => sum < 63,
  };
  const instances = instancesOf(model);
  const question = {
    model,
    instances,
    ...compileProperties([property], instances),
    reductions: NO_REDUCTIONS,
  };
  const after = (bits: readonly number[]) => ({
    sum: bits.reduce((sum, bit) => sum | (1 << bit), 0),
  });
  const backwards = BITS.toReversed();
  const trace = traceOf(model, {
    ...{ property, parameters: {}, shape: 'path', loopStart: null },
    states: [[], ...backwards.map((_, index) => backwards.slice(0, index + 1))].map(after),
    actions: backwards.map((bit) => ({ name: 'set', parameters: { bit } })),
  });
  const first = { parameters: null, trace };
  const options = { describe: undefined, orbits: null, most: 5 };
  const classes = new CounterexampleClasses(
    ...([question, new Footprints(model), property, first, options] as const),
  );
  const add = (actions: readonly number[]) => {
    classes.add({ parameters: {}, initial: { sum: 0 }, actions, loopStart: null });
  };
  add(BITS);
  // So far away that the connection was not found yet.
  expect(classes.count).toBe(2);
  for (const order of ordersOf(BITS)) add(order);
  expect(classes.count).toBe(1);
});

function ordersOf(numbers: readonly number[]): readonly (readonly number[])[] {
  if (numbers.length === 0) return [[]];
  return numbers.flatMap((first) =>
    ordersOf(numbers.filter((other) => other !== first)).map((rest) => [first, ...rest]),
  );
}
