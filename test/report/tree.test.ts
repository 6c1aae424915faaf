import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeRows } from '../../report/answer/tree.ts';
import type { Answer, AnswerObject, ObjectFate } from '../../report/document/answer.ts';
import { ANSWERS } from './answers.ts';

type Shown = Pick<Answer, 'objects' | 'outcomes'>;

/** An object by its kind, and the place of its parent. */
interface Given {
  readonly kind: string;
  readonly parent: number | null;
  readonly fate?: ObjectFate['fate'];
  readonly asked?: boolean;
  /** The finalizer that it waits for. */
  readonly finalizer?: string;
}

function shown(given: readonly Given[]): Shown {
  const objects = given.map(({ kind, parent, asked = false }, index): AnswerObject => {
    const name = `${kind}/o${index}.shop`;
    return { name, namespace: 'shop', uid: `u${index}`, parent, asked, deleting: false };
  });
  const [outcome] = ANSWERS.delete.outcomes;
  const fates = given.map(({ fate = 'goes', finalizer }, index): ObjectFate => {
    const what = finalizer ?? '';
    const waits = [{ for: 'finalizer', what, text: `o${index} waits for ${what}` }] as const;
    return { fate, replaced: false, on: [], waits: finalizer === undefined ? [] : waits };
  });
  return { objects, outcomes: [{ ...outcome!, fates }] };
}

const linesOf = (answer: Shown): readonly string[] =>
  treeRows(answer).map(({ branch, label }) => `${branch}${label}`);

/** Owners of two children each. */
const families = (count: number, odd: Partial<Given> = {}): readonly Given[] =>
  Array.from({ length: count }, (_, family) => [
    { kind: 'Widget', parent: null },
    { kind: 'Pod', parent: 3 * family },
    { kind: 'Secret', parent: 3 * family, ...(family === 1 ? odd : {}) },
  ]).flat();

describe('the tree of objects', () => {
  it('numbers the levels of a long chain, whose branches would be wider than any page', () => {
    const chain = Array.from({ length: 60 }, (_, level): Given => {
      return { kind: 'Pod', parent: level === 0 ? null : level - 1 };
    });
    const lines = linesOf(shown(chain));
    expect(lines[2]).toBe('   └─ Pod/o2.shop');
    expect(lines[40]).toBe(`${'   '.repeat(39)}└─ Pod/o40.shop`);
    expect(lines[57]).toBe('57 └─ Pod/o57.shop');
    expect(treeRows(shown(chain)).map(({ depth }) => depth)).toEqual([...chain.keys()]);
  });

  it('has one line for alike objects, and for what is beneath them', () => {
    expect(linesOf(shown(families(5)))).toEqual([
      '5 × Widget: o0.shop … o12.shop',
      '├─ 5 × Pod: o1.shop … o13.shop',
      '└─ 5 × Secret: o2.shop … o14.shop',
    ]);
    const asked = Array.from({ length: 4 }, () => ({ kind: 'Pod', parent: null, asked: true }));
    expect(treeRows(shown(asked))).toMatchObject([{ count: 4, asked: true }]);
  });

  it('has one line for owners that differ only in how many are beneath them', () => {
    const owners = [1, 2, 3, 4].flatMap((pods) => [pods, ...Array(pods).fill(0)] as number[]);
    let parent = 0;
    const given = owners.map((pods, place): Given => {
      if (pods > 0) parent = place;
      return pods > 0 ? { kind: 'Set', parent: null } : { kind: 'Pod', parent };
    });
    expect(linesOf(shown(given))).toEqual([
      '4 × Set: o0.shop … o9.shop',
      '└─ 10 × Pod: o1.shop … o13.shop',
    ]);
  });

  it('shows one by one what is different, and few', () => {
    expect(linesOf(shown(families(5, { fate: 'stays' })))).toEqual([
      '4 × Widget: o0.shop … o12.shop',
      '├─ 4 × Pod: o1.shop … o13.shop',
      '└─ 4 × Secret: o2.shop … o14.shop',
      'Widget/o3.shop',
      '├─ Pod/o4.shop',
      '└─ Secret/o5.shop',
    ]);
    expect(linesOf(shown(families(1)))).toHaveLength(3);
    expect(linesOf(shown(families(3)))).toHaveLength(9);
  });

  it('shows apart what waits for different owners of finalizers', () => {
    const held = Array.from({ length: 8 }, (_, index) => ({
      ...{ kind: 'Topic', parent: null, fate: 'hangs' as const },
      finalizer: index % 2 === 0 ? 'a.io/hold' : 'b.io/hold',
    }));
    expect(linesOf(shown(held))).toEqual([
      '4 × Topic: o0.shop … o6.shop',
      '4 × Topic: o1.shop … o7.shop',
    ]);
  });

  it('has each object once, in a row of its kind and fate', () => {
    const given = fc.array(
      fc.record({
        kind: fc.constantFrom('Pod', 'Secret'),
        above: fc.option(fc.nat(), { nil: null }),
        fate: fc.constantFrom('goes' as const, 'goes' as const, 'stays' as const),
        asked: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(given, (some) => {
        const all = some.map(({ above, ...rest }, index): Given => {
          return { ...rest, parent: above === null || index === 0 ? null : above % index };
        });
        const rows = treeRows(shown(all));
        const members = rows.flatMap((row) => row.members);
        expect([...members].sort((a, b) => a - b)).toEqual([...all.keys()]);
        for (const row of rows) {
          const looks = new Set(
            row.members.map((at) => JSON.stringify([all[at]!.kind, all[at]!.fate, all[at]!.asked])),
          );
          expect(looks.size).toBe(1);
        }
      }),
      { numRuns: 100 },
    );
  });
});
