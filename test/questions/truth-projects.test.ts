import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const ns = (name: string) => [
  made('v1 Namespace', name),
  made('v1 ConfigMap', `${name}/kube-root-ca.crt`),
  made('v1 ServiceAccount', `${name}/default`),
];
const one = (
  truth: string,
  objects: readonly object[],
  ask: string,
  answer: Question['answer'],
  says?: RegExp,
): Question => ({ truth, objects, ask, answer, ...(says === undefined ? {} : { says }) });
const f = (...finalizers: string[]) => ({ finalizers });
const DETACHING = made('storage.k8s.io/v1 VolumeAttachment', 'csi-1', {
  ...{ leaving: true, ...f('external-attacher/ebs-csi-aws-com') },
  spec: { attacher: 'ebs.csi.aws.com', source: { persistentVolumeName: 'v' } },
  status: { attached: true, detachError: { message: 'rpc error' } },
});
const ON_AWS = made('cluster.x-k8s.io/v1beta1 Machine', 'fleet/m', {
  ...f('machine.cluster.x-k8s.io'),
  spec: { infrastructureRef: { kind: 'AWSMachine', name: 'm' } },
  status: {},
});
const ARC = runs('arc/arc-gha-rs-controller');
const BRAIN = [
  made('apps/v1 StatefulSet', 'op-system/brain', {
    ...{ spec: { replicas: 1, selector: { matchLabels: { app: 'brain' } } } },
    status: { readyReplicas: 1 },
  }),
  made('v1 Pod', 'op-system/brain-0', {
    ...{ labels: { app: 'brain' }, owners: [owner('apps/v1 StatefulSet', 'op-system/brain')] },
  }),
];
const RIGHTS = made('rbac.authorization.k8s.io/v1 RoleBinding', 'ci/r', {
  ...f('actions.github.com/cleanup-protection'),
});

function ofRelease(type: string, name: string, parts: object): object {
  const annotations = {
    ...{ 'meta.helm.sh/release-name': 'widgets', 'meta.helm.sh/release-namespace': 'op' },
  };
  return made(type, name, { annotations, ...parts });
}

