import { describeQuestions, made, owner, type Question } from './truth-objects.ts';
import { describeTruth, everyOne, type TruthRow } from './truth-rows.ts';

/** What has to answer before something goes, and what agents and other platforms do. */
const ROWS: readonly TruthRow[] = [
  {
    // While a pod is left, the namespace controller deletes nothing else.
    dump: 'pods-refused.yaml',
    words: ['ns/shop'],
    fates: { 'Pod/p': 'unknown', 'ConfigMap/c': 'unknown', Namespace: 'unknown' },
    code: 3,
    says: /Service\/hook\.sys has no ready pod/,
  },
  {
    dump: 'pods-refused.yaml',
    words: ['ns/shop', '--protocol', 'v1.30'],
    fates: { 'Pod/p': 'unknown', 'ConfigMap/c': 'goes' },
    code: 3,
    says: /Service\/hook\.sys has no ready pod/,
  },
  {
    // All workloads behind its webhook have no ready pod.
    dump: 'servers.yaml',
    words: ['widget/old', 'gear/big', 'cog/small', 'spindle/live'],
    fates: {
      ...{ 'Widget/old': 'unknown', 'Gear/big': 'goes', 'Cog/small': 'unknown' },
      'Spindle/live': 'goes',
    },
    code: 3,
    says: everyOne(
      /Service\/convert\.ops\s+has\s+no\s+ready\s+pod/,
      /the\s+dump\s+has\s+no\s+pod\s+behind\s+Service\/cogs\.ops/,
    ),
  },
  {
    dump: 'servers.yaml',
    words: ['thing/far'],
    fates: { 'Thing/far': 'stays' },
    code: 1,
    says: /v1\.things\.acme\.io does\s+not\s+answer\s+\(no\s+addresses\)/,
  },
  {
    dump: 'servers.yaml',
    command: 'explain',
    words: ['ns/left'],
    fates: { 'Namespace/left': 'hangs' },
    code: 1,
    says: everyOne(
      /spec\.conversion\s+of\s+the\s+definition/,
      /kubectl get endpointslices -n fleet -l kubernetes\.io\/service-name=cars/,
    ),
  },
  {
    dump: 'servers.yaml',
    command: 'explain',
    words: ['crd/vans.cars.io'],
    fates: { CustomResourceDefinition: 'unknown' },
    code: 3,
    says: everyOne(
      /reports:\s+could\s+not\s+list\s+instances/,
      /kubernetes\.io\/service-name=vans/,
    ),
  },
  {
    dump: 'servers.yaml',
    words: ['node/n1'],
    fates: { 'Node/n1': 'goes', 'NodeClaim/general-1': 'depends' },
    code: 3,
    says: /Karpenter\s+deletes\s+NodeClaim/,
  },
  {
    dump: 'servers.yaml',
    words: ['cep/web', 'secret/creds', '-n', 'team'],
    fates: { CiliumEndpoint: 'goes', 'Secret/creds': 'goes' },
    code: 0,
    says: everyOne(
      /Pod\/web\.team\s+stays,\s+and\s+what\s+made\s+CiliumEndpoint/,
      /Deployment\.apps\/tenant-operator\.ops\s+stays,\s+and\s+may\s+make\s+Secret/,
    ),
  },
  {
    dump: 'servers.yaml',
    words: ['mcl/east', 'mcl/west'],
    fates: { 'ManagedCluster/east': 'depends', 'ManagedCluster/west': 'goes' },
    code: 3,
    says: /ManifestWork\S+\/agents\.east\s+stays/,
  },
  {
    // In a run that leaves one, nobody need have asked for the other yet.
    dump: 'servers.yaml',
    words: ['cm/one', 'cm/two', '-n', 'fleet'],
    fates: { ConfigMap: 'depends' },
    code: 3,
    says: /^(?![\s\S]*may\s+stay)[\s\S]*may\s+hang/,
  },
  {
    dump: 'servers.yaml',
    words: ['project', 'team'],
    // The API that does not answer holds any namespace.
    fates: { 'Namespace/team': 'hangs', 'Pod/web': 'goes' },
    code: 1,
  },
  {
    dump: 'servers.yaml',
    words: ['awscluster/prod', 'secret/h1-bmc', 'eventbus/default', '-n', 'fleet'],
    fates: { AWSCluster: 'depends', 'Secret/h1-bmc': 'depends', EventBus: 'depends' },
    code: 3,
    says: everyOne(
      /AWSMachine\S+\/m1\.fleet\s+stays/,
      /BareMetalHost\S+\/h1\.fleet\s+stays/,
      /Sensor\S+\/s\.fleet\s+stays/,
    ),
  },
];

