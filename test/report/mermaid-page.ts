import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { PATIENCE } from '../clock.ts';

/** What Mermaid has made of a diagram. */
export interface Drawn {
  /** All words of the picture, in the order of the document, lines joined by blanks. */
  readonly text: string;
  /** Names of the elements in it. */
  readonly elements: readonly string[];
}

const MERMAID = createRequire(import.meta.url).resolve('mermaid/dist/mermaid.min.js');

/** A page that draws with Mermaid as it is set up by default, as on the sites that embed it. */
export async function mermaidPage(browser: Browser): Promise<(diagram: string) => Promise<Drawn>> {
  const page: Page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setContent('<body></body>');
  await page.addScriptTag({ path: MERMAID });
  return (diagram) => page.evaluate(draw, diagram);
}

/** Runs in the page. */
async function draw(diagram: string): Promise<Drawn> {
  const { document, mermaid } = globalThis as unknown as BrowserGlobals;
  mermaid.initialize({ startOnLoad: false });
  const { svg } = await mermaid.render('drawn', diagram);
  document.body.innerHTML = svg;
  const style = document.body.querySelector('style');
  style?.remove();
  const elements = [...document.body.querySelectorAll('*')];
  const words: string[] = [];
  const texts = document.createTreeWalker(document.body, 4);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    words.push(text.textContent.trim());
  }
  return {
    text: words.filter((word) => word !== '').join(' '),
    elements: [...new Set(elements.map(({ tagName }) => tagName.toLowerCase()))].sort(),
  };
}

/** As much of a browser as `draw` uses. */
interface BrowserGlobals {
  readonly mermaid: {
    initialize(settings: object): void;
    render(id: string, text: string): Promise<{ readonly svg: string }>;
  };
  readonly document: {
    readonly body: BrowserElement;
    /** `4`: `NodeFilter.SHOW_TEXT`. */
    createTreeWalker(
      root: BrowserElement,
      show: 4,
    ): { nextNode(): { readonly textContent: string } | null };
  };
}

interface BrowserElement {
  innerHTML: string;
  readonly tagName: string;
  remove(): void;
  querySelector(selector: string): BrowserElement | null;
  querySelectorAll(selector: string): Iterable<BrowserElement>;
}
