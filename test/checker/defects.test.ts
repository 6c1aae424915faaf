import type { Draft } from 'immer';
import { describe, expect, test } from 'vitest';
import { check, defineModel, type Property } from '../../checker/index.ts';
import type { CheckResult, ModelDefect } from '../../checker/result.ts';
import { type Box, badValues } from './support/bad-values.ts';

const ENGINES = ['tracked', 'naive'] as const;
const fine: Property<Box> = { kind: 'invariant', name: 'fine', holds: () => true };

function boxWith(reduce: (draft: Draft<Box>) => void) {
  return defineModel<Box>({
    name: 'box',
    slots: { things: 'entries', flags: 'flags', queues: 'queues', count: 'value' },
    initial: [{ things: { a: { n: 0 } }, flags: {}, queues: { q: [1] }, count: 0 }],
    actions: {
      step: {
        reduce: (draft) => {
          draft.count = (draft.count + 1) % 5;
        },
      },
      culprit: { parameters: [{ one: 1 }], reduce },
    },
  });
}

function expectDefect(result: CheckResult, kind: ModelDefect['kind'], message: RegExp): void {
  expect(result.outcome).toBe('defect');
  expect(result.defect).toMatchObject({ kind, culprit: 'culprit', parameters: { one: 1 } });
  expect(result.defect?.message).toMatch(message);
  expect(result.properties[0]).toMatchObject({ verdict: 'inconclusive' });
  expect(result.properties[0]?.reason).toContain('culprit');
}

describe.each(ENGINES)('%s', (engine) => {
  test.each(badValues)('refuses %s', async (_name, reduce, message) => {
    const result = await check({ model: boxWith(reduce), properties: [fine], engine });
    expectDefect(result, 'badValue', message);
  });

  test('names a reducer that throws', async () => {
    const model = boxWith((draft) => {
      if (draft.count === 3) throw new Error('three is too many');
    });
    const result = await check({ model, properties: [fine], engine });
    expectDefect(result, 'threw', /three is too many/);
  });

  test('names an asynchronous reducer', async () => {
    const model = boxWith(async () => {});
    expectDefect(await check({ model, properties: [fine], engine }), 'threw', /asynchronous/);
  });

  test('survives an asynchronous reducer that fails later', async () => {
    const failures: unknown[] = [];
    const note = (reason: unknown) => failures.push(reason);
    process.on('unhandledRejection', note);
    const model = boxWith(async (draft) => {
      await Promise.resolve();
      draft.count = 4;
    });
    expectDefect(await check({ model, properties: [fine], engine }), 'threw', /asynchronous/);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(failures).toEqual([]);
  });

  test('names an asynchronous predicate, which would always hold', async () => {
    const holds = (async () => false) as unknown as () => boolean;
    const late: Property<Box> = { kind: 'invariant', name: 'late', holds };
    const { defect } = await check({ model: boxWith(() => {}), properties: [late], engine });
    expect(defect).toMatchObject({ kind: 'threw', culprit: 'late' });
  });

  test.each<[unknown, string]>([
    [undefined, 'undefined'],
    [[], 'a list'],
    [{}, 'an object'],
    [1, 'a number'],
  ])(
    'refuses the answer %j of a predicate, which may be always true or never',
    async (answer, words) => {
      const holds = (() => answer) as unknown as () => boolean;
      const strange: Property<Box> = { kind: 'invariant', name: 'strange', holds };
      const { defect } = await check({ model: boxWith(() => {}), properties: [strange], engine });
      const message = `a predicate must return true or false, not ${words}`;
      expect(defect).toMatchObject({ kind: 'threw', culprit: 'strange', message });
    },
  );

  test.each<[string, (draft: Draft<Box>) => unknown]>([
    ['a new state', (draft) => ({ ...draft, count: draft.count + 1 })],
    ['a list', () => []],
    ['a part of the draft', (draft) => draft.things],
    ['a function', () => () => {}],
  ])('names a reducer that returns %s', async (_name, reduce) => {
    const model = boxWith(reduce as (draft: Draft<Box>) => void);
    expectDefect(await check({ model, properties: [fine], engine }), 'returned', /returned/);
  });

  test('accepts the draft and plain values as results of a reducer', async () => {
    for (const reduce of [
      (draft: Draft<Box>) => draft,
      (draft: Draft<Box>) => draft.queues.q!.length,
      () => null,
    ]) {
      const model = boxWith(reduce as (draft: Draft<Box>) => void);
      const { outcome, defect } = await check({ model, properties: [fine], engine });
      expect([outcome, defect]).toEqual(['complete', null]);
    }
  });

  test.each<[string, (draft: Draft<Box>) => unknown]>([
    ['the state', (draft) => draft],
    ['a section', (draft) => draft.things],
    ['a value', (draft) => draft.things.a],
    ['a queue', (draft) => draft.queues.q],
  ])('finds a kept draft of %s', async (_name, part) => {
    let kept: unknown = null;
    const model = boxWith((draft) => {
      if (kept !== null) Object.keys(kept as object);
      kept = part(draft);
    });
    expectDefect(await check({ model, properties: [fine], engine }), 'leakedDraft', /./);
  });

  test('names a predicate that throws', async () => {
    const broken: Property<Box> = {
      kind: 'invariant',
      name: 'broken',
      holds: ({ count }) => {
        if (count === 2) throw new Error('no two');
        return true;
      },
    };
    const result = await check({ model: boxWith(() => {}), properties: [fine, broken], engine });
    expect(result.defect).toMatchObject({ kind: 'threw', culprit: 'broken', message: 'no two' });
  });

  test('does not let a predicate change the state', async () => {
    const greedy: Property<Box> = {
      kind: 'invariant',
      name: 'greedy',
      holds: (state) => {
        (state.things as Record<string, unknown>).a = 2;
        return true;
      },
    };
    const result = await check({ model: boxWith(() => {}), properties: [greedy], engine });
    expect(result.defect).toMatchObject({ kind: 'threw', culprit: 'greedy' });
  });
});

