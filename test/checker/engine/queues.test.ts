import type { Draft } from 'immer';
import { describe, expect, test } from 'vitest';
import { check, defineModel, type Model } from '../../../checker/index.ts';
import type { CheckResult } from '../../../checker/result.ts';

interface Lines {
  readonly lines: Readonly<Record<string, readonly { readonly n: number }[]>>;
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly note: unknown;
  readonly ticks: number;
}

type Reducer = (draft: Draft<Lines>) => void;

function model(reducers: Readonly<Record<string, Reducer>>, mostTicks = 6): Model<Lines> {
  const actions = Object.entries(reducers).map(([name, reduce]) => {
    const counted = (draft: Draft<Lines>) => {
      if (draft.ticks === mostTicks) return;
      draft.ticks++;
      reduce(draft);
    };
    return [name, { reduce: counted }] as const;
  });
  return defineModel<Lines>({
    name: 'lines',
    slots: { lines: 'queues', names: 'queues', note: 'value', ticks: 'value' },
    initial: [
      { lines: { a: [], b: [{ n: 7 }] }, names: { p: [] }, note: null, ticks: 0 },
      { lines: { a: [{ n: 1 }, { n: 2 }, { n: 3 }] }, names: { p: ['x'] }, note: null, ticks: 2 },
    ],
    actions: Object.fromEntries(actions),
  });
}

/** An invariant that reads everything and collects what it saw. */
function collector(seen: Set<string>) {
  return {
    kind: 'invariant',
    name: 'all states',
    holds(state: Lines) {
      seen.add(JSON.stringify(state));
      return true;
    },
  } as const;
}

async function exploreWith(engine: 'tracked' | 'naive', of: Model<Lines>) {
  const seen = new Set<string>();
  const result = await check({ model: of, properties: [collector(seen)], engine, auditEvery: 1 });
  expect(result.defect).toBe(null);
  return { result, seen: [...seen].sort() };
}

const pushOne: Reducer = (draft) => {
  draft.lines.a!.push({ n: draft.ticks });
};

/** Ways to use a queue. Each must have the same effect as with plain immer. */
const uses: Readonly<Record<string, Reducer>> = {
  pushes: pushOne,
  'uses the length that push returns': (draft) => {
    draft.note = draft.lines.a!.push({ n: 0 }, { n: 1 });
  },
  shifts: (draft) => {
    draft.note = draft.lines.a!.shift() ?? 'nothing';
  },
  'shifts twice, then pushes': (draft) => {
    draft.lines.a!.shift();
    draft.lines.a!.shift();
    draft.lines.a!.push({ n: 5 });
  },
  'pushes, then shifts beyond the old end': (draft) => {
    draft.lines.a!.push({ n: 8 });
    draft.lines.a!.push({ n: 9 });
    draft.note = [draft.lines.a!.shift()!.n, draft.lines.a!.shift()!.n];
  },
  'moves the head to another queue': (draft) => {
    const head = draft.lines.a!.shift();
    if (head !== undefined) draft.lines.b?.push(head);
  },
  'changes the head after shifting it': (draft) => {
    const head = draft.lines.a!.shift();
    if (head === undefined) return;
    head.n += 1;
    draft.note = head;
  },
  'changes the head where it stands': (draft) => {
    const head = draft.lines.a![0];
    if (head !== undefined) head.n = (head.n + 1) % 3;
  },
  'changes an element, then drops another': (draft) => {
    const second = draft.lines.a![1];
    if (second === undefined) return;
    second.n = 4;
    draft.lines.a!.shift();
  },
  'reads what it pushed': (draft) => {
    draft.names.p!.push('y');
    draft.note = draft.names.p!.at(-1) ?? null;
  },
  pops: (draft) => {
    draft.note = draft.names.p!.pop() ?? 'empty';
  },
  'writes by index and cuts by length': (draft) => {
    draft.names.p![1] = 'z';
    draft.names.p![0] = 'y';
    draft.names.p!.length = 2;
  },
  'splices, sorts and reverses': (draft) => {
    draft.names.p!.push('m', 'a');
    draft.names.p!.splice(1, 1, 'k');
    draft.names.p!.sort().reverse();
  },
  'shifts first and asks for the whole later': (draft) => {
    const head = draft.lines.a!.shift();
    draft.lines.a!.push({ n: 6 });
    draft.lines.a!.reverse();
    if (head !== undefined) draft.lines.a!.push(head);
  },
  unshifts: (draft) => {
    draft.lines.a!.unshift({ n: 3 });
  },
  'loops, searches and spreads': (draft) => {
    let sum = 0;
    for (const { n } of draft.lines.a!) sum += n;
    const has = draft.names.p!.includes('x') && draft.lines.a!.some(({ n }) => n === 2);
    draft.note = [sum, has, [...draft.names.p!].join(), draft.lines.a!.map(({ n }) => n)];
  },
  'replaces a queue and goes on with the old one': (draft) => {
    const old = draft.names.p!;
    draft.names.p = ['q'];
    old.push('lost');
    draft.names.p.push('r');
  },
  'filters into place': (draft) => {
    draft.lines.a = draft.lines.a!.filter(({ n }) => n !== 2);
  },
  'removes and adds queues': (draft) => {
    if ('b' in draft.lines) delete draft.lines.b;
    else draft.lines.b = [{ n: 0 }];
  },
  'gives one queue to another': (draft) => {
    draft.lines.c = draft.lines.a!;
  },
  'lists the queues': (draft) => {
    draft.note = Object.entries(draft.lines).map(([name, line]) => `${name}${line.length}`);
  },
};

