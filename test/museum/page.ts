import { parse } from 'yaml';
import { propertyId } from '../../input/property-names.ts';
import type { CheckReport } from '../../report/document/result-document.ts';
import { encodedEntries, encodedSection, type Use, usesOfEntry } from './encoded.ts';

/** An entry of the museum with what was found. */
export interface Exhibit {
  readonly id: string;
  readonly text: string;
  readonly reports: readonly CheckReport[];
}

interface Plate {
  readonly title: string;
  readonly kind: 'defect' | 'limitation' | 'control';
  readonly links: readonly string[];
  readonly mechanism: string;
  readonly property: string;
}

const KINDS: Readonly<Record<Plate['kind'], string>> = {
  defect: 'repaired',
  limitation: 'there to this day',
  control: 'never was one',
};

const HEAD = `# The museum

<!-- test/museum/museum.long.test.ts writes this page out of scenarios/museum/ (UPDATE_GOLDEN=1). -->

These are defects that Kubernetes really had in the deletion of objects. The checker finds them again.
Each one is a small scenario, checked with the behaviour that had the defect and, if there is one, with
the repair. No rule, action or property refers to any of them.

- \`reapcheck check --museum\` runs all entries.
- \`reapcheck check --museum ID --traces\` shows one entry with its counterexample.
- [scenarios.md](scenarios.md#the-museum) explains how to write an entry.

In the table, *before* and *after* are the verdicts of the property that shows the defect. *Steps* is
the length of its shortest counterexample. For a counterexample without an end, it is the length of
the shortest way into the loop plus the loop. *States* are the sizes of the two searches.
`;

/**
 * The page about all entries, in their order.
 *
 * @param elsewhere what scenarios and suites use.
 */
export function page(exhibits: readonly Exhibit[], elsewhere: readonly Use[]): string {
  const rows = exhibits.map(({ id, text, reports }) => {
    const { title, kind } = plateOf(text);
    const [before, after] = sidesOf(reports);
    return `| [${id}](#${id.toLowerCase()}) | ${title} | ${KINDS[kind]} | ${verdict(before)} | ${verdict(after)} | ${length(before)} | ${states(reports)} |`;
  });
  const table = [
    '| id | what | | before | after | steps | states |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  const ids = exhibits.map(({ id }) => id);
  const own = exhibits.flatMap(({ id, text }) => usesOfEntry(id, text));
  const encoded = encodedSection(ids, encodedEntries(ids, [...own, ...elsewhere]));
  return [HEAD, `${table}\n`, encoded, ...exhibits.map(section)].join('\n');
}

function plateOf(text: string): Plate {
  return (parse(text) as { readonly museum: Plate }).museum;
}

function sidesOf(reports: readonly CheckReport[]) {
  const side = (variant: string) => reports.find(({ museum }) => museum?.variant === variant);
  return [side('before'), side('after')] as const;
}

function shown(report: CheckReport | undefined) {
  return report?.result.properties.find(({ name }) => name === report.museum?.property);
}

function verdict(report: CheckReport | undefined): string {
  return shown(report)?.verdict ?? '-';
}

function length(report: CheckReport | undefined): string {
  return String(shown(report)?.trace?.steps.length ?? '-');
}

function states(reports: readonly CheckReport[]): string {
  return reports.map(({ result }) => result.statistics.states).join(' / ');
}

function section({ id, text, reports }: Exhibit): string {
  const { title, links, mechanism } = plateOf(text);
  const kind = shown(reports[0])?.kind ?? '';
  const property = reports[0]?.museum?.property ?? '';
  const [before, after] = sidesOf(reports);
  const facts = [
    `- Property: [${property}](properties.md#${propertyId(property)}) (${kind})`,
    ...(before === undefined ? [] : [`- Before: ${protocol(before)}: ${found(before)}`]),
    ...(after === undefined ? [] : [`- After: ${protocol(after)}: ${found(after)}`]),
    `- Scenario: [${id}.yaml](../scenarios/museum/${id}.yaml)`,
    ...links.map((link) => `- <${link}>`),
  ];
  return `## ${id}\n\n**${title}.** ${mechanism}\n\n${facts.join('\n')}\n`;
}

function protocol(report: CheckReport): string {
  const rules = Object.entries(report.rules).map(([name, value]) => `\`${name}=${value}\``);
  return [`\`${report.protocol}\``, ...rules].join(', ');
}

function found(report: CheckReport): string {
  const { states, transitions } = report.result.statistics;
  const steps = shown(report)?.trace?.steps.length;
  const where = shown(report)?.verdict === 'violated' ? ` in ${steps} steps` : '';
  return `${verdict(report)}${where}; ${states} states, ${transitions} transitions`;
}
