import type { Model } from '../../../checker/model.ts';

export interface Cups {
  cups: Record<string, 'full' | 'broken'>;
}

/** Each cup may be filled and then broken. */
export function cups(members: readonly string[], fill?: (cup: string) => boolean): Model<Cups> {
  const each = { parameters: members.map((cup) => ({ cup })) };
  return {
    name: 'cups',
    slots: { cups: 'entries' },
    initial: [{ cups: {} }],
    actions: {
      fill: {
        ...each,
        reduce: (draft, { cup }) => {
          const name = String(cup);
          if (!(name in draft.cups) && fill?.(name) !== false) draft.cups[name] = 'full';
        },
      },
      break: {
        ...each,
        reduce: (draft, { cup }) => {
          if (draft.cups[String(cup)] === 'full') draft.cups[String(cup)] = 'broken';
        },
      },
    },
    symmetry: {
      groups: [{ name: 'cups', members }],
      renameKey: (_, key, renaming) => renaming.get(key) ?? key,
      renameValue: (_, value) => value,
      renameParameters: ({ cup, ...others }, renaming) => ({
        ...others,
        ...(cup === undefined ? {} : { cup: renaming.get(String(cup)) ?? cup }),
      }),
    },
  };
}

export const isBroken = (state: Cups, cup: unknown): boolean =>
  state.cups[String(cup)] === 'broken';
