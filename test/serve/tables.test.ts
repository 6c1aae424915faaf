import { describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from '../../model/index.ts';
import type { Body } from '../../serve/cluster/body.ts';
import { Resources } from '../../serve/cluster/resources.ts';
import { columnsOf } from '../../serve/tables/columns.ts';
import { humanDuration } from '../../serve/tables/duration.ts';
import { jsonPath } from '../../serve/tables/json-path.ts';
import { ANYTHING, serving, WIDGET_DEFINITION } from './server.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const resources = new Resources(BUILT_IN_KINDS);

/** What `kubectl get` prints of an object, and below it what `-o wide` adds. */
function printed(kind: string, object: Body) {
  const resource = resources.ofKind(kind);
  if (resource === null) throw new Error(`there is no kind ${kind}`);
  const columns = columnsOf(resource, resource.kind.apiVersions[0] ?? '');
  const shown = (isWide: boolean) =>
    columns
      .filter(({ priority }) => priority > 0 === isWide)
      .map(({ name, cell }) => `${name}=${String(cell(withName(object), NOW))}`)
      .join(' ');
  return { usual: shown(false), wide: shown(true) };
}

function withName({ metadata, ...rest }: Body): Body {
  const creationTimestamp = '2026-01-01T00:00:00Z';
  return { metadata: { name: 'a', creationTimestamp, ...(metadata as Body) }, ...rest };
}

const template = {
  spec: {
    containers: [
      { name: 'c', image: 'x' },
      { name: 'd', image: 'y' },
    ],
  },
};
const waiting = {
  ready: false,
  restartCount: 2,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
};
const running = { ready: true, restartCount: 1, state: { running: {} } };

/** Kind, object, cells. As kubectl 1.32 prints them of a cluster 1.33. */
const ROWS: readonly (readonly [kind: string, object: Body, cells: string])[] = [
  [
    'Pod',
    {
      spec: { containers: [{}, {}] },
      status: { phase: 'Running', containerStatuses: [running, waiting] },
    },
    'Name=a Ready=1/2 Status=CrashLoopBackOff Restarts=3 Age=10m',
  ],
  [
    'Pod',
    {
      metadata: { deletionTimestamp: 'x' },
      spec: { containers: [{}] },
      status: { phase: 'Pending' },
    },
    'Name=a Ready=0/1 Status=Terminating Restarts=0 Age=10m',
  ],
  [
    'Pod',
    {
      spec: { initContainers: [{}, {}] },
      status: { initContainerStatuses: [{ state: { running: {} } }] },
    },
    'Name=a Ready=0/0 Status=Init:0/2 Restarts=0 Age=10m',
  ],
  [
    'Deployment.apps',
    { spec: { replicas: 3, template }, status: { readyReplicas: 1, updatedReplicas: 2 } },
    'Name=a Ready=1/3 Up-to-date=2 Available=0 Age=10m',
  ],
  [
    'Service',
    {
      spec: {
        type: 'LoadBalancer',
        clusterIP: '10.0.0.1',
        ports: [
          { port: 80, nodePort: 30080 },
          { port: 53, protocol: 'UDP' },
        ],
      },
    },
    'Name=a Type=LoadBalancer Cluster-IP=10.0.0.1 External-IP=<pending> Port(s)=80:30080/TCP,53/UDP Age=10m',
  ],
  [
    'Ingress.networking.k8s.io',
    { spec: { rules: ['a', 'b', 'c', 'd'].map((host) => ({ host })), tls: [{}] } },
    'Name=a Class=<none> Hosts=a,b,c + 1 more... Address= Ports=80, 443 Age=10m',
  ],
  [
    'PersistentVolumeClaim',
    {
      spec: { volumeName: 'v', storageClassName: 'fast' },
      status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } },
    },
    'Name=a Status=Bound Volume=v Capacity=1Gi Access Modes=RWO StorageClass=fast Age=10m',
  ],
  [
    'Job.batch',
    { spec: { completions: 3 }, status: { succeeded: 1, startTime: '2026-01-01T00:05:00Z' } },
    'Name=a Completions=1/3 Duration=5m Age=10m',
  ],
  [
    'Node',
    {
      metadata: { labels: { 'node-role.kubernetes.io/worker': '' } },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        nodeInfo: { kubeletVersion: 'v1' },
      },
    },
    'Name=a Status=Ready,SchedulingDisabled Roles=worker Age=10m Version=v1',
  ],
  ['Secret', { type: 'Opaque', data: { a: '', b: '' } }, 'Name=a Type=Opaque Data=2 Age=10m'],
  [
    'Event',
    {
      involvedObject: { kind: 'Pod', name: 'p' },
      reason: 'Killing',
      lastTimestamp: '2026-01-01T00:09:00Z',
    },
    'Last Seen=60s Type= Reason=Killing Object=pod/p Message=',
  ],
  ['Role.rbac.authorization.k8s.io', {}, 'Name=a Created At=2026-01-01T00:00:00Z'],
  ['Lease.coordination.k8s.io', { spec: { holderIdentity: 'me' } }, 'Name=a Holder=me Age=10m'],
  ['IPAddress.networking.k8s.io', {}, 'Name=a Age=10m'],
];

