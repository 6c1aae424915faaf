import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { temporaryFile } from '../cli/run-cli.ts';
import { namesIn, readInputs, readText } from './read-inputs.ts';

const pod = (name: string) => ({ metadata: { name, namespace: 'shop', uid: `u-${name}` } });
const full = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', ...pod(name) });
const list = (...items: readonly unknown[]) => ({ apiVersion: 'v1', items, kind: 'List' });
const podList = (...items: readonly unknown[]) => ({
  apiVersion: 'v1',
  items,
  kind: 'PodList',
  metadata: { resourceVersion: '7' },
});

const json = (...values: readonly unknown[]) => values.map((v) => JSON.stringify(v)).join('\n');
const yaml = (...values: readonly unknown[]) => values.map((v) => stringify(v)).join('---\n');

describe('lists of every sort', () => {
  it.each([
    ['a List', list(full('a'), full('b'))],
    ['lists in a List', list(list(full('a')), podList(pod('b')))],
    ['a typed list, whose items lack their type', podList(pod('a'), pod('b'))],
    ['a typed list, whose items have it', podList(full('a'), full('b'))],
    ['a sequence', [full('a'), full('b')]],
    ['nothing but items, as jq leaves them', { items: [full('a'), full('b')] }],
    ['a sequence of lists', [podList(pod('a')), list(full('b')), { ...list(), items: null }]],
  ])('%s', async (_what, value) => {
    const wanted = ['Pod/a.shop', 'Pod/b.shop'];
    expect(namesIn(await readText(yaml(value)))).toEqual(wanted);
    expect(namesIn(await readText(json(value), 'dump.json'))).toEqual(wanted);
    const indented = json(value).replace(/^/, ' \n');
    expect(namesIn(await readText(indented, 'dump'))).toEqual(wanted);
  });

  it.each<[string, readonly object[], readonly string[]]>([
    ['one page of several', [{ resourceVersion: '7', continue: 'next' }], ['Pod']],
    ['one that counts the rest', [{ resourceVersion: '7', remainingItemCount: 2 }], ['Pod']],
    ['all pages', [{ resourceVersion: '7', continue: 'next' }, { resourceVersion: '7' }], []],
    [
      'a page, and the end of another list',
      [{ resourceVersion: '7', continue: 'next' }, { resourceVersion: '8' }],
      ['Pod'],
    ],
    [
      'a page of which jq has taken the version off, and what kubectl prints',
      [{ continue: 'next' }, { resourceVersion: '' }],
      ['Pod'],
    ],
    ['fields of other types', [{ resourceVersion: { toString: 1 }, continue: [] }], []],
    ['what kubectl prints', [{ resourceVersion: '', continue: '' }], []],
  ])('%s', async (_what, pages, lacking) => {
    const lists = pages.map((metadata, index) => ({ ...podList(pod(`p${index}`)), metadata }));
    for (const text of [yaml(...lists), json(...lists), json(lists), yaml(list(...lists))]) {
      const { unread } = await readText(text, text.startsWith('api') ? 'dump.yaml' : 'dump');
      const kinds = unread.flatMap(({ what }) => / of kind (\w+)/.exec(what)?.[1] ?? []);
      expect(kinds).toEqual(lacking);
    }
  });

  it('documents, JSON lines and several files of any sort make one dump', async () => {
    const three = ['Pod/a.shop', 'Pod/b.shop', 'Pod/c.shop'];
    expect(namesIn(await readText(yaml(full('a'), podList(pod('b')), full('c'))))).toEqual(three);
    expect(namesIn(await readText(json(full('a'), full('b'), full('c')), 'x.jsonl'))).toEqual(
      three,
    );
    expect(namesIn(await readText(json(full('a'), list(full('b')), full('c')), 'x.yaml'))).toEqual(
      three,
    );
    const files = [
      temporaryFile('a.yaml', yaml(full('a'))),
      temporaryFile('b.json', json(podList(pod('b'), pod('c')))),
    ];
    expect(namesIn(await readInputs(files))).toEqual(three);
  });

  it('however the objects are wrapped, the same objects are read', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { tree } = fc.letrec<{ tree: readonly unknown[] }>((tie) => ({
      tree: fc.array(fc.oneof({ maxDepth: 4 }, fc.constant('leaf'), tie('tree')), { maxLength: 4 }),
    }));
    await fc.assert(
      fc.asyncProperty(tree, fc.boolean(), async (shape, typed) => {
        const left = [...names];
        const filled = (at: unknown): unknown => {
          if (!Array.isArray(at)) return left.length > 0 ? full(left.pop() ?? '') : podList();
          return typed ? podList(...at.map(filled)) : list(...at.map(filled));
        };
        const value = filled(shape);
        const dump = await readText(yaml(value, list(...left.map(full))));
        expect(namesIn(dump)).toEqual(names.map((name) => `Pod/${name}.shop`));
      }),
      { numRuns: 60 },
    );
  });

  it('a custom resource of a kind such as AllowList is no list, though it has items', async () => {
    const dump = await readText(
      yaml({
        apiVersion: 'example.com/v1',
        kind: 'AllowList',
        metadata: { name: 'a', uid: 'u' },
        items: ['10.0.0.0/8'],
      }),
    );
    expect(namesIn(dump)).toEqual(['AllowList.example.com/a']);
  });

  it('errors name the field in the inner list', async () => {
    const wrong = list(list(full('a'), { ...full('b'), metadata: { name: 7 } }));
    await expect(readText(yaml(wrong))).rejects.toMatchObject({
      text: { where: { line: 14, field: 'items[0].items[1].metadata.name' } },
    });
  });

  it('lists in lists have a limit', async () => {
    let deep: unknown = full('a');
    for (let level = 0; level < 30; level++) deep = list(deep);
    await expect(readText(json(deep), 'deep.json')).rejects.toThrow(/nested too deeply/);
  });

  it('an answer of the API server is not an object', async () => {
    const status = {
      apiVersion: 'v1',
      kind: 'Status',
      metadata: {},
      status: 'Failure',
      message: 'pods is forbidden',
    };
    await expect(readText(yaml(status))).rejects.toThrow(
      'this is an answer of the API server, not an object: "pods is forbidden"',
    );
  });
});

