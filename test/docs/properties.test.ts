import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  ACTORS_ARE_FAIR,
  type CatalogueEntry,
  GROUPS,
  PROPERTIES,
} from '../../properties/index.ts';
import { scenarios } from '../scenarios/read.ts';

const FILE = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/properties.md');

const KINDS: Readonly<Record<CatalogueEntry['kind'], string>> = {
  invariant: 'Invariant: it is true in every reachable state in which the trigger is true.',
  step: 'Step rule: it is true of every reachable step in which the trigger is true.',
  eventually:
    'Leads-to: on every fair run, the goal follows each state in which the trigger is true.',
  settled: 'Judged in the reachable states in which nothing more can happen.',
  witness: 'Some reachable state shows it.',
};

/** Lines of at most a hundred characters; the lines after the first are indented. */
function wrapped(text: string, indent = ''): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length >= 100) lines.push(indent + word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

function page(): string {
  const all = scenarios();
  const limitations = (entry: CatalogueEntry): readonly string[] => {
    const names = all.filter(({ expectation }) => expectation.verdicts[entry.name] === 'violated');
    if (names.length === 0) return [];
    const links = names.map(({ name }) => `[${name}](../scenarios/${name}.yaml)`).join(', ');
    return [`*Violated, as documented, in*: ${links}`];
  };
  return `${[
    '# Properties',
    '<!-- test/docs/properties.test.ts writes this page out of properties/ (UPDATE_GOLDEN=1). -->',
    wrapped(
      'These properties must hold when Kubernetes objects are deleted. Each has an id, which never ' +
        'changes, and a sentence as its title. `--property`, scenarios and suites accept both: ' +
        '`reapcheck check --property orphans-survive`. `reapcheck list properties` prints this list.',
    ),
    wrapped(
      'Where a property says so, it can be asked of one object: ' +
        "`--property 'every-deletion-finishes for Secret/b'`, or `for` in a scenario " +
        '([scenarios.md](scenarios.md#properties)).',
    ),
    wrapped(
      'Each property cites its source. If a built-in scenario violates a property, this is a ' +
        'documented limitation of Kubernetes 1.20, and the scenario says where it is documented.',
    ),
    wrapped(
      'If the trigger of a property is never true, the verdict is `vacuous`, not `holds`. A rule about ' +
        'the removal of an object is judged at the step that removes it, by what is stored at that ' +
        'moment, and not at the step that decided on the removal, unless the property says so. ' +
        'Safety properties assume nothing. Progress properties assume that the actors are fair:',
    ),
    wrapped(`> ${ACTORS_ARE_FAIR}.`, '> '),
    ...GROUPS.map((group) =>
      [
        `${capitalized(group)}:\n`,
        ...ofGroup(group).map(({ id, name, kind }) => `- [${id}](#${id}): ${name} (${kind})`),
      ].join('\n'),
    ),
    ...GROUPS.flatMap((group) => [
      `## ${capitalized(group)}`,
      ...ofGroup(group).flatMap((entry) => [
        // The heading is the id alone, because links go to its anchor.
        `### ${entry.id}`,
        wrapped(`**${capitalized(entry.name)}.** ${entry.about}`),
        [
          `*Kind*: ${KINDS[entry.kind]}`,
          `*Trigger*: ${entry.trigger}.`,
          `*Source*: ${entry.source}`,
          ...(entry.judgesObjects === undefined ? [] : ['*Of one object*: `for: KIND/NAME`']),
          `*Assumes*: ${entry.fairness === 'none' ? 'nothing' : 'the fairness above'}.`,
          ...limitations(entry),
        ]
          .map((line) => wrapped(`- ${line}`, '  '))
          .join('\n'),
      ]),
    ]),
  ].join('\n\n')}\n`;
}

function ofGroup(group: string): readonly CatalogueEntry[] {
  return PROPERTIES.filter((entry) => entry.group === group);
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

it('docs/properties.md says what the catalogue says (UPDATE_GOLDEN=1 writes it)', () => {
  const text = page();
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8')).toBe(text);
});
