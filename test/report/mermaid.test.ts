import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenTrace } from '../../report/document/traces.ts';
import { emptySequence, renderMermaid } from '../../report/pictures/mermaid.ts';
import { MERMAID_MOST_CHARACTERS } from '../../report/pictures/mermaid-text.ts';
import { escaped } from '../../text/escape.ts';
import { chromiumPath, cleared, launched } from '../report-page/chromium.ts';
import { expectGoldenFile } from './golden-file.ts';
import { type Drawn, mermaidPage } from './mermaid-page.ts';
import { choice, documentWith, HOSTILE, RUNS, withSteps } from './shown-trace.ts';

/** Null: there is none here, and what it would draw is left out. */
const chromium = chromiumPath();

const SHAPES = Object.keys(RUNS) as readonly (keyof typeof RUNS)[];

/** All characters, however the lines are broken. */
const words = (text: string): string => text.replaceAll(/\s+/g, '');

describe('sequence diagrams', () => {
  it.each(SHAPES)('of a %s are as they were', async (shape) => {
    const document = await documentWith(shape);
    expectGoldenFile(`sequence-${shape}.mmd`, renderMermaid(document, { choice }));
  });
});

describe.skipIf(chromium === null)('sequence diagrams, drawn by Mermaid in Chromium', () => {
  let browser: Browser;
  let draw: (diagram: string) => Promise<Drawn>;
  beforeAll(async () => {
    browser = await launched(chromium ?? '');
    draw = await mermaidPage(browser);
  });
  afterAll(() => cleared(browser));

  it.each(SHAPES)('show every step of a %s and what it changes', async (shape) => {
    const document = await documentWith(shape);
    const { property, trace } = chosenTrace(document, choice).shown;
    const { text } = await draw(renderMermaid(document, { choice }));
    for (const { actor, sentence, changes } of trace.steps) {
      expect(text).toContain(actor);
      for (const line of [sentence.slice(actor.length + 2), ...changes]) {
        expect(words(text)).toContain(words(line.trim()));
      }
    }
    for (const clause of property.broken) expect(words(text)).toContain(words(clause));
    expect(text.includes('loop')).toBe(shape === 'lasso');
  });

  it.each(HOSTILE)('show text as text: %j', async (hostile) => {
    const document = withSteps(await documentWith('lasso'), (steps) =>
      steps.map((step, index) => ({
        ...step,
        actor: hostile,
        sentence: `${hostile}: deed ${index} ${hostile}`,
        changes: [hostile],
      })),
    );
    const { text, elements } = await draw(renderMermaid(document, { choice }));
    const shown = words(escaped(hostile));
    expect(words(text).split(shown)).toHaveLength(1 + 2 + 2 + 2);
    expect(elements).not.toContain('img');
  });

  it('leave out what Mermaid would refuse to draw', async () => {
    const document = withSteps(await documentWith('lasso'), (steps) =>
      Array.from({ length: 2000 }, () => steps[1]!),
    );
    const diagram = renderMermaid(document, { choice });
    expect(diagram.length).toBeLessThanOrEqual(MERMAID_MOST_CHARACTERS);
    const { text } = await draw(diagram);
    const [, gap] = /Steps 11 to (\d+) are left out/.exec(text) ?? [];
    expect(text).toContain(` ${Number(gap) + 1} `);
    expect(text).toMatch(/ 10 .* 2000\b/);
  });

  it('say why there is none', async () => {
    const { text } = await draw(emptySequence('nothing; <b>at all</b>'));
    expect(text).toContain('nothing; <b>at all</b>');
  });
});
