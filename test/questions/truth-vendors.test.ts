import { describeQuestions, made, type Question, runs } from './truth-objects.ts';

const TAILED = [
  runs('tailscale/operator'),
  made('v1 Service', 'shop/web', { finalizers: ['tailscale.com/finalizer'], spec: {} }),
  ...['shop', 'other'].map((namespace) =>
    made('apps/v1 StatefulSet', `tailscale/ts-web-${namespace}`, {
      labels: {
        'tailscale.com/parent-resource': 'web',
        'tailscale.com/parent-resource-ns': namespace,
        'tailscale.com/parent-resource-type': 'svc',
      },
      spec: { replicas: 0 },
    }),
  ),
];
const workspace = (deletionPolicy: string): readonly object[] => [
  runs('tf/hcp-terraform-operator'),
  made('app.terraform.io/v1alpha2 Workspace', 'tf/prod', {
    finalizers: ['workspace.app.terraform.io/finalizer'],
    spec: { deletionPolicy },
  }),
];
const OVN = { finalizers: ['kubeovn.io/kube-ovn-controller'] };
const NETWORK = [
  runs('kube-system/kube-ovn-controller'),
  made('kubeovn.io/v1 Vpc', 'tenant', OVN),
  made('kubeovn.io/v1 Subnet', 'used', { ...OVN, spec: { vpc: 'tenant' } }),
  made('kubeovn.io/v1 Subnet', 'free', { ...OVN, spec: { vpc: 'ovn-cluster' } }),
  made('kubeovn.io/v1 IP', 'web.shop', { ...OVN, spec: { subnet: 'used' } }),
];
const POOLS = [
  made('metallb.io/v1beta1 IPAddressPool', 'metallb-system/lan', { spec: {} }),
  made('metallb.io/v1beta1 L2Advertisement', 'metallb-system/lan', {
    spec: { ipAddressPools: ['lan'] },
  }),
  made('v1 Service', 'shop/web', {
    annotations: { 'metallb.io/ip-allocated-from-pool': 'lan' },
    spec: { type: 'LoadBalancer' },
  }),
];

/** A pool, and a block of the first one. */
const calico = (cidr: string): readonly object[] => [
  made('projectcalico.org/v3 IPPool', 'lan', {
    ...{ finalizers: ['projectcalico.org/ippool-finalizer'], spec: { cidr } },
  }),
  made('crd.projectcalico.org/v1 IPAMBlock', '10-0-0-0-26', { spec: { cidr: '10.0.0.0/26' } }),
];

const VENDORS: readonly Question[] = [
  {
    truth: 'Tailscale deletes the proxy of a Service by its labels (`childResourceLabels`)',
    objects: TAILED,
    ask: 'svc/web -n shop',
    answer: 'open',
    fates: { Service: 'goes', 'StatefulSet/ts-web-shop': 'depends' },
    says: /tailscale\.com\/finalizer is removed by the Tailscale operator(?!.*ts-web-other)/,
  },
  {
    truth: 'HCP Terraform keeps the workspace, as the policy says (`deleteWorkspace`)',
    objects: workspace('retain'),
    ask: 'workspace/prod -n tf',
    answer: 'goes',
    says: /stays, as deletionPolicy: retain/,
  },
  {
    truth: 'HCP Terraform: a run has to destroy first, and is not repeated',
    objects: workspace('destroy'),
    ask: 'workspace/prod -n tf',
    answer: 'open',
    says: /a run of Terraform has to destroy all that it manages first/,
  },
  {
    truth: 'Trident does nothing for a TridentBackend that is deleted (`removeFinalizers`)',
    objects: [
      runs('trident/trident-controller'),
      made('trident.netapp.io/v1 TridentBackend', 'trident/tbe-1', {
        finalizers: ['trident.netapp.io'],
      }),
    ],
    ask: 'tridentbackend/tbe-1 -n trident',
    answer: 'open',
    says: /a person with tridentctl has to remove it/,
  },
  {
    truth: 'KubeBlocks: `DoNotTerminate` (`clusterDeletionTransformer`)',
    objects: [
      runs('kb-system/kubeblocks'),
      made('apps.kubeblocks.io/v1 Cluster', 'db/pg', {
        finalizers: ['cluster.kubeblocks.io/finalizer'],
        spec: { terminationPolicy: 'DoNotTerminate' },
      }),
    ],
    ask: 'cluster.apps.kubeblocks.io/pg -n db',
    answer: 'open',
    says: /KubeBlocks deletes nothing of it \(terminationPolicy is DoNotTerminate\)/,
  },
  {
    truth:
      'Submariner uninstalls with pods, which a namespace that is deleted refuses (`doCleanup`)',
    objects: [
      made('v1 Namespace', 'sub'),
      made('v1 ConfigMap', 'sub/kube-root-ca.crt'),
      made('v1 ServiceAccount', 'sub/default'),
      runs('op/submariner-operator'),
      made('submariner.io/v1alpha1 Submariner', 'sub/submariner', {
        finalizers: ['controllers.submariner.io/cleanup'],
      }),
    ],
    ask: 'ns/sub',
    answer: 'open',
    fates: { Submariner: 'depends' },
  },
  {
    truth: 'Kube-OVN: a Vpc waits for its subnets (`handleDelVpc`)',
    objects: NETWORK,
    ask: 'vpc/tenant',
    answer: 'hangs',
    says: /Subnet\S+\/used stays and uses Vpc/,
  },
  {
    truth: 'Kube-OVN: a Subnet with no address in use goes (`readyToRemoveFinalizer`)',
    objects: NETWORK,
    ask: 'subnet/free',
    answer: 'goes',
  },
  {
    truth: 'Kube-OVN: a Subnet waits for its addresses',
    objects: NETWORK,
    ask: 'subnet/used',
    answer: 'open',
  },
  {
    truth: 'MetalLB takes the addresses of a pool away (`SetPools`)',
    objects: POOLS,
    ask: 'ipaddresspool/lan -n metallb-system',
    answer: 'goes',
    says: /L2Advertisement\S+ stays and names.*Service\/web\.shop stays and names IPAddressPool\S+: MetalLB takes its address away/,
  },
];