/** A webhook that answers, and is asked about no DELETE. */
const UPDATES = [
  made('admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration', 'guard', {
    webhooks: [
      {
        name: 'guard.example.com',
        clientConfig: { service: { namespace: 'guard', name: 'guard' } },
        rules: [
          {
            ...{ apiGroups: ['*'], apiVersions: ['*'] },
            ...{ operations: ['UPDATE'], resources: ['configmaps'] },
          },
          {
            ...{ apiGroups: [''], apiVersions: ['v1'] },
            ...{ operations: ['*'], resources: ['secrets'] },
          },
          {
            ...{ apiGroups: [''], apiVersions: ['v1'] },
            ...{ operations: ['UPDATE'], resources: ['namespaces/*'] },
          },
        ],
      },
    ],
  }),
  made('v1 Service', 'guard/guard', { spec: { selector: { app: 'guard' } } }),
  made('discovery.k8s.io/v1 EndpointSlice', 'guard/guard-x', {
    labels: { 'kubernetes.io/service-name': 'guard' },
    endpoints: [{ conditions: { ready: true } }],
  }),
  made('v1 ConfigMap', 'shop/a', { finalizers: ['example.com/f'] }),
  made('v1 ConfigMap', 'shop/b', { owners: [owner('v1 ConfigMap', 'shop/c')] }),
  made('v1 ConfigMap', 'shop/c'),
  made('v1 Secret', 'shop/s'),
  made('v1 Namespace', 'old', { spec: { finalizers: ['kubernetes'] } }),
  made('v1 ConfigMap', 'old/kube-root-ca.crt'),
  made('v1 ServiceAccount', 'old/default'),
];

const QUESTIONS: readonly Question[] = [
  {
    // `processDeletingDependentsItem` (1.20).
    truth: 'the PATCH with which the collector takes foregroundDeletion off comes after dependents',
    objects: UPDATES,
    ask: 'cm/c -n shop --cascade=foreground',
    answer: 'open',
    fates: { 'ConfigMap/c': 'depends', 'ConfigMap/b': 'goes' },
    says: /guard\.example\.com of \S+ is asked about the change of ConfigMap\/c\.shop by the garbage/,
  },
  {
    truth: 'what lets the DELETE through may refuse the PATCH',
    objects: UPDATES,
    ask: 'secret/s -n shop --cascade=foreground --admitted secret/s',
    answer: 'open',
    fates: { 'Secret/s': 'depends' },
    says: /guard\.example\.com of \S+ is asked about the change of Secret\/s\.shop by the garbage/,
  },
  {
    truth: 'a namespace is finalized once its contents have gone (`Delete` of the deleter, 1.20)',
    objects: UPDATES,
    ask: 'ns/old',
    answer: 'open',
    fates: { 'Namespace/old': 'depends', ConfigMap: 'goes', ServiceAccount: 'goes' },
    says: /asked about the finalization of Namespace\/old by the namespace controller/,
  },
  {
    truth: 'in the background, nothing is changed',
    objects: UPDATES,
    ask: 'cm/c -n shop',
    answer: 'goes',
    fates: { 'ConfigMap/c': 'goes' },
  },
  {
    truth: 'the owner of a finalizer takes it off with a PATCH as well, which is noted',
    objects: UPDATES,
    ask: 'cm/a -n shop --cooperative-finalizer example.com/f',
    answer: 'goes',
    says: /asked about the change of ConfigMap\/a\.shop by the owner of its finalizer, and what/,
  },
];

/** Who asks: the chart of an operator whose webhook is asked about every DELETE. */
const HELM = {
  annotations: { 'meta.helm.sh/release-name': 'op', 'meta.helm.sh/release-namespace': 'op' },
};
const LABELS = { app: 'op' };
const [MANAGER, GUARDED] = ['op/manager', 'op/settings'];
const CHART = [
  made('apps/v1 Deployment', MANAGER, {
    ...{ ...HELM, labels: LABELS },
    ...{ spec: { replicas: 1, selector: { matchLabels: LABELS } }, status: { readyReplicas: 1 } },
  }),
  made('apps/v1 ReplicaSet', `${MANAGER}-1`, {
    ...{ labels: LABELS, owners: [owner('apps/v1 Deployment', MANAGER)], spec: { replicas: 1 } },
  }),
  made('v1 Pod', `${MANAGER}-1-x`, {
    ...{ labels: LABELS, owners: [owner('apps/v1 ReplicaSet', `${MANAGER}-1`)] },
  }),
  made('v1 Service', MANAGER, { ...HELM, spec: { selector: LABELS } }),
  made('v1 ConfigMap', GUARDED, HELM),
];
const asksAll = (parts: object) =>
  made('admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration', 'guard', {
    ...parts,
    webhooks: [
      {
        ...{ name: 'v.acme.io', failurePolicy: 'Fail' },
        clientConfig: { service: { namespace: 'op', name: 'manager' } },
        rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] }],
      },
    ],
  });

