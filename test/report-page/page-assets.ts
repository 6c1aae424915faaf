import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export const ASSETS = join(root, 'report/page/page-assets.ts');

/**
 * The code of `report/page/browser/`: one script, one style sheet, as constants for the renderer.
 */
export async function pageAssets(): Promise<string> {
  const [script, style] = await Promise.all([bundled('main.ts'), bundled('page.css')]);
  return [
    '/** Generated from `report/page/browser/`: see docs/report-page.md. Do not edit. */',
    '',
    `export const PAGE_SCRIPT: string = ${JSON.stringify(script)};`,
    '',
    `export const PAGE_STYLE: string = ${JSON.stringify(style)};`,
    '',
  ].join('\n');
}

async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join('report/page/browser', file)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
    tsconfigRaw: {},
  });
  return outputFiles[0]?.text.trim() ?? '';
}
