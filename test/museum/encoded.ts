import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { nameMeant, propertyId } from '../../input/property-names.ts';
import type { SourceRow } from '../../tools/mutate/rows/source-rows.ts';

/**
 * Which entries of the museum are *encoded*: found by a property or by a value of a rule that
 * nothing else in the repository needs.
 */

/** What a file of a scenario, a side of a museum entry or a group of a suite uses. */
export interface Use {
  /** The entry, or the file that is none. */
  readonly of: string;
  /** Ids of the properties that it expects to be violated. */
  readonly violated: readonly string[];
  /** `NAME=VALUE` of each rule that it sets beside its protocol. */
  readonly rules: readonly string[];
}

/** An entry with what it alone uses. */
export interface Encoded {
  readonly id: string;
  readonly property: string | null;
  readonly rules: readonly string[];
}

type Mapping = Readonly<Record<string, unknown>>;

function mapping(value: unknown): Mapping {
  return typeof value === 'object' && value !== null ? (value as Mapping) : {};
}

/** The use of a scenario, or of one side of an entry. */
export function useOf(of: string, file: unknown): Use {
  const { expect, rules } = mapping(file);
  const verdicts = Object.entries(mapping(mapping(expect).verdicts));
  return {
    of,
    violated: verdicts.flatMap(([word, verdict]) =>
      verdict === 'violated' ? [propertyId(nameMeant(word)) ?? word] : [],
    ),
    rules: Object.entries(mapping(rules)).map(([name, value]) => `${name}=${value}`),
  };
}

/** The uses of an entry: its file, and each of its sides. */
export function usesOfEntry(id: string, text: string): readonly Use[] {
  const file = mapping(parse(text));
  return [useOf(id, file), useOf(id, file.before), useOf(id, file.after)];
}

/**
 * The values of rules that the groups of a suite try, besides those of the scenarios themselves.
 */
export function usesOfSuite(text: string): readonly Use[] {
  const { groups } = mapping(parse(text));
  return (Array.isArray(groups) ? groups : []).map((group: unknown) => {
    const { rules } = mapping(mapping(group).grid);
    const tried = Object.entries(mapping(rules)).flatMap(([name, values]) =>
      (Array.isArray(values) ? values : []).map((value) => `${name}=${value}`),
    );
    return { of: 'the suite', violated: [], rules: tried };
  });
}

/** Rows of docs/sources.md run a scenario with values of rules, and state the verdict. */
export function usesOfRows(
  rows: readonly Pick<SourceRow, 'command' | 'question' | 'verdict'>[],
): readonly Use[] {
  return rows.map(({ command, question, verdict }) => ({
    of: command,
    violated: verdict === 'violated' ? [propertyId(nameMeant(question)) ?? question] : [],
    rules: [...command.matchAll(/--rule (\S+)/g)].map(([, rule = '']) => rule),
  }));
}

export function usesOfScenarios(folder: string): readonly Use[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => useOf(file, parse(readFileSync(join(folder, file), 'utf8'))));
}

/** The entries of which `uses` shows that they alone use something. */
export function encodedEntries(ids: readonly string[], uses: readonly Use[]): readonly Encoded[] {
  return ids.flatMap((id) => {
    const own = uses.filter(({ of }) => of === id);
    const others = uses.filter(({ of }) => of !== id);
    const alone = (part: 'violated' | 'rules'): readonly string[] => {
      const elsewhere = new Set(others.flatMap((use) => use[part]));
      const here = new Set(own.flatMap((use) => use[part]));
      return [...here].filter((one) => !elsewhere.has(one));
    };
    const [property = null] = alone('violated');
    const rules = alone('rules');
    return property === null && rules.length === 0 ? [] : [{ id, property, rules }];
  });
}

/** The section of docs/museum.md. */
export function encodedSection(ids: readonly string[], encoded: readonly Encoded[]): string {
  const properties = encoded.filter(({ property }) => property !== null);
  const rules = encoded.flatMap((entry) => entry.rules);
  const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');
  const rows = encoded.map(
    ({ id, property, rules: own }) =>
      `| [${id}](#${id.toLowerCase()}) | ${property === null ? '' : `[${property}](properties.md#${property})`} | ${code(own)} |`,
  );
  return [
    '## Encoded entries',
    '',
    'An entry is *encoded* if something exists for it alone, whatever its name: the property that shows it',
    'is violated in no other entry and no other scenario, or a value of a rule is set in no other entry, no',
    'scenario, no group of `reapcheck.suite.yaml`, no row of [sources.md](sources.md), and no scenario of',
    '`test/museum/second-uses.ts`, which runs built-in scenarios with two values that give opposite verdicts.',
    'A protocol sets many such values at once, which does not count as a use here.',
    '',
    `**${encoded.length} of ${ids.length} entries are encoded**: ${properties.length} by their property, ` +
      `and ${encoded.length - encoded.filter((entry) => entry.rules.length === 0).length} by ${rules.length} values of rules.`,
    '',
    ...(rows.length === 0
      ? []
      : [
          '| entry | property only here | values of rules only here |',
          '| --- | --- | --- |',
          ...rows,
          '',
        ]),
  ].join('\n');
}
