import { describe, expect, test } from 'vitest';
import { check, combinations, defineModel, type Property } from '../../checker/index.ts';

interface Lamp {
  readonly lamps: Readonly<Record<string, 'off' | 'on' | 'broken'>>;
}

/** Lamps can be switched. A lamp that is on may break for good. */
const model = defineModel<Lamp>({
  name: 'lamps',
  slots: { lamps: 'entries' },
  initial: [{ lamps: { left: 'off', right: 'off' } }],
  actions: {
    switchOn: {
      parameters: combinations({ lamp: ['left', 'right'] }),
      fairness: 'weak',
      reduce(draft, { lamp }) {
        if (draft.lamps[String(lamp)] === 'off') draft.lamps[String(lamp)] = 'on';
      },
    },
    breakDown: {
      parameters: combinations({ lamp: ['left', 'right'] }),
      reduce(draft, { lamp }) {
        if (draft.lamps[String(lamp)] === 'on') draft.lamps[String(lamp)] = 'broken';
      },
    },
    repair: {
      reduce(draft) {
        // Writes the same value, so it is never enabled.
        for (const lamp of ['left', 'right']) {
          if (draft.lamps[lamp] === 'broken') draft.lamps[lamp] = 'broken';
        }
      },
    },
  },
});

const lamps = combinations({ lamp: ['left', 'right'] });

const properties: readonly Property<Lamp>[] = [
  {
    kind: 'invariant',
    name: 'no lamp breaks',
    parameters: lamps,
    holds: (state, { lamp }) => state.lamps[String(lamp)] !== 'broken',
    explain: (_state, { lamp }) => [`${lamp} is broken`],
  },
  { kind: 'invariant', name: 'two lamps', holds: (state) => Object.keys(state.lamps).length === 2 },
  {
    kind: 'invariant',
    name: 'green lamps are fine',
    trigger: (state) => 'green' in state.lamps,
    holds: () => false,
  },
  {
    kind: 'step',
    name: 'only one lamp breaks',
    actions: ['breakDown'],
    trigger: (before) => Object.values(before.lamps).includes('broken'),
    holds: () => false,
  },
  { kind: 'step', name: 'repairs work', actions: ['repair'], holds: () => false },
  {
    kind: 'eventually',
    name: 'light',
    parameters: lamps,
    goal: (state, { lamp }) => state.lamps[String(lamp)] !== 'off',
  },
  {
    kind: 'eventually',
    name: 'darkness',
    trigger: (state) => state.lamps.left === 'on',
    goal: (state) => state.lamps.left === 'broken',
    explain: () => ['left stays on'],
  },
  {
    kind: 'eventually',
    name: 'green light',
    trigger: (state) => 'green' in state.lamps,
    goal: () => false,
  },
  {
    kind: 'witness',
    name: 'both on',
    reached: (state) => Object.values(state.lamps).every((lamp) => lamp === 'on'),
  },
  {
    kind: 'witness',
    name: 'any state',
    parameters: combinations({ lamp: ['left', 'green'] }),
    reached: (state, { lamp }) => String(lamp) in state.lamps,
  },
  { kind: 'settled', name: 'ends broken', settled: (state) => state.lamps.left === 'broken' },
  {
    kind: 'settled',
    name: 'never ends',
    settled: () => false,
    explain: () => ['nothing is left to do'],
  },
];

describe.each(['tracked', 'naive'] as const)('%s', (engine) => {
  test('one search, a verdict for each property', async () => {
    const result = await check({ model, properties, engine });
    expect(result).toMatchObject({ outcome: 'complete', limit: null, defect: null });
    expect(result.statistics).toMatchObject({ states: 9, transitions: 12, layers: 5 });
    const outline = result.properties.map(({ name, verdict, triggered, parameters, trace }) => [
      name,
      verdict,
      triggered,
      parameters,
      trace === null ? null : `${trace.shape} of ${trace.steps.length}`,
    ]);
    expect(outline).toEqual([
      ['no lamp breaks', 'violated', 18, { lamp: 'left' }, 'path of 2'],
      ['two lamps', 'holds', 9, null, null],
      ['green lamps are fine', 'vacuous', 0, null, null],
      ['only one lamp breaks', 'violated', 2, null, 'path of 4'],
      ['repairs work', 'vacuous', 0, null, null],
      ['light', 'holds', 2, null, null],
      ['darkness', 'violated', 3, null, 'stutter of 2'],
      ['green light', 'vacuous', 0, null, null],
      ['both on', 'holds', 1, null, 'path of 2'],
      ['any state', 'violated', 1, { lamp: 'green' }, null],
      ['ends broken', 'holds', 1, null, null],
      ['never ends', 'violated', 1, null, 'path of 4'],
    ]);
    const broken = result.properties.map((property) => property.broken);
    expect(broken[0]).toEqual(['left is broken']);
    expect(broken[6]).toEqual(['left stays on']);
    expect(broken[11]).toEqual(['nothing is left to do']);
    for (const { verdict, reason } of result.properties) {
      expect(reason !== null).toBe(verdict === 'vacuous');
    }
    expect(result.actions).toEqual([
      { action: 'switchOn', fairness: 'weak', instances: 2, transitions: 6 },
      { action: 'breakDown', fairness: 'none', instances: 2, transitions: 6 },
      { action: 'repair', fairness: 'none', instances: 1, transitions: 0 },
    ]);
  });

  test('a trace describes its steps', async () => {
    const result = await check({ model, properties: properties.slice(0, 1), engine });
    expect(result.properties[0]?.trace).toEqual({
      shape: 'path',
      loopStart: null,
      initialIndex: 0,
      initial: { lamps: { left: 'off', right: 'off' } },
      initialLines: ['lamps.left = "off"', 'lamps.right = "off"'],
      initialStatus: 'holds',
      fairness: [],
      steps: [
        {
          action: 'switchOn',
          parameters: { lamp: 'left' },
          fairness: 'weak',
          actor: 'switchOn',
          sentence: 'switchOn(lamp=left)',
          beliefs: [],
          status: 'holds',
          changes: ['lamps.left: "off" → "on"'],
          state: { lamps: { left: 'on', right: 'off' } },
        },
        {
          action: 'breakDown',
          parameters: { lamp: 'left' },
          fairness: 'none',
          actor: 'breakDown',
          sentence: 'breakDown(lamp=left)',
          beliefs: [],
          status: 'broken',
          changes: ['lamps.left: "on" → "broken"'],
          state: { lamps: { left: 'broken', right: 'off' } },
        },
      ],
    });
  });
});

test('a describer gives the sentences', async () => {
  const result = await check({
    model,
    properties: properties.slice(0, 1),
    describe: {
      action: ({ name, parameters }, before, after) =>
        `${name} ${parameters.lamp}: ${before.lamps.left} to ${after.lamps.left}`,
      actor: ({ parameters }) => `lamp ${parameters.lamp}`,
      beliefs: (_action, before) => (before.lamps.left === 'on' ? ['left is fine'] : []),
      changes: () => ['changed'],
      state: () => ['a state'],
    },
  });
  expect(result.properties[0]?.trace).toMatchObject({
    initialLines: ['a state'],
    steps: [
      { actor: 'lamp left', sentence: 'switchOn left: off to on', beliefs: [] },
      { sentence: 'breakDown left: on to broken', changes: ['changed'], beliefs: ['left is fine'] },
    ],
  });
});
