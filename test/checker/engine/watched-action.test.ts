import { expect, it } from 'vitest';
import { check } from '../../../checker/check.ts';
import { WatchedAction } from '../../../checker/engine/seeking/watched-action.ts';
import type { ActionInstance } from '../../../checker/property.ts';

it('an action records each time in which it is looked at, and only those', () => {
  const identity = { name: 'scale', parameters: { by: 2 } };
  const watched = new WatchedAction(identity, 7, 3);
  const looks = [
    () => {},
    ({ name }: ActionInstance) => name,
    () => {},
    ({ parameters }: ActionInstance) => parameters,
    (action: ActionInstance) => ({ ...action }),
  ];
  const found = looks.map((look) => {
    const noted: number[][] = [];
    const action = watched.enter({ noteAnswer: (...answer) => void noted.push(answer) });
    return [look(action), watched.wasRead, noted];
  });
  expect(found).toEqual([
    [undefined, false, []],
    ['scale', true, [[7, 3]]],
    [undefined, false, []],
    [{ by: 2 }, true, [[7, 3]]],
    [
      identity,
      true,
      [
        [7, 3],
        [7, 3],
      ],
    ],
  ]);
});

it('an action that a step predicate has kept cannot be looked at later', async () => {
  const kept: ActionInstance[] = [];
  const { defect } = await check<{ one: number; other: number }>({
    model: {
      name: 'two counters',
      slots: { one: 'value', other: 'value' },
      initial: [{ one: 0, other: 0 }],
      actions: {
        one: {
          reduce: (draft) => {
            if (draft.one < 3) draft.one++;
          },
        },
        other: {
          reduce: (draft) => {
            if (draft.other < 3) draft.other++;
          },
        },
      },
    },
    properties: [
      {
        kind: 'step',
        name: 'looks back',
        holds: (_before, action) => {
          const looksBack = action.name === 'other' && kept.length > 0;
          if (action.name === 'one') kept.push(action);
          return !looksBack || kept[0]!.name === 'one';
        },
      },
    ],
  });
  expect(defect?.culprit).toBe('looks back');
});
