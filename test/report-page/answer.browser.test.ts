import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../report/document/answer.ts';
import { ANSWERS, answered } from '../report/answers.ts';
import { chromiumPath, cleared, launched } from './chromium.ts';
import { expectNoTroubles, faults, opened } from './page.ts';

const chromium = chromiumPath();
const QUESTIONS = Object.entries(ANSWERS);
/** Pages of all parts that an answer has: a survey is a table, the others have a tree. */
const NARROW = ['delete', 'compare', 'survey'];
/** Deployments of a namespace, each with ReplicaSets that have Pods; one in seven hangs. */
function largeAnswer(size: number): Answer {
  const object = (name: string, parent: number | null): Answer['objects'][number] => ({
    ...{ name, namespace: 'shop', uid: name, parent, asked: parent === null, deleting: false },
  });
  const objects = Array.from({ length: size }, (_, index) => {
    if (index === 0) return object('Namespace/shop', null);
    const place = (index - 1) % 4;
    const parent = place === 0 ? 0 : place === 1 ? index - 1 : index - place + 1;
    // Otherwise all of them would be alike, and one line.
    const top = `Deployment.g${(index - 1) >> 2}`;
    return object(`${[top, 'ReplicaSet', 'Pod', 'Pod'][place]}/${index}.shop`, parent);
  });
  const [outcome] = ANSWERS.delete.outcomes;
  if (outcome === undefined) throw new Error('no outcome');
  const fates = objects.map((_, index) => ({
    ...{ fate: (index >> 2) % 7 === 0 ? ('hangs' as const) : ('goes' as const) },
    ...{ replaced: false, on: [], waits: [] },
  }));
  return { ...ANSWERS.delete, objects, outcomes: [{ ...outcome, fates }] };
}

describe.skipIf(chromium === null)('the page of an answer in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launched(chromium ?? '');
  });
  afterAll(() => cleared(browser));

  it.each(QUESTIONS)(
    '%s: opens on the answer, fits and can be read, wide, dark and narrow',
    async (question, answer) => {
      const viewport = { width: 1280, height: 800 };
      const options = { colorScheme: 'light', viewport } as const;
      const opening = await opened(browser, answered(answer), '', options);
      const { page } = opening;
      const expectToFit = async (width: number) => {
        const sentence = page.locator('#answer .sentence').first();
        const { y = 800 } = (await sentence.boundingBox()) ?? {};
        expect(y).toBeLessThan(400);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      };
      await expectToFit(1280);
      expect(await faults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await faults(page, 'colours')).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ ...viewport, width: 320 });
      await expectToFit(320);
      // A narrow page has the same parts, and axe takes as long as all else.
      if (NARROW.includes(question)) expect(await faults(page)).toEqual([]);
      expectNoTroubles(opening);
    },
  );

  it('has a tree for the keyboard: up and down, right opens, left closes', async () => {
    const opening = await opened(browser, answered(largeAnswer(200)));
    const { page, press, place } = opening;
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    const visible = () => page.locator('.tree tbody tr:visible').count();
    await page.locator('.tree .fold').first().focus();
    expect(await focused()).toBe('below Namespace/shop');
    const all = await visible();
    await press('ArrowLeft');
    expect(await visible()).toBe(1);
    await press('ArrowRight');
    expect(await visible()).toBe(all);
    await press('ArrowDown');
    expect(await focused()).toBe('below Deployment.g0/1.shop');
    await press('ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowLeft');
    expect(await focused()).toBe('below Namespace/shop');
    // These keys do not move the trace below.
    expect(await place()).toBe('');
    expectNoTroubles(opening);
  });

  it.each([
    ['a clipboard', '{ writeText: async (text) => { window.written = text; } }', 'window.written'],
    ['none, so it selects', 'undefined', 'String(getSelection())'],
  ])('copies the commands of a step as they are written: with %s', async (_, clipboard, read) => {
    const init = `Object.defineProperty(navigator, 'clipboard', { value: ${clipboard} })`;
    const opening = await opened(browser, answered(ANSWERS.uninstall), '', {}, init);
    const button = opening.page.locator('.of-step .copy').first();
    await button.click();
    expect(await button.textContent()).toMatch(/^Copied|^Selected/);
    expect(await opening.page.evaluate(read)).toBe(
      'kubectl delete databases db -n shop\nkubectl wait --for=delete pods/db-0',
    );
    expectNoTroubles(opening);
  });

  it('shows a sign beside each colour, and what it means', async () => {
    const { page } = await opened(browser, answered(ANSWERS.delete));
    const words = await page.locator('.fate-legend li').allInnerTexts();
    expect(words.map((text) => text.slice(0, 2))).toEqual(['! ', '? ', '~ ', '- ', '= ']);
    const shown = await page.locator('.tree .fate').allInnerTexts();
    expect(shown.every((text) => /^[!?~=-] \w/.test(text))).toBe(true);
  });

  it('can be printed: the whole answer, and no buttons', async () => {
    const { page } = await opened(browser, answered(largeAnswer(200)));
    await page.emulateMedia({ media: 'print' });
    const frame = 'document.querySelector(".tree-frame")';
    expect(await page.evaluate(`${frame}.scrollHeight - ${frame}.clientHeight`)).toBe(0);
    expect(await page.locator('.copy:visible').count()).toBe(0);
    expect(await page.locator('.run:visible').count()).toBe(1);
  });

  it('stays usable with 700 objects: folded where all is alike, the rest near', async () => {
    const opening = await opened(browser, answered(largeAnswer(700)));
    const { page } = opening;
    const rows = await page.locator('.tree tbody tr').count();
    const visible = await page.locator('.tree tbody tr:visible').count();
    expect(visible).toBeLessThan(rows / 2);
    const { height = 0 } = (await page.locator('.answer-tree').boundingBox()) ?? {};
    expect(height).toBeLessThan(800);
    await page.locator('.tree .fold[aria-expanded=false]').first().click();
    expect(await page.locator('.tree tbody tr:visible').count()).toBeGreaterThan(visible);
    expectNoTroubles(opening);
  });
});