describe('a reducer that', () => {
  test.each(Object.keys(uses))('%s', async (name) => {
    const of = model({
      [name]: uses[name]!,
      push: pushOne,
      shift: (draft) => draft.lines.a!.shift(),
    });
    const tracked = await exploreWith('tracked', of);
    const naive = await exploreWith('naive', of);
    expect(tracked.seen).toEqual(naive.seen);
    expect(counts(tracked.result)).toEqual(counts(naive.result));
  });
});

test('all of them together', async () => {
  const of = model(uses, 3);
  const tracked = await exploreWith('tracked', of);
  const naive = await exploreWith('naive', of);
  expect(tracked.seen).toEqual(naive.seen);
  expect(counts(tracked.result)).toEqual(counts(naive.result));
});

function counts({ statistics, actions }: CheckResult) {
  const { states, transitions, layers } = statistics;
  return { states, transitions, layers, actions };
}

interface Pipe {
  readonly pipes: Readonly<Record<string, readonly number[]>>;
  readonly sent: number;
  readonly got: number;
}

test('push and shift read no more of a queue than they need', async () => {
  const bits = [0, 1];
  const pipe = defineModel<Pipe>({
    name: 'pipe',
    slots: { pipes: 'queues', sent: 'value', got: 'value' },
    initial: [{ pipes: { p: [] }, sent: 0, got: 0 }],
    actions: {
      send: {
        parameters: bits.map((bit) => ({ bit })),
        reduce(draft, { bit }) {
          if (draft.sent === 9) return;
          draft.sent++;
          draft.pipes.p!.push(Number(bit));
        },
      },
      receive: {
        reduce(draft) {
          const bit = draft.pipes.p!.shift();
          if (bit !== undefined) draft.got = bit;
        },
      },
    },
  });
  const nothing = { kind: 'invariant', name: 'true', holds: () => true } as const;
  const { statistics } = await check({ model: pipe, properties: [nothing] });
  // There are over a thousand contents. Sending reads the counter and the length, receiving the
  // head.
  expect(statistics.states).toBeGreaterThan(1000);
  expect(statistics.reducerRuns).toBeLessThan(2 * 10 * 10 + 10);
});
