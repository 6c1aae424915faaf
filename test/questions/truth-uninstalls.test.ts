import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

/** What an uninstall leaves behind, and what that does without it. */

const OP = { annotations: { 'meta.helm.sh/release-name': 'op' } };
/** Helm reads the policy in lower case, without blanks. */
const KEPT = { annotations: { ...OP.annotations, 'helm.sh/resource-policy': ' Keep' } };
const RBAC = 'rbac.authorization.k8s.io/v1';
const OTHER = made('v1 ConfigMap', 'other/c');

/** A workload of the release, of whose name nothing follows. */
const engine = (name = 'ops/engine', parts: object = {}, image = 'engine:1'): readonly object[] => [
  OTHER,
  made('apps/v1 StatefulSet', name, {
    ...{ ...OP, ...parts },
    spec: {
      ...{ replicas: 1, selector: { matchLabels: { app: 'op' } } },
      template: { spec: { serviceAccountName: 'sa', containers: [{ name: 'c', image }] } },
    },
    status: { readyReplicas: 1 },
  }),
  made('v1 Pod', `${name}-0`, {
    labels: { app: 'op' },
    owners: [owner('apps/v1 StatefulSet', name)],
  }),
];
const definition = (parts: object = {}, spec: object = {}) =>
  made('apiextensions.k8s.io/v1 CustomResourceDefinition', 'widgets.acme.io', {
    ...parts,
    spec: {
      ...{ group: 'acme.io', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' } },
      ...spec,
    },
  });
const widget = (finalizers: readonly string[] = ['acme.io/cleanup']) =>
  made('acme.io/v1 Widget', 'shop/w', { finalizers });
/** Of the account of the release, in a dump that has all bindings. */
const rights = (groups: readonly string[], role = 'r') => [
  made(`${RBAC} ClusterRole`, role, {
    rules: [{ apiGroups: groups, resources: ['*'], verbs: ['patch'] }],
  }),
  made(`${RBAC} ClusterRoleBinding`, role, {
    roleRef: { kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', namespace: 'ops', name: 'sa' }],
  }),
];
const bound = (driver: string): readonly object[] => [
  made('v1 PersistentVolume', 'pv', {
    spec: {
      ...{ persistentVolumeReclaimPolicy: 'Delete', csi: { driver, volumeHandle: 'pv' } },
      claimRef: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data' },
    },
  }),
  made('v1 PersistentVolumeClaim', 'shop/data', { spec: { volumeName: 'pv' } }),
];
const IDLE = { spec: { replicas: 0, template: { spec: { containers: [{ name: 'c' }] } } } };
const ask = 'uninstall --release op';
const MAY = /but Widget\S+\/w\.shop may hang later, if StatefulSet\S+\/engine.*managedFields/;
const SERVICE = made('v1 Service', 'ops/server', { ...OP, spec: { selector: { app: 'op' } } });
const SERVED = { service: { namespace: 'ops', name: 'server' } };

const GUARDED = [
  ...[...engine(), SERVICE],
  made('admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration', 'guard', {
    webhooks: [
      {
        ...{ name: 'v.acme.io', failurePolicy: 'Fail', clientConfig: SERVED },
        rules: [{ apiGroups: ['acme.io'], resources: ['widgets'], operations: ['UPDATE'] }],
      },
    ],
  }),
];

const QUESTIONS: readonly Question[] = [
  {
    truth:
      'Helm leaves definitions of `crds/`: any workload may be the operator of their instances',
    objects: [...engine(), definition(), widget()],
    ...{ ask, answer: 'open', says: MAY },
  },
  {
    truth: 'what a server has stored without an account has that of its namespace: no operator',
    objects: [
      made('apps/v1 StatefulSet', 'ops/web', {
        ...OP,
        spec: {
          replicas: 1,
          template: { spec: { containers: [{ name: 'c' }], securityContext: {} } },
        },
        status: { readyReplicas: 1 },
      }),
      made('v1 Pod', 'ops/web-0', { owners: [owner('apps/v1 StatefulSet', 'ops/web')] }),
      ...[OTHER, definition(), widget()],
    ],
    ...{ ask, answer: 'goes' },
  },
  {
    truth: 'the dump has shown the instance that an earlier step deletes',
    objects: [
      ...engine().filter((one) => one !== OTHER),
      definition(OP),
      made('acme.io/v1 Widget', 'ops/w', { finalizers: ['acme.io/cleanup'] }),
    ],
    ...{ ask, answer: 'open', says: /^(?!.*no object of this kind).*Widget of other namespaces/ },
  },
  {
    truth: 'a custom resource of the release goes before its operator, also without its definition',
    objects: [
      ...engine(),
      made('acme.io/v1 Widget', 'ops/w', { ...OP, finalizers: ['acme.io/cleanup'] }),
    ],
    ...{ ask, answer: 'goes', says: /^Delete the instances, then the workloads/ },
  },
  {
    truth: 'RBAC: a role that names the group is of an operator of it',
    objects: [...engine(), ...rights(['acme.io']), definition(), widget()],
    ...{ ask, answer: 'open', says: /its account may change them/ },
  },
  {
    truth: 'RBAC: who may not change an object does not take its finalizer off',
    objects: [...engine(), ...rights(['apps']), definition(), widget()],
    ...{ ask, answer: 'goes' },
  },
  {
    truth: 'RBAC: what may change everything may be the operator',
    objects: [...engine(), ...rights(['*']), definition(), widget()],
    ...{ ask, answer: 'open', says: /its account may change everything/ },
  },
  {
    truth: 'an operator that stays leaves the finalizer to nobody else',
    objects: [
      ...[...engine(), ...rights(['*']), runs('acme/acme-operator'), definition(), widget()],
      made(`${RBAC} ClusterRoleBinding`, 'acme', {
        roleRef: { kind: 'ClusterRole', name: 'r' },
        subjects: [{ kind: 'ServiceAccount', namespace: 'acme', name: 'default' }],
      }),
    ],
    ...{ ask, answer: 'goes' },
  },
  {
    truth: 'the image says what a workload runs, whatever its name is',
    objects: [
      ...engine('ops/x', {}, 'quay.io/prometheus-operator/prometheus-operator:v0.80.0'),
      made('monitoring.coreos.com/v1 Prometheus', 'shop/k8s', {
        finalizers: ['monitoring.coreos.com/status-cleanup'],
      }),
    ],
    ...{ ask, answer: 'open', says: /its image is quay\.io\/prometheus-operator/ },
  },
  {
    truth: 'a CSI driver: volumes outside of the release can neither be mounted nor deleted then',
    objects: [...engine('kube-system/ebs-csi-controller'), ...bound('ebs.csi.aws.com')],
    ...{ ask, answer: 'open' },
    says: /^Delete the workloads: everything goes, .*; but PersistentVolume\/pv of Persis\S+ loses the driver ebs/,
  },
  {
    truth: 'a workload whose name has a short word of a driver by chance is none of it',
    objects: [...engine('logs/filebeat'), ...bound('file.csi.azure.com')],
    ...{ ask, answer: 'goes' },
  },
  {
    truth: 'Longhorn: the data of claims outside go with its volumes (`ReconcileVolume`)',
    objects: [
      ...engine('longhorn-system/longhorn-manager'),
      made('longhorn.io/v1beta2 Volume', 'longhorn-system/pv', {
        ...{ ...OP, finalizers: ['longhorn.io'] },
      }),
      ...bound('driver.longhorn.io'),
    ],
    ...{ ask, answer: 'open', says: /; but PersistentVolume\/pv of \S+ loses the data/ },
  },
  {
    truth: 'a webhook that an operator has made stays, and refuses from then on',
    objects: GUARDED,
    ...{ ask, answer: 'open', says: /; but Validating\S+\/guard loses its server/ },
  },
  {
    truth: 'a webhook whose Service goes stays, and a `delete` says so at first',
    objects: GUARDED,
    ...{
      ask: 'svc/server -n ops',
      answer: 'goes',
      says: /^Service\S+ goes; Validating\S+\/guard loses its server/,
    },
  },
  {
    truth: 'a definition that is kept loses its conversion with the operator',
    objects: [
      ...[...engine(), SERVICE],
      definition(
        { ...KEPT, status: { storedVersions: ['v1beta1'] } },
        {
          conversion: { strategy: 'Webhook', webhook: { clientConfig: SERVED } },
          versions: [
            { name: 'v1beta1', served: true },
            { name: 'v1', served: true, storage: true },
          ],
        },
      ),
      widget([]),
    ],
    ...{
      ask,
      answer: 'open',
      says: /; but Custom\S+ loses its server, so that nobody can delete a Widget/,
    },
  },
  {
    truth: 'without replicas, a workload runs no operator that its deletion could end',
    objects: [definition(), widget(), made('apps/v1 Deployment', 'shop/cache-manager', IDLE)],
    ...{ ask: 'deploy/cache-manager -n shop', answer: 'goes', says: /^(?!.*may hang)/ },
  },
  {
    truth: 'what stays without replicas is not the operator instead of one that goes',
    objects: [
      ...[...engine('ops/things-manager'), definition(), widget()],
      made('apps/v1 Deployment', 'shop/cache-manager', IDLE),
    ],
    ask: 'sts/things-manager -n ops',
    ...{ answer: 'goes', says: /afterwards, the deletion of Widget\S+\/w\.shop may hang/ },
  },
];

const OPERATED: readonly object[] = [
  runs('ops/acme-operator', { serviceAccountName: 'sa' }),
  ...[made('v1 ServiceAccount', 'ops/sa'), ...rights(['acme.io']), widget()],
];
const LATER = /; afterwards, the deletion of\s+Widget.acme.io\/w.shop\s+may\s+hang/;

/** An operator without its rights removes no finalizer either. */
const UNBOUND: readonly Question[] = [
  ...['serviceaccount/sa -n ops', 'clusterrolebinding/r', 'clusterrole/r'].map(
    (ask): Question => ({
      truth: 'RBAC: a request that no rule allows is forbidden',
      ...{ objects: OPERATED, ask, answer: 'goes', says: LATER },
    }),
  ),
  {
    truth: 'RBAC: a request that no rule allows is forbidden, also if a deletion has begun',
    objects: [
      ...OPERATED.slice(0, -1),
      made('acme.io/v1 Widget', 'shop/w', { finalizers: ['acme.io/cleanup'], leaving: true }),
    ],
    ...{ ask: 'clusterrolebinding/r', answer: 'open', says: LATER },
  },
  {
    truth: 'RBAC: a role that names the group is of an operator of it',
    objects: [...engine(), ...rights(['acme.io']), definition(), widget()],
    ...{ ask: 'clusterrolebinding/r', answer: 'goes', says: LATER },
  },
  {
    truth: 'RBAC: rules add up',
    objects: [
      ...OPERATED,
      made(`${RBAC} ClusterRoleBinding`, 'admin', {
        roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'ServiceAccount', namespace: 'ops', name: 'sa' }],
      }),
    ],
    ...{ ask: 'clusterrolebinding/r', answer: 'goes', says: /goes\. - goes/ },
  },
];

describeQuestions('what an uninstall leaves', QUESTIONS);
describeQuestions('what an operator leaves that loses its rights', UNBOUND);
