import { beforeAll, describe, expect, it } from 'vitest';
import type { ObjectFate, OutcomeWord } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { runCli } from '../cli/run-cli.ts';

/**
 * What becomes of volumes and of the storage behind them. Written down before any of it was
 * answered, from the volume controller of Kubernetes 1.31 (`reclaimVolume`, `findDeletablePlugin`),
 * the external provisioner (`shouldDelete`, `canDeleteVolume`) and the external attacher.
 */

const within = { namespace: 'shop' };

function object(apiVersion: string, kind: string, name: string, metadata: object, more = {}) {
  return { apiVersion, kind, metadata: { name, uid: `uid-${kind}-${name}`, ...metadata }, ...more };
}

const runs = (name: string, replicas = 1) =>
  object(
    'apps/v1',
    'Deployment',
    name,
    { namespace: 'storage' },
    {
      spec: { replicas },
      status: { readyReplicas: replicas },
    },
  );

const READY = { type: 'Ready', status: 'True' };

/**
 * The sidecars of one driver run by themselves. Its attacher is down; a third driver is not there.
 */
const DRIVERS = [
  ...[runs('ebs-csi-controller'), runs('acme-csi-provisioner'), runs('acme-csi-attacher', 0)],
  runs('local-path-provisioner'),
  // A pod without an owner, as minikube and Docker Desktop run it.
  object(
    'v1',
    'Pod',
    'storage-provisioner',
    { namespace: 'kube-system' },
    { spec: { nodeName: 'n1' }, status: { phase: 'Running', conditions: [READY] } },
  ),
];
const EBS = { csi: { driver: 'ebs.csi.aws.com' } };
const ACME = { csi: { driver: 'disk.acme.io' } };
const PROVISIONER = 'external-provisioner.volume.kubernetes.io/finalizer';
const ATTACHED = 'external-attacher/disk-acme-io';
const LEAVING = { deletionTimestamp: '2026-01-02T03:04:05Z', deletionGracePeriodSeconds: 0 };

const attachment = (volume: string, metadata: object) =>
  object('storage.k8s.io/v1', 'VolumeAttachment', `of-${volume}`, metadata, {
    spec: { attacher: 'disk.acme.io', nodeName: 'n1', source: { persistentVolumeName: volume } },
    status: { attached: true },
  });

interface Row {
  readonly name: string;
  readonly says: string;
  /** The spec of the volume, beside its claim. */
  readonly spec: object;
  readonly metadata?: object;
  readonly more?: readonly object[];
  /** `goes` if absent. */
  readonly fate?: OutcomeWord;
  readonly text: RegExp;
}

const DELETE = { persistentVolumeReclaimPolicy: 'Delete' };
const provisionedBy = (provisioner: string) => ({
  annotations: { 'pv.kubernetes.io/provisioned-by': provisioner },
});

