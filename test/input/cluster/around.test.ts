import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AroundOptions, NOTHING_SAID } from '../../../input/cluster/around.ts';
import { planDeletion } from '../../../input/manifests/deletion.ts';
import { readDump } from '../../../input/manifests/dump.ts';
import { KindCatalogue } from '../../../input/manifests/kind-catalogue.ts';
import type { Cascade, Plan } from '../../../input/plan.ts';
import { BUILT_IN_KINDS } from '../../../model/state/kind-table.ts';
import { runPlan } from '../../../run/assemble.ts';
import { dump } from '../../cli/run-cli.ts';
import { collectionOf } from '../read-inputs.ts';

interface Asked {
  readonly targets: string;
  readonly cascade?: Cascade;
  readonly options?: Partial<AroundOptions>;
}

function planOf(text: string, { targets, cascade = 'background', options = {} }: Asked): Plan {
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  const read = readDump(collectionOf(text), kinds);
  const around = { ...NOTHING_SAID, ...options };
  const question = { targets: targets.split(' '), namespace: null, cascade, around };
  return planDeletion(read, question, kinds, []);
}

function textOf(name: string): string {
  return readFileSync(dump(`${name}.yaml`), 'utf8');
}

function clusterOf(plan: Plan): NonNullable<Plan['cluster']> {
  if (plan.cluster === null) throw new Error('a deletion has a cluster');
  return plan.cluster;
}

async function fatesOf(plan: Plan): Promise<readonly string[]> {
  const limits = { states: 30_000 };
  const { fates, result } = await runPlan(plan, { engine: 'tracked', limits, auditEvery: 0 }, '');
  expect(result.outcome).toBe('complete');
  return fates.map(({ object, fate }) => `${object} ${fate}`);
}

/** Dump, targets, `+` and `-` for actors that run or do not, and what becomes of each object. */
const CASES: readonly (readonly [
  dump: string,
  asked: Asked,
  actors: readonly string[],
  fates: readonly string[],
])[] = [
  [
    'node-lost',
    { targets: 'sts/db' },
    ['+kubelets'],
    [
      'Node/node-1 stays',
      'StatefulSet.apps/db.shop goes',
      'Pod/db-0.shop stays',
      'Pod/db-1.shop goes',
    ],
  ],
  [
    'node-lost',
    { targets: 'pod/db-0' },
    ['-kubelets', '+workload-controllers'],
    ['Node/node-1 stays', 'StatefulSet.apps/db.shop stays', 'Pod/db-0.shop stays'],
  ],
  [
    'node-lost',
    { targets: 'pod/db-0', options: { with: ['kubelets'] } },
    ['+kubelets', '+workload-controllers'],
    ['StatefulSet.apps/db.shop stays', 'Pod/db-0.shop goes'],
  ],
  [
    'node-lost',
    { targets: 'pod/db-1', options: { lostNodes: ['node-2'] } },
    ['-kubelets', '+node-lifecycle', '+workload-controllers'],
    ['Node/node-2 stays', 'StatefulSet.apps/db.shop stays', 'Pod/db-1.shop stays'],
  ],
  [
    'node-out-of-service',
    { targets: 'pod/db-0' },
    ['-kubelets', '+pod-gc', '+node-lifecycle', '+workload-controllers'],
    ['Node/node-1 stays', 'StatefulSet.apps/db.shop stays', 'Pod/db-0.shop goes'],
  ],
  [
    'node-absent',
    { targets: 'rs/web' },
    ['+kubelets', '+pod-gc'],
    ['ReplicaSet.apps/web.shop goes', 'Pod/web-a.shop goes', 'Pod/web-b.shop goes'],
  ],
  [
    'node-absent',
    { targets: 'rs/web', options: { without: ['pod-gc'] } },
    ['+kubelets', '-pod-gc'],
    ['ReplicaSet.apps/web.shop goes', 'Pod/web-a.shop stays', 'Pod/web-b.shop goes'],
  ],
  [
    'node-owned',
    { targets: 'node/node-1' },
    ['+kubelets', '+pod-gc'],
    [
      'Node/node-1 goes',
      'Pod/kube-proxy-node-1.kube-system goes',
      'Lease.coordination.k8s.io/node-1.kube-node-lease goes',
      'Pod/web-a.shop goes',
    ],
  ],
  [
    'daemonset',
    { targets: 'pod/agent-a' },
    ['-kubelets'],
    ['Node/node-1 stays', 'DaemonSet.apps/agent.infra stays', 'Pod/agent-a.infra stays'],
  ],
  [
    'volume-released',
    { targets: 'pv/pv-1' },
    ['+storage-protection'],
    ['PersistentVolume/pv-1 goes'],
  ],
  [
    'volume-released',
    { targets: 'pvc/data' },
    ['+storage-protection'],
    ['PersistentVolumeClaim/data.shop stays', 'Job.batch/load.shop stays', 'Pod/load-x.shop stays'],
  ],
  [
    'volume-released',
    { targets: 'pvc/data pod/load-x' },
    ['+kubelets', '+storage-protection'],
    ['PersistentVolumeClaim/data.shop goes', 'Job.batch/load.shop stays', 'Pod/load-x.shop goes'],
  ],
  [
    'job-ttl',
    { targets: 'job/done', cascade: 'orphan' },
    ['+kubelets', '+job-tracking'],
    ['Job.batch/done.shop goes', 'Pod/done-x.shop stays'],
  ],
  [
    'job-ttl',
    { targets: 'job/run' },
    ['+kubelets', '+job-tracking'],
    ['Job.batch/run.shop goes', 'Pod/run-x.shop goes'],
  ],
  [
    'job-ttl',
    { targets: 'job/run', options: { without: ['job-tracking'] } },
    ['+kubelets', '-job-tracking'],
    ['Job.batch/run.shop goes', 'Pod/run-x.shop stays'],
  ],
  [
    'cronjob',
    { targets: 'job/backup-2' },
    ['+kubelets', '+job-tracking'],
    ['CronJob.batch/backup.shop stays', 'Job.batch/backup-2.shop goes', 'Pod/backup-2-x.shop goes'],
  ],
  [
    'old-replicaset',
    { targets: 'rs/web-1' },
    [],
    ['Deployment.apps/web.shop stays', 'ReplicaSet.apps/web-1.shop goes'],
  ],
  [
    'argo-tracked',
    { targets: 'application/shop' },
    [],
    ['Application.argoproj.io/shop.argocd goes', 'ConfigMap/web.shop goes'],
  ],
  [
    'flux-suspended',
    { targets: 'kustomization/apps' },
    [],
    [
      'Kustomization.kustomize.toolkit.fluxcd.io/apps.flux-system either',
      'ConfigMap/web.shop either',
    ],
  ],
  [
    'namespace-api-down',
    { targets: 'ns/shop' },
    ['+namespace-controller'],
    ['Namespace/shop stays', 'ConfigMap/web.shop goes'],
  ],
  [
    'service-slices',
    { targets: 'svc/web' },
    [],
    ['Service/web.shop goes', 'EndpointSlice.discovery.k8s.io/web-abc.shop goes'],
  ],
  [
    'restored-backup',
    { targets: 'deploy/web' },
    ['+kubelets'],
    ['Deployment.apps/web.shop goes', 'ReplicaSet.apps/web-1.shop goes', 'Pod/web-1-x.shop goes'],
  ],
];

