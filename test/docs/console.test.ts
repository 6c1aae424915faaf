import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';
import { withPatience } from '../cli/patience.ts';
import '../typescript.ts';

/**
 * Documentation that shows a run shows what really comes out: in every fenced block marked
 * `console`, each line `$ npx reapcheck ...` is executed and the lines below it are its output.
 * `UPDATE_GOLDEN=1` rewrites the blocks.
 */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const BLOCK = /```console\n([\s\S]*?)```/g;

function documents(): readonly string[] {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return [join(root, 'README.md'), ...docs.map((name) => join(root, 'docs', name))];
}

/** Words of a command line with quotes, as a shell would split it. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

async function output(line: string): Promise<string> {
  let text = '';
  const out = {
    write: (more: string) => {
      text += more;
    },
    isTerminal: false,
  };
  await run(withPatience(words(line)), {
    stdin: (async function* () {})(),
    stdout: out,
    stderr: out,
    env: { NO_COLOR: '1' },
    onInterrupt: () => () => {},
  });
  // How long it took is not what the page is about.
  return text.replace(/\d+\.\d s\b/g, '0.1 s').trimEnd();
}

async function refreshed(block: string): Promise<string> {
  const commands = block.split('\n').filter((line) => line.startsWith('$ npx reapcheck '));
  const parts = await Promise.all(
    commands.map(
      async (line) => `${line}\n${await output(line.slice('$ npx reapcheck '.length))}\n`,
    ),
  );
  return parts.join('\n');
}

describe('console blocks in the documentation', () => {
  for (const file of documents()) {
    it(`${relative(root, file)} shows what comes out`, async () => {
      let text = readFileSync(file, 'utf8');
      for (const [, block] of text.matchAll(BLOCK)) {
        if (block?.startsWith('$ npx reapcheck ') !== true) continue;
        const fresh = await refreshed(block);
        if (process.env.UPDATE_GOLDEN === '1') text = text.replace(block, () => fresh);
        else expect(block).toBe(fresh);
      }
      if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
    });
  }
});
