import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const restored = (phase: string): readonly object[] => [
  runs('velero/velero'),
  made('velero.io/v1 BackupStorageLocation', 'velero/s3', { status: { phase } }),
  made('velero.io/v1 Backup', 'velero/b', { spec: { storageLocation: 's3' } }),
  made('velero.io/v1 Restore', 'velero/r', {
    finalizers: ['restores.velero.io/external-resources-finalizer'],
    spec: { backupName: 'b' },
  }),
];
const topic = (enabled: boolean): readonly object[] => [
  runs('mq/k-entity-operator'),
  made('kafka.strimzi.io/v1beta2 Kafka', 'mq/k', {
    spec: { kafka: { config: { 'delete.topic.enable': enabled } } },
  }),
  made('kafka.strimzi.io/v1beta2 KafkaTopic', 'mq/t', {
    finalizers: ['strimzi.io/topic-operator'],
    labels: { 'strimzi.io/cluster': 'k' },
    spec: {},
  }),
];
const logical = (nodeName: string): readonly object[] => [
  made('v1 Node', 'n1'),
  made('apps/v1 DaemonSet', 'topolvm/topolvm-node', {
    status: { desiredNumberScheduled: 1, numberReady: 1 },
  }),
  made('topolvm.io/v1 LogicalVolume', 'lv', {
    finalizers: ['topolvm.io/logicalvolume'],
    spec: { nodeName },
  }),
];
function nodePods(): readonly object[] {
  return ['n1', 'n2'].map((nodeName) =>
    made('v1 Pod', `topolvm/topolvm-node-${nodeName}`, {
      owners: [owner('apps/v1 DaemonSet', 'topolvm/topolvm-node')],
      spec: { nodeName, containers: [{ name: 'topolvm-node' }] },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: nodeName === 'n1' ? 'False' : 'True' }],
      },
    }),
  );
}
const shoot = (annotations: Readonly<Record<string, string>>): readonly object[] => [
  made('core.gardener.cloud/v1beta1 Shoot', 'garden/s', { annotations }),
];
const group = (name: string): Record<string, string> => ({
  ...{ 'olm.owner': name, 'olm.owner.namespace': 'op', 'olm.owner.kind': 'OperatorGroup' },
});
const anchored = (status: string): readonly object[] => [
  runs('hnc-system/hnc-controller-manager'),
  made('apiextensions.k8s.io/v1 CustomResourceDefinition', 'subnamespaceanchors.hnc.x-k8s.io', {
    spec: {
      ...{ group: 'hnc.x-k8s.io', scope: 'Namespaced' },
      names: { kind: 'SubnamespaceAnchor', plural: 'subnamespaceanchors' },
      versions: [{ name: 'v1alpha2', served: true, storage: true }],
    },
  }),
  made('hnc.x-k8s.io/v1alpha2 SubnamespaceAnchor', 'team/a', {
    finalizers: ['hnc.x-k8s.io'],
    status: { status },
  }),
  made('v1 Namespace', 'a'),
  made('v1 ConfigMap', 'a/kube-root-ca.crt'),
];
const host = (annotations: Readonly<Record<string, string>>): readonly object[] => [
  runs('bmo/baremetal-operator-controller-manager'),
  made('metal3.io/v1alpha1 BareMetalHost', 'metal/h', {
    finalizers: ['baremetalhost.metal3.io'],
    annotations,
  }),
];
/** One that uses another in its spec and stays. */
const using = (
  truth: string,
  [user, name, spec]: readonly [string, string, object],
  [used, usedName]: readonly [string, string],
  ask: string,
  says: RegExp,
): Question => ({
  ...{ truth, ask, answer: 'goes', says },
  objects: [made(user, name, { spec }), made(used, usedName, { spec: {} })],
});

