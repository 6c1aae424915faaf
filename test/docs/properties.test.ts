import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ACTORS_ARE_FAIR, type CatalogueEntry } from '../../properties/catalogue.ts';
import { PROPERTIES } from '../../properties/index.ts';
import { scenarios } from '../scenarios/read.ts';

const FILE = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/properties.md');

const KINDS: Readonly<Record<CatalogueEntry['kind'], string>> = {
  invariant: 'Invariant: true in every reachable state in which the trigger is.',
  step: 'Rule over steps: true of every reachable step in which the trigger is.',
  eventually: 'Leads-to: on every fair run, each state with the trigger is followed by the goal.',
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
  const anchor = (name: string): string => name.replaceAll(' ', '-');
  return `${[
    '# Properties',
    '<!-- test/docs/properties.test.ts writes this page out of properties/ (UPDATE_GOLDEN=1). -->',
    wrapped(
      'What must hold when Kubernetes objects are deleted. Each property is one sentence; it is its ' +
        'name, which `--property` selects and which a scenario lists. Each cites where it comes from. ' +
        'A built-in scenario in which it is violated shows a documented limitation of Kubernetes 1.20, ' +
        'and says where that is documented. `reapcheck list properties` prints this list.',
    ),
    wrapped(
      'A property whose trigger was never true is reported as `vacuous`, not as holding. What leaves ' +
        'the store is judged at the step at which it leaves, with what is stored at that moment, not ' +
        'at the step that decided on it, unless the property says so. Safety properties assume ' +
        'nothing. Progress properties assume that the actors are fair:',
    ),
    wrapped(`> ${ACTORS_ARE_FAIR}.`, '> '),
    PROPERTIES.map(({ name, kind }) => `- [${name}](#${anchor(name)}) (${kind})`).join('\n'),
    ...PROPERTIES.flatMap((entry) => [
      `## ${entry.name}`,
      wrapped(entry.about),
      [
        `*Kind*: ${KINDS[entry.kind]}`,
        `*Trigger*: ${entry.trigger}.`,
        `*Source*: ${entry.source}`,
        `*Assumes*: ${entry.fairness === 'none' ? 'nothing' : 'the fairness above'}.`,
        ...limitations(entry),
      ]
        .map((line) => wrapped(`- ${line}`, '  '))
        .join('\n'),
    ]),
  ].join('\n\n')}\n`;
}

it('docs/properties.md says what the catalogue says (UPDATE_GOLDEN=1 writes it)', () => {
  const text = page();
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(FILE, text);
  expect(readFileSync(FILE, 'utf8')).toBe(text);
});
