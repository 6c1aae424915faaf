import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { fieldsOf, textOf } from '../../live/asking.ts';
import { reduced } from '../../live/reading/reduced.ts';
import { PATIENCE } from '../clock.ts';
import { namesIn, objectIn, readInputs } from '../input/read-inputs.ts';
import { expectError, runCli, temporaryFolder } from './run-cli.ts';

const kubectl = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' });
const hasKubectl = kubectl.status === 0;

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'settings', uid: 'u-settings' };

/** Text that YAML, JSON and Go escape in different ways. */
const STRANGE = 'quote " backslash \\ bell \u0007 line \u2028 é 🎉 {{.}} \'';

const metadata = (name: string, namespace: string, more: object = {}) => ({
  name,
  ...(namespace === '' ? {} : { namespace }),
  uid: `u-${name}`,
  resourceVersion: '5',
  managedFields: [{ manager: 'hidden-manager' }],
  annotations: {
    'kubectl.kubernetes.io/last-applied-configuration': '{"hidden": "applied"}',
    'example.com/note': STRANGE,
  },
  ...more,
});

interface Resource {
  readonly kind: string;
  readonly namespaced: boolean;
  /** Undefined: the server refuses to list them. */
  readonly items?: readonly object[];
  readonly verbs?: readonly string[];
}

/** By group version and plural. */
type Cluster = Readonly<Record<string, Readonly<Record<string, Resource>>>>;

const CLUSTER: Cluster = {
  v1: {
    configmaps: {
      kind: 'ConfigMap',
      namespaced: true,
      items: [
        { metadata: metadata('settings', 'shop'), data: { key: 'hidden-config' } },
        { metadata: metadata('other', 'billing'), data: null },
      ],
    },
    secrets: {
      kind: 'Secret',
      namespaced: true,
      items: [
        {
          metadata: metadata('token', 'shop', {
            ownerReferences: [{ ...OWNER, blockOwnerDeletion: true }],
            finalizers: ['example.com/hold'],
          }),
          type: 'Opaque',
          data: { password: 'hidden-secret' },
        },
      ],
    },
    pods: {
      kind: 'Pod',
      namespaced: true,
      items: [
        {
          metadata: metadata('web', 'shop', { generation: 12_345_678_901 }),
          spec: {
            nodeName: 'node-1',
            terminationGracePeriodSeconds: 30,
            containers: [{ name: 'c', env: [{ name: 'P', value: 'hidden-env' }] }],
            volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }, { name: 'w' }],
          },
          status: { phase: 'Running', podIP: '10.0.0.1' },
        },
      ],
    },
    nodes: {
      kind: 'Node',
      namespaced: false,
      items: [
        {
          metadata: metadata('node-1', ''),
          status: { conditions: [{ type: 'Ready', status: 'True' }] },
        },
      ],
    },
    events: { kind: 'Event', namespaced: true, items: [{ metadata: metadata('e', 'shop') }] },
    bindings: { kind: 'Binding', namespaced: true, verbs: ['create'] },
    limitranges: { kind: 'LimitRange', namespaced: true },
  },
  'apiextensions.k8s.io/v1': {
    customresourcedefinitions: {
      kind: 'CustomResourceDefinition',
      namespaced: false,
      items: [
        {
          metadata: metadata('widgets.example.com', ''),
          spec: {
            group: 'example.com',
            names: { kind: 'Widget', plural: 'widgets' },
            scope: 'Namespaced',
            versions: [
              { name: 'v1', schema: { openAPIV3Schema: { description: 'hidden-schema' } } },
            ],
          },
        },
      ],
    },
  },
  'example.com/v1': {
    widgets: {
      kind: 'Widget',
      namespaced: true,
      items: [{ metadata: metadata('w', 'shop'), spec: { volumes: ['x'], versions: ['1'] } }],
    },
  },
  // Its server is down: discovery of the group fails.
  'metrics.k8s.io/v1beta1': {},
};

