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

describeQuestions('answers about what vendors operate', VENDORS);
