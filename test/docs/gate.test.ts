import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SUITE_FIELDS } from '../../gate/suite/suite-schema.ts';
import { PACKAGE_FOLDER } from '../../input/package-files.ts';
import { DRIFTS, VERDICT_CHANGES } from '../../report/document/drift.ts';
import { folderWith, inFolder, runGate } from '../gate/gate-cli.ts';

/** docs/gate.md: its example runs as shown, and its tables match the code. */

const PAGE = join(PACKAGE_FOLDER, 'docs', 'gate.md');

/** UPDATE_GOLDEN=1 writes the page. */
function expectPage(text: string): void {
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(PAGE, text);
  expect(readFileSync(PAGE, 'utf8')).toBe(text);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The table below a mark, and the blank line after it. */
function withTable(page: string, mark: string, content: string): string {
  const below = new RegExp(`<!-- ${mark} -->\\n+(?:\\|.*\\n)*\\n*`);
  return page.replace(below, () => `<!-- ${mark} -->\n\n${content}\n\n`);
}

const DRIFT_TABLE = table(
  ['drift', 'what it means', 'counts as'],
  Object.values(DRIFTS).map(({ words, about, severity }) => [
    words,
    about,
    severity ?? 'see below',
  ]),
);

const VERDICT_TABLE = table(
  ['', ...Object.keys(VERDICT_CHANGES)],
  Object.entries(VERDICT_CHANGES).map(([before, row]) => [
    before,
    ...Object.entries(row).map(([after, severity]) => (before === after ? '' : severity)),
  ]),
);

describe('docs/gate.md', () => {
  it('has the tables of the code', () => {
    const page = readFileSync(PAGE, 'utf8');
    expectPage(withTable(withTable(page, 'drifts', DRIFT_TABLE), 'verdicts', VERDICT_TABLE));
  });

  it('names every field of a suite', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(
      SUITE_FIELDS.filter((field) => !page.includes(`\`${field}\``) && !page.includes(`${field}:`)),
    ).toEqual([]);
  });

  it('shows what really comes out', async () => {
    const page = readFileSync(PAGE, 'utf8');
    const parts: string[] = [];
    await inFolder(folderWith({}), async () => {
      let locks: readonly string[] = [];
      for (const part of page.split(/(?<=^```\n)|(?=^```\w)/m)) {
        const [, kind = '', content = ''] = part.match(/^```(\w+)\n([\s\S]*)```\n$/) ?? [];
        parts.push(
          kind === '' ? part : `\`\`\`${kind}\n${await shown(kind, content, locks)}\`\`\`\n`,
        );
        if (existsSync(LOCK)) locks = [...locks, readFileSync(LOCK, 'utf8')];
      }
    });
    expectPage(parts.join(''));
  });
});

const LOCK = 'reapcheck.lock.json';

/** The content of a block after its command was run. */
async function shown(kind: string, content: string, locks: readonly string[]): Promise<string> {
  switch (kind) {
    case 'yaml':
      writeFileSync(content.match(/^# (\S+)\n/)?.[1] ?? '', content);
      return content;
    case 'diff':
      appendFileSync('cycle.yaml', content.replaceAll(/^[^+].*\n/gm, '').replaceAll(/^\+/gm, ''));
      return content;
    case 'transcript':
    case 'ending': {
      const [command = ''] = content.split('\n');
      const words = command.replace('$ reapcheck gate', '').split(' ').filter(Boolean);
      const { stdout } = await runGate(words);
      const last = stdout.slice(stdout.indexOf('reapcheck.suite.yaml: '));
      return `${command}\n${kind === 'ending' ? `...\n${last}` : stdout}`;
    }
    case 'lock':
      return difference(locks[0] ?? '', readFileSync(LOCK, 'utf8'));
    default:
      throw new Error(`a block of ${kind}`);
  }
}

/** The lines outside the longest common subsequence of two texts. */
function difference(before: string, after: string): string {
  const [was, is] = [before.split('\n'), after.split('\n')];
  const common = Array.from({ length: was.length + 1 }, () => new Uint16Array(is.length + 1));
  for (let i = was.length - 1; i >= 0; i--) {
    for (let j = is.length - 1; j >= 0; j--) {
      common[i]![j] =
        was[i] === is[j]
          ? common[i + 1]![j + 1]! + 1
          : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
    }
  }
  const lines: string[] = [];
  for (let i = 0, j = 0; i < was.length || j < is.length; ) {
    if (i < was.length && was[i] === is[j]) {
      i += 1;
      j += 1;
    } else if (i < was.length && (common[i + 1]![j] ?? 0) >= (common[i]![j + 1] ?? 0)) {
      lines.push(`-${was[i++]}`);
    } else lines.push(`+${is[j++]}`);
  }
  return `${lines.join('\n')}\n`;
}