describe('a table', () => {
  it.each(ROWS)('of %s shows what kubectl prints', (kind, object, cells) => {
    expect(printed(kind, object).usual).toBe(cells);
  });

  it('has more columns for -o wide', () => {
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }],
    };
    expect(printed('Deployment.apps', { spec: { template, selector } }).wide).toBe(
      'Containers=c,d Images=x,y Selector=app=web,tier in (a,b)',
    );
    expect(printed('Pod', { spec: { nodeName: 'n' }, status: {} }).wide).toBe(
      'IP=<none> Node=n Nominated Node=<none> Readiness Gates=<none>',
    );
  });

  it.each([
    [-2_000, '<invalid>'],
    [119_999, '119s'],
    [120_000, '2m'],
    [303_000, '5m3s'],
    [660_000, '11m'],
    [12_000_000, '3h20m'],
    [180_000_000, '2d2h'],
    [700_000_000, '8d'],
    [70_000_000_000, '2y80d'],
  ])('shows the age of %d milliseconds as %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });
});

describe('a JSONPath of a printed column', () => {
  const object = {
    spec: { size: 3, 'a.b': 'dotted', list: [{ n: 1 }, { n: 2 }] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Old', status: 'False' },
      ],
    },
  };

  it.each([
    ['.spec.size', [3]],
    ['.spec.missing', []],
    ['.spec.constructor', []],
    ["['spec']['a.b']", ['dotted']],
    ['.spec.a\\.b', ['dotted']],
    ['.spec.list[-1].n', [2]],
    ['.spec.list[*].n', [1, 2]],
    ['.spec.list[?(@.n>1)].n', [2]],
    ['..n', [1, 2]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type!='Ready')].status", ['False']],
  ])('%s finds %j', (path, found) => {
    expect(jsonPath(path)?.(object)).toEqual(found);
  });

  it.each(['.spec[', '.spec.list[?(n)]', '.a[1:2]', '.a b'])('%s is not read', (path) => {
    expect(jsonPath(path)).toBeNull();
  });
});

it('shows the columns of each version of a definition, by their types', async () => {
  const server = await serving();
  const column = (name: string, type: string, path: string, more = {}) => ({
    name,
    type,
    jsonPath: path,
    ...more,
  });
  const version = (name: string, columns: readonly object[]) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: ANYTHING,
    additionalPrinterColumns: columns,
  });
  await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: WIDGET_DEFINITION.metadata,
    spec: {
      ...WIDGET_DEFINITION.spec,
      versions: [
        version('v1', [
          column('Size', 'integer', '.spec.size'),
          column('Ready', 'string', '.status.conditions[?(@.type=="Ready")].status'),
          column('Since', 'date', '.spec.since', { priority: 1 }),
        ]),
        version('v1beta1', []),
      ],
    },
  });
  const widgets = (name: string) => `/apis/example.com/${name}/namespaces/default/widgets`;
  await server.send('POST', widgets('v1'), {
    metadata: { name: 'w' },
    spec: { size: 'three', since: new Date(Date.now() - 90_500).toISOString() },
  });
  const table = async (name: string) => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const answer = await fetch(`${server.url}${widgets(name)}`, { headers: { accept } });
    return (await answer.json()) as {
      readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
      readonly rows: readonly { readonly cells: readonly unknown[] }[];
    };
  };
  const first = await table('v1');
  expect(first.columnDefinitions.map(({ name, priority }) => `${name} ${priority}`)).toEqual([
    ...['Name 0', 'Size 0', 'Ready 0', 'Since 1'],
  ]);
  // The size is no whole number, and there is no condition.
  expect(first.rows[0]?.cells).toEqual(['w', null, null, expect.stringMatching(/^\d+[sm]/)]);
  const second = await table('v1beta1');
  expect(second.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Age']);
});