/** A cluster that has these objects. */
function clusterOf(objects: readonly object[]): Cluster {
  const cluster: Record<string, Record<string, Resource>> = {};
  for (const object of objects) {
    const { apiVersion, kind, metadata } = fieldsOf(object);
    const version = textOf(apiVersion);
    const plural = `${textOf(kind).toLowerCase().replace(/s$/, '')}s`;
    const resource = {
      kind: textOf(kind),
      namespaced: 'namespace' in fieldsOf(metadata),
      items: [...(cluster[version]?.[plural]?.items ?? []), object],
    };
    cluster[version] = { ...cluster[version], [plural]: resource };
  }
  return cluster;
}

function answer(cluster: Cluster, path: string): object | null {
  const groups = Object.keys(cluster).filter((version) => version !== 'v1');
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/version') return { major: '1', minor: '32', gitVersion: 'v1.32.0' };
  if (path === '/apis') {
    const versions = groups.map((groupVersion) => {
      const [name = '', version = ''] = groupVersion.split('/');
      return {
        name,
        versions: [{ groupVersion, version }],
        preferredVersion: { groupVersion, version },
      };
    });
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: versions };
  }
  const [, groupVersion = '', rest = ''] = path.match(/^\/apis?\/(v1|[^/]+\/[^/]+)(.*)$/) ?? [];
  const resources = cluster[groupVersion];
  if (resources === undefined || Object.keys(resources).length === 0) return null;
  if (rest === '') {
    return {
      kind: 'APIResourceList',
      groupVersion,
      resources: Object.entries(resources).map(([name, { kind, namespaced, verbs }]) => ({
        ...{ name, kind, namespaced, singularName: '', verbs: verbs ?? ['get', 'list'] },
      })),
    };
  }
  const [, namespace, plural = ''] = rest.match(/^(?:\/namespaces\/([^/]+))?\/([^/]+)$/) ?? [];
  const { kind, items } = resources[plural] ?? {};
  if (items === undefined) return null;
  const shown = items.filter((item) => {
    const of = (item as { readonly metadata: { readonly namespace?: string } }).metadata.namespace;
    return namespace === undefined || of === namespace;
  });
  return {
    kind: `${kind}List`,
    apiVersion: groupVersion,
    metadata: { resourceVersion: '9' },
    items: shown,
  };
}

/** Runs the printed command against a small API server, and returns its folder and its stderr. */
async function run(
  words: readonly string[],
  served: Cluster = CLUSTER,
): Promise<{ file: string; stderr: string }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const found = answer(served, path);
    const refused = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'Forbidden',
      code: 403,
    };
    response.writeHead(found === null ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { ...refused, message: `refused: ${path}` }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const folder = temporaryFolder();
  const { port } = server.address() as AddressInfo;
  const cluster = (name: string, at: number): string =>
    `- {name: ${name}, cluster: {server: "http://127.0.0.1:${at}"}}`;
  writeFileSync(
    join(folder, 'config'),
    `apiVersion: v1
kind: Config
clusters:
${cluster('here', port)}
${cluster('nowhere', 1)}
users: [{name: u, user: {}}]
contexts:
- {name: it's here, context: {cluster: here, user: u}}
- {name: nowhere, context: {cluster: nowhere, user: u}}
current-context: nowhere
`,
  );
  const { stdout, code } = await runCli(['dump-command', '--context', "it's here", ...words]);
  expect(code).toBe(0);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    KUBECONFIG: join(folder, 'config'),
    NO_PROXY: '127.0.0.1',
  };
  const stderr = await new Promise<string>((done) => {
    execFile('sh', ['-c', stdout], { cwd: folder, env }, (_error, _stdout, text) => done(text));
  });
  return { file: join(folder, 'dump.yaml'), stderr };
}

