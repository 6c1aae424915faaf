import { expect, it } from 'vitest';
import { type Mail, mail } from '../../../bench/models/mail.ts';
import { philosophers } from '../../../bench/models/philosophers.ts';
import { DefectError } from '../../../checker/errors.ts';
import {
  type CheckOptions,
  check,
  defineModel,
  enqueue,
  type Fairness,
  type Model,
  type Property,
} from '../../../checker/index.ts';
import { instancesOf } from '../../../checker/instances.ts';
import { auditIndependence } from '../../../checker/reductions/partial-order/audit.ts';
import { explore, sortedText } from '../support/oracle.ts';

async function both<State>(model: Model<State>, properties: readonly Property<State>[]) {
  const full = await check({ model, properties });
  const reduced = await check({ model, properties, reductions: ['partial-order'], auditEvery: 1 });
  expect(reduced.defect).toBe(null);
  expect(reduced.properties.map(({ verdict }) => verdict)).toEqual(
    full.properties.map(({ verdict }) => verdict),
  );
  return { full: full.statistics.states, reduced: reduced.statistics.states, result: reduced };
}

const anyEnd = { kind: 'settled', name: 'stuck', settled: () => false } as const;

it('finds the deadlock of philosophers in a fraction of the states', async () => {
  const { full, reduced, result } = await both(philosophers(7), [anyEnd]);
  expect(full).toBe(3 ** 7 - 1);
  expect(reduced).toBeLessThan(full / 3);
  expect(result.properties[0]).toMatchObject({ verdict: 'violated', shortenedFrom: 7 });
});

it('takes mailboxes one after the other, and both ends of one in any single order', async () => {
  const arrives: Property<Mail> = {
    kind: 'eventually',
    name: 'the last letter arrives',
    goal: ({ got }) => got.pair0 === 3,
  };
  const send = await both(mail(3, enqueue), [anyEnd, arrives]);
  const push = await both(
    mail(3, (box, letter) => box.push(letter)),
    [anyEnd, arrives],
  );
  expect(send.full).toBe(1000);
  expect(push.full).toBe(1000);
  // Three pairs of seven states in a row: `push` reads how long the queue is, `enqueue` does not.
  expect(send.reduced).toBeLessThan(30);
  expect(push.reduced).toBeLessThan(100);
  expect(push.reduced).toBeGreaterThan(send.reduced);
});

interface Late {
  x: number;
  y: number;
  z: number;
}

/** What `read` depends on shows only after `open`: before it, it reads `x` alone. */
function late(fairness: Fairness): Model<Late> {
  return defineModel<Late>({
    name: 'late',
    slots: { x: 'value', y: 'value', z: 'value' },
    initial: [{ x: 0, y: 0, z: 0 }],
    actions: {
      spin: {
        fairness,
        reduce: (draft) => {
          draft.y = 1 - draft.y;
        },
      },
      open: {
        fairness,
        reduce: (draft) => {
          if (draft.x === 0) draft.x = 1;
        },
      },
      read: {
        fairness,
        reduce: (draft) => {
          if (draft.x === 1 && draft.y === 0 && draft.z === 0) draft.z = 2;
        },
      },
    },
  });
}

it('ignores no step on a cycle, and looks again when it learns what a step reads', async () => {
  const reached: Property<Late> = { kind: 'witness', name: 'read', reached: ({ z }) => z === 2 };
  const read: Property<Late> = { kind: 'eventually', name: 'is read', goal: ({ z }) => z === 2 };
  await both(late('none'), [reached]);
  for (const fairness of ['none', 'weak', 'strong'] as const) {
    await both(late(fairness), [reached, read, anyEnd]);
  }
});

interface Once {
  done: Record<string, true>;
  cells: Record<string, number>;
  marks: Record<string, true>;
  boxes: Record<string, number[]>;
}

type Work = (draft: Once) => unknown;

/** Each action is done once at most, and not at all if it returns false. */
function once(box: readonly number[], works: Readonly<Record<string, Work>>): Model<Once> {
  const actions = Object.entries(works).map(([name, work]) => {
    const reduce = (draft: Once) => {
      if (name in draft.done || work(draft) === false) return;
      draft.done[name] = true;
    };
    return [name, { reduce }] as const;
  });
  return {
    name: 'once',
    slots: { done: 'flags', cells: 'entries', marks: 'flags', boxes: 'queues' },
    initial: [{ done: {}, cells: {}, marks: {}, boxes: { b: [...box] } }],
    actions: Object.fromEntries(actions),
  };
}

const send =
  (letter: number): Work =>
  ({ boxes }) =>
    enqueue(boxes.b!, letter);

const take =
  (cell: string): Work =>
  ({ boxes, cells }) => {
    const letter = boxes.b!.shift();
    if (letter === undefined) return false;
    cells[cell] = letter;
    return true;
  };