const ROWS: readonly Question[] = [
  {
    truth: 'OLM deletes the ClusterRoles of an OperatorGroup (`operatorGroupDeleted`)',
    objects: [
      runs('olm/olm-operator'),
      made('operators.coreos.com/v1 OperatorGroup', 'op/og', { spec: {} }),
      ...['og', 'other'].map((name) =>
        made('rbac.authorization.k8s.io/v1 ClusterRole', `${name}-admin`, {
          ...{ labels: group(name), rules: [] },
        }),
      ),
    ],
    ask: 'operatorgroup/og -n op',
    answer: 'open',
    fates: { OperatorGroup: 'goes', 'ClusterRole/og-admin': 'depends' },
    says: /ClusterRole\S+og-admin: OLM, if it runs, deletes it(?!.*other-admin)/,
  },
  {
    truth: 'OLM: a CatalogSource has the Subscriptions of its namespace and name alone',
    objects: [
      made('operators.coreos.com/v1alpha1 CatalogSource', 'olm/cat', { spec: {} }),
      ...['olm', 'else'].map((sourceNamespace) =>
        made('operators.coreos.com/v1alpha1 Subscription', `op/${sourceNamespace}`, {
          spec: { source: 'cat', sourceNamespace },
        }),
      ),
    ],
    ask: 'catalogsource/cat -n olm',
    answer: 'goes',
    says: /Subscription\S+\/olm\.op stays and names CatalogSource/,
  },
  {
    truth: 'Gardener: the API server refuses what nobody has confirmed (`DeletionConfirmation`)',
    objects: shoot({}),
    ask: 'shoot/s -n garden',
    answer: 'open',
    says: /without the annotation confirmation\.gardener\.cloud\/deletion=true/,
  },
  {
    truth: 'Gardener: confirmed',
    objects: shoot({ 'confirmation.gardener.cloud/deletion': 'true' }),
    ask: 'shoot/s -n garden',
    answer: 'goes',
  },
  {
    truth: 'Crossplane: its webhook refuses what a usage names (`crossplane.io/in-use`)',
    objects: [
      made('nop.crossplane.io/v1alpha1 NopResource', 'db', {
        labels: { 'crossplane.io/in-use': 'true' },
      }),
    ],
    ask: 'nopresource/db',
    answer: 'open',
    says: /the webhook of Crossplane is asked/,
  },
  {
    truth: 'Crossplane: the same of an object of Kubernetes',
    objects: [made('v1 ConfigMap', 'shop/c', { labels: { 'crossplane.io/in-use': 'true' } })],
    ask: 'cm/c -n shop',
    answer: 'open',
    says: /the webhook of Crossplane is asked/,
  },
  {
    truth: 'TopoLVM: the pod on that node is not ready, and one on another node is',
    objects: [...logical('n1'), made('v1 Node', 'n2'), ...nodePods()],
    ask: 'logicalvolume/lv',
    answer: 'open',
    says: /Node\/n1, where none of its pods is ready/,
  },
  {
    truth: 'TopoLVM: each node has its own topolvm-node (`logicalVolumeFilter`)',
    objects: logical('n2'),
    ask: 'logicalvolume/lv',
    answer: 'open',
    says: /Node\/n2, which the dump lacks/,
  },
  {
    truth: 'TopoLVM: the node is there',
    objects: logical('n1'),
    ask: 'logicalvolume/lv',
    answer: 'goes',
  },
  {
    truth: 'Velero: the results of a restore are in its store (`BSLIsAvailable`)',
    objects: restored('Unavailable'),
    ask: 'restore/r -n velero',
    answer: 'open',
    says: /the object store of its backup is Unavailable/,
  },
  {
    truth: 'Velero: with its store',
    objects: restored('Available'),
    ask: 'restore/r -n velero',
    answer: 'goes',
  },
  {
    truth: 'Strimzi: a topic of a Kafka that deletes none (`TopicDeletionDisabledException`)',
    objects: topic(false),
    ask: 'kafkatopic/t -n mq',
    answer: 'open',
    says: /its Kafka deletes no topic/,
  },
  {
    truth: 'Gateway API: other controllers have the finalizer as well',
    objects: [
      runs('envoy/envoy-gateway'),
      made('gateway.networking.k8s.io/v1 GatewayClass', 'c', {
        finalizers: ['gateway-exists-finalizer.gateway.networking.k8s.io'],
        spec: { controllerName: 'projectcontour.io/gateway-controller' },
      }),
    ],
    ask: 'gatewayclass/c',
    answer: 'open',
    says: /its controller is projectcontour\.io\/gateway-controller/,
  },
  {
    truth: 'HNC: the namespace of another anchor stays (`shouldDeleteSubns`)',
    objects: anchored('Conflict'),
    ask: 'subnamespaceanchor/a -n team',
    answer: 'goes',
    says: /^SubnamespaceAnchor\S+ goes\. (?!.*Namespace\/a)/,
  },
  {
    truth: 'HNC: without its definition, the namespaces stay (`IsDeletingCRD`)',
    objects: anchored('Ok'),
    ask: 'crd/subnamespaceanchors.hnc.x-k8s.io',
    answer: 'goes',
    fates: { Namespace: 'stays' },
  },
  {
    truth: 'HNC: the anchor is deleted before its definition',
    objects: anchored('Ok'),
    ask: 'subnamespaceanchor/a crd/subnamespaceanchors.hnc.x-k8s.io -n team',
    answer: 'goes',
    fates: { 'Namespace/a': 'goes' },
  },
  {
    truth: 'Rancher deletes the namespace of a Project (`projectLifecycle.Remove`)',
    objects: [
      runs('cattle-system/rancher'),
      made('management.cattle.io/v3 Project', 'local/p-1', {
        finalizers: ['controller.cattle.io/mgmt-project-rbac-remove'],
        status: { backingNamespace: 'local-p-1' },
      }),
      made('v1 Namespace', 'local-p-1'),
      made('v1 ConfigMap', 'local-p-1/kube-root-ca.crt'),
    ],
    ask: 'project.management.cattle.io/p-1 -n local',
    answer: 'goes',
    fates: { Namespace: 'goes' },
  },
  {
    truth: 'Elastic Cloud on Kubernetes deletes Secrets (`GarbageCollectSoftOwnedSecrets`)',
    objects: [
      made('elasticsearch.k8s.elastic.co/v1 Elasticsearch', 'es/e', { spec: {} }),
      made('v1 Secret', 'es/e-es-elastic-user', {
        labels: {
          'eck.k8s.elastic.co/owner-kind': 'Elasticsearch',
          'eck.k8s.elastic.co/owner-name': 'e',
          'eck.k8s.elastic.co/owner-namespace': 'es',
        },
      }),
    ],
    ask: 'elasticsearch/e -n es',
    answer: 'open',
    fates: { Secret: 'depends' },
  },
  {
    truth: 'Metal3 leaves a detached machine as it is (`checkInitiateDelete`)',
    objects: host({ 'baremetalhost.metal3.io/detached': '' }),
    ask: 'baremetalhost/h -n metal',
    answer: 'goes',
    says: /what is installed on the machine behind BareMetalHost\S+ stays/,
  },
  {
    truth: 'Metal3 deprovisions the machine',
    objects: host({}),
    ask: 'baremetalhost/h -n metal',
    answer: 'goes',
    says: /what is installed on the machine behind BareMetalHost\S+ is deleted/,
  },
  {
    truth: 'Kueue suspends the job of a Workload that goes (`ReconcileGenericJob`)',
    objects: [
      runs('kueue-system/kueue-controller-manager'),
      made('ray.io/v1 RayJob', 'ml/j', { spec: {} }),
      made('kueue.x-k8s.io/v1beta1 Workload', 'ml/w', {
        finalizers: ['kueue.x-k8s.io/resource-in-use'],
        owners: [owner('ray.io/v1 RayJob', 'ml/j')],
        spec: {},
      }),
    ],
    ask: 'workload.kueue.x-k8s.io/w -n ml',
    answer: 'goes',
    says: /Kueue suspends the job of Workload/,
  },
  {
    truth: 'OpenShift makes its default IngressController anew (`ensureDefaultIngressController`)',
    objects: [
      made('operator.openshift.io/v1 IngressController', 'openshift-ingress-operator/default'),
    ],
    ask: 'ingresscontroller/default -n openshift-ingress-operator',
    answer: 'goes',
    says: /OpenShift's ingress operator makes/,
  },
  using(
    'Velero: a Backup names its store',
    ['velero.io/v1 Backup', 'velero/b', { storageLocation: 's3' }],
    ['velero.io/v1 BackupStorageLocation', 'velero/s3'],
    'backupstoragelocation/s3 -n velero',
    /Backup\S+ stays and names BackupStorageLocation/,
  ),
  using(
    'cert-manager: a ClusterIssuer reads its key in another namespace',
    ['cert-manager.io/v1 ClusterIssuer', 'le', { acme: { privateKeySecretRef: { name: 'k' } } }],
    ['v1 Secret', 'cert-manager/k'],
    'secret/k -n cert-manager',
    /ClusterIssuer\S+ stays and names Secret/,
  ),
  using(
    'External Secrets: a store reads its credentials',
    [
      'external-secrets.io/v1 SecretStore',
      'shop/s',
      { provider: { vault: { auth: { tokenSecretRef: { name: 't', key: 't' } } } } },
    ],
    ['v1 Secret', 'shop/t'],
    'secret/t -n shop',
    /SecretStore\S+ stays and names Secret/,
  ),
  using(
    'KEDA: triggers are a list',
    [
      'keda.sh/v1alpha1 ScaledObject',
      'shop/s',
      { triggers: [{}, { authenticationRef: { name: 'a' } }] },
    ],
    ['keda.sh/v1alpha1 TriggerAuthentication', 'shop/a'],
    'triggerauthentication/a -n shop',
    /ScaledObject\S+ stays and names TriggerAuthentication/,
  ),
];

describeQuestions('answers about what vendors need, leave and refuse', ROWS);