describe('the cluster around a dump', () => {
  it.each(CASES)('%s %j', async (name, asked, actors, fates) => {
    const plan = planOf(textOf(name), asked);
    const found = clusterOf(plan).actors.map((actor) => `${actor.runs ? '+' : '-'}${actor.name}`);
    expect(found).toEqual(actors);
    expect([...(await fatesOf(plan))].sort()).toEqual([...fates].sort());
  });

  it('stops the definition controller only while there are instances, with its finalizer in the dump', async () => {
    const definition = (deleting: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  uid: definition
  ${deleting}
  finalizers: [customresourcecleanup.apiextensions.k8s.io]
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: one, namespace: shop, uid: one, finalizers: [example.com/teardown]}
`;
    const deleting = 'deletionTimestamp: "2026-03-02T10:11:12Z"';
    const options = { stuck: ['example.com/teardown'] };
    const plan = planOf(definition(deleting), { targets: 'crd/widgets.example.com', options });
    expect(await fatesOf(plan)).toEqual([
      'CustomResourceDefinition.apiextensions.k8s.io/widgets.example.com stays',
      'Widget.example.com/one.shop stays',
    ]);
  });

  it('lets a namespace say why it is not finalized while an API is down', async () => {
    const properties = [
      'a namespace tells how its controller has fared',
      'a namespace tells what is left in it',
    ];
    const held = `---
apiVersion: example.com/v1
kind: Widget
metadata: {name: one, namespace: shop, uid: one, finalizers: [example.com/hold]}
`;
    const options = { stuck: ['example.com/hold'] };
    const text = `${textOf('namespace-api-down')}${held}`;
    const plan = planOf(text, { targets: 'ns/shop', options });
    const limits = { states: 30_000 };
    const how = { engine: 'tracked', limits, auditEvery: 0 } as const;
    const { result } = await runPlan({ ...plan, properties }, how, '');
    const verdicts = result.properties.map(({ name, verdict }) => [name, verdict]);
    expect(Object.fromEntries(verdicts)).toEqual(
      Object.fromEntries(properties.map((name) => [name, 'holds'])),
    );
    expect(clusterOf(plan).unavailableApis.map(({ groupVersion }) => groupVersion)).toEqual([
      'metrics.k8s.io/v1beta1',
    ]);
  });

  it('says that an actor has nothing to do, and how to overrule it', () => {
    const asked = { targets: 'sa/other', options: { with: ['kubelets', 'pod-gc'] as const } };
    const { actors } = clusterOf(planOf(textOf('dead-uid'), asked));
    expect(actors).toEqual([
      {
        name: 'kubelets',
        runs: true,
        evidence:
          '--with kubelets says so, but there is nothing for it to do: no pod on a node that answers is deleted here',
        overrule: '--without kubelets',
      },
      expect.objectContaining({ name: 'pod-gc', overrule: '--without pod-gc' }),
    ]);
  });

  it('tells what is replaced, under which name, and of a new ReplicaSet also the pods', () => {
    const replaced = (name: string, targets: string) =>
      clusterOf(planOf(textOf(name), { targets })).replaced;
    const by = 'Deployment.apps/web.shop';
    expect(replaced('old-replicaset', 'rs/web-2')).toEqual([
      { object: 'ReplicaSet.apps/shop/web-2', by, sameName: true },
      { object: 'Pod/shop/web-2-x', by, sameName: false },
    ]);
    expect(replaced('old-replicaset', 'rs/web-1')).toEqual([]);
    expect(replaced('old-replicaset', 'deploy/web')).toEqual([]);
    const ofSet = { by: 'StatefulSet.apps/db.shop', sameName: true };
    expect(replaced('node-lost', 'pod/db-1')).toEqual([{ object: 'Pod/shop/db-1', ...ofSet }]);
  });

  it('says what the model leaves out', () => {
    const besides = (name: string, targets: string) =>
      clusterOf(planOf(textOf(name), { targets })).besides.map(({ what }) => what);
    expect(besides('service-slices', 'svc/web')).toEqual([
      expect.stringContaining('the endpoints controller deletes Endpoints/web.shop'),
    ]);
    expect(besides('volume-released', 'pvc/data')).toEqual([
      expect.stringMatching(
        /^PersistentVolume\/pv-2 and its data may be deleted once .* Delete, and the dump/,
      ),
    ]);
    expect(besides('cronjob', 'job/backup-2')).toEqual([
      'CronJob.batch/backup.shop stays, and makes a new Job at its next time',
    ]);
    expect(besides('flux-suspended', 'kustomization/infra')).toEqual([
      expect.stringContaining('is suspended: Flux removes its finalizer and leaves everything'),
    ]);
    const orphan = `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-1
  namespace: shop
  uid: rs
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: d, controller: true}]
`;
    expect(clusterOf(planOf(orphan, { targets: 'rs/web-1' })).besides).toEqual([
      {
        object: 'ReplicaSet.apps/shop/web-1',
        what: 'Deployment/web, if it exists (it is not in the dump), makes ReplicaSet.apps/web-1.shop anew',
        remade: 'ReplicaSet.apps/web-1.shop',
      },
    ]);
    expect(besides('service-slices', 'endpointslice/web-abc')).toEqual([
      'Service/web.shop stays, and its controller may make EndpointSlice.discovery.k8s.io/web-abc.shop anew',
    ]);
    expect(besides('job-ttl', 'job/done')).toEqual([expect.stringContaining('600 s later')]);
  });
});

/** ConfigMaps of another namespace, with owners among themselves. */
const unrelated = fc.array(fc.record({ owner: fc.option(fc.nat(5)), deleting: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});

it('an unrelated object changes nothing of a plan but its cut', () => {
  const names = ['node-lost', 'old-replicaset', 'volume-released', 'argo-tracked'] as const;
  const targets = { 'node-lost': 'sts/db', 'old-replicaset': 'rs/web-2' } as const;
  fc.assert(
    fc.property(fc.constantFrom(...names), unrelated, (name, others) => {
      const target =
        name === 'volume-released'
          ? 'pvc/data'
          : name === 'argo-tracked'
            ? 'application/shop'
            : targets[name];
      const text = textOf(name);
      const more = others.map(
        ({ owner, deleting }, index) => `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: other-${index}
  namespace: elsewhere
  uid: other-${index}
  ${deleting ? 'deletionTimestamp: "2026-03-02T10:11:12Z"' : ''}
  ownerReferences: [${owner === null ? '' : `{apiVersion: v1, kind: ConfigMap, name: other-${owner}, uid: other-${owner}}`}]
`,
      );
      const without = planOf(text, { targets: target });
      const plan = planOf(`${text}\n${more.join('')}`, { targets: target });
      expect(plan.setup).toEqual(without.setup);
      expect(plan.cluster).toEqual(without.cluster);
    }),
    { numRuns: 40 },
  );
});
