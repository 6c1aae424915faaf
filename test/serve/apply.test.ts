import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Body } from '../../serve/cluster/body.ts';
import { entriesIn, managedFieldsOf } from '../../serve/fields/entries.ts';
import { afterApply } from '../../serve/fields/ownership.ts';
import { CONFIG_MAPS, configMap, serving, type TestServer, WIDGET_DEFINITION } from './server.ts';

/** Server-side apply: lists merge by the keys of the schema, and every field has its owners. */

const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

interface Owned {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly managedFields?: readonly Body[];
    readonly ownerReferences?: readonly Body[];
  };
}

async function apply(
  server: TestServer,
  path: string,
  manager: string,
  object: { readonly metadata: { readonly name: string } },
  more = '',
) {
  const at = `${path}/${object.metadata.name}`;
  const [place, part] = more.startsWith('/') ? [`${at}${more}`, ''] : [at, more];
  const { code, body } = await server.send(
    'PATCH',
    `${place}?fieldManager=${manager}${part}`,
    object,
    APPLY,
  );
  return { code, body: body as unknown as Owned & Body };
}

const ownersIn = ({ metadata }: Owned): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [
      `${manager} ${operation}`,
      fieldsV1,
    ]),
  );

describe('the owner of a field', () => {
  it('is who has written it, in whatever way, and an apply conflicts unless it is forced', async () => {
    const server = await serving();
    await server.send('POST', `${CONFIG_MAPS}?fieldManager=maker`, configMap('a'));
    const mine = { ...configMap('a', { labels: { app: 'web' } }), data: { a: '2', b: '1' } };
    const refused = await apply(server, CONFIG_MAPS, 'me', mine);
    expect([refused.code, refused.body]).toMatchObject([
      409,
      {
        reason: 'Conflict',
        message: expect.stringMatching(
          /^Apply failed with 1 conflict: conflict with "maker" using v1 at .*Z: \.data\.a$/,
        ),
        details: {
          causes: [
            {
              reason: 'FieldManagerConflict',
              message: expect.stringMatching(/^conflict with "maker" using v1 at /),
              field: '.data.a',
            },
          ],
        },
      },
    ]);
    const { code, body } = await apply(server, CONFIG_MAPS, 'me', mine, '&force=true');
    expect([code, ownersIn(body)]).toEqual([
      200,
      {
        'me Apply': {
          'f:data': { 'f:a': {}, 'f:b': {} },
          'f:metadata': { 'f:labels': { 'f:app': {} } },
        },
      },
    ]);
    const again = await apply(server, CONFIG_MAPS, 'me', mine);
    expect(again.body).toEqual(body);
    // What another request removes, nobody owns any more.
    const { body: rest } = await server.send(
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=other`,
      { data: { a: '3', b: null } },
      MERGE,
    );
    expect(ownersIn(rest as unknown as Owned)).toEqual({
      'me Apply': { 'f:metadata': { 'f:labels': { 'f:app': {} } } },
      'other Update': { 'f:data': { 'f:a': {} } },
    });
  });

  it('makes no change of a write that changes nothing else', async () => {
    const server = await serving();
    const { body } = await server.send('POST', CONFIG_MAPS, configMap('a'));
    const put = await server.send('PUT', `${CONFIG_MAPS}/a?fieldManager=b`, body);
    expect(put.body).toEqual(body);
    const { managedFields: _, ...metadata } = body.metadata as unknown as Owned['metadata'];
    expect((await server.send('PUT', `${CONFIG_MAPS}/a`, { ...body, metadata })).body).toEqual(
      body,
    );
    const cleared = { ...body, metadata: { ...metadata, managedFields: [{}] } };
    const { body: bare } = await server.send('PUT', `${CONFIG_MAPS}/a`, cleared);
    expect(bare.metadata).not.toHaveProperty('managedFields');
    // What was there before owns itself.
    const { body: applied } = await apply(server, CONFIG_MAPS, 'me', configMap('a'));
    expect(Object.keys(ownersIn(applied))).toEqual(['me Apply', 'before-first-apply Update']);
  });
});

const pod = (containers: readonly object[]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
  },
});

it('lists of built-in kinds merge by their keys, and dropped elements go', async () => {
  const server = await serving();
  const dns = [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 53 }];
  await apply(server, DEPLOYMENTS, 'one', pod([{ name: 'a', image: 'x', ports: dns }]));
  const sidecar = { name: 'b', image: 'y' };
  const both = await apply(
    server,
    DEPLOYMENTS,
    'two',
    pod([sidecar, { name: 'a', env: [{ name: 'E', value: '1' }] }]),
  );
  expect(both.body).toMatchObject({
    spec: {
      template: {
        spec: { containers: [{ name: 'a', image: 'x', ports: [{}, {}], env: [{}] }, sidecar] },
      },
    },
  });
  const fewer = await apply(
    server,
    DEPLOYMENTS,
    'one',
    pod([{ name: 'a', image: 'x', ports: [dns[1]!] }]),
  );
  const rest = await apply(server, DEPLOYMENTS, 'two', pod([{ name: 'a' }]));
  expect([fewer.code, rest.code]).toEqual([200, 200]);
  expect(
    (rest.body as unknown as ReturnType<typeof pod>).spec.template.spec.containers,
  ).toMatchObject([{ name: 'a', image: 'x', ports: [{ containerPort: 53, protocol: 'TCP' }] }]);
});

it('who applies is the same in every version, and no list has two elements of the same keys', async () => {
  const server = await serving();
  const in1 = {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
  };
  const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } };
  const at = (version: string) =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  await apply(server, at('v1'), 'me', { ...in1, spec } as typeof in1);
  const more = { ...in1, apiVersion: 'autoscaling/v2', spec: { ...spec, maxReplicas: 4 } };
  const { code, body } = await apply(server, at('v2'), 'me', more);
  expect([code, body.metadata.managedFields]).toMatchObject([
    200,
    [{ apiVersion: 'autoscaling/v2' }],
  ]);
  const ports = [{ containerPort: 53 }, { containerPort: 53, protocol: 'TCP' }];
  const twice = await apply(server, DEPLOYMENTS, 'me', pod([{ name: 'a', image: 'x', ports }]));
  expect([twice.code, twice.body]).toMatchObject([
    500,
    {
      message:
        'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.template.spec.containers[name="a"].ports: duplicate entries for key [containerPort=53,protocol="TCP"]',
    },
  ]);
});

it('owner references merge by uid, finalizers as a set, lists of definitions as their schemas say', async () => {
  // The owners are not there, and nobody is to collect their dependent.
  const server = await serving('manual');
  const text = { type: 'string' };
  const size = { type: 'integer' };
  const rows = { type: 'object', properties: { x: text, y: text, size } };
  const lists = {
    byKeys: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['x', 'y'],
      items: rows,
    },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    atomic: { type: 'array', items: text },
  };
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: lists } } };
  await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: WIDGET_DEFINITION.metadata,
    spec: {
      ...WIDGET_DEFINITION.spec,
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
  const widget = (name: string, spec: object) => ({
    ...{ apiVersion: 'example.com/v1', kind: 'Widget' },
    metadata: {
      name: 'w',
      finalizers: [`example.com/${name}`],
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name }],
    },
    spec,
  });
  await apply(
    server,
    WIDGETS,
    'a',
    widget('a', { byKeys: [{ x: '1', y: '1', size: 1 }], set: ['a', 'c'], atomic: ['a'] }),
  );
  const b = widget('b', { byKeys: [{ x: '1', y: '2', size: 2 }], set: ['b', 'c'], atomic: ['b'] });
  expect((await apply(server, WIDGETS, 'b', b)).body).toMatchObject({
    details: { causes: [{ field: '.spec.atomic' }] },
  });
  const { body } = await apply(server, WIDGETS, 'b', b, '&force=true');
  expect(body).toMatchObject({
    metadata: {
      finalizers: ['example.com/a', 'example.com/b'],
      ownerReferences: [{ uid: 'a' }, { uid: 'b' }],
    },
    spec: { byKeys: [{ size: 1 }, { size: 2 }], set: ['a', 'c', 'b'], atomic: ['b'] },
  });
  const bare = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
  const { body: rest } = await apply(server, WIDGETS, 'a', bare);
  expect(rest).toMatchObject({
    metadata: { finalizers: ['example.com/b'], ownerReferences: [{ uid: 'b' }] },
    spec: { byKeys: [{ x: '1', y: '2', size: 2 }], set: ['c', 'b'], atomic: ['b'] },
  });
  // A status that is applied is no part of the object, and the other way round.
  const conditions = [{ type: 'Ready', status: 'True' }];
  await apply(server, DEPLOYMENTS, 'a', pod([{ name: 'a', image: 'x' }]));
  const status = { ...pod([]), status: { conditions } };
  const { body: shown } = await apply(server, DEPLOYMENTS, 'b', status, '/status');
  expect(shown).toMatchObject({
    status: { conditions },
    spec: { template: { spec: { containers: [{}] } } },
  });
  expect(
    shown.metadata.managedFields?.map(({ manager, subresource }) => [manager, subresource]),
  ).toEqual([
    ['a', undefined],
    ['b', 'status'],
  ]);
});

const SCHEMA = {
  type: 'object',
  properties: {
    map: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' }, v: {} } },
    },
    set: { type: 'array', 'x-kubernetes-list-type': 'set' },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
  },
};

it('laws of apply: it says what it says, twice is once, and nothing is left of what is given up', () => {
  const letter = fc.constantFrom('a', 'b', 'c');
  const configs = fc.record(
    {
      map: fc.uniqueArray(fc.record({ k: letter, v: letter }), {
        selector: ({ k }) => k,
        minLength: 1,
      }),
      set: fc.uniqueArray(letter, { minLength: 1 }),
      whole: fc.dictionary(letter, letter, { minKeys: 1 }),
      free: fc.dictionary(letter, fc.dictionary(letter, letter, { minKeys: 1 }), { minKeys: 1 }),
    },
    { requiredKeys: [] },
  );
  const typed = { schema: SCHEMA, isOwned: () => true };
  const by = (manager: string) =>
    ({ manager, operation: 'Apply', apiVersion: 'v1', subresource: '' }) as const;
  fc.assert(
    fc.property(configs, configs, (one, two) => {
      const first = afterApply(typed, [], by('one'), [{}, one], 't1');
      expect(first.object).toEqual(one);
      const second = afterApply(typed, first.entries, by('two'), [first.object, two], 't2');
      const twice = afterApply(typed, second.entries, by('two'), [second.object, two], 't3');
      expect(twice.object).toEqual(second.object);
      expect(managedFieldsOf(twice.entries)).toEqual(managedFieldsOf(second.entries));
      expect(twice.conflicts).toEqual([]);
      const stored = entriesIn(managedFieldsOf(second.entries));
      expect(managedFieldsOf(stored)).toEqual(managedFieldsOf(second.entries));
      // Without the first manager, what is left is the configuration of the second.
      const alone = afterApply(typed, stored, by('one'), [second.object, {}], 't4');
      expect(sorted(alone.object)).toEqual(sorted(two));
      expect(afterApply(typed, alone.entries, by('two'), [alone.object, {}], 't5').object).toEqual(
        {},
      );
    }),
    { numRuns: 200 },
  );
});

/** The order of the elements may differ. */
function sorted({ map, set, ...rest }: Body): Body {
  const inOrder = (list: unknown) =>
    Array.isArray(list) ? list.map((one) => JSON.stringify(one)).sort() : null;
  return { ...rest, map: inOrder(map), set: inOrder(set) };
}
