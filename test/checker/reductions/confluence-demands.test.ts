import type { Draft } from 'immer';
import { expect, it } from 'vitest';
import { type CheckResult, check, type Model, type Property } from '../../../checker/index.ts';

/** What confluence requires of a model and of properties, and what happens if it is not met. */

interface Hall {
  light: number;
  chores: Record<string, true>;
}

const hall: Model<Hall> = {
  name: 'hall',
  slots: { light: 'value', chores: 'flags' },
  initial: [{ light: 0, chores: { sweep: true } }],
  actions: {
    turn: {
      fairness: 'weak',
      reduce(draft) {
        draft.light = 1 - draft.light;
      },
    },
    sweep: {
      fairness: 'weak',
      reduce(draft) {
        delete draft.chores.sweep;
      },
    },
  },
  confluence: { writes: ['chores'], actions: ['sweep'], isConfluent: () => true },
};

/** The same hall, in which one action does something else. */
function hallWhere(action: 'turn' | 'sweep', reduce: (draft: Draft<Hall>) => void): Model<Hall> {
  return { ...hall, actions: { ...hall.actions, [action]: { fairness: 'weak', reduce } } };
}

const lit: Property<Hall> = { kind: 'witness', name: 'lit', reached: ({ light }) => light === 1 };

it.each<[string, Property<Hall>, readonly string[]]>([
  ['does not look at what they write', lit, []],
  [
    'looks',
    {
      kind: 'invariant',
      name: 'p',
      holds: ({ chores, light }) => light === 0 || chores.sweep === undefined,
    },
    ['p'],
  ],
  [
    'lists',
    { kind: 'invariant', name: 'p', holds: ({ chores }) => Object.keys(chores).length < 2 },
    ['p'],
  ],
  [
    'looks in states without successors only',
    { kind: 'settled', name: 'p', settled: ({ chores }) => chores.sweep === undefined },
    [],
  ],
  [
    'looks at steps of others',
    {
      kind: 'step',
      name: 'p',
      actions: ['turn'],
      holds: (before) => before.chores.sweep === undefined,
    },
    ['p'],
  ],
  [
    'counts them',
    { kind: 'step', name: 'p', trigger: () => true, holds: ({ light }) => light < 2 },
    ['p'],
  ],
  [
    'tells them from nothing',
    { kind: 'step', name: 'p', holds: ({ light }, { name }) => light === 0 || name !== 'sweep' },
    ['p'],
  ],
])('a property that %s', async (_, property, judgedWithout) => {
  const full = await check({ model: hall, properties: [property] });
  const result = await check({ model: hall, properties: [property], reductions: ['confluence'] });
  expect(result.confluence).toEqual({
    applied: true,
    reason: null,
    steps: 1,
    judgedWithout,
    leftOpen: [],
  });
  expect(result.statistics).toMatchObject({ states: 3, transitions: 3 });
  expect(verdicts(result)).toEqual(verdicts(full));
});

interface Rest {
  x: number;
  y: number;
  w: Record<string, string>;
}

/** A worker that begins while x is 0 and rests at any time. Taken at once, it never rests later. */
const resting: Model<Rest> = {
  name: 'resting',
  slots: { x: 'value', y: 'value', w: 'entries' },
  initial: [{ x: 0, y: 0, w: {} }],
  actions: {
    begin: {
      reduce(draft) {
        if (draft.x === 0 && draft.w.a === undefined) draft.w.a = 'busy';
      },
    },
    rest: {
      fairness: 'weak',
      reduce(draft) {
        if (draft.w.a === 'busy') draft.w.a = 'done';
      },
    },
    flip: {
      reduce(draft) {
        draft.x = 1;
      },
    },
    count: {
      reduce(draft) {
        if (draft.x === 1) draft.y = 1;
      },
    },
  },
  confluence: { writes: ['w'], actions: ['rest'], isConfluent: () => true },
};

