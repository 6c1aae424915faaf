import { describe, expect, test } from 'vitest';
import {
  CheckerError,
  type CheckOptions,
  check,
  type Model,
  simulate,
} from '../../checker/index.ts';

interface Small {
  readonly n: number;
  readonly items: Readonly<Record<string, unknown>>;
}

const model: Model<Small> = {
  name: 'small',
  slots: { n: 'value', items: 'entries' },
  initial: [{ n: 0, items: {} }],
  actions: {
    up: {
      parameters: [{ by: 1 }, { by: 2 }],
      reduce: (draft) => {
        draft.n = Math.min(draft.n + 1, 3);
      },
    },
  },
};
const fine = { kind: 'invariant', name: 'fine', holds: () => true } as const;

function modelWith(change: object): Model<Small> {
  return { ...model, ...change };
}

/** What only an author without types can write. */
function other<Type>(given: object): Type {
  return given as Type;
}

const refused: readonly (readonly [string, Partial<CheckOptions<Small>>, string, RegExp])[] = [
  ['no properties', { properties: [] }, 'noProperties', /no properties/],
  ['two of one name', { properties: [fine, fine] }, 'duplicateProperty', /"fine"/],
  [
    'an unknown action in a step rule',
    { properties: [{ kind: 'step', name: 'r', actions: ['down'], holds: () => true }] },
    'unknownAction',
    /"r".*down/,
  ],
  ['a promise of a model', { model: other(Promise.resolve(model)) }, 'badOption', /await it/],
  ['one property', { properties: other(fine) }, 'badOption', /properties must be a list/],
  ['nested properties', { properties: [other([fine])] }, 'badOption', /property 0.*a list/],
  [
    'one initial state',
    { model: modelWith({ initial: model.initial[0] }) },
    'badState',
    /initial of the model must be a list/,
  ],
  [
    'an action that is none',
    { model: modelWith({ actions: { up: null } }) },
    'badOption',
    /action up must be a record, not null/,
  ],
  [
    'an action without a reducer',
    { model: modelWith({ actions: { up: {} } }) },
    'badOption',
    /reduce of action up must be a function, not undefined/,
  ],
  [
    'a promise of parameters',
    { model: modelWith({ actions: { up: { parameters: Promise.resolve([]), reduce() {} } } }) },
    'badParameters',
    /parameters of action up .*await it/,
  ],
  [
    'domains in the place of a symmetry',
    { model: modelWith({ symmetry: { names: ['a', 'b'] } }) },
    'badSymmetry',
    /as of symmetryOf/,
  ],
  ['no initial state', { model: modelWith({ initial: [] }) }, 'noInitialState', /small/],
  [
    'a family with no number of known views',
    { model: modelWith({ family: { knownViews: Number.NaN } }) },
    'badOption',
    /knownViews.* NaN/,
  ],
  ['no actions', { model: modelWith({ actions: {} }) }, 'noActions', /small/],
  [
    'an unknown slot kind',
    { model: modelWith({ slots: { n: 'number', items: 'entries' } }) },
    'unknownSlotKind',
    /n is of kind number/,
  ],
  [
    'a state that is not JSON',
    { model: modelWith({ initial: [model.initial[0], { n: 0, items: { a: { b: undefined } } }] }) },
    'badState',
    /initial state 1: items\.a\.b: undefined/,
  ],
  [
    'a state with a key that is no slot',
    { model: modelWith({ initial: [{ n: 0, items: {}, extra: 1 }] }) },
    'badState',
    /extra/,
  ],
  ['a state without a section', { model: modelWith({ initial: [{ n: 0 }] }) }, 'badState', /items/],
  [
    'equal choices of parameters',
    { properties: [{ ...fine, parameters: [{ a: 1 }, { a: 1 }] }] },
    'duplicateParameters',
    /fine.*"a":1/,
  ],
  [
    'parameters that are not JSON',
    { properties: [{ ...fine, parameters: [{ a: Number.NaN }] }] },
    'badParameters',
    /a: NaN/,
  ],
  ['a limit below one', { limits: { states: 0 } }, 'badLimit', /states is 0/],
  ['a limit that is no number', { limits: { seconds: Number.NaN } }, 'badLimit', /seconds/],
  ['a broken depth', { limits: { depth: 1.5 } }, 'badLimit', /depth/],
  ['a negative audit', { auditEvery: -1 }, 'badLimit', /auditEvery/],
  ['an unknown limit', { limits: other({ stats: 5 }) }, 'badLimit', /stats.*states, depth/],
  ['an unknown option', other({ reduction: [] }), 'badOption', /reduction .*reductions/],
  ['an unknown engine', other({ engine: 'fast' }), 'badOption', /fast.*tracked or naive/],
  ['an unknown reduction', other({ reductions: ['symetry'] }), 'badOption', /symetry.*symmetry/],
  ['no list of reductions', other({ reductions: {} }), 'badOption', /\{\}.*a list of symmetry/],
  [
    'confluence in two ways',
    { reductions: ['confluence', 'confluence-only'] },
    'badOption',
    /not with both/,
  ],
  [
    'an unknown fairness',
    { model: modelWith({ actions: { up: { ...model.actions.up, fairness: 'week' } } }) },
    'badFairness',
    /up is week.*none, weak, strong/,
  ],
  [
    'an action without instances',
    { model: modelWith({ actions: { up: { ...model.actions.up, parameters: [] } } }) },
    'noParameters',
    /action up.*empty/,
  ],
  [
    'a property without instances',
    { properties: [{ ...fine, parameters: [] }] },
    'noParameters',
    /fine/,
  ],
  [
    'parameters that are not flat',
    { model: modelWith({ actions: { up: { ...model.actions.up, parameters: [{ by: [1] }] } } }) },
    'badParameters',
    /up: by/,
  ],
  [
    'parameters of a property that are not flat',
    { properties: [other({ ...fine, parameters: [{ a: { b: 1 } }] })] },
    'badParameters',
    /fine.*a: not/,
  ],
  [
    'a slot that the state lacks',
    { model: modelWith({ slots: { n: 'value', items: 'entries', m: 'value' } }) },
    'badState',
    /initial state 0: m/,
  ],
  [
    'a misspelt field of an action',
    { model: modelWith({ actions: { up: { ...model.actions.up, fairnes: 'weak' } } }) },
    'unknownField',
    /action up.*fairnes.*fairness/,
  ],
  [
    'a misspelt field of a model',
    { model: modelWith({ symetry: null }) },
    'unknownField',
    /symetry/,
  ],
  [
    'a misspelt field of a property',
    { properties: [other({ ...fine, triger: () => false })] },
    'unknownField',
    /"fine".*triger.*trigger/,
  ],
  [
    'an unknown kind of property',
    { properties: [other({ ...fine, kind: 'always' })] },
    'unknownPropertyKind',
    /always.*invariant/,
  ],
];

