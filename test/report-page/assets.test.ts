import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ASSETS, pageAssets } from './page-assets.ts';

it('the constants of the renderer are built from report/page/browser (UPDATE_GOLDEN=1 builds them)', async () => {
  const made = await pageAssets();
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(ASSETS, made);
  expect(readFileSync(ASSETS, 'utf8')).toBe(made);
});