describe('reapcheck dump-command', () => {
  it('prints one line for the shell, and everything else beside it', async () => {
    const { code, stdout, stderr } = await runCli([
      'dump-command',
      '--kubectl',
      'minikube kubectl --',
    ]);
    expect(code).toBe(0);
    expect(stdout.trimEnd()).not.toContain('\n');
    expect(stdout).toMatch(/^\(template='.*\) > dump\.yaml\n$/);
    expect(stdout).toContain('minikube kubectl -- get "$(kinds)" --all-namespaces');
    expect(stderr).toMatch(/about 1 kB for each object.*--max-input/s);
  });

  it('lets no value of an option become a command', async () => {
    const words = ['--context', '$(reboot)', '--kubectl', 'k;reboot', '-n', 'a'];
    const { stdout } = await runCli(['dump-command', ...words]);
    expect(stdout).toContain("'k;reboot' --context='$(reboot)' get");
    expect(stdout.replaceAll("'k;reboot' --context='$(reboot)'", '')).not.toContain('reboot');
    expectError(await runCli(['dump-command', '-n', 'a;b']), /--namespace does not take "a;b"/);
    expectError(await runCli(['dump-command', '--kubectl', ' ']), /--kubectl does not take/);
    expectError(await runCli(['dump-command', '--context', 'a\nb']), /--context does not take/);
  });
});

/** The order of a dump is that of the kinds that the server has. */
function sorted(objects: readonly object[]): readonly object[] {
  return [...objects].sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
}

function uidOf(object: object): string {
  return textOf('uid' in object ? object.uid : fieldsOf(fieldsOf(object).metadata).uid);
}

describe.skipIf(!hasKubectl)('its command (skipped where there is no kubectl)', () => {
  it(
    'dumps all that can be listed, and none of the contents',
    async () => {
      const { file, stderr } = await run([]);
      expect(stderr).toContain('refused: /api/v1/limitranges');
      expect(stderr).not.toMatch(/template|syntax/);
      const text = readFileSync(file, 'utf8');
      expect(text).not.toContain('hidden');
      const dump = await readInputs([file]);
      expect(namesIn(dump)).toEqual([
        'ConfigMap/other.billing',
        'ConfigMap/settings.shop',
        'CustomResourceDefinition.apiextensions.k8s.io/widgets.example.com',
        'Node/node-1',
        'Pod/web.shop',
        'Secret/token.shop',
        'Widget.example.com/w.shop',
      ]);
      expect(dump.warnings).toEqual([]);
      expect(objectIn(dump, 'Secret/token.shop')).toMatchObject({
        finalizers: ['example.com/hold'],
        ownerReferences: [{ ...OWNER, blockOwnerDeletion: true }],
      });
      expect(objectIn(dump, 'Pod/web.shop').pod).toEqual({
        terminationGracePeriodSeconds: 30,
        scheduled: true,
        finished: false,
        running: true,
        node: 'node-1',
        claims: ['data'],
      });
      expect([...dump.observations.values()]).toContainEqual(
        expect.objectContaining({ of: 'CustomResourceDefinition', kind: 'Widget', version: 'v1' }),
      );
      const strange = [...dump.objects].map(({ document }) => JSON.stringify(document.value));
      expect(strange.filter((value) => value.includes(JSON.stringify(STRANGE)))).toHaveLength(7);
    },
    PATIENCE,
  );

  it(
    'prints what is read, as it is kept of a live cluster',
    async () => {
      const whole = 'test/dumps/every-field.yaml';
      const objects: readonly object[] = parse(readFileSync(whole, 'utf8')).items;
      const { file, stderr } = await run([], clusterOf(objects));
      expect(stderr).toBe('');
      const text = readFileSync(file, 'utf8');
      expect(text).not.toContain('hidden');
      expect(sorted(parse(text).items)).toEqual(
        sorted(
          objects.map((object) => {
            const { apiVersion, kind } = fieldsOf(object);
            return reduced(fieldsOf(object), textOf(apiVersion), textOf(kind));
          }),
        ),
      );
      const [printed, given] = [await readInputs([file]), await readInputs([whole])];
      expect(printed.observations).toEqual(given.observations);
      const read = ({ objects: all }: typeof given) => sorted(all.map(({ object }) => object));
      expect(read(printed)).toEqual(read(given));
    },
    PATIENCE,
  );

  it(
    'dumps some namespaces, with the cluster-scoped objects',
    async () => {
      const { file } = await run(['-n', 'billing', '-n', 'empty']);
      expect(namesIn(await readInputs([file]))).toEqual([
        'ConfigMap/other.billing',
        'CustomResourceDefinition.apiextensions.k8s.io/widgets.example.com',
        'Node/node-1',
      ]);
    },
    PATIENCE,
  );
});