const LOSING: readonly Question[] = [
  {
    truth: 'the configuration goes before the pods that answer for it',
    objects: [...CHART, asksAll(HELM)],
    ask: 'uninstall --release op --admitted v.acme.io',
    answer: 'goes',
    says: /^Delete the configurations of webhooks, then the workloads, then roles/,
  },
  {
    truth: 'a configuration that stays refuses what comes after its pods',
    objects: [...CHART, asksAll({})],
    ask: 'uninstall --release op --admitted v.acme.io',
    answer: 'open',
    says: /^No order /,
  },
  {
    truth: 'also in a dump without its pods',
    objects: [...CHART.filter((_, place) => ![1, 2].includes(place)), asksAll({})],
    ask: 'uninstall --release op --admitted v.acme.io',
    answer: 'open',
    says: /^No order /,
  },
  {
    truth: 'an APIService of nobody keeps the namespace of its server, once that is gone',
    objects: [
      ...CHART,
      made('v1 Namespace', 'op', HELM),
      made('v1 ServiceAccount', 'op/default'),
      made('apiregistration.k8s.io/v1 APIService', 'v1.acme.io', {
        spec: { group: 'acme.io', version: 'v1', service: { namespace: 'op', name: 'manager' } },
      }),
    ],
    ask: 'uninstall --release op',
    answer: 'open',
    says: /^Delete the namespace.* not certain: hangs if .*rest: it gets stuck; Namespace\S+ waits .*nothing is left behind Service/,
  },
  {
    truth: 'of a dump without pods, the workload counts that the Service selects',
    objects: [...CHART.filter((_, place) => ![1, 2].includes(place)), asksAll({})],
    ask: 'deploy/manager cm/settings -n op --admitted v.acme.io',
    answer: 'open',
    fates: { 'ConfigMap/settings': 'unknown' },
    says: /Deployment\S+ goes, and the pods behind Service\S+ with it, perhaps first/,
  },
  {
    truth: 'the pods of a workload may have labels that its selector lacks (PodTemplateSpec)',
    objects: [
      made('apps/v1 Deployment', MANAGER, {
        ...{ ...HELM, spec: { replicas: 1, selector: { matchLabels: { other: 'label' } } } },
        status: { readyReplicas: 1 },
      }),
      ...CHART.slice(3),
      asksAll({}),
    ],
    ask: 'deploy/manager cm/settings -n op --admitted v.acme.io',
    answer: 'open',
    fates: { 'ConfigMap/settings': 'unknown' },
    says: /Deployment\S+ goes, and perhaps the pods behind Service\S+ with it/,
  },
  {
    truth: 'also if all of it is deleted at once',
    objects: [...CHART, asksAll({})],
    ask: `deploy/manager svc/manager cm/settings -n op --admitted v.acme.io`,
    answer: 'open',
    says: /--admitted v\.acme\.io says nothing of what is asked once its server goes/,
  },
];

describeQuestions('answers about webhooks whose servers go', LOSING);
describeTruth('answers about what has to answer first', ROWS);
describeQuestions('answers about webhooks that answer later requests', QUESTIONS);

const CLASS = 'scheduling.k8s.io/v1 PriorityClass';
const SPARED = [
  ...[made(CLASS, 'gold'), made(CLASS, 'system-node-critical')],
  ...['shop', 'default'].map((name) =>
    made('v1 Namespace', name, { spec: { finalizers: ['kubernetes'] } }),
  ),
  ...['shop', 'default'].flatMap((name) => [
    made('v1 ConfigMap', `${name}/kube-root-ca.crt`),
    made('v1 ServiceAccount', `${name}/default`),
  ]),
];

/** `immortalNamespaces`, and `REST.Delete` of `registry/scheduling/priorityclass` (1.20). */
/** A reference with the uid of an object of another kind. */
const STACKED = [
  made('acme.io/v1 Install', 'shop/db'),
  made('v1 ConfigMap', 'shop/x', {
    owners: [{ ...owner('acme.io/v1 Install', 'shop/db'), kind: 'Stack' }],
  }),
];

/** An object with a reference to the uid of `Install/db` as another kind. */
function stackedIn(version: string, type = 'v1 ConfigMap', name = `shop/${version}`): object {
  const reference = owner(`acme.io/${version} Install`, 'shop/db');
  return made(type, name, { owners: [{ ...reference, kind: 'Stack' }] });
}

function apiService(name: string, service?: object): object {
  const [version = '', ...group] = name.split('.');
  const spec = { version, group: group.join('.'), ...(service === undefined ? {} : { service }) };
  return made('apiregistration.k8s.io/v1 APIService', name, { spec });
}

const SERVED_THERE = { namespace: 'openshift-apiserver', name: 'api' };

function definitionOf(name: string, kind: string): object {
  return made('apiextensions.k8s.io/v1 CustomResourceDefinition', name, {
    spec: {
      ...{ group: 'acme.io', scope: 'Namespaced' },
      ...{ names: { kind, plural: name.split('.')[0] }, versions: [{ name: 'v1', served: true }] },
    },
  });
}

