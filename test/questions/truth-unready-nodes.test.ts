import { describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { runCli } from '../cli/run-cli.ts';

/**
 * What becomes of pods by what their node reports. Written down before any of it was answered, from
 * the node lifecycle controller: only a kubelet writes Ready=False, and the controller writes
 * Unknown once a kubelet no longer reports.
 */

const within = { namespace: 'shop' };

function object(apiVersion: string, kind: string, name: string, metadata: object, more = {}) {
  return { apiVersion, kind, metadata: { name, uid: `uid-${kind}-${name}`, ...metadata }, ...more };
}

const owned = (apiVersion: string, kind: string, name: string) => ({
  ...within,
  labels: { app: 'web' },
  ownerReferences: [
    { ...{ apiVersion, kind, name, uid: `uid-${kind}-${name}` }, controller: true },
  ].map((one) => ({ ...one, blockOwnerDeletion: true })),
});
const SPEC = { replicas: 1, selector: { matchLabels: { app: 'web' } } };
const LEAVING = { deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 30 };

/** @param node its conditions and taints, and metadata and spec for the pod there. */
function items({ conditions = [] as object[], taints = [] as object[], leaving = {}, pod = {} }) {
  return [
    object('v1', 'Namespace', 'shop', {}, { spec: { finalizers: ['kubernetes'] } }),
    object('v1', 'ConfigMap', 'kube-root-ca.crt', within),
    object('v1', 'ServiceAccount', 'default', within),
    object('v1', 'Node', 'n', {}, { spec: { taints }, status: { conditions } }),
    object('apps/v1', 'Deployment', 'web', within, { spec: SPEC, status: { replicas: 1 } }),
    object('apps/v1', 'ReplicaSet', 'web-1', owned('apps/v1', 'Deployment', 'web'), { spec: SPEC }),
    object(
      'v1',
      'Pod',
      'web-1-a',
      { ...owned('apps/v1', 'ReplicaSet', 'web-1'), ...leaving },
      { spec: { nodeName: 'n', ...pod }, status: { phase: 'Running' } },
    ),
  ];
}

async function answered(dump: readonly object[], ...words: readonly string[]) {
  const [command = '', ...rest] = words;
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: dump });
  const found = await runCli([command, '-', ...rest, '--format', 'json'], { stdin: input });
  const { answer } = JSON.parse(found.stdout) as ResultDocument;
  const fates = answer?.outcomes[0]?.fates ?? [];
  const named = (answer?.objects ?? []).map(({ name }, index) => [name, fates[index]?.fate]);
  return { ...found, answer, fates: Object.fromEntries(named) as Record<string, string> };
}

const NOT_READY = [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady' }];
const POD = 'Pod/web-1-a.shop';

describe('a node that is not ready', () => {
  it('may end its pods, and what waits for them', async () => {
    const dump = items({ conditions: NOT_READY });
    const { fates, code, answer } = await answered(dump, 'delete', 'deploy/web');
    expect([fates['Deployment.apps/web.shop'], fates[POD], code]).toEqual(['goes', 'depends', 3]);
    const on = answer?.outcomes[0]?.fates.flatMap((fate) => fate.on);
    expect(on).toEqual([
      expect.objectContaining({
        kind: 'dump',
        settle: 'kubectl describe node n',
        text: expect.stringContaining('n reports Ready=False (KubeletNotReady)'),
      }),
    ]);
    const waiting = await answered(dump, 'delete', 'deploy/web', '--cascade', 'foreground');
    expect(waiting.fates['Deployment.apps/web.shop']).toBe('depends');
  });

  it('has no say in a deletion with --force', async () => {
    const dump = items({ conditions: NOT_READY });
    const { fates, code } = await answered(
      dump,
      'delete',
      'pod/web-1-a',
      '--force',
      '--grace-period=0',
    );
    expect([fates[POD], code]).toEqual(['goes', 0]);
  });

  it('may lose its pods to taint eviction, unless they tolerate that for ever', async () => {
    const orphan = ['delete', 'deploy/web', '--cascade', 'orphan'];
    const evicted = await answered(items({ conditions: NOT_READY }), ...orphan);
    expect(evicted.fates[POD]).toBe('depends');
    const pod = { tolerations: [{ operator: 'Exists' }] };
    const kept = await answered(items({ conditions: NOT_READY, pod }), ...orphan);
    expect([kept.fates[POD], kept.code]).toEqual(['stays', 0]);
  });

  it('is explained with the command that settles it', async () => {
    const dump = items({ conditions: NOT_READY, leaving: LEAVING });
    const { answer, code } = await answered(dump, 'explain');
    expect(code).toBe(3);
    expect(answer?.outcomes[0]?.sentence).toMatch(/is not gone: goes if the kubelet of n ends/);
    expect(answer?.look?.map(({ command }) => command)).toContain('kubectl describe node n');
    const { fates } = await answered(dump, 'explain', '--node-lost', 'n');
    expect(fates[POD]).toBe('hangs');
  });

  it.each<readonly [string, Parameters<typeof items>[0], string, readonly string[]]>([
    ['no report', { conditions: [{ type: 'Ready', status: 'Unknown' }] }, 'hangs', []],
    ['a taint alone', { taints: [{ key: 'node.kubernetes.io/unreachable' }] }, 'hangs', []],
    ['another taint', { taints: [{ key: 'node.kubernetes.io/not-ready' }] }, 'depends', []],
    ['--with kubelets', { conditions: NOT_READY }, 'goes', ['--with', 'kubelets']],
  ])('with %s', async (_name, node, fate, flags) => {
    const { fates } = await answered(items(node), 'delete', 'deploy/web', ...flags);
    expect(fates[POD]).toBe(fate);
  });
});
