import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

/** Who removes a finalizer, and who only looks like it; and who comes back. */

const f = (...finalizers: string[]) => ({ finalizers });

const CAPI = 'cluster.x-k8s.io';
const planeOf = (kind: string, finalizer: string) => [
  made(`controlplane.${CAPI}/v1beta1 ${kind}`, 'fleet/cp', f(finalizer)),
  made(`${CAPI}/v1beta1 Machine`, 'fleet/cp-1', {
    owners: [owner(`controlplane.${CAPI}/v1beta1 ${kind}`, 'fleet/cp')],
  }),
];
const WORKER = made(`${CAPI}/v1beta1 Machine`, 'fleet/md-1');
const KUBEADM = runs('capi/capi-kubeadm-control-plane-controller-manager');
const RKE2 = planeOf('RKE2ControlPlane', `rke2.controlplane.${CAPI}`);

const BALANCED = made('v1 Service', 'shop/web', {
  ...f('service.kubernetes.io/load-balancer-cleanup'),
  spec: { type: 'LoadBalancer' },
});
const nodeOf = (kubeletVersion: string) =>
  made('v1 Node', 'n1', { status: { nodeInfo: { kubeletVersion } } });
const SERVICE_LB = made('apps/v1 DaemonSet', 'kube-system/svclb-web-1', {
  labels: {
    'svccontroller.k3s.cattle.io/svcname': 'web',
    'svccontroller.k3s.cattle.io/svcnamespace': 'shop',
  },
});

const CLUSTER = 'postgresql.cnpg.io/v1 Cluster';
const INSTANCE = made('v1 Pod', 'db/pg-1', { owners: [owner(CLUSTER, 'db/pg')] });
const DATABASE = made('postgresql.cnpg.io/v1 Database', 'db/app', {
  ...{ ...f('cnpg.io/deleteDatabase'), spec: { cluster: { name: 'pg' } } },
});

const NETWORK = 'k8s.ovn.org/user-defined-network-protection';

