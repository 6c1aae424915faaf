import axe, { type AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { chromiumPath, launched } from './chromium.ts';
import { checked } from './documents.ts';
import { opened } from './page.ts';

const chromium = chromiumPath();

const PLACES: Readonly<Record<string, string>> = {
  'the list of all': '',
  'the verdicts of a check': '#late-dependent-orphan',
  'a step': '#late-dependent-orphan/orphaned-objects-are-not-collected/9',
  'the end of a loop': '#unserved-owner-kind/no-object-stays-whose-owners-are-all-gone/2',
};

describe.skipIf(chromium === null)('what axe finds wrong with the report page', () => {
  let browser: Browser;
  let document: ResultDocument;

  beforeAll(async () => {
    browser = await launched(chromium ?? '');
    document = await checked('late-dependent-orphan', 'unserved-owner-kind');
  });
  afterAll(async () => {
    await browser?.close();
  });

  for (const [what, place] of Object.entries(PLACES)) {
    it.each(['dark', 'light'] as const)(`${what}, %s: nothing`, async (colorScheme) => {
      const { page } = await opened(browser, document, place, { colorScheme });
      await page.evaluate(axe.source);
      const results = (await page.evaluate('axe.run()')) as AxeResults;
      const found = results.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
      );
      expect(found).toEqual([]);
      expect(results.passes.length).toBeGreaterThan(20);
    });
  }
});
