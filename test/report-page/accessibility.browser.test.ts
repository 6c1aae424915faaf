import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { chromiumPath, cleared, launched } from './chromium.ts';
import { checked } from './documents.ts';
import { faults, opened } from './page.ts';

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
  afterAll(() => cleared(browser));

  for (const [what, place] of Object.entries(PLACES)) {
    it(`${what}, light and dark: nothing`, async () => {
      const { page } = await opened(browser, document, place, { colorScheme: 'light' });
      expect(await faults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await faults(page, 'colours')).toEqual([]);
    });
  }
});