it.each<[string, Omit<Extract<Property<Rest>, { kind: 'step' }>, 'kind' | 'name'>]>([
  ['names it', { actions: ['rest'], holds: ({ x }) => x === 0 }],
  [
    'names it, with a trigger',
    { actions: ['rest'], trigger: ({ x }) => x === 1, holds: () => false },
  ],
  ['asks for its name', { holds: ({ x }, { name }) => x === 0 || name !== 'rest' }],
  [
    'asks for its name in the trigger',
    { trigger: ({ x }, { name }) => x === 1 && name === 'rest', holds: () => false },
  ],
  [
    'asks for it last',
    {
      trigger: ({ x, y }) => x === 1 && y === 0,
      holds: ({ y }, { name }) => y === 1 || name === 'count',
    },
  ],
  [
    'judges steps that change nothing',
    { trigger: ({ x }) => x === 1, holds: (b, _a, { y }) => y > b.y },
  ],
  [
    'has no trigger',
    { holds: ({ x, y }, _action, after) => x !== after.x || y !== after.y || x === 0 },
  ],
])('a step rule that distinguishes a confluent action is judged without: %s', async (_, rule) => {
  const properties: Property<Rest>[] = [{ kind: 'step', name: 'rule', ...rule }];
  const full = await check({ model: resting, properties });
  expect(full.properties[0]!.verdict).toBe('violated');
  const on = await check({ model: resting, properties, reductions: ['confluence'], auditEvery: 1 });
  expect(verdicts(on)).toEqual(verdicts(full));
  const only = await check({
    model: resting,
    properties,
    reductions: ['confluence-only'],
    auditEvery: 1,
  });
  expect(['violated', 'inconclusive']).toContain(only.properties[0]!.verdict);
});

it('counts what an action reads first as visible if a confluent step leaves it enabled', async () => {
  const model = hallWhere('turn', (draft) => {
    draft.light = draft.chores.sweep === undefined ? 1 - draft.light : 1 - draft.light;
  });
  const property: Property<Hall> = {
    kind: 'step',
    name: 'p',
    actions: ['turn'],
    holds: ({ chores }) => chores.sweep === undefined,
  };
  const { confluence, properties } = await check({
    ...{ model, properties: [property] },
    reductions: ['confluence'],
  });
  expect(confluence?.judgedWithout).toEqual(['p']);
  expect(properties[0]!.verdict).toBe('violated');
});

it('judges leads-tos by a second search if a confluent step lies on a cycle', async () => {
  const model = hallWhere('turn', (draft) => {
    draft.light = 1 - draft.light;
    draft.chores.sweep = true;
  });
  const property: Property<Hall> = {
    kind: 'eventually',
    name: 'p',
    goal: ({ light }) => light === 1,
  };
  const { confluence, properties } = await check({
    model,
    properties: [property],
    reductions: ['confluence'],
  });
  expect(confluence?.judgedWithout).toEqual(['p']);
  expect(properties[0]!.verdict).toBe('holds');
});

it('reports an infinite sequence of confluent steps as a defect', async () => {
  const model = hallWhere('sweep', (draft) => {
    if (draft.chores.sweep === undefined) draft.chores.sweep = true;
    else delete draft.chores.sweep;
  });
  const property: Property<Hall> = { kind: 'invariant', name: 'p', holds: (s) => s.light === 0 };
  const { defect } = await check({ model, properties: [property], reductions: ['confluence'] });
  expect(defect).toMatchObject({
    kind: 'notConfluent',
    culprit: 'sweep',
    message: expect.stringContaining('without end'),
  });
});

it('reports the graph although a trace was found without confluence', async () => {
  const property: Property<Hall> = {
    kind: 'invariant',
    name: 'p',
    holds: ({ chores, light }) => light === 0 || chores.sweep === undefined,
  };
  const question = {
    model: hall,
    properties: [property, lit],
    reductions: ['symmetry', 'confluence'] as const,
    stateGraph: 9,
  };
  const { properties, stateGraph } = await check(question);
  expect(properties.map(({ trace }) => trace?.steps.length)).toEqual([1, 2]);
  expect(stateGraph).toMatchObject({ kind: 'recorded', runs: [{ property: 'lit' }] });
});

it('leaves open what only a second search could judge, if there is none', async () => {
  const busy: Property<Hall> = {
    kind: 'invariant',
    name: 'busy',
    holds: ({ chores, light }) => light === 0 || chores.sweep === undefined,
  };
  const properties = [lit, busy];
  const result = await check({ model: hall, properties, reductions: ['confluence-only'] });
  expect(result.confluence).toMatchObject({ judgedWithout: [], leftOpen: ['busy'] });
  expect(result.properties.map(({ verdict }) => verdict)).toEqual(['holds', 'inconclusive']);
});