const WATCHING_B = {
  containers: [
    { name: 'manager', image: 'manager', env: [{ name: 'WATCH_NAMESPACE', value: 'b' }] },
  ],
};
const crd = (name: string, kind: string) => {
  const [plural = '', ...group] = name.split('.');
  return made('apiextensions.k8s.io/v1 CustomResourceDefinition', name, {
    spec: {
      ...{ group: group.join('.'), scope: 'Namespaced', names: { kind, plural } },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
  });
};

const QUESTIONS: readonly Question[] = [
  // Databases
  one(
    'CloudNativePG: claims are owned by the Cluster, and go',
    [
      runs('cnpg/cnpg-controller-manager'),
      made('postgresql.cnpg.io/v1 Cluster', 'db/pg'),
      made('v1 PersistentVolumeClaim', 'db/pg-1', {
        owners: [owner('postgresql.cnpg.io/v1 Cluster', 'db/pg')],
        spec: { volumeName: 'v' },
      }),
    ],
    'cluster.postgresql.cnpg.io/pg -n db',
    'goes',
    /goes └─ PersistentVolumeClaim\/pg-1/,
  ),
  one(
    'CloudNativePG: a Pooler and its Deployment',
    [
      made('postgresql.cnpg.io/v1 Pooler', 'db/rw'),
      made('apps/v1 Deployment', 'db/rw', {
        owners: [owner('postgresql.cnpg.io/v1 Pooler', 'db/rw')],
        spec: { replicas: 0 },
      }),
    ],
    'pooler/rw -n db',
    'goes',
  ),
  one(
    'CloudNativePG: the Secret of the application comes back',
    [
      runs('cnpg/cnpg-controller-manager'),
      made('postgresql.cnpg.io/v1 Cluster', 'db/pg'),
      made('v1 Secret', 'db/pg-app', { owners: [owner('postgresql.cnpg.io/v1 Cluster', 'db/pg')] }),
    ],
    'secret/pg-app -n db',
    'goes',
    /Cluster\S+ stays, and its controller may make Secret\/pg-app\.db anew/,
  ),
  one(
    'Strimzi: a StrimziPodSet comes back with its Kafka',
    [
      made('kafka.strimzi.io/v1beta2 Kafka', 'mq/k'),
      made('core.strimzi.io/v1beta2 StrimziPodSet', 'mq/k-kafka', {
        owners: [owner('kafka.strimzi.io/v1beta2 Kafka', 'mq/k')],
      }),
    ],
    'strimzipodset/k-kafka -n mq',
    'goes',
    /Kafka\S+ stays, and its controller may make StrimziPodSet/,
  ),
  one(
    'Strimzi: a Kafka leaves its pools, with their pods (`KafkaPool.fromCrd`)',
    [
      made('kafka.strimzi.io/v1beta2 Kafka', 'mq/k'),
      made('kafka.strimzi.io/v1beta2 KafkaNodePool', 'mq/p', {
        labels: { 'strimzi.io/cluster': 'k' },
      }),
    ],
    'kafka/k -n mq',
    'goes',
    /KafkaNodePool\S+ stays and names Kafka\S+: its pods run on/,
  ),
  one(
    'Strimzi: without a topic operator, KafkaTopics hang',
    [made('kafka.strimzi.io/v1beta2 KafkaTopic', 'mq/t', f('strimzi.io/topic-operator'))],
    'kafkatopic/t -n mq',
    'open',
  ),
  one(
    'Strimzi: the namespace with Kafka, its topic operator and topics',
    [
      ...ns('mq'),
      runs('mq/k-entity-operator'),
      made('kafka.strimzi.io/v1beta2 KafkaTopic', 'mq/t', f('strimzi.io/topic-operator')),
    ],
    'ns/mq',
    'open',
    /may be deleted first/,
  ),
  one(
    'RabbitMQ: without its operator',
    [
      made(
        'rabbitmq.com/v1beta1 RabbitmqCluster',
        'mq/r',
        f('deletion.finalizers.rabbitmqclusters.rabbitmq.com'),
      ),
    ],
    'rabbitmqcluster/r -n mq',
    'open',
  ),
  one(
    'RabbitMQ: the topology operator does not remove the finalizer of the cluster',
    [
      runs('rabbitmq-system/messaging-topology-operator'),
      made(
        'rabbitmq.com/v1beta1 RabbitmqCluster',
        'mq/r',
        f('deletion.finalizers.rabbitmqclusters.rabbitmq.com'),
      ),
    ],
    'rabbitmqcluster/r -n mq',
    'open',
  ),
  one(
    'Zalando: with finalizers enabled',
    [
      runs('ops/postgres-operator'),
      made('acid.zalan.do/v1 postgresql', 'db/p', f('postgres-operator.acid.zalan.do')),
    ],
    'postgresql/p -n db',
    'goes',
  ),
  one(
    'Crunchy: PGO in the namespace that goes',
    [
      ...ns('db'),
      runs('db/pgo'),
      made(
        'postgres-operator.crunchydata.com/v1beta1 PostgresCluster',
        'db/p',
        f('postgres-operator.crunchydata.com/finalizer'),
      ),
    ],
    'ns/db',
    'open',
    /may be deleted first/,
  ),
  one(
    'Percona MongoDB: the operator of MySQL does not act for it',
    [
      runs('ops/percona-server-mysql-operator'),
      made(
        'psmdb.percona.com/v1 PerconaServerMongoDB',
        'db/m',
        f('percona.com/delete-psmdb-pods-in-order'),
      ),
    ],
    'psmdb/m -n db',
    'open',
  ),
  one(
    'ECK sets no finalizers',
    [made('elasticsearch.k8s.elastic.co/v1 Elasticsearch', 'es/e')],
    'elasticsearch/e -n es',
    'goes',
  ),
  one(
    'Gardener: a Shoot, whose machines are elsewhere',
    [
      runs('garden/gardenlet'),
      made('core.gardener.cloud/v1beta1 Shoot', 'garden/s', f('gardener')),
    ],
    'shoot/s -n garden',
    'open',
  ),
  one(
    'cass-operator: it deletes the claims',
    [
      runs('cass/cass-operator-controller-manager'),
      made(
        'cassandra.datastax.com/v1beta1 CassandraDatacenter',
        'db/dc1',
        f('finalizer.cassandra.datastax.com'),
      ),
    ],
    'cassandradatacenter/dc1 -n db',
    'goes',
  ),
  one(
    'Altinity: the ClickHouse operator is scaled to 0',
    [
      runs('ch/clickhouse-operator', {}, 0),
      made(
        'clickhouse.altinity.com/v1 ClickHouseInstallation',
        'db/c',
        f('finalizer.clickhouseinstallation.altinity.com'),
      ),
    ],
    'clickhouseinstallation/c -n db',
    'open',
  ),
  one(
    'OpsTree: the Redis operator is not there',
    [made('redis.redis.opstreelabs.in/v1beta2 Redis', 'db/r', f('redisFinalizer'))],
    'redis/r -n db',
    'open',
  ),
  // Learning
  one(
    'KubeRay: a RayCluster makes a Job for its Redis, which a namespace that goes refuses',
    [
      ...ns('ml'),
      runs('ray/kuberay-operator'),
      made('ray.io/v1 RayCluster', 'ml/r', f('ray.io/gcs-ft-redis-cleanup-finalizer')),
    ],
    'ns/ml',
    'open',
    /makes pods in its namespace/,
  ),
  one(
    'KubeRay: the RayCluster alone',
    [
      ...ns('ml'),
      runs('ray/kuberay-operator'),
      made('ray.io/v1 RayCluster', 'ml/r', f('ray.io/gcs-ft-redis-cleanup-finalizer')),
    ],
    'raycluster/r -n ml',
    'goes',
  ),
  one(
    'KServe: it deletes what serves the models (`deleteExternalResources`)',
    [
      runs('kserve/kserve-controller-manager'),
      made('serving.kserve.io/v1beta1 InferenceService', 'ml/i', f('inferenceservice.finalizers')),
    ],
    'inferenceservice/i -n ml',
    'goes',
  ),
  one(
    'Kueue: a ClusterQueue with an admitted Workload',
    [
      runs('kueue-system/kueue-controller-manager'),
      made('kueue.x-k8s.io/v1beta1 ClusterQueue', 'q', f('kueue.x-k8s.io/resource-in-use')),
      made('kueue.x-k8s.io/v1beta1 Workload', 'ml/w', {
        status: { admission: { clusterQueue: 'q' } },
      }),
    ],
    'clusterqueue/q',
    'open',
  ),
  one(
    'Kubeflow: a Profile owns its namespace',
    [
      runs('kubeflow/profiles-deployment'),
      made('kubeflow.org/v1 Profile', 'ann', f('profile-finalizer')),
      made('v1 Namespace', 'ann', { owners: [owner('kubeflow.org/v1 Profile', 'ann')] }),
      made('v1 ConfigMap', 'ann/kube-root-ca.crt'),
      made('v1 ServiceAccount', 'ann/default'),
    ],
    'profile/ann',
    'goes',
  ),
  one(
    'Kubeflow: the namespace of a Profile comes back',
    [
      runs('kubeflow/profiles-deployment'),
      made('kubeflow.org/v1 Profile', 'ann', f('profile-finalizer')),
      made('v1 Namespace', 'ann', { owners: [owner('kubeflow.org/v1 Profile', 'ann')] }),
      made('v1 ConfigMap', 'ann/kube-root-ca.crt'),
      made('v1 ServiceAccount', 'ann/default'),
    ],
    'ns/ann',
    'goes',
    /Profile\S+ stays, and its controller may make Namespace\/ann anew/,
  ),
  // Networks
  one(
    'AWS Load Balancer Controller: down',
    [
      runs('kube-system/aws-load-balancer-controller', {}, 0),
      made('networking.k8s.io/v1 Ingress', 'web/i', f('ingress.k8s.aws/resources')),
    ],
    'ing/i -n web',
    'open',
  ),
  one(
    'AWS Load Balancer Controller: a group of Ingresses',
    [
      runs('kube-system/aws-load-balancer-controller'),
      made('networking.k8s.io/v1 Ingress', 'web/i', f('group.ingress.k8s.aws/shared')),
    ],
    'ing/i -n web',
    'goes',
  ),
  one(
    'Envoy Gateway: its GatewayClass with a Gateway',
    [
      runs('envoy-gateway-system/envoy-gateway'),
      made(
        'gateway.networking.k8s.io/v1 GatewayClass',
        'eg',
        f('gateway-exists-finalizer.gateway.networking.k8s.io'),
      ),
      made('gateway.networking.k8s.io/v1 Gateway', 'web/g', { spec: { gatewayClassName: 'eg' } }),
    ],
    'gatewayclass/eg',
    'open',
  ),
  one(
    'ServiceLB of k3s: a finalizer of which no table knows',
    [
      made('v1 Service', 'web/lb', {
        ...f('svccontroller.k3s.cattle.io/daemonset'),
        spec: { type: 'LoadBalancer' },
      }),
    ],
    'svc/lb -n web',
    'open',
  ),
  one(
    'MetalLB: an IPAddressPool has no finalizer',
    [made('metallb.io/v1beta1 IPAddressPool', 'metallb-system/p')],
    'ipaddresspool/p -n metallb-system',
    'goes',
  ),
  one(
    'Multus: a NetworkAttachmentDefinition has no finalizer',
    [made('k8s.cni.cncf.io/v1 NetworkAttachmentDefinition', 'web/n')],
    'net-attach-def/n -n web',
    'goes',
  ),
  one(
    'Calico: the Installation while its operator is gone',
    [made('operator.tigera.io/v1 Installation', 'default', f('tigera.io/operator-cleanup'))],
    'installation/default',
    'open',
  ),
  one(
    'Istio: IstioOperator while its operator is scaled to 0',
    [
      runs('istio-operator/istio-operator', {}, 0),
      made(
        'install.istio.io/v1alpha1 IstioOperator',
        'istio-system/i',
        f('istio-finalizer.install.istio.io'),
      ),
    ],
    'istiooperator/i -n istio-system',
    'open',
  ),
  one(
    'Cilium: a CiliumNetworkPolicy has no finalizer',
    [made('cilium.io/v2 CiliumNetworkPolicy', 'web/c')],
    'cnp/c -n web',
    'goes',
  ),
  // Storage
  one(
    'Longhorn: its volumes without a manager',
    [made('longhorn.io/v1beta2 Volume', 'longhorn-system/v', f('longhorn.io'))],
    'volumes.longhorn.io/v -n longhorn-system',
    'open',
  ),
  one(
    'Longhorn: a Backup goes with what is stored (`handleBackupDeletionInBackupStore`)',
    [
      made('apps/v1 DaemonSet', 'longhorn-system/longhorn-manager', { status: { numberReady: 3 } }),
      made('longhorn.io/v1beta2 Backup', 'longhorn-system/b', f('longhorn.io')),
    ],
    'backups.longhorn.io/b -n longhorn-system',
    'goes',
    /the stored backup behind Backup\S+ is deleted as well/,
  ),
  one(
    'Longhorn: the namespace with manager and volumes',
    [
      ...ns('longhorn-system'),
      made('apps/v1 DaemonSet', 'longhorn-system/longhorn-manager', { status: { numberReady: 3 } }),
      made('longhorn.io/v1beta2 Volume', 'longhorn-system/v', f('longhorn.io')),
    ],
    'ns/longhorn-system',
    'open',
    /may be deleted first.*deleting-confirmation-flag/,
  ),
  one(
    'Velero: a Restore with its operator',
    [
      runs('velero/velero'),
      made(
        'velero.io/v1 Restore',
        'velero/r',
        f('restores.velero.io/external-resources-finalizer'),
      ),
    ],
    'restore/r -n velero',
    'goes',
  ),
  one(
    'Velero: the namespace with the operator and a Restore',
    [
      ...ns('velero'),
      runs('velero/velero'),
      made(
        'velero.io/v1 Restore',
        'velero/r',
        f('restores.velero.io/external-resources-finalizer'),
      ),
    ],
    'ns/velero',
    'open',
    /may be deleted first/,
  ),
  one(
    'OpenEBS: an LVM volume without an agent',
    [made('local.openebs.io/v1alpha1 LVMVolume', 'openebs/v', f('lvm.openebs.io/finalizer'))],
    'lvmvolume/v -n openebs',
    'open',
  ),
  one(
    'Rook: a CephCluster with a pool',
    [
      runs('rook-ceph/rook-ceph-operator'),
      made('ceph.rook.io/v1 CephCluster', 'rook-ceph/c', f('cephcluster.ceph.rook.io')),
      made('ceph.rook.io/v1 CephBlockPool', 'rook-ceph/p', f('cephblockpool.ceph.rook.io')),
    ],
    'cephcluster/c -n rook-ceph',
    'open',
  ),
  one(
    'Rook 1.7: a CephObjectStore waits while it has buckets, which no dump shows',
    [
      runs('rook-ceph/rook-ceph-operator'),
      made('ceph.rook.io/v1 CephObjectStore', 'rook-ceph/s', f('cephobjectstore.ceph.rook.io')),
    ],
    'cephobjectstore/s -n rook-ceph',
    'open',
    /bucket/,
  ),
  one(
    'Portworx: the namespace with its operator',
    [
      ...ns('portworx'),
      runs('portworx/portworx-operator'),
      made(
        'core.libopenstorage.org/v1 StorageCluster',
        'portworx/s',
        f('operator.libopenstorage.org/delete'),
      ),
    ],
    'ns/portworx',
    'open',
  ),
  // GitOps
  one(
    'Fleet: the Bundle while its controller is gone',
    [
      made(
        'fleet.cattle.io/v1alpha1 Bundle',
        'fleet-local/b',
        f('fleet.cattle.io/bundle-finalizer'),
      ),
    ],
    'bundle/b -n fleet-local',
    'open',
  ),
  one(
    'Rancher: a namespace of a cluster without the Rancher server',
    [
      made('v1 Namespace', 'p', f('controller.cattle.io/namespace-auth')),
      made('v1 ConfigMap', 'p/kube-root-ca.crt'),
      made('v1 ServiceAccount', 'p/default'),
      runs('cattle-system/cattle-cluster-agent'),
    ],
    'ns/p',
    'open',
    /Rancher/,
  ),
  one(
    'Rancher: with the Rancher server',
    [
      made('v1 Namespace', 'p', f('controller.cattle.io/namespace-auth')),
      made('v1 ConfigMap', 'p/kube-root-ca.crt'),
      made('v1 ServiceAccount', 'p/default'),
      runs('cattle-system/rancher'),
    ],
    'ns/p',
    'goes',
  ),
  one(
    'Argo Workflows: artifacts are deleted by pods of the namespace',
    [
      ...ns('ci'),
      runs('argo/workflow-controller'),
      made('argoproj.io/v1alpha1 Workflow', 'ci/w', f('workflows.argoproj.io/artifact-gc')),
    ],
    'ns/ci',
    'open',
    /makes pods in its namespace/,
  ),
  one(
    'Argo Workflows: the Workflow alone',
    [
      ...ns('ci'),
      runs('argo/workflow-controller'),
      made('argoproj.io/v1alpha1 Workflow', 'ci/w', f('workflows.argoproj.io/artifact-gc')),
    ],
    'workflow/w -n ci',
    'goes',
  ),
  // Virtual machines
  one(
    'KubeVirt: virt-controller has no ready pod',
    [
      runs('kubevirt/virt-controller', {}, 0),
      made(
        'kubevirt.io/v1 VirtualMachine',
        'vm/v',
        f('kubevirt.io/virtualMachineControllerFinalize'),
      ),
    ],
    'vm/v -n vm',
    'open',
  ),
  one(
    'KubeVirt: the VirtualMachineInstance comes back while its machine is there',
    [
      made('kubevirt.io/v1 VirtualMachine', 'vm/v'),
      made('kubevirt.io/v1 VirtualMachineInstance', 'vm/v', {
        owners: [owner('kubevirt.io/v1 VirtualMachine', 'vm/v')],
      }),
    ],
    'vmi/v -n vm',
    'goes',
    /VirtualMachine\S+ stays, and its controller may make VirtualMachineInstance/,
  ),
  one(
    'CDI: its operator is gone',
    [made('cdi.kubevirt.io/v1beta1 CDI', 'cdi', f('operator.cdi.kubevirt.io'))],
    'cdi/cdi',
    'open',
  ),
  // Serving and scaling
  one(
    'CDI: it can be told to block its uninstallation (`DeletionAdmitter`)',
    [
      runs('cdi/cdi-operator'),
      made('cdi.kubevirt.io/v1beta1 CDI', 'cdi', {
        ...f('operator.cdi.kubevirt.io'),
        spec: { uninstallStrategy: 'BlockUninstallIfWorkloadsExist' },
      }),
    ],
    'cdi/cdi',
    'open',
    /^CDI\S+ goes if admission lets it through \(the webhook of CDI\S+ is asked: uninstallStrategy/,
  ),
  one(
    'Knative: the controller of Serving is not there',
    [made('serving.knative.dev/v1 Route', 'web/r', f('routes.serving.knative.dev'))],
    'routes.serving.knative.dev/r -n web',
    'open',
    // As kubectl prints it with -A: `knative-serving   deployment.apps/controller`.
    /grep -E 'knative-serving \.\*controller\|domain-mapping'/,
  ),
  one(
    'Karpenter: a NodeClaim, and Karpenter with 0 replicas',
    [
      runs('kube-system/karpenter', {}, 0),
      made('karpenter.sh/v1 NodeClaim', 'n', f('karpenter.sh/termination')),
    ],
    'nodeclaim/n',
    'open',
  ),
  one(
    'Karpenter: an EC2NodeClass with a NodeClaim',
    [
      runs('kube-system/karpenter'),
      made('karpenter.k8s.aws/v1 EC2NodeClass', 'd', f('karpenter.k8s.aws/termination')),
      made('karpenter.sh/v1 NodeClaim', 'n', { spec: { nodeClassRef: { name: 'd' } } }),
    ],
    'ec2nodeclass/d',
    'open',
  ),
  one(
    'GitHub: a runner set without its controller',
    [
      made(
        'actions.github.com/v1alpha1 AutoscalingRunnerSet',
        'ci/a',
        f('autoscalingrunnerset.actions.github.com/finalizer'),
      ),
    ],
    'autoscalingrunnerset/a -n ci',
    'open',
  ),
  one(
    'Tekton Chains: a run that is not signed while Chains is gone',
    [made('tekton.dev/v1 TaskRun', 'ci/t', f('chains.tekton.dev'))],
    'taskrun/t -n ci',
    'open',
  ),
  // The controller options of both names, and `removeFinalizerViaMergePatch`.
  one(
    'Tekton Chains: a version may know the old name of its finalizer no more',
    [
      made('tekton.dev/v1 TaskRun', 'ci/t', f('chains.tekton.dev')),
      runs('tekton-chains/tekton-chains-controller'),
    ],
    'taskrun/t -n ci',
    'open',
    /only some versions remove it/,
  ),
  one(
    'Tekton Chains: each version removes the name that it sets',
    [
      made('tekton.dev/v1 TaskRun', 'ci/t', f('chains.tekton.dev/taskrun')),
      runs('tekton-chains/tekton-chains-controller'),
    ],
    'taskrun/t -n ci',
    'goes',
  ),
  // Secrets and policies
  one(
    'cert-manager: a Challenge whose issuer goes with its namespace',
    [
      ...ns('web'),
      runs('cert-manager/cert-manager'),
      made('cert-manager.io/v1 Issuer', 'web/le'),
      made('acme.cert-manager.io/v1 Challenge', 'web/c', {
        ...f('acme.cert-manager.io/finalizer'),
        spec: { issuerRef: { kind: 'Issuer', name: 'le' } },
      }),
    ],
    'ns/web',
    'open',
    /Issuer\S+\/le\.web/,
  ),
  one(
    'cert-manager: a Challenge whose ClusterIssuer stays',
    [
      ...ns('web'),
      runs('cert-manager/cert-manager'),
      made('cert-manager.io/v1 ClusterIssuer', 'le'),
      made('acme.cert-manager.io/v1 Challenge', 'web/c', {
        ...f('acme.cert-manager.io/finalizer'),
        spec: { issuerRef: { kind: 'ClusterIssuer', name: 'le' } },
      }),
    ],
    'ns/web',
    'goes',
  ),
  one(
    'Sealed Secrets: the Secret comes back',
    [
      made('bitnami.com/v1alpha1 SealedSecret', 'web/s'),
      made('v1 Secret', 'web/s', { owners: [owner('bitnami.com/v1alpha1 SealedSecret', 'web/s')] }),
    ],
    'secret/s -n web',
    'goes',
    /SealedSecret\S+ stays, and its controller may make Secret\/s\.web anew/,
  ),
  one(
    'Gatekeeper: a template while its controller is gone',
    [
      made(
        'templates.gatekeeper.sh/v1 ConstraintTemplate',
        't',
        f('constrainttemplate.finalizers.gatekeeper.sh'),
      ),
    ],
    'constrainttemplate/t',
    'open',
  ),
  // OLM and OpenShift
  one(
    'OLM: an Operator comes back while something has its label',
    [
      runs('olm/olm-operator'),
      made('operators.coreos.com/v1 Operator', 'etcd.ops'),
      made('operators.coreos.com/v1alpha1 Subscription', 'ops/etcd', {
        labels: { 'operators.coreos.com/etcd.ops': '' },
      }),
    ],
    'operators.operators.coreos.com/etcd.ops',
    'goes',
    /OLM makes Operator\S+ anew/,
  ),
  one(
    'OLM: with the Subscription alone, its version stays',
    [
      runs('olm/olm-operator'),
      made('operators.coreos.com/v1alpha1 Subscription', 'ops/etcd'),
      made('operators.coreos.com/v1alpha1 ClusterServiceVersion', 'ops/etcd.v1'),
    ],
    'subscription/etcd -n ops',
    'goes',
    /OLM leaves the ClusterServiceVersion, and so the operator/,
  ),
  one(
    'OLM: an OperatorCondition comes back while its version is there',
    [
      made('operators.coreos.com/v1alpha1 ClusterServiceVersion', 'ops/etcd.v1'),
      made('operators.coreos.com/v2 OperatorCondition', 'ops/etcd.v1', {
        owners: [owner('operators.coreos.com/v1alpha1 ClusterServiceVersion', 'ops/etcd.v1')],
      }),
    ],
    'operatorcondition/etcd.v1 -n ops',
    'goes',
    /may make OperatorCondition/,
  ),
  one(
    'OpenShift: a ClusterOperator comes back',
    [made('config.openshift.io/v1 ClusterOperator', 'dns')],
    'clusteroperator/dns',
    'goes',
    /makes ClusterOperator\S+ anew/,
  ),
  one(
    'OpenShift: a rendered MachineConfig of a pool comes back',
    [
      made('machineconfiguration.openshift.io/v1 MachineConfigPool', 'worker'),
      made('machineconfiguration.openshift.io/v1 MachineConfig', 'rendered-worker-1', {
        owners: [owner('machineconfiguration.openshift.io/v1 MachineConfigPool', 'worker')],
      }),
    ],
    'machineconfig/rendered-worker-1',
    'goes',
    /may make MachineConfig/,
  ),
  one(
    'OpenShift: a Route has no finalizer',
    [made('route.openshift.io/v1 Route', 'web/r')],
    'route/r -n web',
    'goes',
  ),
  // Definitions first, operator first
  one(
    'definitions first: Kubernetes deletes the instances while the operator runs',
    [
      runs('keda/keda-operator'),
      crd('scaledobjects.keda.sh', 'ScaledObject'),
      made('keda.sh/v1 ScaledObject', 'web/s', f('finalizer.keda.sh')),
    ],
    'crd/scaledobjects.keda.sh',
    'goes',
  ),
  one(
    'the operator with its definitions: nobody is left',
    [
      runs('keda/keda-operator'),
      crd('scaledobjects.keda.sh', 'ScaledObject'),
      made('keda.sh/v1 ScaledObject', 'web/s', f('finalizer.keda.sh')),
    ],
    'deploy/keda-operator crd/scaledobjects.keda.sh -n keda',
    'open',
  ),
  one(
    'k3s: its Helm controller is in the server, and no workload (on-helm-chart-remove)',
    [
      runs('flux-system/helm-controller'),
      made('helm.cattle.io/v1 HelmChart', 'kube-system/traefik', {
        finalizers: ['wrangler.cattle.io/on-helm-chart-remove'],
      }),
    ],
    'helmchart/traefik -n kube-system',
    'open',
    /the server of k3s or RKE2 removes it, and is no workload.*kubectl get nodes -o wide/,
  ),
  one(
    "an operator of one's own, by its name: what stays can no longer be deleted",
    [
      runs('op/widget-operator'),
      runs('op/web'),
      made('acme.io/v1 Widget', 'shop/w', f('acme.io/teardown')),
    ],
    'deploy/widget-operator -n op',
    'open',
    /widget-operator\.op may run the owner of acme\.io\/teardown: without it/,
  ),
  one(
    'kubebuilder names the manager after the project: PROJECT-controller-manager (namePrefix)',
    [
      runs('acme-system/acme-controller-manager'),
      made('shop.acme.io/v1 Widget', 'shop/w', f('teardown.shop.acme.io/w')),
    ],
    'deploy/acme-controller-manager -n acme-system',
    'open',
    /acme-controller-manager\.acme-system may run the owner of teardown\S+: without it/,
  ),
  one(
    'Strimzi: its operator is the strimzi-cluster-operator, whatever kind it is',
    [
      runs('mq/strimzi-cluster-operator'),
      made('kafka.strimzi.io/v1 KafkaBridge', 'mq/b', f('acme.io/teardown')),
    ],
    'deploy/strimzi-cluster-operator -n mq',
    'open',
    /strimzi-cluster-operator\.mq may run the owner of acme\.io\/teardown: without it/,
  ),
  one(
    'one with 0 replicas, or one that watches another namespace, takes no finalizer off',
    [
      ...[runs('shop/acme-operator'), runs('b/acme-operator', WATCHING_B)],
      made('apps/v1 Deployment', 'a/acme-operator', { spec: { replicas: 0 } }),
      made('acme.io/v1 Widget', 'shop/w', f('acme.io/teardown')),
    ],
    'deploy/acme-operator -n shop',
    'open',
    /acme-operator\.shop may run the owner of acme\.io\/teardown: without it/,
  ),
  one(
    'kubebuilder: without a prefix, the namespace has the name of the project',
    [
      runs('acme-system/controller-manager'),
      made('acme.io/v1 Widget', 'shop/w', f('acme.io/teardown')),
    ],
    'deploy/controller-manager -n acme-system',
    'open',
    /controller-manager\.acme-system may run the owner of acme\.io\/teardown: without it/,
  ),
  one(
    'one that no name fits, in a namespace for an operator: the first sentence says what it leaves',
    [...BRAIN, made('acme.io/v1 Widget', 'shop/w', f('example.com/teardown'))],
    'sts/brain -n op-system',
    'goes',
    /brain\.op-system goes; [^;]+; afterwards, the deletion of Widget\S+w\.shop may hang\./,
  ),
  one(
    'of a deletion that has begun, it is not certain that nothing hangs',
    [
      ...BRAIN,
      made('acme.io/v1 Widget', 'shop/v', f('example.com/teardown')),
      made('acme.io/v1 Widget', 'shop/w', { leaving: true, ...f('example.com/teardown') }),
    ],
    'sts/brain -n op-system',
    'open',
    /the deletion of Widget\S+w\.shop, Widget\S+v\.shop may hang\./,
  ),
  one(
    'and another one that stays may be the operator as well',
    [
      ...BRAIN,
      runs('tools/acme-controller'),
      made('shop.io/v1 Widget', 'shop/w', f('example.com/teardown')),
    ],
    'sts/brain -n op-system',
    'goes',
    /^(?!.*afterwards)/s,
  ),
  one(
    'its pods run on if they are left',
    [...BRAIN, made('acme.io/v1 Widget', 'shop/w', f('example.com/teardown'))],
    'sts/brain -n op-system --cascade orphan',
    'goes',
    /^(?!.*(afterwards|may run))/s,
  ),
  one(
    'an operator with a name of its own: the Helm release with the definition of the kind has it',
    [
      ofRelease('apps/v1 Deployment', 'op/brain', {
        spec: { replicas: 1 },
        status: { readyReplicas: 1 },
      }),
      ofRelease('apiextensions.k8s.io/v1 CustomResourceDefinition', 'widgets.acme.io', {
        spec: { group: 'acme.io', names: { kind: 'Widget', plural: 'widgets' } },
      }),
      made('acme.io/v1 Widget', 'shop/w', f('acme.io/teardown')),
    ],
    'deploy/brain -n op',
    'open',
    /Deployment\S+\/brain\.op may run the owner of acme\.io\/teardown: without it/,
  ),
  one(
    'and if the release has another workload, which may be the operator or not',
    [
      ...['op/brain', 'op/ui'].map((name) =>
        ofRelease('apps/v1 Deployment', name, {
          ...{ spec: { replicas: 1 }, status: { readyReplicas: 1 } },
        }),
      ),
      ofRelease('apiextensions.k8s.io/v1 CustomResourceDefinition', 'widgets.acme.io', {
        spec: { group: 'acme.io', names: { kind: 'Widget', plural: 'widgets' } },
      }),
      made('acme.io/v1 Widget', 'shop/w', f('acme.io/teardown')),
    ],
    'deploy/brain -n op',
    'open',
    /Deployment\S+\/brain\.op may run the owner of acme\.io\/teardown: without it/,
  ),
  one(
    'an operator of a project that is known, by a word of its name: it operates other kinds',
    [
      runs('argo/workflow-controller'),
      made('acme.io/v1 Workflow', 'shop/w', f('acme.io/teardown')),
    ],
    'deploy/workflow-controller -n argo',
    'open',
    /^(?!.*may run)/s,
  ),
  one(
    'the operator first: what stays can no longer be deleted',
    [
      runs('longhorn-system/longhorn-manager'),
      made('longhorn.io/v1beta2 Volume', 'longhorn-system/v', f('longhorn.io')),
    ],
    'deploy/longhorn-manager -n longhorn-system',
    'open',
    /without it, the deletion of Volume/,
  ),
  // Open Cluster Management
  one(
    'OCM: an AppliedManifestWork while the agent is gone',
    [
      made(
        'work.open-cluster-management.io/v1 AppliedManifestWork',
        'h-w',
        f('cluster.open-cluster-management.io/applied-manifest-work-cleanup'),
      ),
    ],
    'appliedmanifestwork/h-w',
    'open',
  ),
  one(
    'OCM: the namespace of the klusterlet agent comes back with its Klusterlet',
    [
      ...ns('open-cluster-management-agent'),
      runs('open-cluster-management/klusterlet'),
      made(
        'operator.open-cluster-management.io/v1 Klusterlet',
        'klusterlet',
        f('operator.open-cluster-management.io/klusterlet-cleanup'),
      ),
      runs('open-cluster-management-agent/klusterlet-agent'),
    ],
    'ns/open-cluster-management-agent',
    'open',
    /Klusterlet\S+ stays, and Open Cluster Management makes Namespace\/open-cluster-management-agent anew/,
  ),
  one(
    'OCM: the Klusterlet needs its operator',
    [
      runs('open-cluster-management/klusterlet', {}, 0),
      made(
        'operator.open-cluster-management.io/v1 Klusterlet',
        'klusterlet',
        f('operator.open-cluster-management.io/klusterlet-cleanup'),
      ),
    ],
    'klusterlet/klusterlet',
    'open',
  ),
  one(
    'KubeVirt: virt-controller leaves the instance while it sees the finalizer orphan (sync)',
    [
      runs('kubevirt/virt-controller'),
      made(
        'kubevirt.io/v1 VirtualMachine',
        'vm/v',
        f('kubevirt.io/virtualMachineControllerFinalize'),
      ),
      made('kubevirt.io/v1 VirtualMachineInstance', 'vm/v', {
        owners: [owner('kubevirt.io/v1 VirtualMachine', 'vm/v')],
      }),
    ],
    'virtualmachine.kubevirt.io/v -n vm --cascade orphan',
    'open',
    /goes VirtualMachine\.kubevirt\.io\/v\.vm .*virt-controller leaves what VirtualMachine\S+ owns as long/,
  ),
  one(
    'KubeVirt: its operator deletes its definitions first, and so all virtual machines',
    [
      runs('kubevirt/virt-operator'),
      runs('kubevirt/virt-controller'),
      made('kubevirt.io/v1 KubeVirt', 'kubevirt/kubevirt', f('foregroundDeleteKubeVirt')),
      made(
        'kubevirt.io/v1 VirtualMachine',
        'vm/v',
        f('kubevirt.io/virtualMachineControllerFinalize'),
      ),
      made('instancetype.kubevirt.io/v1beta1 VirtualMachineInstancetype', 'vm/small'),
    ],
    'kubevirt/kubevirt -n kubevirt',
    'open',
    /depends VirtualMachine\.kubevirt\.io\/v\.vm .*deletes its definitions with KubeVirt\S+, and so all/,
  ),
  one(
    'KubeVirt: what goes with it, if the dump has no instance',
    [
      runs('kubevirt/virt-operator'),
      made('kubevirt.io/v1 KubeVirt', 'kubevirt/kubevirt', f('foregroundDeleteKubeVirt')),
    ],
    'kubevirt/kubevirt -n kubevirt',
    'open',
    /kubectl get virtualmachines\.kubevirt\.io -A/,
  ),
  one(
    'OCM: the ClusterManager takes the definitions of the hub along',
    [
      runs('open-cluster-management/cluster-manager'),
      made(
        'operator.open-cluster-management.io/v1 ClusterManager',
        'cm',
        f('operator.open-cluster-management.io/cluster-manager-cleanup'),
      ),
      made('cluster.open-cluster-management.io/v1 ManagedCluster', 'one'),
    ],
    'clustermanager/cm',
    'open',
    /depends ManagedCluster/,
  ),
  one(
    'Calico: older operators hold what is being deleted while the Installation stays',
    [
      ...ns('calico-system'),
      runs('tigera-operator/tigera-operator'),
      made('operator.tigera.io/v1 Installation', 'default'),
      made('v1 ServiceAccount', 'calico-system/calico-node', f('tigera.io/cni-protector')),
    ],
    'ns/calico-system',
    'open',
    /Installation\S+ stays/,
  ),
  one(
    'OLM: versions fail without an OperatorGroup',
    [
      made('operators.coreos.com/v1 OperatorGroup', 'ops/og'),
      made('operators.coreos.com/v1alpha1 ClusterServiceVersion', 'ops/a.v1', {
        annotations: { 'olm.operatorGroup': 'og' },
      }),
    ],
    'operatorgroup/og -n ops',
    'goes',
    /ClusterServiceVersion\S+ stays and names OperatorGroup/,
  ),
  one(
    'Percona: the claims of pods whose StatefulSet has no templates',
    [
      runs('db/percona-xtradb-cluster-operator'),
      made('pxc.percona.com/v1 PerconaXtraDBCluster', 'db/c', f('percona.com/delete-pxc-pvc')),
      made('apps/v1 StatefulSet', 'db/c-pxc', {
        owners: [owner('pxc.percona.com/v1 PerconaXtraDBCluster', 'db/c')],
        spec: { replicas: 1 },
      }),
      made('v1 Pod', 'db/c-pxc-0', {
        owners: [owner('apps/v1 StatefulSet', 'db/c-pxc')],
        spec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] },
      }),
      made('v1 PersistentVolumeClaim', 'db/data', f('kubernetes.io/pvc-protection')),
    ],
    'perconaxtradbcluster/c -n db',
    'open',
    /depends PersistentVolumeClaim\/data\.db/,
  ),
  one(
    'the addon manager makes what has its label',
    [
      made('v1 ConfigMap', 'kube-system/dns', {
        labels: { 'addonmanager.kubernetes.io/mode': 'EnsureExists' },
      }),
    ],
    'cm/dns -n kube-system',
    'goes',
    /the addon manager, if it runs, makes ConfigMap\/dns\.kube-system anew/,
  ),
  one(
    'k3s applies what an Addon has',
    [
      made('k3s.cattle.io/v1 Addon', 'kube-system/dns'),
      made('v1 ConfigMap', 'kube-system/dns', {
        annotations: {
          'objectset.rio.cattle.io/owner-name': 'dns',
          'objectset.rio.cattle.io/owner-namespace': 'kube-system',
        },
      }),
    ],
    'cm/dns -n kube-system',
    'goes',
    /Addon\S+ stays, and k3s, when it starts or .* applies ConfigMap/,
  ),
  one(
    'Kubernetes: a binding stays without its policy',
    [
      made('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy', 'p'),
      made('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding', 'b', {
        spec: { policyName: 'p' },
      }),
    ],
    'validatingadmissionpolicy/p',
    'goes',
    /ValidatingAdmissionPolicyBinding\S+ stays and names \S+: it refuses nothing without it/,
  ),
  one(
    'Kubernetes: a namespace reports contents that cannot be deleted',
    [
      made('v1 Namespace', 'old', {
        leaving: true,
        spec: { finalizers: ['kubernetes'] },
        status: {
          conditions: [
            { type: 'NamespaceDeletionContentFailure', status: 'True', message: 'no' },
            {
              ...{ type: 'NamespaceContentRemaining', status: 'True' },
              message: 'Some resources are remaining: pods. has 1 resource instances',
            },
          ],
        },
      }),
    ],
    'explain ns/old',
    'open',
    /Unknown Namespace\/old reports that some of its contents.* reports 1 of pods, and the dump has 0/,
  ),
  one(
    'KubeVirt: virt-controller is not the owner of the finalizer of a HyperConverged',
    [
      runs('kv/virt-controller'),
      made('hco.kubevirt.io/v1beta1 HyperConverged', 'kv/h', f('kubevirt.io/hyperconverged')),
    ],
    'hyperconverged/h -n kv',
    'open',
    /no workload in the dump runs the operator of HyperConverged/,
  ),
  one(
    'KubeVirt: a HyperConverged waits for its KubeVirt, and that for all virtual machines',
    [
      ...[runs('kv/hco-operator'), runs('kv/virt-operator')],
      made('hco.kubevirt.io/v1beta1 HyperConverged', 'kv/h', f('kubevirt.io/hyperconverged')),
      made('kubevirt.io/v1 KubeVirt', 'kv/k', {
        ...f('foregroundDeleteKubeVirt'),
        owners: [owner('hco.kubevirt.io/v1beta1 HyperConverged', 'kv/h')],
      }),
      made('kubevirt.io/v1 VirtualMachine', 'shop/vm', f('kubevirt.io/virtualMachine')),
    ],
    'hyperconverged/h -n kv',
    'open',
    /^HyperConverged\S+ goes or stays: hangs if VirtualMachine/,
  ),
  one(
    'KubeVirt: a HyperConverged deletes its KubeVirt by name, without an owner reference',
    [
      ...[runs('kv/hco-operator'), runs('kv/virt-operator')],
      made('hco.kubevirt.io/v1beta1 HyperConverged', 'kv/h', f('kubevirt.io/hyperconverged')),
      made('kubevirt.io/v1 KubeVirt', 'kv/k', f('foregroundDeleteKubeVirt')),
      made('kubevirt.io/v1 VirtualMachine', 'shop/vm', f('kubevirt.io/virtualMachine')),
    ],
    'hyperconverged/h -n kv',
    'open',
    /^HyperConverged\S+ goes or stays: hangs if KubeVirt.*, which the operator of Hyper/,
  ),
  one(
    'Istio, OpenShift: what is made in each namespace',
    [
      ...['istio-ca-root-cert', 'openshift-service-ca.crt'].map((name) =>
        made('v1 ConfigMap', `shop/${name}`),
      ),
      made('v1 ServiceAccount', 'shop/builder'),
    ],
    'cm,sa --all -n shop',
    'goes',
    /istiod, if it runs, makes ConfigMap.* OpenShift makes ConfigMap.* OpenShift, if this is one, makes Serv/,
  ),
  one(
    'KEDA: a ScaledObject scales a Deployment unless it says another kind',
    [
      made('apps/v1 Deployment', 'shop/web', { spec: { replicas: 0 } }),
      made('keda.sh/v1alpha1 ScaledObject', 'shop/web', {
        spec: { scaleTargetRef: { name: 'web' } },
      }),
    ],
    'deploy/web -n shop',
    'goes',
    /ScaledObject\S+ stays and names Deployment\S+: it has nothing to scale/,
  ),
  one(
    'Helm: a dump without an instance does not say that the definition of a release has none',
    [
      made('apiextensions.k8s.io/v1 CustomResourceDefinition', 'widgets.acme.io', {
        annotations: { 'meta.helm.sh/release-name': 'op', 'meta.helm.sh/release-namespace': 'a' },
        finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
        spec: {
          ...{ group: 'acme.io', scope: 'Namespaced', versions: [{ name: 'v1' }] },
          names: { kind: 'Widget', plural: 'widgets' },
        },
      }),
    ],
    'uninstall --release op',
    'open',
    /No order .* Settle it with: kubectl get widgets\.acme\.io -A/,
  ),
  one(
    'Kyverno: its webhooks come back',
    [
      runs('kyverno/kyverno-admission-controller'),
      made('admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration', 'k', {
        labels: { 'webhook.kyverno.io/managed-by': 'kyverno' },
        webhooks: [],
      }),
    ],
    'validatingwebhookconfiguration/k',
    'goes',
    /kyverno-admission-controller\.kyverno stays, and may make/,
  ),
  one(
    'Cluster API: the infrastructure that a Machine names is in no dump (`reconcileDelete`)',
    [runs('capi/capi-controller-manager'), ON_AWS],
    'machine/m -n fleet',
    'open',
  ),
  one(
    'Cluster API: others of its kind are in the dump, so it is gone',
    [
      runs('capi/capi-controller-manager'),
      made('infrastructure.cluster.x-k8s.io/v1beta2 AWSMachine', 'fleet/other'),
      ON_AWS,
    ],
    'machine/m -n fleet',
    'goes',
  ),
  one(
    'Cluster API: so is the control plane of a Cluster',
    [
      runs('capi/capi-controller-manager'),
      made('cluster.x-k8s.io/v1beta1 Cluster', 'fleet/c', {
        ...f('cluster.cluster.x-k8s.io'),
        spec: { controlPlaneRef: { kind: 'KubeadmControlPlane', name: 'c' } },
      }),
    ],
    'cluster/c -n fleet',
    'open',
  ),
  one(
    'Agones: its controller removes the finalizer of a game server once its pod is gone',
    [
      runs('agones-system/agones-controller'),
      made('agones.dev/v1 GameServer', 'shop/g', f('agones.dev/controller')),
    ],
    'gameserver/g -n shop',
    'goes',
  ),
  one(
    'MariaDB: the operator drops the database',
    [
      runs('db/mariadb-operator'),
      made('k8s.mariadb.com/v1alpha1 Database', 'db/d', f('database.k8s.mariadb.com/finalizer')),
    ],
    'database/d -n db',
    'goes',
  ),
  one(
    'the attacher reports that it cannot detach (VolumeAttachmentStatus.DetachError)',
    [runs('kube-system/ebs-csi-controller'), DETACHING],
    'explain volumeattachment/csi-1',
    'open',
    /reports status\.detachError: the external attacher of the CSI driver may fail/,
  ),
  one(
    'Percona: the finalizer of a backup deletes what is stored',
    [
      runs('db/percona-server-mongodb-operator'),
      made(
        'psmdb.percona.com/v1 PerconaServerMongoDBBackup',
        'db/b',
        f('percona.com/delete-backup'),
      ),
    ],
    'perconaservermongodbbackup/b -n db',
    'goes',
    /the stored backup behind \S+ is deleted as well/,
  ),
  one(
    'Percona: it reads the Secret of the store',
    [
      runs('operators/percona-xtradb-cluster-operator'),
      made('v1 Secret', 'db/s3'),
      made('pxc.percona.com/v1 PerconaXtraDBClusterBackup', 'db/b', {
        ...f('delete-s3-backup'),
        status: { s3: { bucket: 'b', credentialsSecret: 's3' } },
      }),
    ],
    'perconaxtradbclusterbackup/b secret/s3 -n db',
    'open',
    /reads Secret\/s3\.db, which may go first,/,
  ),
  one(
    'Argo Workflows: the artifacts go with their workflow',
    [
      runs('ci/workflow-controller'),
      made('argoproj.io/v1alpha1 Workflow', 'ci/w', f('workflows.argoproj.io/artifact-gc')),
    ],
    'workflow/w -n ci',
    'goes',
    /what it has stored as artifacts behind \S+ is deleted as well/,
  ),
  one(
    'Config Connector: its context waits for all resources of the namespace',
    [
      runs('configconnector-operator-system/configconnector-operator'),
      made('core.cnrm.cloud.google.com/v1beta1 ConfigConnectorContext', 'shop/c', {
        ...f('configconnector.cnrm.cloud.google.com/finalizer'),
      }),
      made('pubsub.cnrm.cloud.google.com/v1beta1 PubSubTopic', 'shop/t'),
    ],
    'configconnectorcontext/c -n shop',
    'open',
    /PubSubTopic\S+ stays, and the operator of Config Connector waits/,
  ),
  one(
    'Config Connector: its configuration is no such resource',
    [
      runs('configconnector-operator-system/configconnector-operator'),
      made('core.cnrm.cloud.google.com/v1beta1 ConfigConnector', 'config'),
      made('core.cnrm.cloud.google.com/v1beta1 ConfigConnectorContext', 'shop/c', {
        ...f('configconnector.cnrm.cloud.google.com/finalizer'),
      }),
    ],
    'configconnectorcontext/c -n shop',
    'goes',
  ),
  ...[
    ['rolebinding/r -n ci', 'open', /AutoscalingRunnerSet\S+\/a\.ci stays, and .* waits for it/],
    ['rolebinding/r autoscalingrunnerset/a -n ci', 'goes', undefined],
  ].map(([ask, answer, says]) =>
    one(
      'GitHub: what a runner set has made is let go with the set (cleanup-protection)',
      [ARC, RIGHTS, made('actions.github.com/v1alpha1 AutoscalingRunnerSet', 'ci/a')],
      ask as string,
      answer as Question['answer'],
      says as RegExp | undefined,
    ),
  ),
  one(
    'GitHub: and by nothing else once that is gone',
    [ARC, RIGHTS],
    'rolebinding/r -n ci',
    'open',
    /removes it only with a deletion of the kind AutoscalingRunnerSet in that namespace/,
  ),
  one(
    'GitHub: no other cluster has a part in that',
    [
      ARC,
      made('rbac.authorization.k8s.io/v1 RoleBinding', 'ci/r', {
        ...{ leaving: true, ...f('actions.github.com/cleanup-protection') },
      }),
    ],
    'explain rolebinding/r -n ci',
    'open',
    /^(?!.*other cluster)/,
  ),
  one(
    'Rook: the cleanup policy says that the disks are wiped',
    [
      runs('rook-ceph/rook-ceph-operator'),
      made('ceph.rook.io/v1 CephCluster', 'rook-ceph/c', {
        ...f('cephcluster.ceph.rook.io'),
        spec: { cleanupPolicy: { confirmation: 'yes-really-destroy-data' } },
      }),
    ],
    'cephcluster/c -n rook-ceph',
    'goes',
    /the data on the disks of the hosts behind CephCluster\S+ are deleted as well, as cleanupPolicy/,
  ),
  one(
    'and the volume of that attachment waits for it (`canDeleteVolume`)',
    [
      runs('kube-system/ebs-csi-controller'),
      made('v1 PersistentVolume', 'v', {
        ...{ leaving: true, ...f('external-attacher/ebs-csi-aws-com') },
        spec: { csi: { driver: 'ebs.csi.aws.com' }, persistentVolumeReclaimPolicy: 'Retain' },
        status: { phase: 'Released' },
      }),
      DETACHING,
    ],
    'explain pv/v',
    'open',
    /~ depends PersistentVolume\/v /,
  ),
];

describeQuestions('answers about the objects of projects', QUESTIONS);
