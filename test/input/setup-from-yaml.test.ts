import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clusterModel, defineController, setupFromYaml, viewOf } from 'reapcheck/model';
import { propertiesFor } from 'reapcheck/properties';
import { afterAll, expect, it } from 'vitest';
import { check } from '../../checker/index.ts';
import { dump } from '../cli/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'reapcheck-setup-'));
afterAll(() => rmSync(folder, { recursive: true }));

const DEFINITION = `
  - apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: gateways.net.example.com}
    spec:
      group: net.example.com
      scope: Cluster
      names: {kind: Gateway, plural: gateways}
      versions: [{name: v2, served: true, storage: true}]`;

it('reads a text, a path and a URL alike', () => {
  const text = 'objects:\n  - {apiVersion: v1, kind: Secret, metadata: {name: s}}\n';
  const file = join(folder, 'setup.yaml');
  writeFileSync(file, text);
  const { name: _, ...read } = setupFromYaml(text);
  expect(read.objects.map(({ kind, name }) => `${kind}/${name}`)).toEqual(['Secret/s']);
  expect(setupFromYaml(file)).toMatchObject(read);
  expect(setupFromYaml(pathToFileURL(file))).toMatchObject(read);
});

it('names the place of what is wrong', () => {
  expect(() => setupFromYaml('objects:\n  - {apiVersion: v1, kind: Secret}\n')).toThrow(/metadata/);
  expect(() => setupFromYaml(join(folder, 'none.yaml'))).toThrow(/none.yaml/);
  const scenario = 'objects: []\nrequests: []\n';
  expect(() => setupFromYaml(scenario, { delete: ['Secret/s'] })).toThrow(/its own requests/);
});

it('takes kinds from definitions, whether or not there are objects of them', () => {
  const { kinds } = setupFromYaml(`objects:${DEFINITION}\n`);
  expect(kinds['Gateway.net.example.com']).toMatchObject({
    apiVersions: ['net.example.com/v2'],
    resource: 'gateways',
    namespaced: false,
  });
});

it('keeps every object of a dump, and a controller of ours owns its finalizer', async () => {
  const text = `
apiVersion: v1
kind: List
items:
  - apiVersion: example.com/v1
    kind: Tenant
    metadata: {name: acme, namespace: shop, uid: u1, finalizers: [example.com/hold], resourceVersion: "7"}
    status: {phase: Ready}
  - {apiVersion: v1, kind: Secret, metadata: {name: unrelated, namespace: shop, uid: u2}}
`;
  const setup = setupFromYaml(text, { delete: ['Tenant/acme.shop'] });
  expect(setup.objects.map(({ name }) => name)).toEqual(['acme', 'unrelated']);
  const verdicts = async (removes: boolean) => {
    const model = clusterModel(setup, {
      controllers: [
        defineController({
          name: 'tenant-operator',
          for: 'Tenant',
          informers: ['Secret'],
          finalizers: ['example.com/hold'],
          plan(look, self) {
            const tenant = look(self.object);
            if (tenant?.deletionTimestamp == null || look('Secret/unrelated') === null) return [];
            const { object } = self;
            return removes
              ? [{ do: 'removeFinalizer', object, finalizer: 'example.com/hold' }]
              : [];
          },
        }),
      ],
    });
    const properties = propertiesFor(model, ['every-deletion-finishes for Tenant/acme.shop']);
    const result = await check({ model, properties });
    return result.properties.map(({ verdict }) => verdict);
  };
  expect(await verdicts(true)).toEqual(['holds']);
  expect(await verdicts(false)).toEqual(['violated']);
});

it('reads dumps of real clusters', () => {
  const setup = setupFromYaml(dump('shop.yaml'), { delete: ['deploy/web.shop'] });
  expect(setup.objects.length).toBeGreaterThan(3);
  expect(Object.values(setup.users)).toHaveLength(1);
});

it('puts a name into the state only if the model has it', () => {
  const setup = setupFromYaml(
    'objects:\n  - {apiVersion: v1, kind: Secret, metadata: {name: s}}\n',
  );
  const model = clusterModel(setup, { controllers: [], outside: ['disk'] });
  const { object, outside } = viewOf(model);
  const [initial] = model.initial;
  expect(object(initial!, 'Secret/s')?.name).toBe('s');
  expect(outside(initial!, 'disk')).toBe(true);
  expect(() => object(initial!, 'Secret/t')).toThrow(
    /names Secret\/t, which the model does not have/,
  );
  expect(() => outside(initial!, 'disc')).toThrow(/nothing outside is named disc/);
  expect(() => propertiesFor(model, ['nothing-stack'])).toThrow(
    /no property nothing-stack; did you mean "nothing-stuck"/,
  );
});
