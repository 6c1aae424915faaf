import { describe, expect, it } from 'vitest';
import type { OutcomeWord } from '../../report/document/answer.ts';
import type { ResultDocument } from '../../report/document/result-document.ts';
import { dump, runCli } from '../cli/run-cli.ts';

/** What is true of a dump: see the comments of the dumps. A prefix of a name stands for all such. */
interface Row {
  readonly dump: string;
  /** `delete` if absent. */
  readonly command?: 'collect' | 'explain';
  readonly words: readonly string[];
  /** The fates by the beginning of the name, without the groups of kinds. */
  readonly fates: Readonly<Record<string, OutcomeWord>>;
  readonly code: number;
  /** What the text has to say. */
  readonly says?: RegExp;
}

const WEB = ['deploy/web', '-n', 'prod'];
const ROWS: readonly Row[] = [
  {
    dump: 'deployment.yaml',
    words: WEB,
    fates: { 'Deployment/web': 'goes', 'ReplicaSet/web': 'goes', 'Pod/web': 'goes' },
    code: 0,
    says: /kubelets: 1 pod on node-0/,
  },
  {
    dump: 'deployment.yaml',
    words: [...WEB, '--cascade', 'foreground'],
    fates: { 'Deployment/web': 'goes', 'ReplicaSet/web': 'goes', 'Pod/web': 'goes' },
    code: 0,
  },
  {
    dump: 'deployment.yaml',
    words: [...WEB, '--cascade', 'orphan'],
    fates: { 'Deployment/web': 'goes', 'ReplicaSet/web': 'stays', 'Pod/web': 'stays' },
    code: 0,
  },
  {
    dump: 'deployment.yaml',
    words: [...WEB, '--without', 'kubelets'],
    fates: { 'Deployment/web': 'goes', 'ReplicaSet/web': 'goes', 'Pod/web': 'hangs' },
    code: 1,
    says: /waits for a kubelet to end its grace period/,
  },
  {
    dump: 'deployment.yaml',
    words: ['pod/web-d8430ec501-62f9b', '-n', 'prod'],
    fates: { 'Deployment/web': 'stays', 'ReplicaSet/web': 'stays', 'Pod/web': 'goes' },
    code: 0,
    says: /goes and is replaced/,
  },
  {
    dump: 'replicasets-only.yaml',
    words: ['rs/web-4db90dbbbc', '-n', 'prod'],
    fates: { 'ReplicaSet/web-4db90dbbbc': 'goes' },
    code: 0,
    says: /kubectl get deployments\.apps web -n prod/,
  },
  {
    // A manifest does not show the finalizer that every namespace has.
    dump: 'backup-operator-manifests.yaml',
    words: ['ns/backup-system'],
    fates: { 'Namespace/backup-system': 'goes', 'Deployment/operator': 'goes' },
    code: 3,
  },
  {
    dump: 'cross-namespace.yaml',
    words: ['cm/operator-config', '-n', 'infra'],
    fates: {
      'ConfigMap/operator-config': 'goes',
      'PersistentVolumeClaim/data': 'goes',
      'Secret/sib': 'goes',
      'ClusterRole/cr': 'stays',
    },
    code: 0,
    says: /Documented/,
  },
  {
    dump: 'cross-namespace.yaml',
    words: ['cm/operator-config', '-n', 'infra', '--cascade', 'foreground'],
    fates: { 'ConfigMap/operator-config': 'hangs', 'ClusterRole/cr': 'stays' },
    code: 1,
  },
  {
    dump: 'operator.yaml',
    words: ['crd/databases.example.com'],
    fates: { 'CustomResourceDefinition/databases': 'depends', 'Database/': 'depends' },
    code: 3,
    says: /goes if the owner of\s+example\.com\/teardown acts/,
  },
  {
    dump: 'namespace-stuck.yaml',
    words: ['ns/kafka'],
    fates: { 'Namespace/kafka': 'hangs', 'KafkaTopic/': 'depends' },
    code: 1,
    says: /waits for discovery: APIService v1beta1\.metrics\.k8s\.io/,
  },
  {
    dump: 'namespace-finalizers.yaml',
    words: ['ns/prod'],
    fates: { 'Namespace/prod': 'depends', 'ConfigMap/': 'goes', 'ServiceAccount/': 'goes' },
    code: 3,
    says: /goes if the owner of example\.com\/quota acts/,
  },
  {
    dump: 'webhooks-down.yaml',
    words: ['crd/widgets.acme.io'],
    fates: { CustomResourceDefinition: 'unknown', 'Widget/': 'unknown' },
    code: 3,
    says: /conversion webhook of .* does not answer[\s\S]*kubectl get endpointslices -n ops/,
  },
  {
    dump: 'webhooks-down.yaml',
    words: ['deploy/web'],
    fates: { 'Deployment/web': 'unknown', 'ReplicaSet/web-1': 'unknown' },
    code: 3,
    says: /guard\.acme\.io/,
  },
  {
    // A DELETE in the background ends a foreground deletion.
    dump: 'foreground-in-progress.yaml',
    words: ['cm/op'],
    fates: { 'ConfigMap/op': 'goes', 'Secret/key': 'goes' },
    code: 0,
    says: /#background-dele/,
  },
  {
    // The deletion in the foreground hangs before the DELETE is sent, and ends with it: no risk.
    dump: 'foreground-blocked.yaml',
    words: ['cm/op'],
    fates: { 'ConfigMap/op': 'goes', 'ClusterRole/op': 'stays' },
    code: 0,
  },
  {
    dump: 'ephemeral-claim.yaml',
    words: ['pvc/build-scratch'],
    fates: { PersistentVolumeClaim: 'hangs', 'Pod/build': 'stays' },
    code: 1,
    says: /waits for\s+Pod\/build\.ci, which uses\s+it/,
  },
  {
    // The pod waits for its claim: podIsShutDown.
    dump: 'ephemeral-claim.yaml',
    words: ['pod/build', '--cascade', 'foreground'],
    fates: { PersistentVolumeClaim: 'goes', 'Pod/build': 'goes' },
    code: 0,
  },
  {
    dump: 'owner-in-other-version.yaml',
    words: ['database/orders'],
    fates: { 'Database/orders': 'goes', 'Secret/new': 'goes', 'Secret/old': 'stays' },
    code: 1,
    says: /does\s+not\s+serve\s+example\.com\/v1alpha0/,
  },
  {
    dump: 'stuck-definition.yaml',
    words: ['crd/databases.example.com'],
    fates: { CustomResourceDefinition: 'unknown' },
    code: 3,
    says: /kubectl get databases\.example\.com/,
  },
  {
    dump: 'deployment-without-replicasets.yaml',
    words: ['deploy/web'],
    fates: { 'Deployment/web': 'goes' },
    code: 3,
    says: /kubectl get replicasets\.apps -n shop/,
  },
  {
    dump: 'control-plane.yaml',
    words: ['sa/bot'],
    fates: { 'ServiceAccount/bot': 'goes', 'ClusterRoleBinding/bot': 'stays' },
    code: 0,
    says: /the token controller deletes Secret\/bot-token-x/,
  },
  {
    dump: 'control-plane.yaml',
    words: ['apiservice/v1.apps'],
    fates: { 'APIService/v1.apps': 'goes' },
    code: 0,
    says: /the API server, which serves this API itself, makes\s+APIService/,
  },
  {
    dump: 'control-plane.yaml',
    words: ['volumeattributesclass/gold'],
    fates: { 'VolumeAttributesClass/gold': 'depends' },
    code: 3,
    says: /PersistentVolumeClaim\/data\.shop\s+stays,\s+and/,
  },
  {
    dump: 'control-plane.yaml',
    words: ['pod/gpu'],
    fates: { 'Pod/gpu': 'goes', 'ResourceClaim/gpu-claim': 'goes' },
    code: 0,
  },
  {
    dump: 'control-plane.yaml',
    words: ['resourceclaim/gpu-claim'],
    fates: { 'ResourceClaim/gpu-claim': 'depends' },
    code: 3,
  },
  {
    // Rook holds its cluster while there are pools in it.
    dump: 'rook.yaml',
    words: ['cephcluster/rook-ceph', '-n', 'rook-ceph'],
    fates: { 'CephCluster/rook-ceph': 'depends' },
    code: 3,
    says: /CephBlockPool\.ceph\.rook\.io\/pool\.rook-ceph\s+stays/,
  },
  {
    dump: 'rook.yaml',
    words: ['cephblockpool/pool', 'cephcluster/rook-ceph', '-n', 'rook-ceph'],
    fates: { 'CephCluster/rook-ceph': 'goes', 'CephBlockPool/pool': 'goes' },
    code: 0,
  },
  {
    dump: 'node-lost.yaml',
    words: ['pod/db-0'],
    fates: { 'Pod/db-0': 'hangs', 'StatefulSet/db': 'stays' },
    code: 1,
    says: /waits for the kubelet of node-1/,
  },
  {
    dump: 'node-out-of-service.yaml',
    words: ['pod/db-0'],
    fates: { 'Pod/db-0': 'goes' },
    code: 0,
  },
  {
    dump: 'volume-released.yaml',
    words: ['pv/pv-1'],
    fates: { 'PersistentVolume/pv-1': 'goes' },
    code: 0,
  },
  {
    // The controller counts finished pods too: podUsesPVC, kubernetes/kubernetes#92598.
    dump: 'volume-released.yaml',
    words: ['pvc/data'],
    fates: { 'PersistentVolumeClaim/data': 'hangs' },
    code: 1,
    says: /waits for Pod\/load-x\.shop, which\s+uses\s+it/,
  },
  {
    dump: 'node-owned.yaml',
    words: ['node/node-1'],
    fates: { 'Node/node-1': 'goes', 'Pod/kube-proxy': 'goes', 'Lease/node-1': 'goes' },
    code: 0,
  },
  {
    dump: 'cronjob.yaml',
    words: ['cronjob/backup', '--cascade', 'foreground'],
    fates: { 'CronJob/': 'goes', 'Job/': 'goes', 'Pod/': 'goes' },
    code: 0,
  },
  {
    // The owner of backup-1 is named in batch/v1beta1.
    dump: 'cronjob-upgraded.yaml',
    words: ['cj/backup'],
    fates: { 'CronJob/': 'goes', 'Job/backup-1': 'stays', 'Job/backup-2': 'goes' },
    code: 1,
    says: /does\s+not\s+serve\s+from\s+v1\.25\s+on/,
  },
  {
    dump: 'cronjob-upgraded.yaml',
    words: ['cj/backup', '--protocol', 'v1.24'],
    fates: { 'CronJob/': 'goes', 'Job/backup-': 'goes' },
    code: 0,
  },
  {
    dump: 'job-ttl.yaml',
    words: ['job/done', '--cascade', 'orphan'],
    fates: { 'Job/': 'goes', 'Pod/': 'stays' },
    code: 0,
  },
  {
    dump: 'job-orphaned.yaml',
    words: ['job/sum', '--cascade', 'foreground'],
    fates: { 'Job/': 'goes', 'Pod/': 'goes' },
    code: 0,
    says: /also once the Job is gone/,
  },
  {
    dump: 'job-orphaned.yaml',
    words: ['job/sum', '--cascade', 'orphan'],
    fates: { 'Job/': 'goes', 'Pod/': 'stays' },
    code: 0,
  },
  {
    dump: 'job-orphaned.yaml',
    words: ['pod/sum-x'],
    fates: { 'Job/': 'stays', 'Pod/': 'goes' },
    code: 0,
    says: /goes and is replaced/,
  },
  {
    dump: 'job-orphaned.yaml',
    words: ['pod/own-x'],
    fates: { 'Pod/own-x': 'depends' },
    code: 3,
    says: /belongs to\s+Batch\/own, and the Job controller leaves/,
  },
  {
    // Deleted by force. Its Job waits for a phase that no kubelet reports.
    dump: 'job-orphaned.yaml',
    command: 'explain',
    words: ['pod/strict-x'],
    fates: { 'Pod/strict-x': 'depends' },
    code: 3,
    says: /counts a pod only once\s+it\s+has\s+ended/,
  },
  {
    dump: 'statefulset-claims.yaml',
    words: ['sts/web'],
    fates: { 'StatefulSet/': 'goes', 'Pod/': 'goes', 'PersistentVolumeClaim/': 'goes' },
    code: 0,
  },
  {
    dump: 'statefulset-claims.yaml',
    words: ['sts/web', '--cascade', 'orphan'],
    fates: { 'StatefulSet/': 'goes', 'Pod/': 'stays', 'PersistentVolumeClaim/': 'stays' },
    code: 0,
  },
  {
    dump: 'statefulset-claims.yaml',
    words: ['sts/db'],
    fates: { 'StatefulSet/': 'goes', 'Pod/': 'goes', 'PersistentVolumeClaim/': 'stays' },
    code: 0,
  },
  {
    dump: 'statefulset-claims.yaml',
    words: ['sts/new'],
    fates: { 'StatefulSet/': 'goes', 'PersistentVolumeClaim/': 'stays' },
    code: 0,
    says: /data-new-0\.shop\s+stays\s+although[\s\S]*it\s+has\s+no\s+pod/,
  },
  {
    // The StatefulSet controller adds the owner reference before the DELETE, or too late.
    dump: 'statefulset-claims.yaml',
    words: ['sts/late'],
    fates: { 'StatefulSet/': 'goes', 'Pod/': 'goes', 'PersistentVolumeClaim/': 'depends' },
    code: 1,
    says: /sets the owner references of\s+PersistentVolumeClaim\/data-late-0/,
  },
  {
    dump: 'statefulset-claims.yaml',
    words: ['sts/late', '--protocol', 'v1.26'],
    fates: { 'StatefulSet/': 'goes', 'PersistentVolumeClaim/': 'stays' },
    code: 0,
  },
  {
    dump: 'statefulset-claims.yaml',
    words: ['pod/late-0', '--without', 'storage-protection'],
    fates: { 'StatefulSet/': 'stays', 'Pod/': 'goes' },
    code: 0,
    says: /scaled\s+down,\s+the\s+claims\s+of\s+the\s+pods\s+that\s+go\s+are\s+deleted/,
  },
  {
    // Since 1.31 a claim of an earlier set of the name is left to the collector.
    dump: 'statefulset-claims.yaml',
    command: 'collect',
    words: [],
    fates: { 'StatefulSet/back': 'stays', 'PersistentVolumeClaim/data-back-0': 'goes' },
    code: 1,
    says: /restored\?/,
  },
  {
    // Until then the controller adds its reference, before the collector deletes the claim or too late.
    dump: 'statefulset-claims.yaml',
    command: 'collect',
    words: ['--protocol', 'v1.28'],
    fates: { 'PersistentVolumeClaim/data-back-0': 'depends' },
    code: 1,
  },
  {
    dump: 'volume-reclaimed.yaml',
    words: ['pv/pv-bound'],
    fates: { 'PersistentVolume/pv-bound': 'hangs', 'PersistentVolumeClaim/data': 'stays' },
    code: 1,
    says: /waits for\s+PersistentVolumeClaim\/data\.shop, which uses\s+it/,
  },
  {
    dump: 'volume-reclaimed.yaml',
    words: ['pv/pv-bound', 'pvc/data'],
    fates: { 'PersistentVolume/pv-bound': 'goes', 'PersistentVolumeClaim/data': 'goes' },
    code: 0,
    says: /its reclaim policy\s+is\s+Delete/,
  },
  {
    dump: 'volume-reclaimed.yaml',
    words: ['pv/pv-released'],
    fates: { 'PersistentVolume/pv-released': 'goes' },
    code: 0,
  },
  {
    dump: 'volume-reclaimed.yaml',
    words: ['pv/pv-csi'],
    fates: { 'PersistentVolume/pv-csi': 'depends' },
    code: 3,
  },
  {
    dump: 'loadbalancer.yaml',
    words: ['svc/web'],
    fates: { 'Service/web': 'depends' },
    code: 3,
  },
  {
    dump: 'service-slices.yaml',
    words: ['svc/web'],
    fates: { 'Service/web': 'goes', 'EndpointSlice/': 'goes' },
    code: 0,
    says: /the endpoints controller deletes Endpoints\/web/,
  },
  {
    dump: 'flux-suspended.yaml',
    words: ['kustomization/apps'],
    fates: { 'Kustomization/apps': 'depends' },
    code: 3,
    says: /has 0\s+replicas/,
  },
  {
    dump: 'argo-tracked.yaml',
    words: ['application/shop'],
    fates: { 'Application/shop': 'goes', 'ConfigMap/web': 'goes' },
    code: 0,
    says: /not in owner references/,
  },
  {
    dump: 'orphan-race.yaml',
    words: ['cm/owner', '-n', 'x', '--cascade', 'orphan'],
    fates: { 'ConfigMap/owner': 'depends', 'ConfigMap/c0': 'depends' },
    code: 1,
  },
  {
    dump: 'fifty-dependents.yaml',
    words: ['cm/owner', '-n', 'x', '--cascade', 'orphan'],
    fates: { 'ConfigMap/owner': 'goes', 'ConfigMap/c': 'stays' },
    code: 0,
    says: /together\s+this\s+proves/,
  },
  {
    dump: 'prod.yaml',
    words: ['pvc/billing-data', '-n', 'prod'],
    fates: { 'PersistentVolumeClaim/billing-data': 'hangs', 'Pod/billing': 'stays' },
    code: 1,
    says: /which uses it/,
  },
  {
    dump: 'old-replicaset.yaml',
    words: ['rs/web-1'],
    fates: { 'ReplicaSet/web-1': 'goes', 'Deployment/web': 'stays' },
    code: 0,
    says: /web-1\.shop goes; Deployment/,
  },
  {
    dump: 'old-replicaset.yaml',
    words: ['rs/web-2'],
    fates: { 'ReplicaSet/web-2': 'goes', 'Deployment/web': 'stays' },
    code: 0,
    says: /goes and is replaced/,
  },
  {
    dump: 'daemonset.yaml',
    words: ['ds/agent'],
    fates: { 'DaemonSet/agent': 'goes', 'Pod/agent-a': 'hangs', 'Pod/agent-b': 'goes' },
    code: 1,
    says: /waits for the kubelet of node-1/,
  },
  {
    dump: 'node-absent.yaml',
    words: ['rs/web'],
    fates: { 'ReplicaSet/web': 'goes', 'Pod/web': 'goes' },
    code: 0,
  },
  {
    dump: 'namespace-only.yaml',
    words: ['ns/shop'],
    fates: { 'Namespace/shop': 'unknown' },
    code: 3,
    says: /kubectl api-resources/,
  },
  {
    dump: 'helm-release.yaml',
    words: ['ns/shop'],
    fates: { 'Namespace/shop': 'depends', 'postgresql/db': 'depends', 'Secret/sh.helm': 'goes' },
    code: 3,
    says: /kubectl api-resources/,
  },
  {
    dump: 'operator-rights.yaml',
    words: ['ns/app'],
    fates: { 'Namespace/app': 'depends', 'ScaledObject/web': 'depends', RoleBinding: 'goes' },
    code: 3,
    says: /loses its rights\s+with/,
  },
  {
    dump: 'restored-backup.yaml',
    command: 'collect',
    words: [],
    fates: { 'Deployment/web': 'stays', 'ReplicaSet/web-1': 'goes', 'Pod/web-1': 'goes' },
    code: 1,
    says: /exists with another uid: restored\?/,
  },
  {
    dump: 'dead-uid.yaml',
    command: 'collect',
    words: [],
    fates: { 'ConfigMap/root': 'stays', 'Secret/child': 'goes' },
    code: 1,
  },
  {
    dump: 'claim-in-use.yaml',
    command: 'explain',
    words: [],
    fates: { PersistentVolumeClaim: 'hangs' },
    code: 1,
    says: /which uses it/,
  },
  {
    dump: 'namespace-stuck.yaml',
    command: 'explain',
    words: [],
    fates: { 'Namespace/kafka': 'hangs', 'KafkaTopic/': 'depends' },
    code: 1,
    says: /mend this first/,
  },
];

describe('answers about everyday clusters', () => {
  it.each(
    ROWS.map((row) => [[row.command ?? 'delete', row.dump, ...row.words].join(' '), row] as const),
  )('%s', async (_, row) => {
    const words = [row.command ?? 'delete', dump(row.dump), ...row.words];
    const json = await runCli([...words, '--format', 'json']);
    expect(json.code).toBe(row.code);
    const text = await runCli(['render', '-'], { stdin: json.stdout });
    expect(text.stdout).toMatch(row.says ?? /./);
    const { answer } = JSON.parse(json.stdout) as ResultDocument;
    const fates = answer?.outcomes[0]?.fates ?? [];
    const named = (answer?.objects ?? []).map(({ name }, index) => ({
      name: name.replace(/^(\w+)\.[^/]*\//, '$1/'),
      fate: fates[index]?.fate,
    }));
    for (const [prefix, fate] of Object.entries(row.fates)) {
      const found = named.filter(({ name }) => name.startsWith(prefix));
      expect(found.length, prefix).toBeGreaterThan(0);
      expect(new Set(found.map((one) => one.fate)), prefix).toEqual(new Set([fate]));
    }
  });
});
