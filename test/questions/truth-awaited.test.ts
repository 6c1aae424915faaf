import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

/** What the operators of projects wait for before they remove a finalizer, and what they do not. */

const f = (...finalizers: string[]) => ({ finalizers });

const CAPI = 'cluster.x-k8s.io/v1beta1';
const PLANE = 'controlplane.cluster.x-k8s.io/v1beta1 KubeadmControlPlane';
const AWS = 'infrastructure.cluster.x-k8s.io/v1beta2';
const OF_CLUSTER = 'cluster.x-k8s.io/cluster-name';
const PLANE_FINALIZER = 'kubeadm.controlplane.cluster.x-k8s.io';
const planeOf = (name: string) =>
  made(PLANE, `fleet/${name}-cp`, { ...f(PLANE_FINALIZER), labels: { [OF_CLUSTER]: name } });
const machineOf = (name: string, own: string, owners: readonly object[] = []) =>
  made(`${CAPI} Machine`, `fleet/${own}`, {
    ...{ ...f('machine.cluster.x-k8s.io'), labels: { [OF_CLUSTER]: name }, owners },
    spec: { clusterName: name },
  });
const MANAGERS = [
  runs('capi/capi-controller-manager'),
  runs('capi/capi-kubeadm-control-plane-controller-manager'),
  runs('capa/capa-controller-manager'),
];
const CONTROL_PLANE = [
  ...MANAGERS,
  planeOf('prod'),
  machineOf('prod', 'prod-cp-1', [owner(PLANE, 'fleet/prod-cp')]),
];
const PROD = made(`${CAPI} Cluster`, 'fleet/prod', { spec: {} });
const AWS_CLUSTER = made(`${AWS} AWSCluster`, 'fleet/prod', {
  owners: [owner(`${CAPI} Cluster`, 'fleet/prod')],
  ...f('awscluster.infrastructure.cluster.x-k8s.io'),
  labels: { [OF_CLUSTER]: 'prod' },
});
const awsMachineOf = (name: string) =>
  made(`${AWS} AWSMachine`, `fleet/${name}-1`, { labels: { [OF_CLUSTER]: name } });

const FLINK = 'flink.apache.org/v1beta1';
const SESSION = [
  runs('op/flink-kubernetes-operator'),
  made(
    `${FLINK} FlinkDeployment`,
    'flink/session',
    f('flinkdeployments.flink.apache.org/finalizer'),
  ),
];
const jobIn = (deploymentName: string) =>
  made(`${FLINK} FlinkSessionJob`, 'flink/job', {
    ...f('flinksessionjobs.flink.apache.org/finalizer'),
    spec: { deploymentName },
  });

const VM = 'kubevirt.io/v1 VirtualMachine';
const VMI = 'kubevirt.io/v1 VirtualMachineInstance';
const MACHINE = [
  runs('kubevirt/virt-controller'),
  made(VM, 'vms/v', f('kubevirt.io/virtualMachineControllerFinalize')),
  made(VMI, 'vms/v', { ...f('foregroundDeleteVirtualMachine'), owners: [owner(VM, 'vms/v')] }),
  made('v1 Pod', 'vms/virt-launcher-v', {
    ...{ owners: [owner(VMI, 'vms/v')], status: { phase: 'Running' } },
    spec: { nodeName: 'n1', containers: [{ name: 'compute', image: 'virt-launcher' }] },
  }),
];

const CEPH = 'ceph.rook.io/v1 CephCluster';
const KEYS = made('v1 Secret', 'rook/rook-ceph-mon', {
  ...{ ...f('ceph.rook.io/disaster-protection'), owners: [owner(CEPH, 'rook/ceph')] },
});
const ROOK = runs('rook/rook-ceph-operator');
const STORAGE = [ROOK, made(CEPH, 'rook/ceph', f('cephcluster.ceph.rook.io')), KEYS];

const TEKTON = 'operator.tekton.dev/v1alpha1';
const CONFIG = [
  runs('tekton-operator/tekton-operator'),
  made(`${TEKTON} TektonConfig`, 'config', f('tektonconfigs.operator.tekton.dev')),
  made(`${TEKTON} TektonPipeline`, 'pipeline', {
    ...f('tektonpipelines.operator.tekton.dev'),
    owners: [owner(`${TEKTON} TektonConfig`, 'config')],
  }),
];

const VM_AGENT = 'operator.victoriametrics.com/v1beta1 VMAgent';
const OF_VICTORIA = 'apps.victoriametrics.com/finalizer';
const AGENT_PART = made('v1 Service', 'mon/vmagent-a', {
  ...{ ...f(OF_VICTORIA), owners: [owner(VM_AGENT, 'mon/a')] },
});
const VICTORIA = runs('vm/victoria-metrics-operator');

const RBAC = 'rbac.authorization.k8s.io/v1';
const kedaWithRightsOn = (group: string) => [
  runs('keda/keda-operator', { serviceAccountName: 'keda-operator' }),
  made(`${RBAC} ClusterRole`, 'keda', {
    rules: [{ apiGroups: [group], resources: ['*'], verbs: ['update'] }],
  }),
  made(`${RBAC} ClusterRoleBinding`, 'keda', {
    roleRef: { kind: 'ClusterRole', name: 'keda' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'keda', name: 'keda-operator' }],
  }),
  made('apiextensions.k8s.io/v1 CustomResourceDefinition', 'scaledobjects.keda.sh', {
    spec: {
      ...{ group: 'keda.sh', scope: 'Namespaced' },
      names: { kind: 'ScaledObject', plural: 'scaledobjects' },
      versions: [{ name: 'v1alpha1', served: true, storage: true }],
    },
  }),
  made('keda.sh/v1alpha1 ScaledObject', 'shop/web', f('finalizer.keda.sh')),
];

