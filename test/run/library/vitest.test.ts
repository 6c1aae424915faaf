import { describe, expect, it } from 'vitest';
import '../../../run/library/vitest.ts';
import { defineModel, type Property } from '../../../checker/index.ts';
import * as plane from '../../../examples/models/plane.ts';
import { runCli } from '../../cli/run-cli.ts';

/** A counter from 0 to 3. */
const counter = defineModel<{ count: number }>({
  name: 'counter',
  slots: { count: 'value' },
  initial: [{ count: 0 }],
  actions: {
    add: {
      reduce(draft) {
        if (draft.count < 3) draft.count += 1;
      },
    },
  },
});

const below = (most: number): Property<{ count: number }> => ({
  kind: 'invariant',
  name: `the count is below ${most}`,
  holds: ({ count }) => count < most,
});
const negative: Property<{ count: number }> = {
  kind: 'invariant',
  name: 'the count is not negative',
  holds: ({ count }) => count >= 0,
};
const vacuous: Property<{ count: number }> = {
  kind: 'invariant',
  name: 'large counts are even',
  trigger: ({ count }) => count > 9,
  holds: ({ count }) => count % 2 === 0,
};

/** Its reducer throws, so it has no answers. */
const broken = defineModel<{ count: number }>({
  ...counter,
  actions: {
    add: {
      reduce() {
        throw new Error('broken');
      },
    },
  },
});

const failure = (promise: Promise<void>): Promise<string> =>
  promise.then(
    () => 'it passed',
    (error: Error) => error.message,
  );

describe('the matchers', () => {
  it('pass where the model is as expected', async () => {
    await expect(counter).toHold([below(4)]);
    await expect(counter).not.toHold([below(3)]);
    await expect(counter).toReach(({ count }) => count === 3);
    await expect(counter).not.toReach(({ count }) => count === 4);
    await expect(counter).toHaveStates(4);
    await expect(counter).not.toHaveStates(5);
    await expect(counter).not.toHaveStates(1, { limits: { states: 2 } });
    await expect(counter).not.toHold([below(1)], { limits: { states: 2 } });
  });

  it('print the trace of what is violated', async () => {
    expect(await failure(expect(counter).toHold([below(4), below(1)]))).toMatchInlineSnapshot(`
      "expected every property to hold

      counter
        violated      the count is below 1
        holds         the count is below 4
        4 states, 3 transitions

      Counterexample to "the count is below 1" (1 step, a shortest one)

      . At first
               count = 0
      ! 1  add
               count: 0 → 1
        broken: false here: the count is below 1
      "
    `);
  });

  it('print a token that replays what is violated', async () => {
    const module = new URL('../../../examples/models/plane.ts', import.meta.url);
    const text = await failure(expect(plane.model).toHold(plane.properties, { module }));
    const [, token = ''] = /replay: reapcheck replay (\S+)/.exec(text) ?? [];
    const { code, stdout } = await runCli(['replay', token]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the property is still violated'),
    });
  });

  it('refuse a file that is no module', async () => {
    const attempt = expect(counter).toHold([below(4)], { module: 'models' });
    expect(await failure(attempt)).toContain('module must be a file of JavaScript or TypeScript');
  });

  it.each([
    ['vacuous', () => expect(counter).toHold([vacuous])],
    ['inconclusive', () => expect(counter).toHold([below(4)], { limits: { states: 2 } })],
    ['inconclusive', () => expect(counter).toHaveStates(2, { limits: { states: 2 } })],
    [
      'inconclusive',
      () => expect(counter).not.toReach(({ count }) => count === 3, { limits: { states: 2 } }),
    ],
    ['inconclusive', () => expect(counter).not.toHold([below(4)], { limits: { states: 2 } })],
    ['inconclusive', () => expect(counter).not.toHaveStates(4, { limits: { states: 2 } })],
    [
      'inconclusive',
      () =>
        expect(counter).not.toReach(({ count }) => count === 3, {
          within: ({ count }) => count < 1,
        }),
    ],
    ['inconclusive', () => expect(broken).not.toHold([negative])],
    ['inconclusive', () => expect(broken).not.toHaveStates(9)],
  ])('fail if the answer is %s', async (verdict, attempt) => {
    expect(await failure(attempt())).toContain(verdict);
  });

  it('stop with the signal of a test', async () => {
    const endless = defineModel<{ count: number }>({
      ...counter,
      actions: {
        add: {
          reduce(draft) {
            draft.count += 1;
          },
        },
      },
    });
    const signal = AbortSignal.abort();
    expect(await failure(expect(endless).toHold([negative], { signal }))).toContain('inconclusive');
  });
});