/** The model has kept the clock itself, from before its actions run. */
const keptClock = (
  (clock) => () =>
    clock.now() > 0
)(Date);

describe('tracked', () => {
  test('finds a nondeterministic reducer', async () => {
    let runs = 0;
    const model = boxWith((draft) => {
      draft.things.a = runs++;
    });
    expectDefect(await check({ model, properties: [fine] }), 'nondeterministic', /two runs/);
  });

  test.each([
    ['Math.random', () => Math.random() < 2],
    ['Date.now', () => Date.now() > 0],
    ['Date.now', keptClock],
    ['new Date', () => new Date().getFullYear() > 0],
    ['performance.now', () => performance.now() > 0],
    ['process.hrtime', () => process.hrtime()[0] > 0],
    ['process.hrtime', () => process.hrtime.bigint() > 0n],
    ['crypto.randomUUID', () => crypto.randomUUID().length > 0],
    ['crypto.getRandomValues', () => crypto.getRandomValues(new Uint8Array(1)).length > 0],
  ])('names %s, though two runs agree', async (what, ask) => {
    const model = boxWith((draft) => {
      if (ask() && draft.count === 2) draft.count = new Date(7).getTime() % 5;
    });
    const message = new RegExp(`calls ${what.replace('.', '\\.')},`);
    expectDefect(await check({ model, properties: [fine] }), 'nondeterministic', message);
    const lucky = { kind: 'invariant', name: 'lucky', holds: ask } as const;
    const { defect } = await check({ model: boxWith(() => {}), properties: [lucky] });
    expect(defect).toMatchObject({ kind: 'nondeterministic', culprit: 'lucky' });
    expect(ask()).toBe(true);
  });

  test('looks at the clock itself while a reducer may not', async () => {
    const model = boxWith((draft) => {
      // So many accesses that the limits are looked at in between.
      for (let access = 0; access < 2000; access++) if (draft.count === 9) return;
      draft.flags.done = true;
    });
    const result = await check({ model, properties: [fine], limits: { seconds: 600 } });
    expect(result).toMatchObject({ defect: null, outcome: 'complete' });
  });

  test('finds a reducer that reads different things in the same state', async () => {
    let turn = 0;
    const model = boxWith((draft) => {
      turn++ % 2 === 0 ? draft.count : draft.things.a;
    });
    expectDefect(await check({ model, properties: [fine] }), 'nondeterministic', /two runs/);
  });

  test('finds a reducer that changes between misses', async () => {
    let runs = 0;
    const model = boxWith((draft) => {
      // The first three runs read the count first, later ones the thing.
      const [first, second] =
        runs++ < 6 ? [draft.count, draft.things.a] : [draft.things.a, draft.count];
      if (first === second) draft.count = 0;
    });
    expectDefect(await check({ model, properties: [fine] }), 'nondeterministic', /situation/);
  });

  test('finds a reducer that becomes nondeterministic after many views', async () => {
    let runs = 0;
    const model = boxWith((draft) => {
      const turn = runs++;
      if (draft.count < 500) draft.count += turn < 300 ? 1 : 1 + (turn % 2);
    });
    expectDefect(await check({ model, properties: [fine] }), 'nondeterministic', /two runs/);
  });

  test('looks for hidden state in all models of a family as often as in one', async () => {
    let runs = 0;
    const counting = boxWith((draft) => {
      runs++;
      if (draft.count < 100) draft.count++;
    });
    const runsOf = async (model: typeof counting): Promise<number> => {
      const before = runs;
      expect((await check({ model, properties: [fine] })).defect).toBeNull();
      return runs - before;
    };
    const family = {};
    const alone = await runsOf(counting);
    expect(await runsOf({ ...counting, family })).toBe(alone);
    // Of the first 512 views, 64 and one in eight of the others are run twice; then one in 64 is.
    expect(await runsOf({ ...counting, family })).toBeLessThan(alone - 50);
    for (let more = 0; more < 3; more++) await runsOf({ ...counting, family });
    expect(await runsOf({ ...counting, family })).toBeLessThanOrEqual(101 + 2);
    expect(await runsOf({ ...counting, family: {} })).toBe(alone);
    const known = { knownViews: 512 };
    expect(await runsOf({ ...counting, family: known })).toBe(101 + 1);
    const moody = boxWith((draft) => {
      if (draft.count < 400) draft.count += 1 + (runs++ % 2);
    });
    for (const of of [family, { knownViews: 512 }]) {
      const { defect } = await check({ model: { ...moody, family: of }, properties: [fine] });
      expect(defect?.kind).toBe('nondeterministic');
    }
  });

  test('finds a nondeterministic predicate', async () => {
    let turn = 0;
    const moody: Property<Box> = {
      kind: 'invariant',
      name: 'moody',
      holds: () => turn++ % 2 === 0,
    };
    const result = await check({ model: boxWith(() => {}), properties: [moody] });
    expect(result.defect).toMatchObject({ kind: 'nondeterministic', culprit: 'moody' });
  });

  test('an audit finds a reducer that reads outside the draft', async () => {
    const outside = { factor: 1 };
    const model = boxWith((draft) => {
      draft.things.a = { n: outside.factor };
    });
    const spoil: Property<Box> = {
      kind: 'invariant',
      name: 'spoils',
      holds: ({ count }) => {
        if (count === 2) outside.factor = 2;
        return true;
      },
    };
    const unnoticed = await check({ model, properties: [spoil] });
    expect(unnoticed.defect).toBe(null);
    outside.factor = 1;
    const audited = await check({ model, properties: [spoil], auditEvery: 1 });
    expectDefect(audited, 'auditMismatch', /produce/);
  });

  test('an audit finds a transition that is missing', async () => {
    const outside = { on: false };
    const model = boxWith((draft) => {
      if (outside.on) draft.things.late = 1;
    });
    const spoil: Property<Box> = {
      kind: 'invariant',
      name: 'spoils',
      holds: ({ count }) => {
        if (count === 2) outside.on = true;
        return true;
      },
    };
    expectDefect(
      await check({ model, properties: [spoil], auditEvery: 1 }),
      'auditMismatch',
      /produce/,
    );
  });

  test('a counterexample that cannot be confirmed is a defect, not a verdict', async () => {
    const outside = { factor: 1 };
    const model = boxWith((draft) => {
      draft.things.a = { n: outside.factor };
    });
    const never: Property<Box> = {
      kind: 'invariant',
      name: 'never one',
      holds: ({ things }) => (things.a as { n: number }).n !== 1,
    };
    const spoil: Property<Box> = {
      kind: 'invariant',
      name: 'spoils',
      holds: ({ count }) => {
        if (count === 2) outside.factor = 2;
        return true;
      },
    };
    expectDefect(await check({ model, properties: [never, spoil] }), 'auditMismatch', /produce/);
  });
});

