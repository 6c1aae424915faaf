import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { suitesOf } from '../../report/cases/suites.ts';
import { sceneOf } from '../../report/page/cards.ts';
import { drawingOf } from '../../report/page/layout.ts';
import { escapedHtml, slugger } from '../../report/page/markup.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from '../../report/page/page-assets.ts';
import { renderHtml } from '../../report/page/render.ts';
import { snapshotOf } from '../../report/view/snapshot.ts';
import { clusterOf, configMap, ownedBy, setupOf } from '../properties/clusters.ts';
import { FACTS, GATE, TRACES } from '../report/documents.ts';
import { expectGoldenFile } from '../report/golden-file.ts';
import { STORED } from '../report/stored-result.ts';
import { checked } from './documents.ts';

/** Scenarios that have traces and in which other actors than users and the collector act. */
const MANY_ACTORS = [
  'namespace-emptied',
  'operator-teardown',
  'definition-vanishes',
  'discovery-empty',
  'kubectl-cascades',
  'synchronous-two-owners',
  'claim-and-volume',
  'node-lost-pod-gc',
  'life-of-a-deployment-orphaning',
];

function digest(code: string): string {
  return createHash('sha256').update(code).digest('base64');
}

describe('the page of a document', () => {
  it('is as pinned', async () => {
    const document = await checked(
      'finalizer-races-delete',
      '--property',
      'nothing leaves with a finalizer on it',
    );
    const page = renderHtml(document)
      .replace(PAGE_SCRIPT, () => '(script)')
      .replace(PAGE_STYLE, () => '(style)')
      .replace(digest(PAGE_SCRIPT), '(digest of the script)')
      .replace(digest(PAGE_STYLE), '(digest of the style)')
      .replaceAll('><', '>\n<');
    expectGoldenFile('report-page.html', page);
  });

  it('says at its head that an interruption has left something out', () => {
    const interrupted = { ...STORED.lasso!, notRun: ['later'], exitCode: 130 };
    const head = renderHtml(interrupted).split('</header>')[0]!;
    expect(head).toContain('; interrupted before 1 more');
    expect(renderHtml(STORED.lasso!)).not.toContain('interrupted');
  });

  it.each(Object.entries({ FACTS, TRACES, GATE }))(
    '%s: has every case in it, what is said of it, and its trace',
    (_, document) => {
      const page = renderHtml(document);
      const has = (text: string): boolean => page.includes(escapedHtml(text));
      const suites = suitesOf(document);
      const cases = suites.flatMap((suite) => suite.cases);
      expect(suites.filter(({ name }) => !has(name))).toEqual([]);
      expect(cases.filter(({ name, message }) => !has(name) || !has(message))).toEqual([]);
      const traces = cases.filter(({ trace }) => trace !== null);
      expect(page.match(/ class="run"/g)?.length ?? 0).toBe(traces.length);
    },
  );

  it('draws the states of every actor', async () => {
    const page = renderHtml(await checked(...MANY_ACTORS));
    const count = (text: string): number => page.split(text).length - 1;
    expect(count(' class="run"')).toBeGreaterThan(MANY_ACTORS.length);
    expect(count('class="run-data"') + count(' data-same-as=')).toBe(count(' class="run"'));
  });

  it.each(Object.keys(STORED))('%s: is made also where states are missing', (name) => {
    const document = STORED[name];
    if (document === undefined) throw new Error(`no document ${name}`);
    const page = renderHtml(document);
    expect(page).not.toContain('run-data">');
    for (const { title } of document.checks) {
      expect(page).toContain(`>${title.replace('\u001b', '\\u{1b}')}</a>`);
    }
  });
});

describe('names in links', () => {
  it.each([
    [['a DELETE propagates as it asks'], ['a-delete-propagates-as-it-asks']],
    [
      ['x', 'x', 'X!', 'x-2'],
      ['x', 'x-2', 'x-3', 'x-2-2'],
    ],
    [
      ['<script>', '../..', '', '名前'],
      ['script', '..-..', 'unnamed', 'unnamed-2'],
    ],
    [
      ['main', 'index'],
      ['main-2', 'index-2'],
    ],
  ])('%j: %j', (texts, slugs) => {
    const slugOf = slugger(['index', 'main']);
    expect(texts.map(slugOf)).toEqual(slugs);
  });
});

describe('the picture of a run', () => {
  const owner = configMap('owner');
  const setup = setupOf([owner]);

  it.each([
    ['above its dependents', ['a', 'b'], [0, -1]],
    ['on their left where that fits better', ['a', 'b', 'c'], [-1, 0]],
  ] as const)('has the owner %s, and no place covers another', (_, names, heading) => {
    const dependents = names.map((name) =>
      configMap(name, { ownerReferences: [ownedBy('owner')], finalizers: ['x/y', 'x/z'] }),
    );
    const run = [[owner], [owner, ...dependents], dependents].map((objects) =>
      snapshotOf(setup, clusterOf(objects)),
    );
    const { boxes, arrows, width, height } = drawingOf(run.map(sceneOf), run);
    expect(Object.keys(boxes).sort()).toEqual([...names, 'owner'].map((name) => `uid-${name}`));
    expect(Object.keys(arrows)).toHaveLength(names.length);
    const arrow = arrows['uid-a uid-owner'];
    expect(arrow?.heading).toEqual(heading);
    const box = boxes['uid-owner'] ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = arrow?.tip ?? [];
    expect(heading[0] === 0 ? y : x).toBe(
      heading[0] === 0 ? box.y + box.height : box.x + box.width,
    );
    const all = Object.values(boxes);
    for (const [index, one] of all.entries()) {
      expect(one.x + one.width).toBeLessThanOrEqual(width);
      expect(one.y + one.height).toBeLessThanOrEqual(height);
      for (const other of all.slice(index + 1)) {
        const apart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect(apart).toBe(true);
      }
    }
  });

  it('draws an object that owns itself, and many dependents of one', () => {
    const self = configMap('self', { ownerReferences: [ownedBy('self')] });
    const many = Array.from({ length: 40 }, (_, index) =>
      configMap(`m${index}`, { ownerReferences: [ownedBy('self')] }),
    );
    const run = [snapshotOf(setup, clusterOf([self, ...many]))];
    const { arrows, width } = drawingOf(run.map(sceneOf), run);
    expect(arrows['uid-self uid-self']?.heading).toEqual([-1, 0]);
    expect(Object.keys(arrows)).toHaveLength(41);
    expect(width).toBeLessThan(1500);
  });
});
