import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  check,
  combinations,
  defineModel,
  defineProperty,
  symmetryOf,
} from '../../../checker/index.ts';
import { randomRuns } from '../support/random-runs.ts';

/** Nodes on a ring pass each other tokens; `rules` decides by distance and load who may. */
interface Ring {
  readonly load: Readonly<Record<string, number>>;
  readonly sent: Readonly<Record<string, readonly string[]>>;
  readonly holder: string;
}

interface Rules {
  readonly count: number;
  /** By distance: the least load that sends. */
  readonly least: readonly number[];
  readonly most: number;
  readonly threshold: number;
}

function ringOf({ count, least, most }: Rules) {
  const nodes = Array.from({ length: count }, (_, index) => `n${index}`);
  const start: Ring = {
    load: Object.fromEntries(nodes.map((node) => [node, 0])),
    sent: {},
    holder: nodes[0]!,
  };
  return defineModel({
    name: 'ring',
    initial: [start],
    slots: { load: 'entries', sent: 'queues', holder: 'value' },
    symmetry: symmetryOf({ nodes: { ring: nodes } }, { separator: '>' }),
    actions: {
      pass: {
        parameters: combinations({ from: nodes, to: nodes }),
        reduce(draft, { from, to }) {
          if (draft.holder !== from) return;
          const distance = (nodes.indexOf(to) - nodes.indexOf(from) + count) % count;
          if ((draft.load[from] ?? 0) < (least[distance] ?? 9)) return;
          draft.holder = to;
          draft.load[to] = ((draft.load[to] ?? 0) + 1) % (most + 1);
          draft.sent[`${from}>${to}`] = [from];
        },
      },
    },
  });
}

const rules: fc.Arbitrary<Rules> = fc.record({
  count: fc.integer({ min: 2, max: 3 }),
  least: fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: 4, maxLength: 4 }),
  most: fc.constantFrom(1, 2),
  threshold: fc.constantFrom(1, 2),
});

it('rotations of a ring merge states, and change no verdict', async () => {
  let merged = 0;
  await fc.assert(
    fc.asyncProperty(rules, async (some) => {
      const model = ringOf(some);
      const nodes = Object.keys(model.initial[0]!.load);
      const properties = [
        defineProperty(model, {
          kind: 'invariant',
          name: 'no load is high',
          parameters: combinations({ node: nodes }),
          holds: ({ load }, { node }) => (load[node] ?? 0) < some.threshold,
        }),
        defineProperty(model, {
          kind: 'eventually',
          name: 'each node gets the token',
          parameters: combinations({ node: nodes }),
          trigger: ({ load }, { node }) => load[node] === 1,
          goal: ({ holder }, { node }) => holder === node,
        }),
      ];
      const whole = { model, properties, limits: { states: 500 } };
      const plain = await check({ ...whole, reductions: [] });
      for (const engine of ['tracked', 'naive'] as const) {
        const quotient = await check({ ...whole, engine, auditEvery: 7 });
        expect(quotient.defect).toBeNull();
        expect(quotient.symmetry?.renamings).toBe(some.count);
        if (plain.outcome !== 'complete') continue;
        const verdicts = plain.properties.map(({ verdict }) => verdict);
        expect(quotient.properties.map(({ verdict }) => verdict)).toEqual(verdicts);
        if (quotient.statistics.states < plain.statistics.states) merged++;
      }
    }),
    { numRuns: randomRuns(12) },
  );
  expect(merged).toBeGreaterThan(4);
});

it('a declaration of all exchanges is refuted where only rotations are right', async () => {
  const model = ringOf({ count: 3, least: [9, 0, 9, 9], most: 1, threshold: 1 });
  const properties = [
    defineProperty(model, { kind: 'invariant', name: 'true', holds: () => true }),
  ];
  const symmetry = symmetryOf({ nodes: ['n0', 'n1', 'n2'] }, { separator: '>' });
  const wrong = await check({ model: { ...model, symmetry }, properties, auditEvery: 1 });
  expect(wrong.defect?.kind).toBe('asymmetric');
  expect((await check({ model, properties, auditEvery: 1 })).outcome).toBe('complete');
});

it('renames keys, texts and parameters, and leaves the exceptions alone', () => {
  const { renameKey, renameValue, renameParameters } = symmetryOf(
    { servers: ['a', 'b'] },
    { except: ['phase', 'vote'], separator: '-' },
  );
  const renaming = new Map([
    ['a', 'b'],
    ['b', 'a'],
  ]);
  expect(renameKey('log', 'a-b', renaming)).toBe('b-a');
  expect(renameKey('phase', 'a', renaming)).toBe('a');
  expect(renameValue('log', { a: ['b', 1, null, { x: 'a' }] }, renaming)).toEqual({
    b: ['a', 1, null, { x: 'b' }],
  });
  expect(renameValue('phase', 'a', renaming)).toBe('a');
  expect(renameParameters({ to: 'a', vote: 'a', term: 1 }, renaming)).toEqual({
    ...{ to: 'b', vote: 'a', term: 1 },
  });
});

it.each([
  ['a name in two domains', () => symmetryOf({ one: ['a'], other: { ring: ['a', 'b'] } })],
  ['members that are no texts', () => symmetryOf({ one: [1, 2] as never })],
  ['what is no list of members', () => symmetryOf({ one: { ring: 'ab' as never } })],
  ['a name with the separator', () => symmetryOf({ one: ['a-b'] }, { separator: '-' })],
])('refuses %s', (_, declare) => {
  expect(declare).toThrow(expect.objectContaining({ code: 'badSymmetry' }));
});

it('refuses an exception that the model does not have', async () => {
  const model = ringOf({ count: 3, least: [9, 0, 9, 9], most: 1, threshold: 1 });
  const properties = [
    defineProperty(model, { kind: 'invariant', name: 'true', holds: () => true }),
  ];
  const nodes = { ring: ['n0', 'n1', 'n2'] };
  const checked = (...except: readonly string[]) =>
    check({ model: { ...model, symmetry: symmetryOf({ nodes }, { except }) }, properties });
  await expect(checked('load', 'lode')).rejects.toThrow(
    'has the exception lode, which is no section of the state and no parameter of an action; ' +
      'these are load, sent, holder, from, to',
  );
  await expect(checked('to')).resolves.toBeDefined();
});