/** The claim is deleted. */
const CLAIMS: readonly Row[] = [
  {
    name: 'csi',
    says: 'the provisioner of its driver runs',
    spec: { ...DELETE, ...EBS },
    metadata: provisionedBy('ebs.csi.aws.com'),
    text: /csi and its data are deleted once/,
  },
  {
    name: 'static',
    says: 'a volume of a driver that a person has made is deleted as well',
    spec: { ...DELETE, ...EBS },
    text: /static and its data are deleted once/,
  },
  {
    name: 'classless',
    says: 'its StorageClass is gone, which nobody needs any more',
    spec: { ...DELETE, ...EBS, storageClassName: 'gone' },
    text: /classless and its data are deleted once/,
  },
  {
    name: 'undriven',
    says: 'no provisioner of its driver runs',
    spec: { ...DELETE, csi: { driver: 'nobody.example.com' } },
    text: /undriven and its data may be deleted once .* up to the provisioner of nobody\.example\.com/,
  },
  {
    name: 'attached',
    says: 'its attachment is stuck: the claim goes, and the volume waits',
    spec: { ...DELETE, ...ACME },
    more: [attachment('attached', { ...LEAVING, finalizers: [ATTACHED] })],
    text: /attached and its data may be deleted .* waits for VolumeAttachment\S+of-attached, which external-attacher/,
  },
  {
    name: 'detached',
    says: 'an attachment without a finalizer holds nothing',
    spec: { ...DELETE, ...ACME },
    more: [attachment('detached', {})],
    text: /detached and its data are deleted once/,
  },
  {
    name: 'migrated',
    says: 'a volume of a plugin that a driver has replaced is up to that driver',
    spec: { ...DELETE, awsElasticBlockStore: { volumeID: 'vol-1' } },
    metadata: {
      annotations: {
        'pv.kubernetes.io/migrated-to': 'ebs.csi.aws.com',
        'pv.kubernetes.io/provisioned-by': 'kubernetes.io/aws-ebs',
      },
    },
    text: /migrated and its data are deleted once/,
  },
  {
    name: 'on-node',
    says: 'another provisioner makes directories',
    spec: { ...DELETE, hostPath: { path: '/opt/on-node' } },
    metadata: provisionedBy('rancher.io/local-path'),
    text: /on-node and its data are deleted once/,
  },
  {
    name: 'mini',
    says: 'the provisioner is a pod by itself',
    spec: { ...DELETE, hostPath: { path: '/data/mini' } },
    metadata: provisionedBy('k8s.io/minikube-hostpath'),
    text: /mini and its data are deleted once/,
  },
  {
    name: 'host',
    says: 'a directory that a person has given',
    spec: { ...DELETE, hostPath: { path: '/srv/data' } },
    text: /host and its data stay once .* the volume is Failed.*no plugin deletes hostPath outside of \/tmp/,
  },
  {
    name: 'tmp',
    says: 'a directory in which Kubernetes deletes',
    spec: { ...DELETE, hostPath: { path: '/tmp/data' } },
    text: /tmp and its data are deleted once/,
  },
  {
    name: 'disk',
    says: 'a local disk that a person has given',
    spec: { ...DELETE, local: { path: '/mnt/disk' } },
    text: /disk and its data stay once .*no plugin deletes local/,
  },
  {
    name: 'unsaid',
    says: 'the dump does not say what storage it is',
    spec: DELETE,
    text: /unsaid and its data may be deleted once/,
  },
  {
    name: 'recycled',
    says: 'a share that is scrubbed',
    spec: { persistentVolumeReclaimPolicy: 'Recycle', nfs: { server: 's', path: '/' } },
    text: /the data on PersistentVolume\/recycled is deleted/,
  },
  {
    name: 'unrecycled',
    says: 'no plugin scrubs a disk of a driver',
    spec: { persistentVolumeReclaimPolicy: 'Recycle', ...EBS },
    text: /unrecycled and its data stay .* no plugin recycles csi/,
  },
];

/** The volume is deleted, and its claim is gone. */
const VOLUMES: readonly Row[] = [
  {
    name: 'stuck',
    says: 'its provisioner waits for an attachment that nobody ends',
    spec: { ...DELETE, ...ACME },
    metadata: { finalizers: [PROVISIONER] },
    more: [attachment('stuck', { ...LEAVING, finalizers: [ATTACHED] })],
    fate: 'depends',
    text: /VolumeAttachment\S+of-stuck/,
  },
  {
    name: 'kept',
    says: 'its storage stays',
    spec: { persistentVolumeReclaimPolicy: 'Retain', ...ACME },
    metadata: { finalizers: ['kubernetes.io/pv-protection'] },
    text: /only the object goes: the storage behind PersistentVolume\/kept stays/,
  },
  {
    name: 'leaked',
    says: 'nothing waits for its storage (kubernetes/kubernetes#105773)',
    spec: { ...DELETE, ...ACME },
    metadata: { finalizers: ['kubernetes.io/pv-protection'] },
    text: /the storage behind PersistentVolume\/leaked may stay, although/,
  },
];

interface Told {
  readonly fates: ReadonlyMap<string, ObjectFate>;
  readonly besides: readonly string[];
}

async function asked(items: readonly object[], ...words: readonly string[]): Promise<Told> {
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...DRIVERS, ...items] });
  const told = await runCli(['delete', '-', ...words, '--format', 'json'], { stdin });
  const { answer } = JSON.parse(told.stdout) as ResultDocument;
  const names = (answer?.objects ?? []).map(({ name }) => name);
  const fates = answer?.outcomes[0]?.fates ?? [];
  return {
    fates: new Map(names.flatMap((name, at) => (fates[at] ? [[name, fates[at]] as const] : []))),
    besides: answer?.besides ?? [],
  };
}