describe('a part of the state that there is not', () => {
  type Misspelt = Box & { readonly cuont?: number; readonly toJSON?: unknown };

  test('is refused in predicates, where undefined would make it hold', async () => {
    const holds = (box: Misspelt) => box.cuont === undefined;
    const misspelt: Property<Box> = { kind: 'invariant', name: 'misspelt', holds };
    const { defect } = await check({ model: boxWith(() => {}), properties: [misspelt] });
    const message = 'the state has no cuont; it has count, flags, queues, things';
    expect(defect).toMatchObject({ kind: 'threw', culprit: 'misspelt', message });
  });

  test('is refused in reducers, which would do nothing for ever', async () => {
    const model = boxWith((draft) => {
      if ((draft as Misspelt).cuont === 1) draft.count = 2;
    });
    expectDefect(await check({ model, properties: [fine] }), 'threw', /the state has no cuont/);
  });

  test('may be asked for: by `in`, and as JSON and promises do', async () => {
    const holds = (box: Misspelt) =>
      !('cuont' in box) && box.toJSON === undefined && JSON.stringify(box).length > 0;
    const asks: Property<Box> = { kind: 'invariant', name: 'asks', holds };
    const { defect } = await check({ model: boxWith(() => {}), properties: [asks] });
    expect(defect).toBe(null);
  });
});

test.each<[string, (box: Draft<Box>) => void, RegExp]>([
  [
    'sets a value',
    (box) => {
      box.count = 1;
    },
    /read-only here, and it writes count/,
  ],
  [
    'adds an entry',
    (box) => {
      box.things.b = { n: 1 };
    },
    /read-only here, and it writes b/,
  ],
  [
    'lengthens a queue',
    (box) => {
      box.queues.q?.push(2);
    },
    /read-only here, and it writes 1/,
  ],
  [
    'removes an entry',
    (box) => {
      delete box.things.a;
    },
    /read-only here, and it deletes a/,
  ],
])('a predicate that %s is told so', async (_name, change, message) => {
  const holds = (box: Box) => {
    change(box as Draft<Box>);
    return true;
  };
  const writes: Property<Box> = { kind: 'invariant', name: 'writes', holds };
  const { defect } = await check({ model: boxWith(() => {}), properties: [writes] });
  expect(defect).toMatchObject({ kind: 'threw', culprit: 'writes' });
  expect(defect?.message).toMatch(message);
});