const SPARING: readonly Question[] = [
  {
    truth: 'a class of the system stays beside another one that is like it but for its name',
    objects: SPARED,
    ...{ ask: 'pc --all', answer: 'hangs' },
    fates: { 'PriorityClass/gold': 'goes', 'PriorityClass/system': 'stays' },
  },
  {
    truth: 'so does a namespace',
    objects: SPARED,
    ...{ ask: 'ns --all', answer: 'hangs' },
    fates: { 'Namespace/shop': 'goes', 'Namespace/default': 'stays' },
  },
  {
    truth: 'the collector is refused as a user is',
    objects: [
      made('rbac.authorization.k8s.io/v1 ClusterRole', 'other'),
      ...['gold', 'system-node-critical'].map((name) =>
        made(CLASS, name, {
          owners: [owner('rbac.authorization.k8s.io/v1 ClusterRole', `no-${name}`)],
        }),
      ),
    ],
    ...{ ask: 'collect', answer: 'hangs' },
    fates: { 'PriorityClass/gold': 'goes', 'PriorityClass/system': 'stays' },
  },
  {
    truth: 'the collector looks an owner up by its kind, not by its uid (1.20, kubernetes#92743)',
    objects: [...STACKED, definitionOf('stacks.acme.io', 'Stack')],
    ...{ ask: 'collect', answer: 'hangs', fates: { ConfigMap: 'goes' } },
    says: /the owner with uid install-shop-db is Install\.acme\.io\/db\.shop, not Stack\/db/,
  },
  {
    truth:
      'what serves that kind is unknown: a definition, an aggregated API that mirrors, nothing',
    objects: [...STACKED, definitionOf('installs.acme.io', 'Install')],
    ...{ ask: 'collect', answer: 'open', fates: { ConfigMap: 'unknown' } },
    says: /kubectl get stacks\.v1\.acme\.io db -n shop -o jsonpath/,
  },
  {
    truth: 'so it blocks the deletion of that object for ever, or not at all',
    objects: STACKED,
    ...{ ask: 'install/db -n shop --cascade foreground', answer: 'open' },
    fates: { Install: 'unknown', ConfigMap: 'unknown' },
  },
  {
    truth: 'each version that is served has an APIService, as the core API has (`v1.`)',
    objects: [...STACKED, made('apiregistration.k8s.io/v1 APIService', 'v1.')],
    ...{ ask: 'collect', answer: 'goes', fates: { ConfigMap: 'stays' } },
    says: /no cluster serves acme\.io\/v1 Stack/,
  },
  ...[0, 1].map(
    (turned): Question => ({
      truth: `each version is served or not by itself, in any order of the references (${turned})`,
      objects: [
        ...[...STACKED.slice(0, 1), apiService('v1.'), apiService('v1beta1.acme.io')],
        ...[stackedIn('v1beta1'), stackedIn('v1'), stackedIn('v1beta1')].slice(turned, turned + 2),
      ],
      ...{ ask: 'collect', answer: 'open' },
      fates: { 'ConfigMap/v1beta1': 'unknown', 'ConfigMap/v1.': 'stays' },
    }),
  ),
  {
    truth: 'nothing says which of the versions is served',
    objects: [...STACKED.slice(0, 1), stackedIn('v1'), stackedIn('v1beta1')],
    ...{ ask: 'collect', answer: 'open' },
    fates: { 'ConfigMap/v1beta1': 'unknown', 'ConfigMap/v1.': 'unknown' },
  },
  {
    truth: 'a kind with owners of both scopes may be cluster-scoped',
    objects: [...STACKED, stackedIn('v1', 'rbac.authorization.k8s.io/v1 ClusterRole', 'cr')],
    ...{ ask: 'collect', answer: 'open' },
    fates: { ConfigMap: 'unknown', ClusterRole: 'unknown' },
  },
  {
    truth:
      'no owner with a namespace is looked up for an object without one (`attemptToDeleteItem`)',
    objects: [
      ...[STACKED[0] ?? {}, definitionOf('stacks.acme.io', 'Stack')],
      stackedIn('v1', 'rbac.authorization.k8s.io/v1 ClusterRole', 'cr'),
      made('rbac.authorization.k8s.io/v1 ClusterRole', 'absent', {
        owners: [owner('acme.io/v1 Stack', 'shop/absent')],
      }),
    ],
    ...{ ask: 'collect', answer: 'goes', fates: { ClusterRole: 'stays' } },
  },
  {
    truth: 'an APIService with a service is not replaced by one for a definition (autoregister)',
    objects: [
      ...[...STACKED, definitionOf('stacks.acme.io', 'Stack')],
      apiService('v1.acme.io', { namespace: 'ops', name: 'stacks' }),
    ],
    ...{ ask: 'collect', answer: 'open', fates: { ConfigMap: 'unknown' } },
  },
  {
    truth: 'a version of a custom kind without an APIService is not served, so it blocks for ever',
    objects: [
      ...[...STACKED.slice(0, 1), apiService('v1.'), apiService('v1.acme.io')],
      made('v1 ConfigMap', 'shop/x', { owners: [owner('acme.io/v2 Install', 'shop/db')] }),
    ],
    ...{ ask: 'install/db -n shop --cascade foreground', answer: 'hangs' },
    fates: { Install: 'hangs', ConfigMap: 'stays' },
  },
  ...['install/db -n shop', 'install/db -n shop --cascade foreground'].map(
    (ask): Question => ({
      truth: 'no definition says that the version of the reference is still served',
      objects: [
        ...STACKED.slice(0, 1),
        made('v1 ConfigMap', 'shop/x', { owners: [owner('acme.io/v1beta1 Install', 'shop/db')] }),
      ],
      ...{ ask, answer: 'open', fates: { ConfigMap: 'unknown' } },
      says: /kubectl get installs\.v1beta1\.acme\.io db -n shop/,
    }),
  ),
  {
    truth: 'a beta of a built-in kind may be on',
    objects: [
      made('resource.k8s.io/v1 ResourceClaim', 'shop/gpu'),
      made('v1 ConfigMap', 'shop/x', {
        owners: [owner('resource.k8s.io/v1beta2 ResourceClaim', 'shop/gpu')],
      }),
    ],
    ...{ ask: 'resourceclaim/gpu -n shop', answer: 'open', fates: { ConfigMap: 'unknown' } },
    says: /kubectl get resourceclaims\.v1beta2\.resource\.k8s\.io gpu -n shop/,
  },
  {
    truth: 'nor whether the collector can look up an owner that is gone (restMappingError)',
    objects: [
      ...STACKED.slice(0, 1),
      made('v1 ConfigMap', 'shop/x', { owners: [owner('acme.io/v1beta1 Install', 'shop/gone')] }),
    ],
    ...{ ask: 'collect', answer: 'open', fates: { ConfigMap: 'unknown' } },
  },
  {
    truth: 'a definition says which versions are served',
    objects: [
      ...[STACKED[0] ?? {}, definitionOf('installs.acme.io', 'Install')],
      made('v1 ConfigMap', 'shop/x', { owners: [owner('acme.io/v1beta1 Install', 'shop/db')] }),
    ],
    ...{ ask: 'install/db -n shop', answer: 'hangs', fates: { ConfigMap: 'stays' } },
  },
  {
    truth: 'a watch cache lists in any order (1.19), so a restarted collector may see b/x first',
    objects: [
      // Whatever the order of the dump is.
      made('v1 ConfigMap', 'b/x', { owners: [owner('v1 ConfigMap', 'a/own')] }),
      made('v1 ConfigMap', 'a/own'),
    ],
    ...{ ask: 'collect --protocol v1.19', answer: 'open' },
    fates: { 'ConfigMap/own': 'stays', 'ConfigMap/x': 'depends' },
  },
  {
    truth: 'its dependents and contents go with it',
    objects: [
      ...[made('v1 Namespace', 'a'), made('v1 Namespace', 'b'), made('v1 ConfigMap', 'b/in')],
      made('v1 Namespace', 'c', {
        owners: [{ ...owner('v1 Namespace', 'a'), name: 'other' }],
      }),
      made('v1 ConfigMap', 'c/x'),
      made('v1 Namespace', 'd', { owners: [owner('v1 Namespace', 'c')] }),
      made('v1 ConfigMap', 'd/y'),
    ],
    ...{ ask: 'collect --protocol v1.19', answer: 'open' },
    fates: {
      ...{ 'Namespace/a': 'stays', 'Namespace/c': 'depends', 'ConfigMap/x': 'depends' },
      ...{ 'Namespace/d': 'depends', 'ConfigMap/y': 'depends' },
    },
  },
  {
    truth: 'an owner in a removed version of a built-in kind says nothing of its other versions',
    objects: [
      made('networking.k8s.io/v1 Ingress', 'shop/web'),
      ...['v1', 'v1beta1'].map((version) =>
        made('v1 Secret', `shop/${version}`, {
          owners: [owner(`networking.k8s.io/${version} Ingress`, 'shop/web')],
        }),
      ),
    ],
    ...{ ask: 'ing/web -n shop', answer: 'hangs' },
    fates: { 'Secret/v1.': 'goes', 'Secret/v1beta1': 'stays' },
  },
  {
    truth:
      'OpenShift serves each Namespace as a Project as well, with the same uid (convertNamespace)',
    objects: [
      made('v1 Namespace', 'web'),
      made('v1 ConfigMap', 'web/x', {
        owners: [
          {
            ...owner('v1 Namespace', 'web'),
            apiVersion: 'project.openshift.io/v1',
            kind: 'Project',
          },
        ],
      }),
    ],
    ...{ ask: 'collect', answer: 'goes', says: /^Nothing happens to any of 2 objects/ },
  },
  ...(
    [
      ['OpenShift or not', [], 'unknown'],
      ['OpenShift', [apiService('v1.project.openshift.io', SERVED_THERE)], 'goes'],
      ['OpenShift', [made('project.openshift.io/v1 Project', 'other')], 'goes'],
      ['without OpenShift', [apiService('v1.')], 'stays'],
    ] as const
  ).map(
    ([where, more, fate], place): Question => ({
      truth: `a Project goes with its Namespace (${where} ${place})`,
      objects: [
        ...[made('v1 Namespace', 'web'), made('v1 ConfigMap', 'web/x'), ...more],
        made('rbac.authorization.k8s.io/v1 ClusterRole', 'web', {
          owners: [
            {
              ...owner('v1 Namespace', 'web'),
              ...{ apiVersion: 'project.openshift.io/v1', kind: 'Project' },
            },
          ],
        }),
      ],
      ...{ ask: 'ns/web', fates: { ClusterRole: fate } },
      answer: fate === 'stays' ? 'hangs' : 'open',
    }),
  ),
  ...(['unknown', 'goes'] as const).map(
    (fate): Question => ({
      truth: `so does a ClusterRole of OpenShift with that of RBAC (${fate})`,
      objects: [
        made('rbac.authorization.k8s.io/v1 ClusterRole', 'view'),
        ...(fate === 'goes' ? [apiService('v1.authorization.openshift.io', SERVED_THERE)] : []),
        made('v1 ConfigMap', 'web/x', {
          owners: [
            {
              ...owner('rbac.authorization.k8s.io/v1 ClusterRole', 'view'),
              apiVersion: 'authorization.openshift.io/v1',
            },
          ],
        }),
      ],
      ...{ ask: 'clusterrole/view', fates: { ConfigMap: fate } },
      answer: fate === 'goes' ? 'goes' : 'open',
    }),
  ),
];

