import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { GOALS, VOCABULARY } from '../../explore/vocabulary.ts';
import { runCli } from '../cli/run-cli.ts';

/** `UPDATE_GOLDEN=1` writes the session and the tables anew. */
const FILE = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/explore.md');
const BEGIN = '$ npx reapcheck explore ';

it('shows a session and the commands as they are', async () => {
  const text = readFileSync(FILE, 'utf8');
  const fresh = await withSession(withTables(text));
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(FILE, fresh);
  else expect(text).toBe(fresh);
});

async function withSession(text: string): Promise<string> {
  const [, block = ''] = text.match(/```text\n([\s\S]*?)```/) ?? [];
  const [first = '', ...rest] = block.split('\n');
  const commands = rest.flatMap((line) => (line.startsWith('> ') ? [line.slice(2)] : []));
  const { stdout, stderr, code } = await runCli(['explore', first.slice(BEGIN.length)], {
    stdin: commands.join('\n'),
  });
  expect([stderr, code]).toEqual(['', 0]);
  return text.replace(block, () => `${first}\n${stdout}`);
}

function withTables(text: string): string {
  const commands = VOCABULARY.map(({ usage, aliases, about }) => {
    const short = aliases.map((alias) => `\`${alias}\``).join(', ');
    const written = usage.split(' | ').map((one) => `\`${one.replaceAll('|', '\\|')}\``);
    return `| ${written.join(', ')} | ${short} | ${about} |`;
  });
  const goals = GOALS.map(
    ({ usage, about }) => `| \`${usage.replaceAll('|', '\\|')}\` | ${about} |`,
  );
  return withRows(withRows(text, '| command |', commands), '| until |', goals);
}

/** The table that begins so, with these rows. */
function withRows(text: string, head: string, rows: readonly string[]): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(head)) + 2;
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.toSpliced(start, length, ...rows).join('\n');
}