describe('kinds that the input alone shows', () => {
  const widget = (name: string, namespace?: string) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, uid: `u-${name}`, ...(namespace === undefined ? {} : { namespace }) },
  });

  it('a kind is namespaced if any object of it has a namespace, whatever the order', async () => {
    const wanted = ['Widget.example.com/a', 'Widget.example.com/b.shop'];
    expect(namesIn(await readText(yaml(widget('a'), widget('b', 'shop'))))).toEqual(wanted);
    expect(namesIn(await readText(yaml(widget('b', 'shop'), widget('a'))))).toEqual(wanted);
  });

  it('a definition says the scope, also after its instances; else there is a warning', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com', uid: 'd' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets' },
        versions: [{ name: 'v1' }],
      },
    };
    const defined = await readText(yaml(widget('a'), definition));
    expect(defined.objects[0]?.object.namespace).toBe('default');
    expect(defined.warnings).toEqual([]);
    const alone = await readText(yaml(widget('a')));
    expect(alone.objects[0]?.object.namespace).toBe('');
    expect(alone.warnings).toEqual([
      expect.stringMatching(/^Widget\.example\.com is taken to be cluster-scoped/),
    ]);
    const beta = { ...widget('p'), kind: 'MutatingAdmissionPolicy' };
    const older = await readText(
      yaml({ ...beta, apiVersion: 'admissionregistration.k8s.io/v1beta1' }),
    );
    expect(older.warnings).toEqual([]);
  });

  it('events and what is computed on reading are left out, with their number', async () => {
    const dump = await readText(
      yaml(
        { ...full('a'), kind: 'Event' },
        { ...full('a'), kind: 'Event', apiVersion: 'events.k8s.io/v1' },
        { ...full('a'), kind: 'Eviction', apiVersion: 'policy/v1' },
        { ...full('a'), kind: 'PodMetrics', apiVersion: 'metrics.k8s.io/v1beta1' },
        full('a'),
      ),
    );
    expect(namesIn(dump)).toEqual(['Pod/a.shop']);
    expect(dump.leftOut).toEqual([
      'Objects left out because nothing depends on them: Event (2).',
      'Objects left out because no cluster stores them: Eviction (1), PodMetrics (1).',
    ]);
  });
});
