import { documents } from '../../input/documents/documents.ts';
import { readSource } from '../../input/documents/source.ts';
import { KindCatalogue } from '../../input/manifests/kind-catalogue.ts';
import { formatOf, MAX_INPUT_DEFAULT, text, type Values } from '../../input/options/values.ts';
import { builtInScenarios, museumEntries } from '../../input/package-files.ts';
import { CLUSTER_PROTOCOL } from '../../input/plan.ts';
import { PROPERTY_NAMES, propertyId } from '../../input/property-names.ts';
import { readMuseumEntry } from '../../input/scenarios/museum.ts';
import { readScenario } from '../../input/scenarios/scenario.ts';
import {
  actionSummaries,
  BUILT_IN_KINDS,
  DEFAULT_PROTOCOL,
  PROTOCOLS,
  protocolRanges,
  RULES,
  type RuleName,
} from '../../model/index.ts';
import { PROPERTIES } from '../../properties/index.ts';
import { renderJson } from '../../report/formats/json.ts';
import { escaped } from '../../text/escape.ts';
import { EXIT, type ExitCode } from '../../text/exit-codes.ts';
import { type Colors, colorsFor, wrapped } from '../../text/layout.ts';
import type { Io } from '../io.ts';
import type { ListName } from '../option-tables.ts';

/** One thing that can be named on the command line. */
interface Entry {
  /** Only what has an id beside its name. */
  readonly id?: string;
  /** Entries of one group follow one another. */
  readonly group?: string;
  readonly name: string;
  /** Short facts beside the name. */
  readonly facts: readonly string[];
  readonly about: string;
  readonly source: string | null;
}

export async function listCommand(values: Values, io: Io): Promise<ExitCode> {
  const entries = await entriesOf(text(values, 'what') as ListName, io);
  if (formatOf(values) === 'json') io.stdout.write(renderJson(entries));
  else {
    const colors = colorsFor(io.env, io.stdout.isTerminal);
    io.stdout.write(`${listLines(entries, colors).join('\n')}\n`);
  }
  return EXIT.asExpected;
}

function entriesOf(what: ListName, io: Io): readonly Entry[] | Promise<readonly Entry[]> {
  switch (what) {
    case 'scenarios':
      return scenarioEntries(io);
    case 'properties':
      return PROPERTIES.map(({ id, group, name, kind, about, trigger, source }) => ({
        id,
        group,
        name,
        facts: [kind, `when ${trigger}`],
        about,
        source,
      }));
    case 'protocols':
      return Object.entries(PROTOCOLS).map(([name, rules]) => ({
        name,
        facts: DEFAULTS[name] ?? [],
        about: Object.entries(rules)
          .map(([rule, value]) => `${rule}=${value}`)
          .join(' '),
        source: null,
      }));
    case 'rules':
      return (Object.keys(RULES) as RuleName[]).map((name) => ({
        name,
        facts: RULES[name].values.map((value) => usedBy(name, value)),
        about: RULES[name].about,
        source: RULES[name].source,
      }));
    case 'actions':
      return actionSummaries().map(({ name, fairness, about }) => ({
        name,
        facts: [fairness],
        about,
        source: null,
      }));
    case 'museum':
      return museumList(io);
    default:
      throw new Error(`unknown list ${what satisfies never}`);
  }
}

const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  [DEFAULT_PROTOCOL]: ['the default of scenarios and conform'],
  [CLUSTER_PROTOCOL]: ['the default of dumps, live clusters and serve'],
};

/** `none` or `unblockOwners (v1.20)`. */
function usedBy(rule: RuleName, value: string): string {
  const protocols = Object.keys(PROTOCOLS).filter((name) => PROTOCOLS[name]?.[rule] === value);
  return protocols.length === 0 ? value : `${value} (${protocolRanges(protocols)})`;
}

async function scenarioEntries(io: Io): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const [name, file] of await builtInScenarios()) {
    const source = await readSource(file, io.stdin, { maxMegabytes: MAX_INPUT_DEFAULT });
    const document = [...documents(source)][0]!;
    const kinds = new KindCatalogue(BUILT_IN_KINDS);
    const scenario = readScenario(name, document, kinds, PROPERTY_NAMES);
    const violated = Object.values(scenario.expectation.verdicts).includes('violated');
    entries.push({
      name,
      facts: [scenario.protocol, ...(violated ? ['a documented limitation'] : [])],
      about: scenario.about.replaceAll(/\s+/g, ' '),
      source: scenario.source,
    });
  }
  return entries;
}

async function museumList(io: Io): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const [id, file] of await museumEntries()) {
    const source = await readSource(file, io.stdin, { maxMegabytes: MAX_INPUT_DEFAULT });
    const document = [...documents(source)][0]!;
    const kinds = (): KindCatalogue => new KindCatalogue(BUILT_IN_KINDS);
    const entry = readMuseumEntry(id, document, kinds, PROPERTY_NAMES);
    const { title, kind, links, mechanism, property } = entry;
    entries.push({
      id,
      name: title,
      facts: [kind, propertyId(property) ?? property],
      about: mechanism,
      source: links.length === 0 ? null : links.join(' '),
    });
  }
  return entries;
}

function listLines(entries: readonly Entry[], colors: Colors): string[] {
  return entries.flatMap((entry, index) => {
    const { group } = entry;
    const begins = group !== undefined && group !== entries[index - 1]?.group;
    const head = begins ? [...(index === 0 ? [] : ['']), colors.bold(capitalized(group)), ''] : [];
    return [...head, ...entryLines(entry, colors)];
  });
}

/** The id with the facts, and the name as a sentence below; what has no id begins with its name. */
function entryLines({ id, name, facts, about, source }: Entry, colors: Colors): string[] {
  const word = id ?? name;
  const [head = '', ...more] = wrapped(escaped(`${word}  ${facts.join(', ')}`), '', '  ');
  return [
    `${colors.bold(head.slice(0, word.length))}${head.slice(word.length)}`,
    ...more,
    ...(id === undefined ? [] : wrapped(escaped(`${capitalized(name)}.`), '  ').map(colors.bold)),
    ...wrapped(escaped(about), '  '),
    ...(source === null ? [] : wrapped(escaped(source), '  ').map(colors.dim)),
  ];
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
