import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { ReportDocument } from '../../report/document/documents.ts';
import { renderHtml } from '../../report/page/render.ts';
import { PATIENCE } from '../clock.ts';

const CURRENT = '.run.active .step[aria-current]';

export interface OpenedPage {
  readonly page: Page;
  /** Whatever a page should not do: dialogs, errors, violations of its policy, requests. */
  readonly troubles: readonly string[];
  /** The hash, decoded. */
  place(): Promise<string>;
  /** To an address other than the current one. Resolves once the page shows it. */
  go(hash: string): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  /** The step that is shown, in words. */
  current(): Promise<string>;
  /** Its number. */
  shown(): Promise<number>;
}

/** Writes the page to a file, as a user would, and opens it. `init` runs before its own script. */
export async function opened(
  browser: Browser,
  document: ReportDocument,
  hash = '',
  options: BrowserContextOptions = {},
  init = '',
): Promise<OpenedPage> {
  const folder = mkdtempSync(join(tmpdir(), 'reapcheck-page-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, renderHtml(document));
  const address = pathToFileURL(file).href;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  onTestFinished(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  });
  context.setDefaultTimeout(PATIENCE);
  if (init !== '') await context.addInitScript(init);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('dialog', async (dialog) => {
    troubles.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('pageerror', (error) => troubles.push(`error ${error.message}`));
  page.on('console', (message) => troubles.push(`console ${message.text()}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address) troubles.push(`request ${request.url()}`);
  });
  page.on('popup', () => troubles.push('popup'));
  await page.goto(`${address}${hash}`);
  return {
    page,
    troubles,
    // The page follows a new address in a later task: what is returned is an address that it has
    // followed.
    place: () =>
      page.evaluate(`new Promise((resolve) => {
        const hash = decodeURIComponent(location.hash);
        setTimeout(() => resolve(hash));
      })`),
    // The listener of the page comes first. waitForFunction would need `eval`, which the page
    // forbids.
    go: async (wanted) => {
      await page.evaluate(`new Promise((resolve) => {
        addEventListener('hashchange', resolve, { once: true });
        location.hash = ${JSON.stringify(wanted)};
      }).then(() => undefined)`);
    },
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    current: async () => (await page.locator(CURRENT).textContent()) ?? '',
    shown: async () => Number(await page.locator(`${CURRENT} .number`).textContent()),
  };
}

/** As `expect.poll`, which by itself gives up after a second. */
export function polled<Value>(read: () => Value) {
  return expect.poll(read, { timeout: PATIENCE });
}

export function expectNoTroubles({ troubles }: OpenedPage): void {
  expect(troubles).toEqual([]);
}

/**
 * What axe finds wrong with the page as it is shown now. `colours`: only with its colours, which is
 * all that another colour scheme changes.
 */
export async function faults(
  page: Page,
  of: 'all' | 'colours' = 'all',
): Promise<readonly string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe.source);
  const options = of === 'all' ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] };
  const results = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  expect(results.passes.map(({ id }) => id)).toContain('color-contrast');
  if (of === 'all') expect(results.passes.length).toBeGreaterThan(20);
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