const QUESTIONS: readonly Question[] = [
  {
    truth: 'Cluster API: kubeadm deletes no machine while a worker is there (`reconcileDelete`)',
    objects: [...CONTROL_PLANE, machineOf('prod', 'prod-md-1')],
    ask: 'kubeadmcontrolplane/prod-cp -n fleet',
    answer: 'open',
    says: /Machine\S+prod-md-1\.fleet stays, and .* waits for all other machines of the cluster/,
  },
  {
    truth: 'Cluster API: the machines of another cluster do not count',
    objects: [...CONTROL_PLANE, machineOf('stage', 'stage-md-1')],
    ask: 'kubeadmcontrolplane/prod-cp -n fleet',
    answer: 'goes',
    fates: { 'Machine/prod-cp-1': 'goes' },
  },
  {
    truth: 'Cluster API: nor do they for its network (`descendants` lists by the label)',
    objects: [...MANAGERS, PROD, AWS_CLUSTER, awsMachineOf('stage')],
    ask: 'awscluster/prod -n fleet',
    answer: 'goes',
  },
  {
    truth: 'Flink: a session cluster waits for its session jobs (`cleanupInternal`)',
    objects: [...SESSION, jobIn('session')],
    ask: 'flinkdeployment/session -n flink',
    answer: 'open',
    says: /FlinkSessionJob\S+job\.flink stays and uses FlinkDeployment/,
  },
  {
    truth: 'Flink: and not for those of another one',
    objects: [...SESSION, jobIn('other')],
    ask: 'flinkdeployment/session -n flink',
    answer: 'goes',
  },
  {
    truth: 'KubeVirt: an instance waits for its pods, which no kubelet ends (`allPodsDeleted`)',
    objects: MACHINE,
    ask: 'vm/v -n vms --node-lost n1',
    answer: 'hangs',
    fates: { 'VirtualMachine/v': 'depends', 'VirtualMachineInstance/v': 'depends' },
    says: /waits for Pod\/virt-launcher-v\.vms, and n1 is given as lost/,
  },
  {
    truth: 'Rook: the operator lets the keys go with their cluster (`removeFinalizers`)',
    objects: STORAGE,
    ask: 'cephcluster/ceph -n rook',
    answer: 'goes',
    fates: { 'Secret/rook-ceph-mon': 'goes' },
  },
  {
    truth: 'Rook: and not before',
    objects: STORAGE,
    ask: 'secret/rook-ceph-mon -n rook',
    answer: 'open',
    says: /CephCluster\S+ceph\.rook stays, and the Rook operator waits for its CephCluster/,
  },
  {
    truth: 'Rook: once the cluster is gone, it does nothing for them',
    objects: [ROOK, KEYS],
    ask: 'secret/rook-ceph-mon -n rook',
    answer: 'open',
    says: /only with a deletion of the kind CephCluster/,
  },
  {
    truth: 'Tekton: its operator removes what it installed (`EnsureTektonPipelineCRNotExists`)',
    objects: CONFIG,
    ask: 'tektonconfig/config',
    answer: 'goes',
    fates: { 'TektonPipeline/pipeline': 'goes' },
  },
  {
    truth: 'Argo CD: its operator runs',
    objects: [
      runs('ops/argocd-operator-controller-manager'),
      made('argoproj.io/v1beta1 ArgoCD', 'argocd/a', f('argoproj.io/finalizer')),
    ],
    ask: 'argocd/a -n argocd',
    answer: 'goes',
  },
  {
    truth: 'Harvester, and not virt-controller, removes the finalizer that is named after it',
    objects: [
      runs('harvester-system/harvester', {}, 0),
      made(VM, 'vms/v', f('harvesterhci.io/VMController.UnsetOwnerOfPVCs')),
    ],
    ask: 'vm/v -n vms',
    answer: 'open',
    says: /Deployment\S+harvester\.harvester-system, which may run its owner, has no ready pod/,
  },
  {
    truth: 'VictoriaMetrics: its operator lets go what it made (`removeFinalizeObjByName`)',
    objects: [VICTORIA, made(VM_AGENT, 'mon/a', f(OF_VICTORIA)), AGENT_PART],
    ask: 'vmagent/a -n mon',
    answer: 'goes',
    fates: { 'Service/vmagent-a': 'goes' },
  },
  {
    truth: 'VictoriaMetrics: what is left of an agent that is gone stays',
    objects: [VICTORIA, AGENT_PART],
    ask: 'svc/vmagent-a -n mon',
    answer: 'open',
    says: /only with a deletion of the kind VMAgent/,
  },
  {
    truth: 'RBAC: without the right to change an object, nobody removes its finalizer',
    objects: kedaWithRightsOn('apps'),
    ask: 'scaledobject/web -n shop',
    answer: 'open',
    says: /keda-operator\.keda, which may run its owner, has no right to change ScaledObject/,
  },
  {
    truth: 'RBAC: with it, its operator does',
    objects: kedaWithRightsOn('keda.sh'),
    ask: 'scaledobject/web -n shop',
    answer: 'goes',
  },
  {
    truth: 'Argo CD: it says so if a deletion fails (`setAppCondition`), and tries it again',
    objects: [
      runs('argocd/argocd-application-controller'),
      made('argoproj.io/v1alpha1 Application', 'argocd/web', {
        ...{ ...f('resources-finalizer.argocd.argoproj.io'), leaving: true },
        status: { conditions: [{ type: 'DeletionError', message: 'a webhook denied it' }] },
      }),
    ],
    ask: 'explain app/web -n argocd',
    answer: 'open',
    says: /reports the condition DeletionError/,
  },
];

describeQuestions('what owners of finalizers wait for', QUESTIONS);
