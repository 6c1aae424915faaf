import type { Draft } from 'immer';
import { describe, expect, test } from 'vitest';
import {
  check,
  combinations,
  defineModel,
  type Model,
  type Property,
} from '../../../checker/index.ts';

interface Shelf {
  readonly items: Readonly<Record<string, { readonly size: number }>>;
  readonly marked: Readonly<Record<string, true>>;
  readonly seen: unknown;
}

const NAMES = ['b', '10', 'a', '9', 'constructor'];

function shelf(look: (draft: Draft<Shelf>) => void): Model<Shelf> {
  return defineModel<Shelf>({
    name: 'shelf',
    slots: { items: 'entries', marked: 'flags', seen: 'value' },
    initial: [{ items: {}, marked: {}, seen: null }],
    actions: {
      // The first action: it is learnt before anything is on the shelf.
      look: { reduce: look },
      add: {
        parameters: combinations({ name: NAMES }),
        reduce(draft, { name }) {
          draft.items[String(name)] = { size: Object.keys(draft.items).length };
        },
      },
      mark: {
        parameters: combinations({ name: NAMES }),
        reduce(draft, { name }) {
          if (String(name) in draft.items) draft.marked[String(name)] = true;
        },
      },
      take: {
        reduce(draft) {
          const [first] = Object.keys(draft.items);
          if (first !== undefined) delete draft.items[first];
        },
      },
    },
  });
}

const looks: Readonly<Record<string, (draft: Draft<Shelf>) => void>> = {
  'lists the keys': (draft) => {
    draft.seen = Object.keys(draft.items).join();
  },
  'lists the entries': (draft) => {
    draft.seen = Object.entries(draft.items).map(([name, { size }]) => `${name}=${size}`);
  },
  'uses for-in': (draft) => {
    const names: string[] = [];
    for (const name in draft.marked) names.push(name);
    draft.seen = names;
  },
  'spreads into a copy': (draft) => {
    draft.seen = { ...draft.marked };
  },
  'lists after adding and deleting': (draft) => {
    if (!('a' in draft.items)) return;
    delete draft.items.a;
    draft.items.zz = { size: 9 };
    draft.items.a = { size: 1 };
    draft.seen = Object.keys(draft.items);
    delete draft.items.zz;
  },
  'empties the section': (draft) => {
    if ('9' in draft.marked) draft.items = {};
  },
  'replaces the section': (draft) => {
    if ('9' in draft.items) draft.items = { b: { size: 0 } };
  },
  'counts values that match': (draft) => {
    draft.seen = Object.values(draft.items).filter(({ size }) => size === 0).length;
  },
  'asks for names that objects inherit': (draft) => {
    draft.seen = [Object.hasOwn(draft.items, 'constructor'), typeof draft.items.constructor];
  },
  'turns the section into text': (draft) => {
    draft.seen = JSON.stringify(draft.marked);
  },
};

describe('with keys that appear during the search, a reducer that', () => {
  test.each(Object.keys(looks))('%s', async (name) => {
    const model = shelf(looks[name]!);
    const results = [];
    const seen: string[][] = [];
    for (const engine of ['tracked', 'naive'] as const) {
      const states = new Set<string>();
      const collector = {
        kind: 'invariant',
        name: 'collector',
        holds(state: Shelf) {
          states.add(JSON.stringify(state));
          return true;
        },
      } as const;
      const properties = [collector, ...ENUMERATING];
      const result = await check({
        model,
        properties,
        engine,
        auditEvery: engine === 'tracked' ? 7 : 0,
        limits: { states: 1500 },
      });
      expect(result.defect).toBe(null);
      results.push({ ...result, statistics: null });
      seen.push([...states]);
    }
    // The same states in the same order, and the same traces.
    expect(seen[0]).toEqual(seen[1]);
    expect(results[0]).toEqual(results[1]);
  });
});

/** Predicates that enumerate. They are learnt early, in states without entries. */
const ENUMERATING: readonly Property<Shelf>[] = [
  {
    kind: 'invariant',
    name: 'few marks',
    holds: ({ marked }) => Object.keys(marked).length < 3,
  },
  {
    kind: 'invariant',
    name: 'no sizes above two',
    holds: ({ items }) => Object.values(items).every(({ size }) => size <= 2),
  },
  {
    kind: 'step',
    name: 'one entry at a time',
    trigger: (before, _action, after) =>
      Object.keys(before.items).length !== Object.keys(after.items).length,
    holds: (before, _action, after) =>
      Math.abs(Object.keys(before.items).length - Object.keys(after.items).length) < 2,
  },
  {
    kind: 'witness',
    name: 'full',
    reached: ({ items }) => NAMES.slice(0, 4).every((name) => name in items),
  },
];

interface Boxes {
  readonly boxes: Readonly<Record<string, number>>;
  readonly count: number;
}

// The reducer asks for the entry early, so a layout has bits for it before it is present. Then a
// state differs from its predecessor in that only, and the predicate has read only which keys there
// are.
test('a predicate that lists keys depends on an entry that was known before it was present', async () => {
  const model = defineModel<Boxes>({
    name: 'boxes',
    slots: { boxes: 'entries', count: 'value' },
    initial: [{ boxes: {}, count: 0 }],
    actions: {
      step: {
        reduce(draft) {
          if (draft.boxes.late !== undefined) return;
          if (draft.count < 5) draft.count++;
          else draft.boxes.late = 1;
        },
      },
    },
  });
  const empty: Property<Boxes> = {
    kind: 'invariant',
    name: 'no boxes',
    holds: ({ boxes }) => Object.keys(boxes).length === 0,
  };
  const { properties, statistics } = await check({ model, properties: [empty] });
  expect(statistics.states).toBe(7);
  expect(properties[0]!.verdict).toBe('violated');
});