/** A pod that its ReplicaSet replaces, and a webhook that is asked about new pods. */
const INJECTED: readonly object[] = [
  made('apps/v1 ReplicaSet', 'shop/web', { spec: { replicas: 1 } }),
  made('v1 Pod', 'shop/web-1', {
    owners: [owner('apps/v1 ReplicaSet', 'shop/web')],
    spec: { nodeName: 'n' },
  }),
  made('admissionregistration.k8s.io/v1 MutatingWebhookConfiguration', 'injector', {
    webhooks: [
      {
        name: 'injector.acme.io',
        clientConfig: { service: { namespace: 'mesh', name: 'injector' } },
        rules: [
          {
            ...{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'] },
            resources: ['pods'],
          },
        ],
      },
    ],
  }),
  made('v1 Service', 'mesh/injector', { spec: { selector: { app: 'injector' } } }),
];
const KEDA = 'keda.sh/v1alpha1 ScaledObject';
const UNCREATED: readonly Question[] = [0, 1].map(
  (ready): Question => ({
    truth: `a webhook that has to admit new pods has ${ready} addresses`,
    objects: [
      ...INJECTED,
      made('v1 Endpoints', 'mesh/injector', {
        subsets: ready === 0 ? [] : [{ addresses: [{ ip: '10.0.0.1' }] }],
      }),
    ],
    ...{ ask: 'pod/web-1 -n shop', answer: 'goes', fates: { 'Pod/web-1': 'goes' } },
    says:
      ready === 0
        ? /^Pod\/web-1\.shop goes; admission may refuse a new one;.*no pod can be made in the place of/
        : /^Pod\/web-1\.shop goes and is replaced;(?!.*no pod can be)/,
  }),
);

/** A webhook that has to admit changes of ConfigMaps, of whose namespace the dump has all. */
const ORPHANED: readonly object[] = [
  made('v1 ServiceAccount', 'hooks/default'),
  made('v1 Service', 'default/kubernetes'),
  made('admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration', 'guard', {
    webhooks: [
      {
        ...{ name: 'guard.acme.io', failurePolicy: 'Fail' },
        clientConfig: { service: { namespace: 'hooks', name: 'guard' } },
        rules: [
          { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] },
        ],
      },
    ],
  }),
  made('v1 ConfigMap', 'shop/stuck', { leaving: true, finalizers: ['foregroundDeletion'] }),
  made('v1 ConfigMap', 'shop/x'),
];

