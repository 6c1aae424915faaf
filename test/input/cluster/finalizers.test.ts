import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOTHING_SAID } from '../../../input/cluster/around.ts';
import { judgedFinalizers } from '../../../input/cluster/finalizers.ts';
import {
  type KnownFinalizer,
  knownFinalizer,
  readFinalizerTable,
  WELL_KNOWN_FINALIZERS,
} from '../../../input/cluster/known/index.ts';
import { knownFinalizerSchema } from '../../../input/cluster/known/schema.ts';
import { NOTHING_BEYOND } from '../../../input/cluster/links.ts';
import { nodeStates } from '../../../input/cluster/nodes.ts';
import { withOwners } from '../../../input/cluster/operators.ts';
import { planDeletion } from '../../../input/manifests/deletion.ts';
import { readDump } from '../../../input/manifests/dump.ts';
import { KindCatalogue } from '../../../input/manifests/kind-catalogue.ts';
import { BUILT_IN_KINDS } from '../../../model/state/kind-table.ts';
import { runPlan } from '../../../run/assemble.ts';
import { dump } from '../../cli/run-cli.ts';
import { collectionOf } from '../read-inputs.ts';

const held = `
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, namespace: app, uid: web, finalizers: [finalizer.keda.sh]}
---
`;

function operator(status: string, replicas = 1): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: keda-operator, namespace: keda, uid: op}
spec: {replicas: ${replicas}, template: {spec: {serviceAccountName: keda}}}
${status}
---
`;
}

/** The judgement of an object with the finalizer of this row beside these workloads. */
function judgedRow(
  row: KnownFinalizer,
  running: readonly string[],
  idle: readonly string[],
): string {
  const [kind = 'Thing', ...group] = (row.kinds?.[0] ?? 'Thing.acme.io')
    .replaceAll('*', 'A')
    .split('.');
  const apiVersion = group.length === 0 ? 'v1' : `${group.join('.')}/v1`;
  // The name of a CSI driver is part of that of its workload, or of its namespace.
  const name = row.name.replaceAll('*', 'ops');
  const owner = { apiVersion: 'acme.io/v1', kind: row.ownedBy, name: 'o', uid: 'o' };
  const workload = (full: string, replicas: number) => {
    const [own, namespace = 'ops'] = full.split('/').reverse();
    const ownerReferences = row.ownedBy === undefined ? [] : [owner];
    return {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      metadata: { name: own, namespace, uid: full, ownerReferences },
      ...{ spec: { replicas }, status: { readyReplicas: replicas } },
    };
  };
  const items = [
    { apiVersion, kind, metadata: { name: 'held', uid: 'held', finalizers: [name] } },
    ...running.map((full) => workload(full, 1)),
    ...idle.map((full) => workload(full, 0)),
  ];
  const text = JSON.stringify({ kind: 'List', items });
  return judged('', ['held'], {}, text).split(':')[0] ?? '';
}

/** The judgement of the first finalizer, where objects of these names go. */
function judged(
  text: string,
  going: readonly string[] = [],
  said: object = {},
  before = held,
): string {
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  const read = readDump(collectionOf(before + text), kinds);
  const objects = read.objects.map(({ object }) => object);
  const [first] = judgedFinalizers(
    {
      objects,
      dump: objects,
      goes: ({ name }) => going.includes(name),
      observations: read.observations,
      nodes: nodeStates(objects, read.observations, { ...NOTHING_BEYOND, ...NOTHING_SAID }),
      kinds: kinds.table(),
      labels: read.labels,
      off: [],
      trackedBy: () => [],
    },
    { ...NOTHING_SAID, ...said },
  );
  return `${first?.judgement}: ${first?.evidence}`;
}

const ready = 'status: {readyReplicas: 1}';

describe('the judgement of a finalizer', () => {
  it('is unknown unless its owner runs', () => {
    expect(judged('')).toMatch(/^unknown: no workload in the dump runs the KEDA operator$/);
    expect(judged(operator(ready))).toBe(
      'cooperative: Deployment.apps/keda-operator.keda runs its owner',
    );
    // Without a status nothing speaks against it.
    expect(judged(operator(''))).toMatch(/^cooperative/);
    expect(judged(operator('', 0))).toMatch(/^unknown: .* has 0 replicas$/);
    expect(judged(operator('status: {replicas: 1}'))).toMatch(/^unknown: .* has no ready pod$/);
    expect(judged(operator(ready).replace('keda-operator', 'keda-operator-metrics'))).toMatch(
      /^unknown: no workload in the dump runs/,
    );
  });

  it('is unknown if its owner, or its rights, may go first', () => {
    expect(judged(operator(ready), ['keda-operator'])).toMatch(
      /may be deleted first: let what has the finalizer go before it$/,
    );
    const account =
      '{apiVersion: v1, kind: ServiceAccount, metadata: {name: keda, namespace: keda, uid: sa}}\n---\n';
    expect(judged(operator(ready) + account, ['keda'])).toMatch(
      /^unknown: .* loses its rights with ServiceAccount\/keda.keda$/,
    );
    expect(judged(operator(ready) + account, ['web'])).toMatch(/^cooperative/);
  });

  it('is taken from a pod only if that runs on a node that answers', () => {
    const pod = (phase: string, node = 'n1') => `
