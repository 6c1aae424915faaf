import { expect, test } from 'vitest';
import { check, defineModel, type Model } from '../../checker/index.ts';
import { authoredModel } from '../../run/authored/authored.ts';
import { reportOnModel } from '../../run/authored/report.ts';

/** A reducer may do at random what it does, and the search may not have noticed. */
const light = (isBroken: boolean) =>
  defineModel({
    name: 'light',
    initial: [{ on: false }],
    slots: { on: 'value' },
    actions: {
      flip: {
        reduce(draft) {
          if (!isBroken) draft.on = !draft.on;
        },
      },
    },
  });

test('a run that cannot be executed again for its token is the fault of the model', async () => {
  const properties = [
    { kind: 'invariant', name: 'off', holds: ({ on }: { on: boolean }) => !on } as const,
  ];
  const exports = { model: light(true), properties };
  const authored = authoredModel({ file: 'light.js', text: '', exports });
  const found = await check({ model: light(false) as Model<{ on: boolean }>, properties });
  const answering = { title: 'light', again: '', limits: {}, how: 'search' } as const;
  await expect(
    reportOnModel(authored, { ...answering, answer: async () => found }),
  ).rejects.toThrow(/the model of light.js is not valid: flip does not always do the same/);
});
