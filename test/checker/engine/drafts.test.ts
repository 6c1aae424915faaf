import { describe, expect, it } from 'vitest';
import { check } from '../../../checker/check.ts';
import type { Model } from '../../../checker/model.ts';
import type { CheckResult } from '../../../checker/result.ts';
import { explore, sortedText } from '../support/oracle.ts';

interface State {
  one: Record<string, { n: number } | number>;
  two: Record<string, { n: number } | number>;
  lines: Record<string, ({ n: number } | number)[]>;
  spare: Record<string, ({ n: number } | number)[]>;
  count: number;
}

/** A reducer, run twice, that uses its draft in an unusual way. */
function modelOf(reduce: (draft: State) => void): Model<State> {
  return {
    name: 'drafts',
    slots: { one: 'entries', two: 'entries', lines: 'queues', spare: 'queues', count: 'value' },
    initial: [
      { one: { a: { n: 1 } }, two: { b: 2 }, lines: { p: [{ n: 1 }, 2] }, spare: {}, count: 0 },
    ],
    actions: {
      go: {
        reduce(draft) {
          if (draft.count === 2) return;
          draft.count++;
          reduce(draft);
        },
      },
    },
  };
}

async function statesOf(model: Model<State>): Promise<{ result: CheckResult; texts: string[] }> {
  const texts = new Set<string>();
  const collector = {
    kind: 'invariant' as const,
    name: 'collector',
    holds: (state: State) => texts.add(sortedText(state)) !== undefined,
  };
  const result = await check({ model, properties: [collector] });
  return { result, texts: [...texts] };
}

describe('a section that is assigned as a whole', () => {
  it.each<[string, (draft: State) => void]>([
    [
      'is what its former content was, after a rotation',
      (draft) => {
        const former = draft.one;
        draft.one = {};
        draft.two = former;
      },
    ],
    [
      'can be swapped with another',
      (draft) => {
        [draft.one, draft.two] = [draft.two, draft.one];
        [draft.lines, draft.spare] = [draft.spare, draft.lines];
      },
    ],
    [
      'is one object with the section that it was taken from',
      (draft) => {
        draft.two = draft.one;
        draft.two[`new${draft.count}`] = draft.count;
        delete draft.one.a;
      },
    ],
    [
      'is the object that was assigned, whatever happens to that later',
      (draft) => {
        const fresh: State['one'] = { x: 1 };
        draft.one = fresh;
        fresh.y = draft.count;
        draft.one.z = Object.keys(fresh).length;
        draft.two.seen = Object.keys(draft.one).length;
      },
    ],
    [
      'loses keys that were added before it',
      (draft) => {
        draft.one[`lost${draft.count}`] = 1;
        draft.one = { kept: draft.count };
      },
    ],
    [
      'may be an entry of another, which it stays',
      (draft) => {
        const entry = { n: draft.count };
        draft.two.entry = entry;
        draft.one = entry;
        draft.one.m = 1;
      },
    ],
    [
      'may be put back',
      (draft) => {
        const former = draft.lines;
        draft.lines = {};
        former.p?.push(draft.count);
        draft.lines = former;
      },
    ],
  ])('%s', async (_name, reduce) => {
    const model = modelOf(reduce);
    const { result, texts } = await statesOf(model);
    expect(result.defect).toBe(null);
    expect(texts).toEqual(explore(model, 10)!.texts);
  });
});

it('sees an entry with the name of an inherited property only when it is present', async () => {
  interface Named {
    cells: Record<string, unknown>;
    lines: Record<string, unknown[]>;
    seen: string;
  }
  const see = ({ cells, lines }: Named) =>
    [
      ...[typeof cells.constructor, typeof lines.valueOf, 'toString' in cells],
      ...[Object.hasOwn(cells, 'constructor'), typeof Reflect.get(cells, '__proto__')],
    ].join();
  const model: Model<Named> = {
    name: 'inherited',
    slots: { cells: 'entries', lines: 'queues', seen: 'value' },
    initial: [{ cells: {}, lines: {}, seen: '' }],
    actions: {
      look: {
        reduce(draft) {
          draft.seen = see(draft);
        },
      },
      add: {
        parameters: [{ key: 'constructor' }, { key: 'valueOf' }, { key: 'toString' }],
        reduce(draft, { key }) {
          draft.cells[String(key)] = 1;
          draft.lines[String(key)] = [1];
        },
      },
    },
  };
  const views = new Map<string, string>();
  const { statistics, defect } = await check({
    model,
    properties: [
      {
        kind: 'invariant',
        name: 'seen',
        holds: (state) => views.set(sortedText(state), see(state)) !== undefined,
      },
    ],
  });
  const { texts, transitions } = explore(model, 1000)!;
  expect(defect).toBe(null);
  expect(statistics).toMatchObject({ states: texts.length, transitions: transitions.length });
  for (const [text, view] of views) expect(view).toBe(see(JSON.parse(text)));
});

it('explains the mistake if a value holds a part of the draft', async () => {
  const model = modelOf((draft) => {
    Object.assign(draft.one, { list: { inner: draft.lines.p } });
  });
  const { result } = await statesOf(model);
  expect(result.defect).toMatchObject({ kind: 'badValue', culprit: 'go' });
  expect(result.defect?.message).toMatch(/copy it first/);
});

it.each<[string, (section: Readonly<Record<string, unknown>>) => number]>([
  ['Object.keys', (section) => Object.keys(section).length],
  ['Object.hasOwn', (section) => (Object.hasOwn(section, 'a') ? 3 : 0)],
  [
    'for in',
    (section) => {
      let count = 0;
      for (const _key in section) count++;
      return count;
    },
  ],
])('%s looks at keys and not at values', async (_name, count) => {
  const names = ['a', 'b', 'c'];
  const model: Model<{ cells: Record<string, number>; total: number }> = {
    name: 'counters',
    slots: { cells: 'entries', total: 'value' },
    initial: [{ cells: { a: 0, b: 0, c: 0 }, total: 0 }],
    actions: {
      step: {
        parameters: names.map((name) => ({ name })),
        reduce(draft, { name }) {
          draft.cells[String(name)] = (draft.cells[String(name)]! + 1) % 8;
        },
      },
      count: {
        reduce(draft) {
          draft.total = count(draft.cells);
        },
      },
    },
  };
  let evaluations = 0;
  const { statistics } = await check({
    model,
    properties: [
      {
        kind: 'invariant',
        name: 'counted',
        holds({ cells }) {
          evaluations++;
          return count(cells) === 3;
        },
      },
    ],
  });
  expect(statistics.states).toBe(2 * 8 ** 3);
  // Eight values of three counters, and one view of the keys; each is run twice.
  expect(statistics.reducerRuns).toBe(3 * 8 + 1);
  expect(evaluations).toBeLessThan(5);
});