apiVersion: v1
kind: Pod
metadata: {name: keda-operator-5d9-x7z, namespace: keda, uid: pod}
spec: {nodeName: ${node}}
status: {phase: ${phase}}
---
{apiVersion: v1, kind: Node, metadata: {name: n1, uid: n1}, status: {conditions: [{type: Ready, status: "True"}]}}
`;
    expect(judged(pod('Running'))).toMatch(/^cooperative/);
    expect(judged(pod('Pending'))).toMatch(/^unknown: .* does not run$/);
    expect(judged(pod('Running', 'n2'))).toMatch(/^unknown: .* does not run$/);
  });

  it('is what a person says', () => {
    expect(judged(operator(ready), [], { stuck: ['finalizer.keda.sh'] })).toMatch(/^stuck/);
    expect(judged('', [], { cooperative: ['finalizer.keda.sh'] })).toMatch(/^cooperative/);
  });
});

it('a search can take unknown owners as acting, or as never acting', async () => {
  const kinds = new KindCatalogue(BUILT_IN_KINDS);
  const text = readFileSync(dump('flux-suspended.yaml'), 'utf8');
  const plan = planDeletion(
    readDump(collectionOf(text), kinds),
    {
      targets: ['kustomization/apps'],
      namespace: null,
      cascade: 'background',
      around: NOTHING_SAID,
    },
    kinds,
    [],
  );
  const fates = async (how: 'cooperative' | 'stuck') => {
    const setup = withOwners(plan.setup, ['finalizers.fluxcd.io'], how);
    const limits = { states: 10_000 };
    const options = { engine: 'tracked', limits, auditEvery: 0 } as const;
    const { fates: found } = await runPlan({ ...plan, setup }, options, '');
    return found.map(({ fate }) => fate);
  };
  expect(await fates('cooperative')).toEqual(['goes', 'goes']);
  expect(await fates('stuck')).toEqual(['stays', 'stays']);
});

describe('the table of finalizers', () => {
  it('has valid rows, each reachable, with the workloads of those that are workloads', () => {
    for (const row of WELL_KNOWN_FINALIZERS) {
      expect(knownFinalizerSchema.parse(row)).toEqual(row);
      expect(row.documented).toMatch(/^https:\/\//);
      const example = row.name.replaceAll('*', 'a');
      const kind = row.kinds?.[0]?.replaceAll('*', 'a') ?? 'Other.example.com';
      // Otherwise one before it is for the same objects, and nobody ever sees this one.
      expect(knownFinalizer(example, WELL_KNOWN_FINALIZERS, kind)).toBe(row);
      const found = [...(row.workloads ?? []), ...(row.ownedBy === undefined ? [] : [row.ownedBy])];
      if (row.runs === 'workload') expect([row.name, found.length]).not.toContain(0);
    }
  });

  it('trusts an owner only while each workload that its row names runs', () => {
    const all: (readonly [row: string, which: string, found: string, meant: string])[] = [];
    // Hooks have to succeed first, and other objects to go. Rows with the same workloads are judged
    // alike.
    const rows = WELL_KNOWN_FINALIZERS.filter(
      ({ hooks, onlyWith }) => hooks === undefined && onlyWith === undefined,
    );
    const byWorkloads = new Map(
      rows.map((row) => [JSON.stringify([row.workloads, row.ownedBy, row.ofDriver]), row]),
    );
    for (const row of byWorkloads.values()) {
      const names = row.workloads ?? (row.ownedBy === undefined ? [] : ['owned']);
      if (names.length === 0) continue;
      const judgement = (running: readonly string[], idle: readonly string[] = []): string =>
        judgedRow(row, running, idle);
      all.push([row.name, 'all', judgement(names), 'cooperative']);
      all.push([row.name, 'none', judgement([]), 'unknown']);
      for (const idle of names) {
        const others = names.filter((name) => name !== idle);
        all.push([row.name, `without ${idle}`, judgement(others, [idle]), 'unknown']);
      }
    }
    const wrong = all.filter(([, , found, meant]) => found !== meant);
    expect(wrong).toEqual([]);
  });

  it.each([
    ['resources-finalizer.argocd.argoproj.io/background', 'Argo CD'],
    ['external-attacher/ebs-csi-aws-com', 'Kubernetes'],
    ['awsmachine.infrastructure.cluster.x-k8s.io', 'Cluster API'],
    ['cephblockpool.ceph.rook.io', 'Rook'],
    ['networking.gke.io/ingress-finalizer-V2', 'Google Kubernetes Engine'],
    ['longhorn.io/x', undefined],
  ])('%s is of %s', (finalizer, project) => {
    expect(knownFinalizer(finalizer)?.project).toBe(project);
  });

  const rows = (text: string) => readFinalizerTable({ file: 'rows.yaml', text });
  const row = (changed: object = {}) =>
    JSON.stringify({
      name: 'finalizer.keda.sh',
      project: 'ours',
      owner: 'our operator',
      waitsFor: 'x',
      runs: 'workload',
      workloads: ['ours'],
      leaves: 'x',
      documented: 'https://example.com',
      ...changed,
    });

  it('takes rows of a user first', () => {
    const finalizers = rows(`finalizers: [${row()}]`);
    const mine = operator(ready).replace('keda-operator', 'ours');
    expect(judged(mine, [], { finalizers })).toBe(
      'cooperative: Deployment.apps/ours.keda runs its owner',
    );
    expect(judged(operator(ready), [], { finalizers })).toMatch(
      /^unknown: no workload in the dump runs our operator$/,
    );
  });

  it.each([
    [`finalizers: [${row()}, ${row()}]`, /twice/],
    [`finalizers: [${row({ runs: 'nobody' })}]`, /its owner does not run as one/],
    [`finalizers: [${row({ leafs: 'x' })}]`, /unknown field "leafs"/],
    [`finalizers: [${row({ runs: 'somewhere' })}]`, /runs/],
    ['finalizers: [{name: x}]', /is missing/],
    ['rows: []', /unknown field "rows"/],
  ])('rejects %s', (text, message) => {
    expect(() => rows(text)).toThrow(message);
  });

  it('is in the documents (UPDATE_GOLDEN=1 writes it)', () => {
    const file = new URL('../../../docs/dumps-cluster.md', import.meta.url);
    const page = readFileSync(file, 'utf8');
    const [before = ''] = page.split('| finalizer |');
    const lines = WELL_KNOWN_FINALIZERS.map(
      ({ name, kinds, owner, waitsFor, leaves, documented }) =>
        `| \`${name}\`${kinds === undefined ? '' : ` of \`${kinds.join('`, `')}\``} | [${owner}](${documented}) | ${waitsFor} | ${leaves} |`,
    );
    const table = [
      '| finalizer | who removes it | what that waits for | left behind if taken off |',
      '|---|---|---|---|',
      ...lines,
      '',
    ].join('\n');
    const text = before + table;
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text);
    expect(page).toBe(text);
  });
});
