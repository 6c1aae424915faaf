import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../../checker/check.ts';
import type { Model } from '../../../checker/model.ts';
import type { StepRule } from '../../../checker/property.ts';
import { randomRuns } from '../support/random-runs.ts';

interface Cells {
  readonly cells: Record<string, number>;
  readonly line: Record<string, readonly string[]>;
}

const KEYS = ['a', 'b', 'c', 'd'] as const;

/**
 * If the cell `guard` is `when`, an action changes the cell `target`, or adds itself to the line.
 */
interface Move {
  readonly guard: string;
  readonly when: number;
  readonly target: string;
  readonly by: number;
  readonly queues: boolean;
}

/** What a rule asks of a step; each reads few cells, before or after it. */
interface Asked {
  readonly key: string;
  readonly value: number;
  readonly kind: 'changes' | 'was' | 'becomes' | 'named' | 'grows' | 'throws';
}

function modelOf(moves: readonly Move[]): Model<Cells> {
  return {
    name: 'cells',
    slots: { cells: 'entries', line: 'queues' },
    initial: [{ cells: { a: 0, b: 1, c: 2 }, line: { x: [] } }],
    actions: Object.fromEntries(
      moves.map(({ guard, when, target, by, queues }, number) => [
        `move${number}`,
        {
          reduce(draft) {
            if ((draft.cells[guard] ?? 0) !== when) return;
            draft.cells[target] = ((draft.cells[target] ?? 0) + by) % 3;
            const line = draft.line.x as string[];
            if (queues && line.length < 2) line.push(target);
            else if (queues) line.shift();
          },
        },
      ]),
    ),
  } as Model<Cells>;
}

function asks({ key, value, kind }: Asked): NonNullable<StepRule<Cells>['trigger']> {
  return (before, action, after) => {
    switch (kind) {
      case 'changes':
        return before.cells[key] !== after.cells[key] && before.cells.a === value;
      case 'was':
        return before.cells[key] === value;
      case 'becomes':
        return after.cells[key] === value;
      case 'named':
        return before.cells[key] === value && action.name === 'move1';
      case 'grows':
        return after.line.x!.length > before.line.x!.length && before.cells[key] === value;
      case 'throws': {
        // Right of every step of this model, and wrong of one that changes nothing.
        const changed = KEYS.find((one) => before.cells[one] !== after.cells[one]);
        return changed!.length + (after.cells[changed!] ?? 0) === value;
      }
    }
  };
}

const move: fc.Arbitrary<Move> = fc.record({
  guard: fc.constantFrom(...KEYS),
  when: fc.nat(2),
  target: fc.constantFrom(...KEYS),
  by: fc.constantFrom(1, 2),
  queues: fc.boolean(),
});
const asked: fc.Arbitrary<Asked> = fc.record({
  key: fc.constantFrom(...KEYS),
  value: fc.nat(2),
  kind: fc.constantFrom('changes', 'was', 'becomes', 'named', 'grows', 'throws'),
});
const rule = fc.record({ trigger: fc.option(asked), holds: asked, negated: fc.boolean() });

describe('step rules that need not be evaluated', () => {
  it('come out as if each were evaluated on every step', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 2, maxLength: 5 }),
        fc.array(rule, { minLength: 1, maxLength: 6 }),
        async (moves, rules) => {
          const properties = rules.map(
            ({ trigger, holds, negated }, number): StepRule<Cells> => ({
              kind: 'step',
              name: `rule ${number}`,
              ...(trigger === null ? {} : { trigger: asks(trigger) }),
              holds: (...step) => asks(holds)(...step) !== negated,
            }),
          );
          const model = modelOf(moves);
          const [fast, slow] = [
            await check({ model, properties, engine: 'tracked' }),
            await check({ model, properties, engine: 'naive' }),
          ];
          expect(fast.properties).toEqual(slow.properties);
          expect(fast.statistics.transitions).toBe(slow.statistics.transitions);
        },
      ),
      { numRuns: randomRuns(120) },
    );
  });

  it('are a defect if they throw for a step of the search', async () => {
    const model = modelOf([{ guard: 'a', when: 0, target: 'a', by: 1, queues: false }]);
    const property: StepRule<Cells> = {
      kind: 'step',
      name: 'thrower',
      holds: (_before, _action, { cells }) => cells.nothing!.toFixed() === '0',
    };
    const { defect } = await check({ model, properties: [property] });
    expect(defect).toMatchObject({ kind: 'threw', culprit: 'thrower' });
  });
});