const QUESTIONS: readonly Question[] = [
  {
    truth: 'Cluster API: RKE2 waits for workers as kubeadm does (`reconcileDelete`)',
    objects: [runs('capi/rke2-control-plane-controller-manager'), ...RKE2, WORKER],
    ...{ ask: 'rke2controlplane/cp -n fleet', answer: 'open' },
    says: /Machine\S+md-1\.fleet stays, and .* of RKE2 waits for all other machines/,
  },
  {
    truth: 'Cluster API: the manager of kubeadm does nothing for RKE2',
    objects: [KUBEADM, ...RKE2],
    ...{ ask: 'rke2controlplane/cp -n fleet', answer: 'open' },
  },
  {
    truth: 'Cluster API: nor for EKS',
    objects: [
      KUBEADM,
      ...planeOf('AWSManagedControlPlane', `awsmanagedcontrolplane.controlplane.${CAPI}`),
    ],
    ...{ ask: 'awsmanagedcontrolplane/cp -n fleet', answer: 'open' },
    says: /no workload in the dump runs the Cluster API provider of AWS/,
  },
  {
    truth: 'Cluster API: Talos waits for no workers (`reconcileDelete`)',
    objects: [
      runs('capi/cacppt-controller-manager'),
      ...planeOf('TalosControlPlane', `talos.controlplane.${CAPI}/finalizer`),
      WORKER,
    ],
    ...{ ask: 'taloscontrolplane/cp -n fleet', answer: 'goes' },
  },
  {
    truth: 'GKE and EKS run the service controller in their control planes',
    objects: [nodeOf('v1.33.1-gke.100'), BALANCED],
    ...{ ask: 'svc/web -n shop', answer: 'goes' },
  },
  {
    truth: 'k3s deletes what it has made for a Service (`EnsureLoadBalancerDeleted`)',
    objects: [nodeOf('v1.33.1+k3s1'), BALANCED, SERVICE_LB],
    ...{ ask: 'svc/web -n shop', answer: 'open' },
    fates: { Service: 'goes', DaemonSet: 'depends' },
  },
  {
    truth: 'k3s: without that, another controller balances it',
    objects: [nodeOf('v1.33.1+k3s1'), BALANCED],
    ...{ ask: 'svc/web -n shop', answer: 'open', fates: { Service: 'depends' } },
  },
  {
    truth: 'CloudNativePG makes an instance anew, which then drops databases',
    objects: [made(CLUSTER, 'db/pg'), INSTANCE, DATABASE],
    ...{ ask: 'pod/pg-1 -n db', answer: 'goes' },
    says: /; until Pod\/pg-1\.db is there again, the deletion of Database\S+ may hang\./,
  },
  {
    truth: 'CloudNativePG: not if the cluster goes as well',
    objects: [made(CLUSTER, 'db/pg'), INSTANCE, DATABASE],
    ...{ ask: 'cluster.postgresql.cnpg.io/pg -n db', answer: 'goes' },
    says: /; afterwards, the deletion of Database\S+ may hang\./,
  },
  {
    truth: 'OVN-Kubernetes waits for pods on the network (`NetAttachDefNotInUse`)',
    objects: [
      runs('ovn/ovnkube-control-plane'),
      made('k8s.ovn.org/v1 UserDefinedNetwork', 'shop/blue', f(NETWORK)),
      made('v1 Pod', 'shop/web', { spec: { nodeName: 'n1' }, status: { phase: 'Running' } }),
    ],
    ...{ ask: 'userdefinednetwork/blue -n shop', answer: 'open' },
    says: /Pod\/web\.shop stays, and the cluster manager of OVN-Kubernetes waits for every pod/,
  },
  {
    truth: 'Katib: without its database, a Trial stays (`DeleteTrialObservationLog`)',
    objects: [
      ...[runs('kubeflow/katib-controller'), runs('kubeflow/katib-db-manager', {}, 0)],
      made('kubeflow.org/v1beta1 Trial', 'ml/t', f('clean-metrics-in-db')),
    ],
    ...{ ask: 'trial/t -n ml', answer: 'open', says: /katib-db-manager\.kubeflow, which may run/ },
  },
  {
    truth: 'the Job controller makes pods, and Kueue what it has for a Job',
    objects: [
      made('batch/v1 Job', 'ml/j', { spec: { parallelism: 1 } }),
      made('kueue.x-k8s.io/v1beta1 Workload', 'ml/w', { owners: [owner('batch/v1 Job', 'ml/j')] }),
    ],
    ...{ ask: 'workload.kueue.x-k8s.io/w -n ml', answer: 'goes' },
    says: /^Workload\S+ goes; Job\S+ stays, and its controller may make it anew\. /,
  },
  {
    truth: 'HNC makes the namespace of an anchor anew',
    objects: [
      made('hnc.x-k8s.io/v1alpha2 SubnamespaceAnchor', 'parent/child', f('hnc.x-k8s.io')),
      made('v1 Namespace', 'child', { spec: { finalizers: ['kubernetes'] } }),
      made('v1 ConfigMap', 'child/kube-root-ca.crt'),
    ],
    ...{ ask: 'ns/child', answer: 'goes' },
    says: /; SubnamespaceAnchor\S+child\.parent stays, and HNC makes it anew/,
  },
  {
    truth: 'OLM: Subscriptions name a CatalogSource, and Istio stays without its finalizer',
    objects: [
      made('operators.coreos.com/v1alpha1 CatalogSource', 'olm/c'),
      made('install.istio.io/v1alpha1 IstioOperator', 'olm/i'),
    ],
    ...{ ask: 'catalogsource/c istiooperator/i -n olm', answer: 'goes' },
    says: /neither installs nor updates what .*has no istio-finalizer\S+ the control plane of Istio/,
  },
];

describeQuestions('who owns a finalizer', QUESTIONS);
