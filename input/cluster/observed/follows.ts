import { valueAt } from '../../documents/shape.ts';
import type { Manifest, Mark, Tool } from './mark.ts';

const REFLECTOR = 'reflector.v1.k8s.emberstack.com';
const REPLICATOR = 'replicator.v1.mittwald.de';
const HOSTNAMES = ['hostname', 'internal-hostname'].map(
  (name) => `external-dns.alpha.kubernetes.io/${name}`,
);
const CONFIG_SYNCER = 'kubed.appscode.com/origin';
const ROOT_POLICY = 'policy.open-cluster-management.io/root-policy';
const HUB = '.open-cluster-management.io/';
const WORKS = 'work.open-cluster-management.io';
const LVM = 'topolvm.io';
/** What the volume controller has asked to fill a claim, and what the scheduler has chosen for it. */
const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
const SELECTED = 'volume.kubernetes.io/selected-node';
const SERVICE_LB = 'svccontroller.k3s.cattle.io';
const TAILSCALE = 'tailscale.com';
/** What a proxy is for, by the word of its label. */
const PARENTS: Readonly<Record<string, string>> = {
  ...{ svc: 'Service', ingress: 'Ingress', connector: 'Connector' },
};
const COPIED = ['Secret', 'ConfigMap', 'Role', 'RoleBinding', 'ServiceAccount'];

/**
 * The object with which a tool deletes this one, without an owner reference: copies with what they
 * were copied from, and records with what they are about.
 */
