import { describe, expect, it } from 'vitest';
import { chosenTrace } from '../../report/document/traces.ts';
import { emptyDigraph, renderDot } from '../../report/pictures/dot.ts';
import { escaped } from '../../text/escape.ts';
import { expectGoldenFile } from './golden-file.ts';
import { graphviz } from './graphviz.ts';
import { choice, documentWith, HOSTILE, RUNS, withSteps } from './shown-trace.ts';

const SHAPES = Object.keys(RUNS) as readonly (keyof typeof RUNS)[];

/** All characters, however the lines are broken. */
const words = (text: string): string => text.replaceAll(/[\s\u00a0]+/g, '');

describe('traces for Graphviz', () => {
  it.each(SHAPES)('of a %s are as they were', async (shape) => {
    const document = await documentWith(shape);
    expectGoldenFile(`trace-${shape}.dot`, renderDot(document, { choice }));
  });

  it.each(SHAPES)('show every step of a %s and what it changes', async (shape) => {
    const document = await documentWith(shape);
    const { property, trace } = chosenTrace(document, choice).shown;
    const drawn = await graphviz(renderDot(document, { choice }));
    for (const { actor, sentence, changes, beliefs } of trace.steps) {
      for (const line of [actor, sentence.slice(actor.length + 2), ...changes, ...beliefs]) {
        expect(words(drawn.words)).toContain(words(line));
      }
    }
    for (const clause of property.broken) expect(words(drawn.words)).toContain(words(clause));
    const path = drawn.edges
      .filter(({ style }) => style !== 'invis')
      .map(({ tail, head }) => `${tail} ${head}`);
    for (let step = 1; step < trace.steps.length; step++) {
      expect(path).toContain(`step${step} step${step + 1}`);
    }
    const back = `step${trace.steps.length} step${(trace.loopStart ?? 0) + 1}`;
    expect(path.includes(back)).toBe(shape === 'lasso');
  });

  it('show the objects at first and in the end, as stored and as the collector has them', async () => {
    const drawn = await graphviz(renderDot(await documentWith('path'), { choice }));
    const labels = (prefix: string) =>
      drawn.objects.filter(({ name }) => name.startsWith(prefix)).map(({ label }) => label.trim());
    expect(labels('first')).toEqual(['ConfigMap/a']);
    expect(labels('last')[0]).toBe('Secret/late not stored collector: it is there');
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
    const drawn = await graphviz(renderDot(document, { choice }));
    expect(words(drawn.words).split(words(escaped(hostile)))).toHaveLength(1 + 2 + 2 + 2);
  });

  it('go on in the next column when they are long', async () => {
    const document = withSteps(await documentWith('lasso'), (steps) =>
      Array.from({ length: 50 }, (_, index) => steps[index % 2]!),
    );
    const { objects, edges } = await graphviz(renderDot(document, { choice }));
    expect(objects.filter(({ name }) => /^step\d+$/.test(name))).toHaveLength(50);
    expect(edges.filter(({ style }) => style === 'bold')).toHaveLength(4 + 1);
  });

  it('do without the objects if the states are none of this version', async () => {
    const document = withSteps(await documentWith('lasso'), (steps) =>
      steps.map((step) => ({ ...step, state: 7 })),
    );
    const { objects } = await graphviz(renderDot(document, { choice }));
    expect(objects.some(({ name }) => name.startsWith('first'))).toBe(false);
  });

  it('say why there is none', async () => {
    expect((await graphviz(emptyDigraph('nothing; "at all"'))).words).toContain('"at all"');
  });
});
