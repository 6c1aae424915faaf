import { describe, expect, it, test } from 'vitest';
import { check } from '../../checker/check.ts';
import type { Model } from '../../checker/model.ts';
import type { Property } from '../../checker/property.ts';

interface Marks {
  readonly count: number;
  readonly mark: number;
}

const nothing: Property<Marks> = { kind: 'invariant', name: 'nothing', holds: () => true };

/** Counts up to a number. Beside that, it may set the mark once, to what `marked` says. */
function counting(most: number, marked: () => number): Model<Marks> {
  return {
    name: 'counting',
    slots: { count: 'value', mark: 'value' },
    initial: [{ count: 0, mark: 0 }],
    actions: {
      tick: {
        reduce(draft) {
          if (draft.count < most) draft.count++;
        },
      },
      mark: {
        reduce(draft) {
          if (draft.mark === 0) draft.mark = marked();
        },
      },
    },
  };
}

describe('a thinning sample of audits', () => {
  it.each([
    [1, 1],
    [16, 1],
    [17, 2],
    [82, 3],
    [500, 5],
  ])('has of %i transitions %i', async (transitions, audited) => {
    const model = counting(transitions, () => 0);
    const { statistics } = await check({
      model,
      properties: [nothing],
      auditEvery: 'thinning',
    });
    expect(statistics).toMatchObject({ transitions, audited });
  });

  test('has one transition in 5,000 of a large search', async () => {
    const bits = Array.from({ length: 15 }, (_, at) => `bit${at}`);
    const model: Model<{ readonly bits: Readonly<Record<string, true>> }> = {
      name: 'bits',
      slots: { bits: 'entries' },
      initial: [{ bits: {} }],
      actions: {
        set: {
          parameters: bits.map((bit) => ({ bit })),
          reduce(draft, { bit }) {
            draft.bits[String(bit)] = true;
          },
        },
      },
    };
    const properties = [{ kind: 'invariant', name: 'nothing', holds: () => true } as const];
    const { statistics } = await check({ model, properties, auditEvery: 'thinning' });
    expect(statistics).toMatchObject({ transitions: 15 * 2 ** 14, audited: 72 });
  });

  test('prefers actions that were audited less: it finds a rare one that reads outside of the state', async () => {
    const outside = { factor: 1 };
    const spoil: Property<Marks> = {
      kind: 'invariant',
      name: 'spoils',
      holds({ count }) {
        if (count === 2) outside.factor = 2;
        return true;
      },
    };
    const model = counting(200, () => outside.factor);
    const { defect } = await check({ model, properties: [spoil], auditEvery: 'thinning' });
    expect(defect).toMatchObject({ kind: 'auditMismatch', culprit: 'mark' });
  });
});
