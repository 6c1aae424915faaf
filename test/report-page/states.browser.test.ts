import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, temporaryFile } from '../cli/run-cli.ts';
import { chromiumPath, cleared, launched } from './chromium.ts';
import { opened } from './page.ts';

/** The states of a model that a module exports, on the page. */

const SVG = `<svg width="50" height="20"><script>alert('script')</script>
  <image href="https://example.com/x.png" onerror="alert(1)" width="9" height="9"/>
  <rect width="50" height="20" fill="red" onclick="alert(2)"/></svg>`;

interface Sized {
  readonly naturalWidth: number;
}

const moduleWith = (picture: string) =>
  temporaryFile(
    'model.mjs',
    `export const model = {
       name: 'counter', initial: [{ x: 0, '<b>': { y: 1 } }], slots: { x: 'value', '<b>': 'value' },
       actions: { inc: { reduce(draft) { if (draft.x < 3) draft.x++; } } },
     };
     export const properties = [{ kind: 'invariant', name: 'small', holds: ({ x }) => x < 2 }];
     export const picture = ({ x }) => ${JSON.stringify(picture)} + (x < 0 ? '' : '');`,
  );

const chromium = chromiumPath();

describe.skipIf(chromium === null)('the states of a model on the page in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launched(chromium ?? '');
  });
  afterAll(() => cleared(browser));

  it('go from step to step, with what changed', async () => {
    const document = await documentOf([moduleWith('<img src=x onerror=alert(3)>')]);
    const { page, press, troubles } = await opened(browser, document, '#counter/small/0');
    const states = page.locator('.run.active .state:visible');
    expect(await states.locator('h4').allInnerTexts()).toEqual(['At first']);
    await press('ArrowRight', 'ArrowRight');
    expect(await states.locator('h4').allInnerTexts()).toEqual(['After step 2']);
    expect(await states.locator('.changed').allInnerTexts()).toEqual(['x 1 2']);
    // The text of a picture, and of a state, is text.
    expect(await states.locator('pre').innerText()).toBe('<img src=x onerror=alert(3)>');
    expect(await states.locator('summary').innerText()).toBe('<b>');
    expect(troubles).toEqual([]);
  });

  it('show an SVG that can do nothing', async () => {
    const document = await documentOf([moduleWith(SVG)]);
    const { page, press, troubles } = await opened(browser, document, '#counter/small/0');
    await press('ArrowRight');
    const image = page.locator('.run.active .state:visible img');
    const size = await image.evaluate((one) => (one as unknown as Sized).naturalWidth);
    expect(size).toBe(50);
    await image.click();
    expect(troubles.filter((trouble) => !trouble.startsWith('request data:'))).toEqual([]);
  });
});
