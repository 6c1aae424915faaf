import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { HOSTILE_DOCUMENTS } from '../report/hostile-documents.ts';
import { chromiumPath, cleared, launched } from './chromium.ts';
import { checked, longTrace, violated, withTraces } from './documents.ts';
import { ATTACKS, hostileDocument } from './hostile.ts';
import { expectNoTroubles, opened, polled } from './page.ts';

const LATE = '#late-dependent-orphan/orphaned-objects-are-not-collected';
const LOOP = '#unserved-owner-kind/no-object-stays-whose-owners-are-all-gone';

const chromium = chromiumPath();
if (chromium === null) {
  console.warn('the report page is not tested: no Chromium here, and none can be installed');
}

describe.skipIf(chromium === null)('the report page in Chromium', () => {
  let browser: Browser;
  let document: ResultDocument;
  let single: ResultDocument;

  beforeAll(async () => {
    browser = await launched(chromium ?? '');
    document = await checked('late-dependent-orphan', 'unserved-owner-kind', 'background-chain');
    single = { ...document, checks: document.checks.slice(0, 1) };
  });
  afterAll(() => cleared(browser));

  it('goes from step to step by keyboard, and the address with it', async () => {
    const { page, press, place, current, ...rest } = await opened(browser, single);
    await press('ArrowRight', 'ArrowRight', 'j');
    await polled(place).toBe(`${LATE}/3`);
    expect(await current()).toContain('API server: updates ConfigMap/a (DELETE of user)');
    await press('ArrowLeft', 'k', 'k', 'k');
    await polled(place).toBe(`${LATE}/0`);
    await press('End');
    await polled(place).toBe(`${LATE}/15`);
    // A path has an end.
    await press('ArrowRight');
    await polled(place).toBe(`${LATE}/15`);
    expect(await page.locator('.run.active .aside.broken').isVisible()).toBe(true);
    await press('Home', 'ArrowDown');
    expect(await current()).toContain('user: POST Secret/late');
    const said = () => page.locator('[role=status]').textContent();
    await polled(said).toContain('step 1 of 15: user: POST');
    expectNoTroubles({ page, press, place, current, ...rest });
  });

  it('shows what is stored beside what the collector has, and marks only what has changed', async () => {
    const opening = await opened(browser, single, `${LATE}/9`);
    const { page } = opening;
    const title = (name: string) => page.locator(`.graph [data-name="${name}"] > title`);
    expect(await title('ConfigMap/a').textContent()).toBe(
      'ConfigMap/a: not stored; the collector: being deleted',
    );
    expect(await page.locator('.card.changed').count()).toBe(1);
    expect(await page.locator('.card .removed').textContent()).toContain('orphan');
    expect(await page.locator('.entry.changed').allInnerTexts()).toEqual([
      'watch of ConfigMap\nDELETED ConfigMap/a',
      'gc orphan worker\nPATCH ConfigMap/a: to be removed',
    ]);
    await opening.press('ArrowRight');
    expect(await title('ConfigMap/a').textContent()).toBe(
      'ConfigMap/a: not stored; the collector: not in graph',
    );
    expectNoTroubles(opening);
  });

  it('follows one object from change to change', async () => {
    const opening = await opened(browser, single, `${LATE}/0`);
    await opening.page.locator('.graph [data-name="Secret/late"]').press('Enter');
    const places: number[] = [];
    for (let change = 0; change < 3; change++) {
      await opening.press('n');
      places.push(await opening.shown());
    }
    expect(places).toEqual([1, 6, 15]);
    await opening.press('p');
    await polled(opening.place).toBe(`${LATE}/6`);
  });

  it('goes round a loop for ever, and back again', async () => {
    const opening = await opened(browser, document, `${LOOP}/2`);
    const { page, press, place } = opening;
    expect(await page.locator('.run.active .end').textContent()).toContain(
      'Back to the state before step 1, and so on for ever.',
    );
    await press('ArrowRight');
    await polled(place).toBe(`${LOOP}/1`);
    expect(await page.locator('.run.active .place').textContent()).toContain('↻2');
    await press('ArrowLeft');
    await polled(place).toBe(`${LOOP}/2`);
    expectNoTroubles(opening);
  });

  it('opens at a step of a check by its address, and goes up from there', async () => {
    const opening = await opened(browser, document, `${LATE}/13`);
    const { page, press, place } = opening;
    expect(await opening.current()).toContain('gc worker: knows ConfigMap/a is absent');
    expect(await page.locator('.check:visible').count()).toBe(1);
    await press('u');
    await polled(place).toBe('#late-dependent-orphan');
    await press('u');
    const open = () => page.locator('.check:visible').count();
    await polled(open).toBe(0);
    // What does not exist leads as far as it does.
    await opening.go('#late-dependent-orphan/no-such-property/99');
    expect(await page.locator('.check:visible h2').textContent()).toContain(
      'late-dependent-orphan',
    );
    await opening.go(`${LATE}/99`);
    await page.waitForSelector('.run.active .step[aria-current][id$="/15"]');
    expectNoTroubles(opening);
  });

  it('keeps the address that a reader goes to just before its own update is due', async () => {
    const opening = await opened(browser, document);
    await opening.page.evaluate(`new Promise((resolve) => {
      addEventListener('hashchange', () => {
        // Both are due after the wait: first the key, then the update.
        setTimeout(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'u' })), 100);
        setTimeout(resolve, 400);
        const end = performance.now() + 300;
        while (performance.now() < end);
      }, { once: true });
      location.hash = '${LATE}/13';
    })`);
    expect(await opening.place()).toBe('#late-dependent-orphan');
  });

  it('finds a check among many', async () => {
    const opening = await opened(browser, document);
    const { page, press } = opening;
    const titles = () => page.locator('.index > li:visible a').allInnerTexts();
    expect(await titles()).toHaveLength(3);
    await press('/');
    await page.keyboard.type('chain');
    expect(await titles()).toEqual(['background-chain']);
  });

  it('is dark or light as the system, or as the reader wants it', async () => {
    const ground = 'getComputedStyle(document.documentElement).backgroundColor';
    const dark = await opened(browser, single, '', { colorScheme: 'dark' });
    const light = await opened(browser, single, '', { colorScheme: 'light' });
    const [night, day] = [await dark.page.evaluate(ground), await light.page.evaluate(ground)];
    expect(night).not.toBe(day);
    await dark.press('t', 't');
    expect(await dark.page.evaluate(ground)).toBe(day);
    // What a browser keeps of a file from one visit to the next is up to the browser.
    const kept = await dark.page.evaluate('JSON.stringify({ ...localStorage })');
    const init = `Object.assign(localStorage, ${kept})`;
    const again = await opened(browser, single, '', { colorScheme: 'dark' }, init);
    expect(await again.page.evaluate(ground)).toBe(day);
    expectNoTroubles(dark);
  });

  it('says its keys, and fits a narrow screen', async () => {
    const narrow = { viewport: { width: 400, height: 800 } };
    const opening = await opened(browser, single, `${LATE}/9`, narrow);
    const { page, press } = opening;
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    await press('?');
    expect(await page.locator('dialog.help').textContent()).toContain('next step');
    await page.getByText('Close').click();
    expect(await page.locator('dialog.help').isVisible()).toBe(false);
    expectNoTroubles(opening);
  });

  it('can be read without a script', async () => {
    const opening = await opened(browser, document, '', { javaScriptEnabled: false });
    for (const text of [
      'orphaned objects are not collected',
      'DELETE Secret/late propagationPolicy=Background preconditions.uid',
      'the collector deletes Secret/late, which was to be orphaned',
      'From here it repeats for ever',
    ]) {
      expect(await opening.page.getByText(text).first().isVisible(), text).toBe(true);
    }
    expect(await opening.page.locator('.check:visible').count()).toBe(3);
  });

  it('has a policy that would stop an injected script anyway', async () => {
    const { page } = await opened(browser, single);
    const outcomes = await page.evaluate(`(async () => {
      const tried = async (attempt) => {
        try {
          return String(await attempt());
        } catch (error) {
          return error.name;
        }
      };
      const put = (tag, set) => {
        const made = document.createElement(tag);
        set(made);
        document.body.append(made);
        return made;
      };
      return {
        markup: await tried(() => put('div', (div) => { div.innerHTML = '<b>x</b>'; }).innerHTML),
        script: await tried(() => put('script', (script) => { script.text = '0'; }).text),
        request: await tried(() => fetch('https://example.com/')),
        style: await tried(() =>
          getComputedStyle(put('p', (p) => p.setAttribute('style', 'color: rgb(1, 2, 3)'))).color ===
            'rgb(1, 2, 3)'),
        base: await tried(() => put('base', (base) => { base.href = 'https://example.com'; }) && document.baseURI === 'https://example.com/'),
      };
    })()`);
    expect(outcomes).toEqual({
      markup: 'TypeError',
      script: 'TypeError',
      request: 'TypeError',
      style: 'false',
      base: 'false',
    });
  });

  it('shows hostile text as text', async () => {
    const hostile = hostileDocument(single);
    const opening = await opened(browser, hostile);
    const { page, press } = opening;
    for (const key of ['End', 'Home', ']', 'End', '?', 'Escape', 'n', 'p', 'u']) await press(key);
    const runs = await page.locator('.run').count();
    expect(runs).toBe(ATTACKS.length);
    for (let run = 1; run < runs; run++) await press(']', 'ArrowRight');
    expect(await page.evaluate('window.taken')).toBeUndefined();
    expect(await page.evaluate('Object.prototype.name')).toBeUndefined();
    expect(await page.locator('script:not([type])').count()).toBe(1);
    for (const tag of [
      'img',
      'iframe',
      'base',
      'body svg[onload]',
      'main form',
      'meta[content^="0;"]',
    ]) {
      expect(await page.locator(tag).count(), tag).toBe(0);
    }
    const protocols = await page.evaluate(
      "[...new Set([...document.querySelectorAll('a')].map((link) => link.protocol))].sort()",
    );
    expect(protocols).toEqual(['file:', 'https:']);
    const attributes = await page.evaluate(
      `[...document.querySelectorAll('*')].flatMap((element) => element.getAttributeNames())
        .filter((name) => name.startsWith('on') || name === 'style')`,
    );
    expect(attributes).toEqual([]);
    expect(await page.locator('.check h2').textContent()).toContain(ATTACKS[0]);
    expectNoTroubles(opening);
  });

  it.each(Object.entries(HOSTILE_DOCUMENTS))(
    'shows hostile documents of %s as text',
    async (_, hostile) => {
      const opening = await opened(browser, hostile);
      await opening.press('j', 'End', ']', 'u', 'u');
      expect(await opening.page.locator('script:not([type])').count()).toBe(1);
      expectNoTroubles(opening);
    },
  );

  it('draws only what changes in a trace of 500 steps', async () => {
    const { objects, trace } = longTrace(500);
    const long = withTraces(single, objects, [violated('nothing is so long', trace)]);
    const opening = await opened(browser, long, '#late-dependent-orphan/nothing-is-so-long/250');
    const { page, press } = opening;
    expect(await opening.current()).toContain('step 250');
    await page.evaluate(`
      window.touched = 0;
      new MutationObserver((records) => {
        for (const { addedNodes, removedNodes } of records) {
          for (const node of [...addedNodes, ...removedNodes]) {
            window.touched += 1 + (node.querySelectorAll?.('*').length ?? 0);
          }
        }
      }).observe(document.body, { childList: true, subtree: true });
    `);
    for (let step = 0; step < 30; step++) await press('ArrowRight');
    expect(await opening.current()).toContain('step 280');
    // Two cards are drawn anew, and the words of the step; not the 24 objects, not the 500 rows.
    const touched = (await page.evaluate('window.touched')) as number;
    expect(touched / 30).toBeLessThan(150);
    await press('End');
    expect(await opening.current()).toContain('step 500');
    const inSight = `(() => {
      const frame = document.querySelector('.run.active .told').getBoundingClientRect();
      const step = document.querySelector('.step[aria-current]').getBoundingClientRect();
      return step.top >= frame.top && step.bottom <= frame.bottom;
    })()`;
    await polled(() => page.evaluate(inSight)).toBe(true);
    expectNoTroubles(opening);
  });
});