/** `webhookutil.ServiceResolver`: a call of a Service that is not there fails. */
const GONE_SERVICES: readonly Question[] = [
  {
    truth: 'it refuses what takes the finalizer off',
    objects: ORPHANED,
    ...{ ask: 'explain cm/stuck -n shop', answer: 'hangs', fates: { ConfigMap: 'hangs' } },
    says: /does not exist.*; make the webhook answer, or delete its.*kubectl delete validatingwebhook/,
  },
  {
    truth: 'it refuses the DELETE',
    objects: ORPHANED,
    ...{ ask: 'cm/x -n shop', answer: 'hangs', fates: { ConfigMap: 'stays' } },
  },
  {
    truth: 'its namespace is gone',
    objects: [
      ...['default', 'kube-system'].map((name) => made('v1 Namespace', name)),
      ...ORPHANED.slice(2),
    ],
    ...{ ask: 'cm/x -n shop', answer: 'hangs', fates: { ConfigMap: 'stays' } },
  },
  {
    truth: 'the dump has a part of its namespace',
    objects: [made('v1 Service', 'hooks/other'), ...ORPHANED.slice(1)],
    ...{ ask: 'explain cm/stuck -n shop', answer: 'open', fates: { ConfigMap: 'unknown' } },
  },
];

/** `CheckRequest` of the quota plugin. */
const QUOTAS: readonly Question[] = (
  [
    [{ pods: '4' }, { pods: '5' }, true],
    [{ pods: '4' }, { pods: '4' }, false],
    [{ 'requests.memory': '1Gi' }, { 'requests.memory': '1500M' }, true],
    [
      { 'requests.storage': '1Gi', configmaps: '1' },
      { 'requests.storage': '2Gi', configmaps: '2' },
      false,
    ],
  ] as const
).map(([hard, used, isExceeded]): Question => {
  const allowed = JSON.stringify(hard);
  return {
    truth: `a quota of ${allowed} with ${JSON.stringify(used)} used`,
    objects: [
      ...INJECTED.slice(0, 2),
      made('v1 ResourceQuota', 'shop/compute', { status: { hard, used } }),
      made('v1 ResourceQuota', 'other/compute', {
        status: { hard: { pods: 0 }, used: { pods: 9 } },
      }),
    ],
    ...{ ask: 'pod/web-1 -n shop', answer: 'goes', fates: { 'Pod/web-1': 'goes' } },
    says: isExceeded
      ? /^Pod\/web-1\.shop goes; admission may refuse a new one;.*perhaps no pod can be made in the place of/
      : /^Pod\/web-1\.shop goes and is replaced;(?!.*no pod can be)/,
  };
});