it.each<[string, Model<Once>]>([
  ['two that send', once([], { one: send(1), other: send(2) })],
  ['two that take', once([1, 2], { one: take('one'), other: take('other') })],
  ['one that sends and one that takes', once([], { one: send(1), other: take('other') })],
  [
    'one that looks at the head and one that takes it',
    once([1, 2], { look: ({ boxes }) => boxes.b![0] === 1, take: take('x') }),
  ],
  [
    'one that acts on an empty box and one that sends',
    once([], { act: ({ boxes }) => boxes.b![0] === undefined, send: send(1) }),
  ],
  [
    'one that asks for the length and one that sends',
    once([], { ask: ({ boxes }) => boxes.b!.length === 0, send: send(1) }),
  ],
  [
    'one that changes an element and one that takes',
    once([1, 2], {
      change: ({ boxes }) => {
        boxes.b![0] = 3;
      },
      take: take('x'),
    }),
  ],
  [
    'two that write blindly',
    once([], {
      one: ({ cells }) => {
        cells.x = 1;
      },
      other: ({ cells }) => {
        cells.x = 2;
      },
    }),
  ],
  [
    'one that counts and one that inserts',
    once([], {
      count: ({ marks, cells }) => {
        cells.x = Object.keys(marks).length;
      },
      insert: ({ marks }) => {
        marks.m = true;
      },
    }),
  ],
  [
    'one that waits for a mark and one that sets it',
    once([], {
      wait: ({ marks }) => 'm' in marks,
      set: ({ marks }) => {
        marks.m = true;
      },
      unset: ({ marks }) => {
        delete marks.m;
      },
    }),
  ],
  [
    'one that waits and then reads what another one writes',
    once([], {
      write: ({ cells }) => {
        cells.x = 1;
      },
      open: ({ marks }) => {
        marks.m = true;
      },
      read: ({ marks, cells }) => {
        if (!('m' in marks)) return false;
        cells.y = cells.x ?? 0;
        return true;
      },
    }),
  ],
])('reaches all ends of %s', async (_, model) => {
  const ends = new Set<string>();
  const settled = (state: Once) => ends.add(sortedText(state)).size > 0;
  await check({
    model,
    properties: [{ kind: 'settled', name: 'ends', settled }],
    reductions: ['partial-order'],
  });
  const { texts, transitions } = explore(model, 100)!;
  const last = texts.filter((_, state) => transitions.every(({ from }) => from !== state));
  expect([...ends].sort()).toEqual(last.sort());
});

it('takes visible steps in both orders', async () => {
  const model = once([], {
    one: ({ cells }) => {
      cells.x = 1;
    },
    other: ({ cells }) => {
      cells.y = 1;
    },
  });
  const only = (one: string, other: string): Property<Once> => ({
    kind: 'witness',
    name: `only ${one}`,
    reached: ({ cells }) => one in cells && !(other in cells),
  });
  const { result } = await both(model, [only('x', 'y'), only('y', 'x')]);
  expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'holds']);
});

it('forces no step that is not fair', async () => {
  const step = (fairness: Fairness, reduce: (draft: Late) => void) => ({ fairness, reduce });
  const model = defineModel<Late>({
    name: 'unlock',
    slots: { x: 'value', y: 'value', z: 'value' },
    initial: [{ x: 0, y: 0, z: 0 }],
    actions: {
      unlock: step('none', (draft) => {
        if (draft.x === 0) draft.x = 1;
      }),
      spin: step('weak', (draft) => {
        draft.y = 1 - draft.y;
      }),
      enter: step('weak', (draft) => {
        if (draft.x === 1) draft.z = 1;
      }),
    },
  });
  const enters: Property<Late> = { kind: 'eventually', name: 'enters', goal: ({ z }) => z === 1 };
  const { result } = await both(model, [enters]);
  expect(result.properties[0]!.verdict).toBe('violated');
});

it('judges what steps meet, or must meet for ever, by a second search', async () => {
  const properties: Property<Late>[] = [
    { kind: 'eventually', name: 'again', forever: true, goal: ({ y }) => y === 1 },
    { kind: 'witness', name: 'opened', reached: ({ x }) => x === 1 },
  ];
  const { result } = await both(late('weak'), properties);
  expect(result.partialOrder).toMatchObject({ applied: true, judgedWithout: ['again'] });
});

it('finds with an audit that a step which was left out depends on one that was taken', () => {
  const model = late('none');
  const instances = instancesOf(model);
  const audit = (state: Late, taken: string) =>
    auditIndependence(
      { model, instances },
      state,
      (number) => instances[number]!.identity.name === taken,
    );
  expect(() => audit({ x: 0, y: 1, z: 0 }, 'open')).not.toThrow();
  expect(() => audit({ x: 1, y: 0, z: 0 }, 'spin')).toThrow(DefectError);
});

it.each<[string, Partial<CheckOptions<Late>>, RegExp]>([
  ['a constraint', { within: () => true }, /constraint/],
  [
    'a checkpoint',
    { checkpoint: { store: { blocks: () => [], append: () => {} } } as never },
    /saved/,
  ],
])('is not applied with %s, and says why', async (_, options, reason) => {
  const model = late('none');
  const result = await check({
    model,
    properties: [anyEnd],
    reductions: ['partial-order'],
    ...options,
  });
  expect(result.partialOrder).toMatchObject({
    applied: false,
    reason: expect.stringMatching(reason),
  });
});

it('is refused for the naive engine', async () => {
  const options = {
    model: late('none'),
    properties: [anyEnd],
    reductions: ['partial-order'],
  } as const;
  await expect(check({ ...options, engine: 'naive' })).rejects.toThrow(/naive engine/);
});