describe('check refuses', () => {
  test.each(refused)('%s', async (_name, change, code, message) => {
    const question = check({ model, properties: [fine], ...change });
    await expect(question).rejects.toThrow(CheckerError);
    await expect(question).rejects.toMatchObject({ code });
    await expect(question).rejects.toThrow(message);
  });
});

test('simulate refuses unknown options too', async () => {
  const question = { model, properties: [fine], walks: 1, steps: 1, seed: 1, sead: 2 };
  await expect(simulate(question)).rejects.toMatchObject({ code: 'badOption' });
});

test('the initial states of a model stay unchanged', async () => {
  const state = { n: 0, items: { b: { deep: [1] }, a: 1 } };
  await check({ model: { ...model, initial: [state] }, properties: [fine] });
  expect(Object.isFrozen(state.items.b)).toBe(false);
  expect(Object.keys(state.items)).toEqual(['b', 'a']);
});

test('equal initial states are one, and traces name the first', async () => {
  const initial = [
    { n: 1, items: { a: 1, b: 2 } },
    { n: 1, items: { b: 2, a: 1 } },
    { n: 2, items: {} },
  ];
  const low = { kind: 'invariant', name: 'low', holds: ({ n }: Small) => n < 2 } as const;
  for (const engine of ['tracked', 'naive'] as const) {
    const result = await check({ model: { ...model, initial }, properties: [low], engine });
    expect(result.statistics.states).toBe(5);
    expect(result.properties[0]?.trace).toMatchObject({ initialIndex: 2, steps: [] });
  }
});