function volumeOf({ name, spec, metadata = {}, more = [] }: Row, phase: string) {
  const claimRef = { ...within, name, uid: `uid-PersistentVolumeClaim-${name}` };
  const volume = { spec: { ...spec, claimRef }, status: { phase } };
  return [object('v1', 'PersistentVolume', name, metadata, volume), ...more];
}

describe('a claim that is deleted', () => {
  let told: Told | undefined;
  beforeAll(async () => {
    const claim = ({ name }: Row) =>
      object(
        'v1',
        'PersistentVolumeClaim',
        name,
        { ...within, finalizers: ['kubernetes.io/pvc-protection'] },
        { spec: { volumeName: name }, status: { phase: 'Bound' } },
      );
    const items = CLAIMS.flatMap((row) => [claim(row), ...volumeOf(row, 'Bound')]);
    told = await asked(items, 'pvc', '--all', '-n', 'shop');
  });
  it('has no data if it is Lost, or bound to none', async () => {
    const claim = (name: string, phase: string) =>
      object('v1', 'PersistentVolumeClaim', name, within, {
        ...{ spec: { volumeName: name }, status: { phase } },
      });
    const spec = { ...DELETE, ...EBS, claimRef: { ...within, name: 'early' } };
    const early = object(
      'v1',
      'PersistentVolume',
      'early',
      {},
      {
        ...{ spec, status: { phase: 'Available' } },
      },
    );
    const items = [claim('lost', 'Lost'), claim('early', 'Pending'), early];
    const { besides } = await asked(items, 'pvc', '--all', '-n', 'shop');
    expect(besides).toEqual([
      expect.stringMatching(/lost\.shop is Lost: .* no data are deleted/),
      expect.stringMatching(/PersistentVolume\/early and its data stay: .* not bound to it yet/),
    ]);
  });
  it.each(CLAIMS.map((row) => [row.name, row.says, row] as const))(
    '%s: %s',
    (name, _, { text }) => {
      expect(told?.fates.get(`PersistentVolumeClaim/${name}.shop`)?.fate).toBe('goes');
      const found = told?.besides.filter((one) => one.includes(`PersistentVolume/${name} `));
      expect(found).toEqual([expect.stringMatching(text)]);
    },
  );
});

describe('a volume that is deleted', () => {
  let told: Told | undefined;
  beforeAll(async () => {
    const items = VOLUMES.flatMap((row) => volumeOf(row, 'Released'));
    told = await asked(items, 'pv', '--all');
  });
  it.each(VOLUMES.map((row) => [row.name, row.says, row] as const))('%s: %s', (name, _, row) => {
    const fate = told?.fates.get(`PersistentVolume/${name}`);
    expect(fate?.fate).toBe(row.fate ?? 'goes');
    const words = [...(fate?.on ?? []), ...(fate?.waits ?? [])].map(({ text }) => text);
    const beside = told?.besides.filter((one) => one.includes(`PersistentVolume/${name} `)) ?? [];
    expect([...words, ...beside].join('\n')).toMatch(row.text);
  });

  it('hangs if no claim has released it, as `shouldDelete` asks for the phase', async () => {
    const status = { phase: 'Available' };
    const metadata = { finalizers: [PROVISIONER] };
    const free = object('v1', 'PersistentVolume', 'free', metadata, {
      ...{ spec: { ...DELETE, ...EBS }, status },
    });
    const claimRef = { ...within, name: 'early' };
    const early = object('v1', 'PersistentVolume', 'early', metadata, {
      ...{ spec: { ...DELETE, ...EBS, claimRef }, status },
    });
    const told = await asked([free], 'pv/free');
    expect(told.fates.get('PersistentVolume/free')?.fate).toBe('hangs');
    const both = await asked([free, early], 'pv', '--all');
    expect(both.fates.get('PersistentVolume/early')?.fate).toBe('depends');
  });

  it('goes if its attachment is gone, or free to go', async () => {
    const free = { name: 'free', says: '', spec: { ...DELETE, ...ACME }, text: /^/ };
    const held = { ...free, metadata: { finalizers: [PROVISIONER] } };
    const told = await asked([...volumeOf(held, 'Released'), attachment('free', {})], 'pv/free');
    expect(told.fates.get('PersistentVolume/free')?.fate).toBe('goes');
  });
});