const HARVESTER = made('kubevirt.io/v1 VirtualMachine', 'vms/vm', {
  finalizers: ['wrangler.cattle.io/VMController.CleanupPVCAndSnapshot'],
  annotations: { 'harvesterhci.io/removedPersistentVolumeClaims': 'root, data' },
});
const SCALED = (replicas: number): readonly object[] => [
  runs('keda/keda-operator'),
  made('keda.sh/v1alpha1 ScaledObject', 'shop/s', {
    finalizers: ['finalizer.keda.sh'],
    spec: { scaleTargetRef: { name: 'web' } },
  }),
  made('apps/v1 Deployment', 'shop/web', { spec: { replicas } }),
];

const OPERATORS: readonly Question[] = [
  {
    truth: 'Harvester deletes the claims of its annotation (`removePVCInRemovedPVCsAnnotation`)',
    objects: [
      ...[runs('harvester-system/harvester'), HARVESTER, made('v1 Pod', 'shop/p', { spec: {} })],
      ...['root', 'data', 'kept'].map((name) =>
        made('v1 PersistentVolumeClaim', `vms/${name}`, { spec: {} }),
      ),
    ],
    ask: 'virtualmachine/vm -n vms',
    answer: 'goes',
    fates: { 'PersistentVolumeClaim/root': 'goes', 'PersistentVolumeClaim/data': 'goes' },
  },
  {
    truth: 'the topology operator retains what its policy says (`shouldSkipDeletion`)',
    objects: [
      runs('rabbitmq-system/messaging-topology-operator'),
      made('rabbitmq.com/v1beta1 Queue', 'mq/q', {
        finalizers: ['deletion.finalizers.queues.rabbitmq.com'],
        spec: { deletionPolicy: 'retain' },
      }),
    ],
    ask: 'queue.rabbitmq.com/q -n mq',
    answer: 'goes',
    says: /stays, as deletionPolicy: retain/,
  },
  {
    truth: 'KEDA restores no number of replicas by itself (`finalizeScaledObject`)',
    objects: SCALED(0),
    ask: 'scaledobject/s -n shop',
    answer: 'goes',
    says: /Deployment\.apps\/web\.shop stays with 0 replicas, and nothing\s+scales\s+it\s+up/,
  },
  {
    truth: 'a Broker of Knative with a finalizer is that of Kafka or RabbitMQ (`FinalizeKind`)',
    objects: [
      runs('knative-eventing/eventing-controller'),
      made('eventing.knative.dev/v1 Broker', 'ev/b', {
        finalizers: ['brokers.eventing.knative.dev'],
      }),
    ],
    ask: 'broker/b -n ev',
    answer: 'open',
    says: /no workload\s+in the dump runs the controller of that class of brokers/,
  },
  {
    truth: 'the Falco operator holds a ConfigMap that a Rulesfile names (`EnsureInUseFinalizer`)',
    objects: [
      ...[runs('falco/falco-operator'), made('artifact.falcosecurity.dev/v1 Rulesfile', 'falco/r')],
      made('v1 ConfigMap', 'falco/rules', {
        finalizers: ['artifact.falcosecurity.dev/configmap-in-use'],
      }),
    ],
    ask: 'cm/rules -n falco',
    answer: 'open',
    says: /Rulesfile\S+ stays,\s+and the Falco operator waits/,
  },
  {
    truth: 'the kube-controllers of Calico wait for the blocks of a pool (`reconcileFinalizer`)',
    objects: [runs('calico-system/calico-kube-controllers'), ...calico('10.0.0.0/16')],
    ask: 'ippool/lan',
    answer: 'open',
    says: /IPAMBlock\S+ stays, and Calico's\s+kube-controllers wait/,
  },
  {
    truth: 'a block of addresses of another pool of Calico holds nothing',
    objects: [runs('calico-system/calico-kube-controllers'), ...calico('10.1.0.0/16')],
    ask: 'ippool/lan',
    answer: 'goes',
  },
  {
    truth: 'what reads Vault by a VaultAuth of another namespace names it (`VaultAuthRef`)',
    objects: [
      made('secrets.hashicorp.com/v1beta1 VaultAuth', 'vault/a'),
      made('secrets.hashicorp.com/v1beta1 VaultDynamicSecret', 'shop/v', {
        spec: { vaultAuthRef: 'vault/a' },
      }),
    ],
    ask: 'vaultauth/a -n vault',
    answer: 'goes',
    says: /VaultDynamicSecret\S+ stays and names\s+VaultAuth/,
  },
  {
    truth: 'Flink deletes by the labels of its cluster (`getFlinkKubernetesHaConfigmaps`)',
    objects: [
      runs('flink/flink-kubernetes-operator'),
      made('flink.apache.org/v1beta1 FlinkDeployment', 'data/fd', { spec: {} }),
      ...[undefined, 'autoscaler'].map((component) =>
        made('v1 ConfigMap', `data/of-${component ?? 'leader'}`, {
          labels: { app: 'fd', type: 'flink-native-kubernetes', ...(component && { component }) },
        }),
      ),
    ],
    ask: 'flinkdeployment/fd -n data',
    answer: 'open',
    fates: { 'ConfigMap/of-leader': 'depends' },
  },
];

describeQuestions('answers about what vendors operate', [...VENDORS, ...OPERATORS]);
