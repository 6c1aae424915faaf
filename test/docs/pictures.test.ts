import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';

/** docs/pictures.md shows what comes out; `UPDATE_GOLDEN=1` writes it anew. */

const FOLDER = new URL('../../docs/', import.meta.url);
const PAGE = new URL('pictures.md', FOLDER);

const SOURCE = /```sh\nnpx reapcheck (.*)\n```\n\n```mermaid\n([^`]*)```/g;
const PICTURE = /```sh\nnpx reapcheck (.*) \| dot -Tsvg\n```\n\n!\[.*\]\((.*)\)/g;

const IMAGE = /```sh\nnpx reapcheck (.* --format svg)\n```\n\n!\[.*\]\((.*)\)/g;

function expectPicture(name: string, fresh: string): void {
  const file = new URL(name, FOLDER);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, fresh);
  }
  expect(readFileSync(file, 'utf8')).toBe(fresh);
}

async function output(line: string): Promise<string> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  return (await runCli(words)).stdout;
}

it('has the sources that the commands above them write', async () => {
  let page = readFileSync(PAGE, 'utf8');
  const shown = [...page.matchAll(SOURCE)];
  expect(shown).toHaveLength(2);
  for (const [block, line, source] of shown) {
    const fresh = await output(line!);
    if (process.env.UPDATE_GOLDEN === '1') {
      const above = block.slice(0, block.length - `${source}\`\`\``.length);
      page = page.replace(block, () => `${above}${fresh}\`\`\``);
    } else expect(source).toBe(fresh);
  }
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(PAGE, page);
});

it('has the pictures that Graphviz draws of what the commands above them write', async () => {
  const shown = [...readFileSync(PAGE, 'utf8').matchAll(PICTURE)];
  expect(shown).toHaveLength(2);
  const graphviz = await Graphviz.load();
  for (const [, line, name] of shown) {
    expectPicture(name!, graphviz.layout(await output(line!), 'svg', 'dot'));
  }
});

it('has the images of answers that the commands above them write', async () => {
  const shown = [...readFileSync(PAGE, 'utf8').matchAll(IMAGE)];
  expect(shown).toHaveLength(2);
  for (const [, line, name] of shown) expectPicture(name!, await output(line!));
});