const ADMISSION = 'admissionregistration.k8s.io/v1';
const refusing = (group: string, resource: string, expression = 'false', verb = 'DELETE') => [
  made(`${ADMISSION} ValidatingAdmissionPolicy`, 'spare', {
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            ...{ apiGroups: [group], apiVersions: ['*'], operations: [verb] },
            resources: [resource],
          },
        ],
      },
      validations: [{ expression }],
    },
  }),
  made(`${ADMISSION} ValidatingAdmissionPolicyBinding`, 'spare', {
    spec: { policyName: 'spare', validationActions: ['Deny'] },
  }),
];

/** A policy that came after the pod, and one that means other pods. */
const DENYING: readonly Question[] = (
  [
    ["object.metadata.namespace == 'shop'", false],
    ["object.metadata.namespace == 'other'", true],
    ["!has(oldObject.spec) || request.operation == 'DELETE'", false],
  ] as const
).map(
  ([expression, isDenied]): Question => ({
    truth: `a policy demands of new pods: ${expression}`,
    objects: [
      ...INJECTED.slice(0, 2),
      ...refusing('', 'pods', expression, 'CREATE'),
      made('v1 Namespace', 'shop'),
    ],
    ...{ ask: 'pod/web-1 -n shop', answer: 'goes', fates: { 'Pod/web-1': 'goes' } },
    says: isDenied
      ? /^Pod\/web-1\.shop goes; admission may refuse a new one;.*refuses one like it/
      : /^Pod\/web-1\.shop goes and is replaced;(?!.*no pod can be)/,
  }),
);

/** What has to admit a ReplicaSet: a quota, or a webhook that does not answer. */
const UNMADE_SETS: readonly Question[] = [
  {
    truth: 'the Deployment controller makes no ReplicaSet beyond a quota',
    objects: [
      made('apps/v1 Deployment', 'shop/web', { spec: { replicas: 1 } }),
      made('apps/v1 ReplicaSet', 'shop/web-1', {
        ...{ spec: { replicas: 1 }, owners: [owner('apps/v1 Deployment', 'shop/web')] },
        annotations: { 'deployment.kubernetes.io/revision': '1' },
      }),
      made('v1 ResourceQuota', 'shop/compute', {
        status: { hard: { 'count/replicasets.apps': 0 }, used: { 'count/replicasets.apps': 1 } },
      }),
    ],
    ...{ ask: 'rs/web-1 -n shop', answer: 'open' },
    says: /^ReplicaSet\S+ goes, as far as is known; admission may refuse a new one;.*perhaps no ReplicaSet can be made/,
  },
  {
    truth: 'and no old one anew (`getNewReplicaSet`)',
    objects: [
      made('apps/v1 Deployment', 'shop/web', {
        ...{ spec: { replicas: 1 }, annotations: { 'deployment.kubernetes.io/revision': '2' } },
      }),
      ...['1', '2'].map((revision) =>
        made('apps/v1 ReplicaSet', `shop/web-${revision}`, {
          ...{ spec: { replicas: 0 }, owners: [owner('apps/v1 Deployment', 'shop/web')] },
          annotations: { 'deployment.kubernetes.io/revision': revision },
        }),
      ),
      made('v1 ResourceQuota', 'shop/compute', {
        status: { hard: { 'count/replicasets.apps': 1 }, used: { 'count/replicasets.apps': 2 } },
      }),
    ],
    ...{ ask: 'rs/web-1 -n shop', answer: 'goes' },
    says: /^(?!.*can be made in the place)/,
  },
];