type Rooms = Record<'lamps' | 'chores', Record<string, true>>;

it('reports the graph although a trace was found without symmetry', async () => {
  const rooms = ['a', 'b'].map((room) => ({ room }));
  const nameOf = (name: string, renaming: ReadonlyMap<string, string>): string =>
    renaming.get(name) ?? name;
  const model: Model<Rooms> = {
    name: 'rooms',
    slots: { lamps: 'flags', chores: 'flags' },
    initial: [{ lamps: {}, chores: {} }],
    actions: {
      light: {
        parameters: rooms,
        reduce(draft, { room }) {
          if (Object.keys(draft.lamps).length > 0) return;
          draft.lamps[String(room)] = true;
          draft.chores = { a: true, b: true };
        },
      },
      sweep: {
        fairness: 'weak',
        parameters: rooms,
        reduce(draft, { room }) {
          delete draft.chores[String(room)];
        },
      },
    },
    symmetry: {
      groups: [{ name: 'rooms', members: ['a', 'b'] }],
      renameKey: (_, key, renaming) => nameOf(key, renaming),
      renameValue: (_, value) => value,
      renameParameters: ({ room, ...others }, renaming) =>
        room === undefined ? others : { ...others, room: nameOf(String(room), renaming) },
    },
    confluence: { writes: ['chores'], actions: ['sweep'], isConfluent: () => true },
  };
  const property: Property<Rooms> = {
    kind: 'eventually',
    name: 'p',
    // The question about one room is not the same as that about the other.
    parameters: rooms,
    trigger: ({ lamps }, { room }) => lamps[String(room)] === true,
    goal: () => false,
  };
  const question = {
    model,
    properties: [property],
    reductions: ['symmetry', 'confluence'] as const,
    stateGraph: 9,
  };
  const { symmetry, properties, stateGraph } = await check(question);
  expect(symmetry?.judgedWithout).toEqual(['p']);
  expect(properties[0]!.verdict).toBe('violated');
  expect(stateGraph).toMatchObject({ kind: 'recorded', runs: [] });
});

it('reports that there is nothing to apply', async () => {
  const { confluence: _, ...model } = hall;
  const result = await check({ model, properties: [lit], reductions: ['confluence'] });
  expect(result.confluence).toMatchObject({
    applied: false,
    reason: expect.stringContaining('declares no'),
  });
});

it.each<[string, Partial<NonNullable<Model<Hall>['confluence']>>, RegExp]>([
  ['an unknown section', { writes: ['duties'] }, /writes duties/],
  ['an unknown action', { actions: ['mop'] }, /names the action mop, which/],
])('refuses %s', async (_, declared, message) => {
  const model = { ...hall, confluence: { ...hall.confluence!, ...declared } };
  await expect(check({ model, properties: [lit], reductions: ['confluence'] })).rejects.toThrow(
    message,
  );
});

it('refuses actions without fairness, and the naive engine', async () => {
  const lazy = {
    ...hall,
    actions: { ...hall.actions, sweep: { reduce: hall.actions.sweep!.reduce } },
  };
  const question = { properties: [lit], reductions: ['confluence'] as const };
  await expect(check({ ...question, model: lazy })).rejects.toThrow(/sweep, which is not fair/);
  await expect(check({ ...question, model: hall, engine: 'naive' })).rejects.toThrow(
    /naive engine/,
  );
});

it('reports a confluent step that writes other sections as a defect', async () => {
  const model = { ...hall, confluence: { ...hall.confluence!, actions: ['turn'] } };
  const { defect } = await check({ model, properties: [lit], reductions: ['confluence'] });
  expect(defect).toMatchObject({ kind: 'notConfluent', culprit: 'turn' });
});

it('finds by an audit a step that depends on a confluent one', async () => {
  const model = hallWhere('turn', (draft) => {
    if (draft.chores.sweep === undefined) draft.light = 2;
    else draft.light = 1 - draft.light;
  });
  const question = { model, properties: [lit], reductions: ['confluence'] as const };
  expect((await check({ ...question, auditEvery: 1 })).defect).toMatchObject({
    kind: 'notConfluent',
    culprit: 'turn',
  });
});

function verdicts({ properties }: CheckResult): unknown {
  return properties.map(({ name, verdict }) => [name, verdict]);
}
