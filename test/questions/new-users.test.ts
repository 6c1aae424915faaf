import { describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { runCli, temporaryFile } from '../cli/run-cli.ts';

interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}

function item(
  apiVersion: string,
  kind: string,
  name: string,
  owner?: Item,
  more: object = {},
): Item {
  const ownerReferences = owner === undefined ? [] : [referenceTo(owner)];
  const metadata = { name, namespace: 'shop', uid: `u-${name}`, ownerReferences };
  return {
    apiVersion,
    kind,
    ...more,
    metadata: { ...metadata, ...('metadata' in more ? (more.metadata as object) : {}) },
  };
}

function referenceTo({ apiVersion, kind, metadata: { name, uid } }: Item): object {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

function pod(name: string, owner: Item, claimName: string): Item {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName } }];
  const spec = { nodeName: 'node-1', terminationGracePeriodSeconds: 5, containers: [], volumes };
  return item('v1', 'Pod', name, owner, { spec, status: { phase: 'Running' } });
}

function claim(name: string, more: object = {}): Item {
  const finalizers = ['kubernetes.io/pvc-protection'];
  return item('v1', 'PersistentVolumeClaim', name, undefined, {
    metadata: { finalizers },
    ...more,
  });
}

const one = { spec: { replicas: 1 } };
const set = item('apps/v1', 'StatefulSet', 'db', undefined, one);
const deployment = item('apps/v1', 'Deployment', 'web', undefined, one);
const replicaSet = item('apps/v1', 'ReplicaSet', 'web-1', deployment, one);
const lone = item('apps/v1', 'ReplicaSet', 'lone', undefined, one);
const volume = {
  ...{ apiVersion: 'v1', kind: 'PersistentVolume', status: { phase: 'Bound' } },
  metadata: { name: 'disk', uid: 'u-disk', finalizers: ['kubernetes.io/pv-protection'] },
  spec: { claimRef: { namespace: 'shop', name: 'of-lone', uid: 'u-of-lone' } },
};
const bound = { spec: { volumeName: 'disk' }, status: { phase: 'Bound' } };
const ITEMS = [
  ...[set, pod('db-0', set, 'of-db'), claim('of-db')],
  ...[deployment, replicaSet, pod('web-1-a', replicaSet, 'of-web'), claim('of-web')],
  ...[lone, pod('lone-a', lone, 'of-lone'), claim('of-lone', bound), volume],
];

describe('a claim that a new pod may use', () => {
  it.each([
    // The pod is replaced, and the new pod may start before the DELETE of the claim.
    [
      ['pod/db-0', 'pvc/of-db'],
      { 'u-of-db': 'depends', 'u-db-0': 'goes' },
      1,
      'StatefulSet.apps/db',
    ],
    [['pod/web-1-a', 'pvc/of-web'], { 'u-of-web': 'depends' }, 1, 'Deployment.apps/web'],
    [['rs/web-1', 'pvc/of-web'], { 'u-of-web': 'depends' }, 1, 'Deployment.apps/web'],
    // The volume waits for its claim.
    [
      ['pod/lone-a', 'pvc/of-lone', 'pv/disk'],
      { 'u-of-lone': 'depends', 'u-disk': 'depends' },
      ...[1, 'ReplicaSet.apps/lone'],
    ],
    // The scheduler refuses a pod whose claim is being deleted.
    [['pvc/of-db', 'pod/db-0'], { 'u-of-db': 'goes' }, 0, ''],
    // Nothing replaces the pod, or it stays itself.
    [['rs/lone', 'pvc/of-lone'], { 'u-of-lone': 'goes' }, 0, ''],
    [['pvc/of-lone'], { 'u-of-lone': 'hangs' }, 1, ''],
  ] as [string[], Record<string, string>, number, string][])(
    '%j: %j',
    async (targets, fates, code, scale) => {
      const file = temporaryFile(
        'claims.json',
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items: ITEMS }),
      );
      const run = await runCli(['delete', file, ...targets, '-n', 'shop', '--format', 'json']);
      const { answer } = JSON.parse(run.stdout) as ResultDocument;
      const told = (answer?.objects ?? []).map(
        ({ uid }, place) => [uid, answer?.outcomes[0]?.fates[place]] as const,
      );
      const words = Object.fromEntries(told.map(([uid, fate]) => [uid, fate?.fate]));
      expect(words).toMatchObject(fates);
      expect(run.code).toBe(code);
      const conditions = told.flatMap(([, fate]) => fate?.on.map(({ text }) => text) ?? []);
      if (scale === '') expect(conditions).toEqual([]);
      else expect(conditions[0]).toContain(`or scale ${scale}.shop to 0 first`);
    },
  );
});
