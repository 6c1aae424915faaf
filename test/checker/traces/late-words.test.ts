import { expect, it } from 'vitest';
import { check, defineModel, defineProperty } from '../../../checker/index.ts';

const model = defineModel({
  name: 'counter',
  slots: { count: 'value' },
  initial: [{ count: 0 }],
  actions: {
    increment: {
      fairness: 'weak',
      reduce(draft: { count: number }) {
        if (draft.count < 3) draft.count++;
      },
    },
  },
});
const three = defineProperty(model, {
  kind: 'witness',
  name: 'three',
  reached: ({ count }) => count === 3,
});

async function traceWith(late: boolean, asked: string[]) {
  const asking = <Words>(name: string, words: Words): Words => {
    asked.push(name);
    return words;
  };
  const { properties } = await check({
    model,
    properties: [three],
    describe: {
      action: (_step, { count }) => asking('action', `counts ${count}`),
      actor: () => asking('actor', 'counter'),
      beliefs: () => asking('beliefs', ['it counts on']),
      changes: (before, after) => asking('changes', [`${before.count} becomes ${after.count}`]),
      state: ({ count }) => [`count ${count}`],
      late,
    },
  });
  return properties[0]!.trace!;
}

it('late words of a step are those of the check, and are made when they are read, once', async () => {
  const asked: string[] = [];
  const late = await traceWith(true, asked);
  expect(asked).toEqual([]);
  expect(late.steps[1]!.sentence).toBe(late.steps[1]!.sentence);
  expect(asked).toEqual(['action']);
  const early = await traceWith(false, []);
  expect(JSON.stringify(late)).toBe(JSON.stringify(early));
  expect(asked).toHaveLength(12);
});