/** Dumps of a few kinds, made for the question: what they show is enough to begin with. */
const PARTIAL: readonly Question[] = [
  {
    truth: 'no namespace is finalized while an API does not answer, whatever is in it',
    objects: [
      made('v1 Namespace', 'shop', { leaving: true, spec: { finalizers: ['kubernetes'] } }),
      made('apiregistration.k8s.io/v1 APIService', 'v1beta1.metrics.k8s.io', {
        spec: {
          ...{ group: 'metrics.k8s.io', version: 'v1beta1' },
          service: { namespace: 'kube-system', name: 'metrics-server' },
        },
        status: { conditions: [{ type: 'Available', status: 'False' }] },
      }),
    ],
    ...{ ask: 'explain ns/shop', answer: 'hangs', fates: { Namespace: 'hangs' } },
    says: /bring the pods behind Service\/metrics-server in .* back.* helps whatever else/,
  },
  {
    truth: 'an instance is held by its finalizer, whatever else holds its definition',
    objects: [
      made(KEDA, 'shop/x', { leaving: true, finalizers: ['finalizer.keda.sh'] }),
      made('apiextensions.k8s.io/v1 CustomResourceDefinition', 'scaledobjects.keda.sh', {
        ...{ leaving: true, finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
        spec: {
          group: 'keda.sh',
          names: { kind: 'ScaledObject', plural: 'scaledobjects' },
          ...{ scope: 'Namespaced', versions: [{ name: 'v1alpha1', served: true }] },
        },
      }),
    ],
    ...{ ask: 'explain crd/scaledobjects.keda.sh', answer: 'open' },
    fates: { ScaledObject: 'depends', CustomResourceDefinition: 'unknown' },
    says: /Remedy 2 .* take finalizer\.keda\.sh off ScaledObject/,
  },
];

describeQuestions('answers about what the API server spares', SPARING);
describeQuestions('answers about webhooks without a Service', GONE_SERVICES);
describeQuestions('answers about quotas', [...QUOTAS, ...DENYING, ...UNMADE_SETS]);
describeQuestions('answers about parts of a cluster', PARTIAL);
describeQuestions('answers about pods that cannot be made anew', UNCREATED);

/** Plurals of kinds whose definitions the dump lacks. */
const PLURALS: readonly Question[] = [
  {
    truth: 'a rule names gitrepositories (names.plural)',
    objects: [
      made('source.toolkit.fluxcd.io/v1 GitRepository', 'shop/r'),
      ...refusing('source.toolkit.fluxcd.io', 'gitrepositories'),
    ],
    ...{ ask: 'gitrepository/r -n shop', answer: 'hangs', fates: { GitRepository: 'stays' } },
  },
  {
    truth: 'a rule names hardware, which is the plural of Hardware',
    objects: [
      made('tinkerbell.org/v1alpha1 Hardware', 'shop/h'),
      ...refusing('tinkerbell.org', 'hardware'),
    ],
    ...{ ask: 'hardware/h -n shop', answer: 'open', fates: { Hardware: 'depends' } },
  },
  {
    truth: 'a rule names vertices, which may be those of the kind Vertex',
    objects: [
      made('numaflow.numaproj.io/v1alpha1 Vertex', 'shop/v'),
      ...refusing('numaflow.numaproj.io', 'vertices'),
    ],
    ...{ ask: 'vertex/v -n shop', answer: 'open', fates: { Vertex: 'depends' } },
  },
  {
    truth: 'an expression asks for the resource, of which nobody knows the name',
    objects: [
      made('tinkerbell.org/v1alpha1 Hardware', 'shop/h'),
      ...refusing('tinkerbell.org', '*', "request.resource.resource != 'hardware'"),
    ],
    ...{ ask: 'hardware/h -n shop', answer: 'open', fates: { Hardware: 'depends' } },
  },
  ...[
    ['Criterion', 'criteria'],
    ['Child', 'children'],
    ['Gateway', 'gatewaies'],
  ].map(
    ([kind = '', plural = '']): Question => ({
      truth: `a rule names ${plural}, which may be those of the kind ${kind}`,
      objects: [made(`acme.io/v1 ${kind}`, 'shop/v'), ...refusing('acme.io', plural)],
      ...{ ask: `${kind.toLowerCase()}/v -n shop`, answer: 'open', fates: { [kind]: 'depends' } },
    }),
  ),
  {
    truth: 'another resource of the group',
    objects: [
      made('numaflow.numaproj.io/v1alpha1 Vertex', 'shop/v'),
      ...refusing('numaflow.numaproj.io', 'monovertices'),
    ],
    ...{ ask: 'vertex/v -n shop', answer: 'goes', fates: { Vertex: 'goes' } },
  },
  {
    truth: 'kubectl takes the singular where the plural is not known: podchaos, not podchaoss',
    objects: [
      made('chaos-mesh.org/v1alpha1 PodChaos', 'shop/c', {
        ...{ leaving: true, finalizers: ['chaos-mesh/records'] },
      }),
    ],
    ...{ ask: 'explain podchaos/c -n shop', answer: 'open' },
    says: /kubectl patch podchaos\.chaos-mesh\.org c /,
  },
];

describeQuestions('answers about kinds without a definition', PLURALS);