export function followsOf(object: Manifest): readonly Mark[] {
  const { apiVersion, kind, labels, annotations, manifest } = object;
  const own = valueAt(manifest, ['metadata', 'name']);
  const beside = valueAt(manifest, ['metadata', 'namespace']);
  const marks: Mark[] = [];
  // `doFinalize` of its node controller
  const isOfLvm = annotations[PROVISIONER] === LVM || apiVersion.startsWith(`${LVM}/`);
  const node = annotations[SELECTED] ?? valueAt(manifest, ['spec', 'nodeName']);
  if (isOfLvm && typeof node === 'string') {
    const under = `${LVM}/node`;
    marks.push({
      mark: 'follows',
      tool: 'TopoLVM',
      kind: 'Node',
      namespace: '',
      name: node,
      under,
    });
  }
  // `operatorGroupDeleted`
  if (kind === 'ClusterRole' && labels['olm.owner.kind'] === 'OperatorGroup') {
    const [name = '', namespace = ''] = ['', '.namespace'].map((end) => labels[`olm.owner${end}`]);
    marks.push({ mark: 'follows', tool: 'OLM', kind: 'OperatorGroup', namespace, name });
  }
  // `gcResourcesController`: those in the namespace of a cluster, which has its name.
  const isOfCluster = /^(ManifestWork|ManagedClusterAddOn)$/.test(kind);
  if (isOfCluster && apiVersion.includes(HUB) && typeof beside === 'string') {
    const cluster = { kind: 'ManagedCluster', namespace: '', name: beside };
    marks.push({ mark: 'trackedBy', tool: 'Open Cluster Management', ...cluster });
  }
  if (typeof own !== 'string' || typeof beside !== 'string') return marks;
  const follows = (tool: Tool, of: string, namespace: string, name: string): void => {
    if (name !== '') marks.push({ mark: 'follows', tool, kind: of, namespace, name });
  };
  // A mirror that a person has made stays.
  if (/^true$/i.test(annotations[`${REFLECTOR}/auto-reflects`] ?? '')) {
    const [namespace = '', name = ''] = (annotations[`${REFLECTOR}/reflects`] ?? '').split('/');
    if (namespace !== '') follows('Reflector', kind, namespace, name);
  }
  // A copy that says where it is from keeps its object, and loses its data.
  const isPushed = annotations[`${REPLICATOR}/replicated-at`] !== undefined;
  const [, from = beside, origin] =
    /^(?:([^/]+)\/)?([^/]+)$/.exec(annotations[`${REPLICATOR}/replicate-from`] ?? '') ?? [];
  if (origin !== undefined && COPIED.includes(kind)) {
    const tool = 'kubernetes-replicator';
    marks.push({ mark: 'emptiedWith', tool, namespace: from, name: origin });
  } else if (isPushed && COPIED.includes(kind)) {
    follows('kubernetes-replicator', kind, '', own);
  }
  const isNamed = Object.keys(annotations).some((key) => HOSTNAMES.includes(key));
  if (isNamed || (kind === 'DNSEndpoint' && apiVersion.startsWith('externaldns.k8s.io/'))) {
    marks.push({ mark: 'publishes', tool: 'external-dns' });
  }
  const inherited = labels['hnc.x-k8s.io/inherited-from'];
  if (inherited) follows('HNC', kind, inherited, own);
  const synced = labels[`${CONFIG_SYNCER}.namespace`];
  if (synced) follows('Config Syncer', kind, synced, labels[`${CONFIG_SYNCER}.name`] ?? own);
  // The propagator of policies writes `NAMESPACE.NAME`.
  const [root = '', ...rest] = (labels[ROOT_POLICY] ?? '').split('.');
  if (kind === 'Policy') follows('Open Cluster Management', kind, root, rest.join('.'));
  // `manifestWorkReplicaSetKey`
  const [set = '', ...ofSet] = (labels[`${WORKS}/manifestworkreplicaset`] ?? '').split('.');
  if (kind === 'ManifestWork' && ofSet.length > 0) {
    const under = `${WORKS}/manifest-work-cleanup`;
    const by = { kind: 'ManifestWorkReplicaSet', namespace: set, name: ofSet.join('.') };
    marks.push({ mark: 'follows', tool: 'Open Cluster Management', ...by, under });
  }
  // `GarbageCollectCheckpoints`
  if (kind === 'VerticalPodAutoscalerCheckpoint' && apiVersion.startsWith('autoscaling.k8s.io/')) {
    const name = valueAt(manifest, ['spec', 'vpaObjectName']);
    if (typeof name === 'string') {
      follows('Vertical Pod Autoscaler', 'VerticalPodAutoscaler', beside, name);
    }
  }
  // `EnsureLoadBalancerDeleted`
  const served = labels[`${SERVICE_LB}/svcname`];
  if (kind === 'DaemonSet' && served) {
    const namespace = labels[`${SERVICE_LB}/svcnamespace`] ?? '';
    const under = 'service.kubernetes.io/load-balancer-cleanup';
    marks.push({ mark: 'follows', tool: 'k3s', kind: 'Service', namespace, name: served, under });
  }
  // `childResourceLabels`: its namespace is not that of a Connector, which has none.
  const parent = labels[`${TAILSCALE}/parent-resource`];
  const of = PARENTS[labels[`${TAILSCALE}/parent-resource-type`] ?? ''];
  if (parent && of !== undefined) {
    const said = labels[`${TAILSCALE}/parent-resource-ns`] ?? '';
    const namespace = of === 'Connector' ? '' : said;
    const under = `${TAILSCALE}/finalizer`;
    marks.push({ mark: 'follows', tool: 'Tailscale', kind: of, namespace, name: parent, under });
  }
  // `GarbageCollectSoftOwnedSecrets`
  const [softly = '', name = '', namespace = beside] = ['kind', 'name', 'namespace'].map(
    (of) => labels[`eck.k8s.elastic.co/owner-${of}`],
  );
  if (kind === 'Secret' && softly) follows('Elastic Cloud on Kubernetes', softly, namespace, name);
  // `getFlinkKubernetesHaConfigmaps` (2026): by the labels that Flink has for its cluster, all but those
  // of the autoscaler; before, by the first of these.
  const isOfFlink =
    labels['configmap-type'] === 'high-availability' ||
    (labels.type === 'flink-native-kubernetes' && labels.component !== 'autoscaler');
  if (kind === 'ConfigMap' && isOfFlink)
    follows('Flink', 'FlinkDeployment', beside, labels.app ?? '');
  const tenant = labels['v1.min.io/tenant'];
  if (kind === 'PersistentVolumeClaim' && tenant) follows('MinIO', 'Tenant', beside, tenant);
  return marks;
}

/** A Tenant of MinIO whose claims stay: none of its pools says `reclaimStorage`. */
export function leavesClaims(apiVersion: string, kind: string, manifest: unknown): readonly Mark[] {
  if (kind !== 'Tenant' || !apiVersion.startsWith('minio.min.io/')) return [];
  const pools = valueAt(manifest, ['spec', 'pools']);
  // Without pools, the dump does not say it.
  const isReclaimed =
    !Array.isArray(pools) || pools.some((pool) => valueAt(pool, ['reclaimStorage']) === true);
  return isReclaimed ? [] : [{ mark: 'leavesTracked', tool: 'MinIO', by: 'reclaimStorage' }];
}
