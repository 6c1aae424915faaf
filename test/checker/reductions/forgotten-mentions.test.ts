import { expect, it, test } from 'vitest';
import { check, defineModel, type Property, type Symmetry } from '../../../checker/index.ts';

interface Lamps {
  lit: Record<string, true>;
  last: string | null;
  line: { done: string[] };
}

/** Lamps that differ in their names only. Each lights once; the first few of them do. */
function lamps(members: readonly string[], most: number) {
  const symmetry: Symmetry = {
    groups: [{ name: 'lamps', members }],
    renameKey: (section, key, renaming) => (section === 'lit' ? (renaming.get(key) ?? key) : key),
    renameValue: (section, value, renaming) => {
      if (section === 'last') return renaming.get(String(value)) ?? value;
      if (section !== 'line') return value;
      return (value as string[]).map((name) => renaming.get(name) ?? name);
    },
    renameParameters: ({ lamp, ...others }, renaming) =>
      lamp === undefined ? others : { ...others, lamp: renaming.get(String(lamp)) ?? lamp },
  };
  return defineModel({
    name: 'lamps',
    slots: { lit: 'flags', last: 'value', line: 'queues' },
    initial: [{ lit: {}, last: null, line: { done: [] } } as Lamps],
    actions: {
      light: {
        parameters: members.map((lamp) => ({ lamp })),
        reduce(draft, { lamp }: { lamp: string }) {
          if (lamp in draft.lit || Object.keys(draft.lit).length === most) return;
          draft.lit[lamp] = true;
          draft.last = lamp;
          draft.line.done.push(lamp);
        },
      },
    },
    symmetry,
  });
}

/** Every property is violated, and names a lamp without saying so in `mentions`. */
function naming(lamp: string, other: string): readonly Property<Lamps>[] {
  return [
    { kind: 'invariant', name: 'entry', holds: ({ lit }) => !(lamp in lit) },
    { kind: 'invariant', name: 'value', holds: ({ last }) => last !== lamp },
    { kind: 'invariant', name: 'queue', holds: ({ line }) => line.done[0] !== lamp },
    { kind: 'invariant', name: 'two', holds: ({ lit }) => !(lamp in lit) || other in lit },
    {
      kind: 'invariant',
      name: 'trigger',
      trigger: ({ last }) => last === lamp,
      holds: () => false,
    },
    { kind: 'step', name: 'action', holds: (_before, { parameters }) => parameters.lamp !== lamp },
    { kind: 'step', name: 'after', holds: (_before, _action, { last }) => last !== lamp },
    { kind: 'settled', name: 'settled', settled: ({ lit }) => !(lamp in lit) },
    { kind: 'eventually', name: 'goal', goal: ({ lit }) => !(lamp in lit) && 'x' in lit },
  ];
}

const groups = { three: ['a', 'b', 'c'], eight: [...'abcdefgh'] };

for (const [size, members] of Object.entries(groups)) {
  for (const engine of ['tracked', 'naive'] as const) {
    if (engine === 'naive' && size === 'eight') continue;
    test.each(members)(
      `a forgotten mention of %s of ${size} turns no red into green (${engine})`,
      async (lamp) => {
        const other = members[(members.indexOf(lamp) + 1) % members.length]!;
        for (const property of naming(lamp, other)) {
          const model = lamps(members, 2);
          const { properties, defect } = await check({ model, engine, properties: [property] });
          expect([property.name, properties[0]!.verdict]).not.toEqual([property.name, 'holds']);
          if (defect !== null) {
            expect(defect).toMatchObject({ kind: 'asymmetric', culprit: property.name });
            expect(defect.message).toContain('mentions');
          }
          const mentions = [lamp, other];
          const mended = await check({ model, engine, properties: [{ ...property, mentions }] });
          expect(mended.properties[0]!.verdict).toBe('violated');
        }
      },
    );
  }
}

it('asks a property with parameters for the images of its parameters', async () => {
  const model = lamps(groups.eight, 3);
  const property: Property<Lamps> = {
    kind: 'invariant',
    name: 'last is lit',
    parameters: groups.eight.map((lamp) => ({ lamp })),
    trigger: ({ last }, { lamp }) => last === lamp,
    holds: ({ lit, line }, { lamp }) =>
      String(lamp) in lit &&
      line.done.at(-1) === lamp &&
      Object.keys(lit).length === line.done.length,
  };
  const { outcome, properties } = await check({ model, properties: [property] });
  expect([outcome, properties[0]!.verdict]).toEqual(['complete', 'holds']);
});
