import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const MANAGED = 'finalizer.managedresource.crossplane.io';
const provider = made('apps/v1 Deployment', 'crossplane-system/provider-aws', {
  owners: [owner('pkg.crossplane.io/v1 ProviderRevision', 'provider-aws-1')],
  spec: { replicas: 1 },
  status: { readyReplicas: 1 },
});
const secret = (name: string, parts = {}) => made('v1 Secret', name, parts);
const ns = (name: string) => [
  made('v1 Namespace', name),
  made('v1 ConfigMap', `${name}/kube-root-ca.crt`),
  made('v1 ServiceAccount', `${name}/default`),
];

const CROSSPLANE = [
  provider,
  secret('crossplane-system/aws'),
  made('aws.upbound.io/v1beta1 ProviderConfig', 'default', {
    spec: {
      credentials: {
        source: 'Secret',
        secretRef: { namespace: 'crossplane-system', name: 'aws' },
      },
    },
  }),
];
const DATABASE = made('rds.aws.upbound.io/v1beta1 Instance', 'db', {
  finalizers: [MANAGED],
  spec: { providerConfigRef: { name: 'default' } },
});

const pushed = (ref: object, more: object = {}) => [
  runs('external-secrets/external-secrets'),
  made('external-secrets.io/v1alpha1 PushSecret', 'shop/app', {
    ...{ finalizers: ['pushsecret.externalsecrets.io/finalizer'], ...more },
    spec: {
      deletionPolicy: 'Delete',
      secretStoreRefs: [ref],
      selector: { secret: { name: 'app' } },
    },
  }),
];
const pushedTo = (kind: string) => pushed({ kind, name: 'vault' });
/** By its labels, a store of the namespace. */
const CHOSEN = pushed({ kind: 'SecretStore', labelSelector: { matchLabels: { env: 'prod' } } });
const chosenStore = (name: string, env: string, of: string) =>
  made('external-secrets.io/v1 SecretStore', name, {
    labels: { env },
    spec: { provider: { vault: { auth: { tokenSecretRef: { name: of, key: 'k' } } } } },
  });
const PUSHED = pushedTo('ClusterSecretStore');
const store = (more: object) =>
  made('external-secrets.io/v1 ClusterSecretStore', 'vault', {
    spec: {
      provider: { vault: { auth: { tokenSecretRef: { name: 'vault-token', key: 'k', ...more } } } },
    },
  });
const RUNNERS = [
  runs('arc/arc-gha-rs-controller'),
  made('actions.github.com/v1alpha1 AutoscalingRunnerSet', 'shop/arc', {
    finalizers: ['autoscalingrunnerset.actions.github.com/finalizer'],
    spec: { githubConfigSecret: 'gh' },
  }),
];
const challenge = (issuerRef: object, leaving = false) =>
  made('acme.cert-manager.io/v1 Challenge', 'shop/c', {
    leaving,
    finalizers: ['acme.cert-manager.io/finalizer'],
    spec: {
      issuerRef,
      solver: { dns01: { cloudflare: { apiTokenSecretRef: { name: 'dns', key: 'token' } } } },
    },
  });

const QUESTIONS: readonly Question[] = [
  {
    truth: 'External Secrets: a store that is not chosen any more (DeleteSecretFromProviders)',
    objects: [
      ...pushed(
        { kind: 'SecretStore', labelSelector: { matchLabels: { env: 'prod' } } },
        { status: { syncedPushSecrets: { 'SecretStore/a': { key: {} } } } },
      ),
      ...[chosenStore('shop/a', 'test', 'token'), secret('shop/token')],
    ],
    ask: 'pushsecret/app secretstore/a -n shop',
    answer: 'open',
    says: /reads SecretStore\S*\/a\.shop, which may go first/,
  },
  {
    truth: 'External Secrets: a store chosen by labels goes first (GetSecretStores)',
    objects: [...CHOSEN, chosenStore('shop/a', 'prod', 'token'), secret('shop/token')],
    ask: 'pushsecret/app secretstore/a -n shop',
    answer: 'open',
    fates: { PushSecret: 'depends' },
    says: /reads SecretStore\S*\/a\.shop, which may go first/,
  },
  {
    truth: 'External Secrets: one of several chosen ones loses its credentials',
    objects: [
      ...[...CHOSEN, chosenStore('shop/a', 'prod', 'kept'), secret('shop/kept')],
      ...[chosenStore('shop/b', 'prod', 'token'), secret('shop/token')],
    ],
    ask: 'pushsecret/app secret/token -n shop',
    answer: 'open',
    says: /reads Secret\/token\.shop, which may go first/,
  },
  {
    truth: 'External Secrets: None leaves the finalizer before 0.9.20 (#3610), and not the store',
    objects: [
      runs('external-secrets/external-secrets'),
      made('external-secrets.io/v1alpha1 PushSecret', 'shop/app', {
        finalizers: ['pushsecret.externalsecrets.io/finalizer'],
        spec: { deletionPolicy: 'None', secretStoreRefs: [{ name: 'vault' }] },
      }),
    ],
    ask: 'pushsecret/app -n shop',
    answer: 'open',
    fates: { PushSecret: 'depends' },
    says: /its deletion policy is None/,
  },
  {
    truth: 'External Secrets: only PushSecrets that delete hold a store (handleFinalizer)',
    objects: [
      runs('external-secrets/external-secrets'),
      made('external-secrets.io/v1alpha1 PushSecret', 'shop/app', {
        spec: { deletionPolicy: 'None', secretStoreRefs: [{ name: 'vault' }] },
      }),
      made('external-secrets.io/v1 SecretStore', 'shop/vault', {
        finalizers: ['secretstore.externalsecrets.io/finalizer'],
      }),
    ],
    ask: 'secretstore/vault -n shop',
    answer: 'goes',
  },
  {
    truth: 'External Secrets: a store with other labels, or of another namespace, goes',
    objects: [
      ...[...CHOSEN, chosenStore('shop/a', 'prod', 'kept'), secret('shop/kept')],
      ...[chosenStore('shop/b', 'test', 'token'), chosenStore('ops/c', 'prod', 'token')],
    ],
    ask: 'pushsecret/app.shop secretstore/b.shop secretstore/c.ops',
    answer: 'goes',
    fates: { PushSecret: 'goes' },
  },
  {
    truth: 'External Secrets: alone, a store chosen by labels strands what is pushed there',
    objects: [...CHOSEN, chosenStore('shop/a', 'prod', 'token'), secret('shop/token')],
    ask: 'secretstore/a -n shop',
    answer: 'goes',
    says: /PushSecret\S*\/app\.shop/,
  },
  {
    truth: 'the finalizer of a ProviderConfig or store counts users, and reads nothing (Reconcile)',
    objects: [
      provider,
      secret('crossplane-system/aws'),
      made('aws.upbound.io/v1beta1 ProviderConfig', 'default', {
        finalizers: ['in-use.crossplane.io'],
        spec: {
          credentials: { secretRef: { namespace: 'crossplane-system', name: 'aws', key: 'k' } },
        },
      }),
      runs('external-secrets/external-secrets'),
      secret('shop/vault-token'),
      made('external-secrets.io/v1 SecretStore', 'shop/vault', {
        finalizers: ['secretstore.externalsecrets.io/finalizer'],
        spec: {
          provider: { vault: { auth: { tokenSecretRef: { name: 'vault-token', key: 'k' } } } },
        },
      }),
    ],
    ask: 'providerconfig/default secret/aws secretstore/vault secret/vault-token',
    answer: 'goes',
    fates: { ProviderConfig: 'goes', SecretStore: 'goes', Secret: 'goes' },
  },
  {
    truth: 'Crossplane v2: the ProviderConfig of the namespace reads a Secret beside it',
    objects: [
      ...ns('team'),
      provider,
      secret('team/aws'),
      made('aws.m.upbound.io/v1beta1 ProviderConfig', 'team/default', {
        spec: { credentials: { source: 'Secret', secretRef: { namespace: 'team', name: 'aws' } } },
      }),
      made('rds.aws.m.upbound.io/v1beta1 Instance', 'team/db', {
        finalizers: [MANAGED],
        spec: { providerConfigRef: { kind: 'ProviderConfig', name: 'default' } },
      }),
    ],
    ask: 'ns/team',
    answer: 'open',
    fates: { 'Instance/db': 'depends', 'Namespace/team': 'depends' },
    says: /Secret\/aws\.team/,
  },
  {
    truth: 'Crossplane v2: its usage goes first and cannot be made anew, unless it has a finalizer',
    objects: [
      ...ns('team'),
      provider,
      ...['x', 'y'].map((name) =>
        made('kubernetes.m.crossplane.io/v1alpha1 Object', `team/${name}`, {
          finalizers: [MANAGED],
        }),
      ),
      made('kubernetes.m.crossplane.io/v1alpha1 ProviderConfigUsage', 'team/y', {
        owners: [owner('kubernetes.m.crossplane.io/v1alpha1 Object', 'team/y')],
        finalizers: ['finalizer.providerconfigusage.crossplane.io'],
      }),
    ],
    ask: 'ns/team',
    answer: 'open',
    fates: { 'Object/x': 'depends', 'Object/y': 'goes' },
    says: /makes its ProviderConfigUsage anew in its namespace before it lets Object\S+\/x\.team go/,
  },
  {
    truth: 'Crossplane v1: the credentials go in one command with what needs them',
    objects: [...CROSSPLANE, DATABASE],
    ask: 'instance/db secret/aws -n crossplane-system',
    answer: 'open',
    fates: { 'Instance/db': 'depends' },
  },
  {
    truth: 'Crossplane v1: the instance alone, credentials stay',
    objects: [...CROSSPLANE, DATABASE],
    ask: 'instance/db',
    answer: 'goes',
    fates: { 'Instance/db': 'goes' },
  },
  {
    truth: 'Crossplane v1: the credentials alone go, which an instance needs that is being deleted',
    objects: [
      ...CROSSPLANE,
      made('sqs.aws.upbound.io/v1beta1 Queue', 'q', {
        ...{ leaving: true, finalizers: [MANAGED] },
        spec: { providerConfigRef: { name: 'default' } },
      }),
    ],
    ask: 'secret/aws -n crossplane-system',
    answer: 'open',
    says: /reads Secret\/aws\.crossplane-system before it lets Queue\S+\/q go, which is being deleted/,
  },
  {
    truth: 'Crossplane v1: the ProviderConfig that it names is not there (Connect)',
    objects: [provider, made('aws.upbound.io/v1beta1 ProviderConfig', 'other'), DATABASE],
    ask: 'instance/db',
    answer: 'open',
    fates: { 'Instance/db': 'depends' },
    says: /ProviderConfig\/default/,
  },
  {
    truth: 'Cluster API: CAPO reads the identityRef Secret, which the namespace controller deletes',
    objects: [
      ...ns('fleet'),
      runs('capo-system/capo-controller-manager'),
      runs('capi-system/capi-controller-manager'),
      secret('fleet/cloud-config'),
      made('infrastructure.cluster.x-k8s.io/v1beta1 OpenStackCluster', 'fleet/dev', {
        finalizers: ['openstackcluster.infrastructure.cluster.x-k8s.io'],
        spec: { identityRef: { name: 'cloud-config', cloudName: 'openstack' } },
      }),
    ],
    ask: 'ns/fleet',
    answer: 'open',
    fates: { 'OpenStackCluster/dev': 'depends', 'Namespace/fleet': 'depends' },
    says: /Secret\/cloud-config\.fleet/,
  },
  {
    truth: 'Cluster API: the credentials of CAPA are in the namespace of its manager',
    objects: [
      ...ns('fleet'),
      runs('capa-system/capa-controller-manager'),
      secret('capa-system/capa-manager-bootstrap-credentials'),
      runs('capi-system/capi-controller-manager'),
      made('cluster.x-k8s.io/v1beta1 Cluster', 'fleet/dev', {
        finalizers: ['cluster.cluster.x-k8s.io'],
        spec: {},
      }),
      made('infrastructure.cluster.x-k8s.io/v1beta2 AWSCluster', 'fleet/dev', {
        finalizers: ['awscluster.infrastructure.cluster.x-k8s.io'],
        owners: [owner('cluster.x-k8s.io/v1beta1 Cluster', 'fleet/dev')],
        spec: { region: 'eu-west-1' },
      }),
    ],
    ask: 'ns/fleet',
    answer: 'goes',
    fates: { 'AWSCluster/dev': 'goes', 'Namespace/fleet': 'goes' },
  },
  {
    truth: 'Cluster API: CAPV puts a finalizer on its Secret, so it can be read to the end',
    objects: [
      ...ns('fleet'),
      runs('capv-system/capv-controller-manager'),
      secret('fleet/vcenter', {
        finalizers: ['vspherecluster.infrastructure.cluster.x-k8s.io'],
        owners: [owner('infrastructure.cluster.x-k8s.io/v1beta1 VSphereCluster', 'fleet/dev')],
      }),
      made('infrastructure.cluster.x-k8s.io/v1beta1 VSphereCluster', 'fleet/dev', {
        finalizers: ['vspherecluster.infrastructure.cluster.x-k8s.io'],
        spec: { identityRef: { kind: 'Secret', name: 'vcenter' } },
      }),
    ],
    ask: 'ns/fleet',
    answer: 'goes',
    fates: { 'VSphereCluster/dev': 'goes' },
  },
  {
    truth: 'Cluster API: CAPZ reads an AzureClusterIdentity, and that a Secret',
    objects: [
      ...ns('fleet'),
      runs('capz-system/capz-controller-manager'),
      secret('fleet/sp'),
      made('infrastructure.cluster.x-k8s.io/v1beta1 AzureClusterIdentity', 'fleet/id', {
        spec: { type: 'ServicePrincipal', clientSecret: { name: 'sp', namespace: 'fleet' } },
      }),
      made('infrastructure.cluster.x-k8s.io/v1beta1 AzureCluster', 'fleet/dev', {
        finalizers: ['azurecluster.infrastructure.cluster.x-k8s.io'],
        spec: { identityRef: { kind: 'AzureClusterIdentity', name: 'id', namespace: 'fleet' } },
      }),
    ],
    ask: 'ns/fleet',
    answer: 'open',
    fates: { 'AzureCluster/dev': 'depends' },
    says: /Secret\/sp\.fleet|AzureClusterIdentity\S*\/id\.fleet/,
  },
  {
    truth: 'External Secrets: a PushSecret with Delete needs its store, and that a Secret',
    objects: [
      ...ns('shop'),
      ...[...pushedTo('SecretStore'), secret('shop/vault-token'), secret('shop/app')],
      made('external-secrets.io/v1 SecretStore', 'shop/vault', {
        spec: { provider: { vault: { auth: { tokenSecretRef: { name: 'vault-token' } } } } },
      }),
    ],
    ask: 'ns/shop',
    answer: 'open',
    fates: { 'PushSecret/app': 'depends', 'Namespace/shop': 'depends' },
    says: /SecretStore\S*\/vault\.shop/,
  },
  {
    truth:
      'External Secrets: the Secret of a ClusterSecretStore goes first (DeleteSecretFromProviders)',
    objects: [...PUSHED, secret('vault/vault-token'), store({ namespace: 'vault' })],
    ask: 'pushsecret/app secret/vault-token.vault',
    answer: 'open',
    fates: { 'PushSecret/app': 'depends' },
    says: /reads Secret\/vault-token\.vault, which may go first/,
  },
  {
    truth: 'External Secrets: without a namespace, a ClusterSecretStore reads the Secret beside it',
    objects: [...PUSHED, ...ns('shop'), secret('shop/vault-token'), store({})],
    ask: 'ns/shop',
    answer: 'open',
    fates: { 'PushSecret/app': 'depends' },
    says: /Secret\/vault-token\.shop/,
  },
  {
    truth: 'External Secrets: the namespace goes, and the Secret of a ClusterSecretStore stays',
    objects: [
      ...[...PUSHED, ...ns('shop'), secret('vault/vault-token'), secret('shop/vault-token')],
      store({ namespace: 'vault' }),
    ],
    ask: 'ns/shop',
    answer: 'goes',
    fates: { 'PushSecret/app': 'goes' },
  },
  {
    truth: 'External Secrets: an ExternalSecret goes without its store (cleanupManagedSecrets)',
    objects: [
      ...[runs('external-secrets/external-secrets'), store({ namespace: 'vault' })],
      secret('vault/vault-token'),
      made('external-secrets.io/v1 ExternalSecret', 'shop/app', {
        finalizers: ['externalsecrets.external-secrets.io/externalsecret-cleanup'],
        spec: {
          secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
          target: { deletionPolicy: 'Delete' },
        },
      }),
    ],
    ask: 'externalsecret/app secret/vault-token.vault',
    answer: 'goes',
  },
  {
    truth: 'cert-manager: a Challenge reads the credentials of its solver (solverForChallenge)',
    objects: [
      ...[runs('cert-manager/cert-manager'), secret('cert-manager/dns'), secret('shop/tls')],
      challenge({ kind: 'ClusterIssuer', name: 'le' }),
    ],
    ask: 'challenge/c secret/dns.cert-manager',
    answer: 'open',
    says: /reads Secret\/dns\.cert-manager, which may go first/,
  },
  {
    truth: 'cert-manager: those of a ClusterIssuer are not in the namespace that goes',
    objects: [
      ...[runs('cert-manager/cert-manager'), secret('cert-manager/dns'), ...ns('shop')],
      challenge({ kind: 'ClusterIssuer', name: 'le' }),
    ],
    ask: 'ns/shop',
    answer: 'goes',
  },
  {
    truth: 'Azure Service Operator: the namespace has aso-credential, which goes with it',
    objects: [
      ...ns('shop'),
      runs('azureserviceoperator-system/azureserviceoperator-controller-manager'),
      secret('shop/aso-credential'),
      made('resources.azure.com/v1api20200601 ResourceGroup', 'shop/rg', {
        finalizers: ['serviceoperator.azure.com/finalizer'],
        spec: { location: 'westeurope' },
      }),
    ],
    ask: 'ns/shop',
    answer: 'open',
    fates: { 'ResourceGroup/rg': 'depends' },
    says: /Secret\/aso-credential\.shop/,
  },
  {
    truth: 'Azure Service Operator: an annotation names the Secret of one resource',
    objects: [
      runs('azureserviceoperator-system/azureserviceoperator-controller-manager'),
      secret('shop/mine'),
      made('resources.azure.com/v1api20200601 ResourceGroup', 'shop/rg', {
        finalizers: ['serviceoperator.azure.com/finalizer'],
        annotations: { 'serviceoperator.azure.com/credential-from': 'mine' },
      }),
    ],
    ask: 'resourcegroup/rg secret/mine -n shop',
    answer: 'open',
    fates: { 'ResourceGroup/rg': 'depends' },
    says: /Secret\/mine\.shop/,
  },
  {
    truth: 'Azure Service Operator: with the global credential, nothing of the namespace counts',
    objects: [
      ...ns('shop'),
      runs('azureserviceoperator-system/azureserviceoperator-controller-manager'),
      secret('azureserviceoperator-system/aso-controller-settings'),
      secret('shop/other'),
      made('resources.azure.com/v1api20200601 ResourceGroup', 'shop/rg', {
        finalizers: ['serviceoperator.azure.com/finalizer'],
      }),
    ],
    ask: 'ns/shop',
    answer: 'goes',
    fates: { 'ResourceGroup/rg': 'goes' },
  },
  {
    truth: 'Vault Secrets Operator: VaultAuth and VaultConnection of the namespace go too',
    objects: [
      ...ns('shop'),
      runs('vault/vault-secrets-operator-controller-manager'),
      made('secrets.hashicorp.com/v1beta1 VaultAuth', 'shop/auth', {
        finalizers: ['vaultauth.secrets.hashicorp.com/finalizer'],
        spec: { vaultConnectionRef: 'conn', kubernetes: { serviceAccount: 'default' } },
      }),
      made('secrets.hashicorp.com/v1beta1 VaultDynamicSecret', 'shop/db', {
        finalizers: ['vaultdynamicsecret.secrets.hashicorp.com/finalizer'],
        spec: { vaultAuthRef: 'auth', revoke: true },
      }),
    ],
    ask: 'ns/shop',
    answer: 'goes',
    fates: { 'VaultDynamicSecret/db': 'goes' },
  },
  {
    truth: 'MongoDB Atlas: the project reads its connectionSecretRef',
    objects: [
      ...ns('shop'),
      runs('atlas/mongodb-atlas-operator'),
      secret('shop/keys'),
      made('atlas.mongodb.com/v1 AtlasProject', 'shop/p', {
        finalizers: ['mongodbatlas/finalizer'],
        spec: { name: 'p', connectionSecretRef: { name: 'keys' } },
      }),
      made('atlas.mongodb.com/v1 AtlasDeployment', 'shop/d', {
        finalizers: ['mongodbatlas/finalizer'],
        spec: { projectRef: { name: 'p' } },
      }),
    ],
    ask: 'ns/shop',
    answer: 'open',
    fates: { 'AtlasProject/p': 'depends', 'AtlasDeployment/d': 'depends' },
  },
  {
    truth: 'Grafana operator: once its Grafana is gone as well, nothing is left to delete',
    objects: [
      ...ns('shop'),
      runs('grafana/grafana-operator'),
      secret('shop/admin'),
      made('grafana.integreatly.org/v1beta1 Grafana', 'shop/g', {
        labels: { dashboards: 'g' },
        spec: { external: { url: 'https://g', adminPassword: { name: 'admin', key: 'p' } } },
      }),
      made('grafana.integreatly.org/v1beta1 GrafanaDashboard', 'shop/d', {
        finalizers: ['operator.grafana.com/finalizer'],
        spec: { instanceSelector: { matchLabels: { dashboards: 'g' } } },
      }),
    ],
    ask: 'ns/shop',
    answer: 'goes',
    fates: { 'GrafanaDashboard/d': 'goes' },
  },
  {
    truth: 'RabbitMQ topology: a Secret with the URI of a broker elsewhere',
    objects: [
      ...ns('mq'),
      runs('rabbitmq-system/messaging-topology-operator'),
      secret('mq/uri'),
      made('rabbitmq.com/v1beta1 Queue', 'mq/q', {
        finalizers: ['deletion.finalizers.queues.rabbitmq.com'],
        spec: { rabbitmqClusterReference: { connectionSecret: { name: 'uri' } } },
      }),
    ],
    ask: 'ns/mq',
    answer: 'open',
    fates: { 'Queue/q': 'depends' },
    says: /Secret\/uri\.mq/,
  },
  {
    truth: 'Tofu controller: its runner is a pod in the namespace, which takes no new ones',
    objects: [
      ...ns('infra'),
      runs('flux-system/tofu-controller'),
      secret('infra/aws'),
      made('infra.contrib.fluxcd.io/v1alpha2 Terraform', 'infra/vpc', {
        finalizers: ['finalizers.tf.contrib.fluxcd.io'],
        spec: { destroyResourcesOnDeletion: true, varsFrom: [{ kind: 'Secret', name: 'aws' }] },
      }),
    ],
    ask: 'ns/infra',
    answer: 'open',
    fates: { 'Terraform/vpc': 'depends' },
    says: /makes pods in its namespace/,
  },
  {
    truth:
      'Actions Runner Controller: without its Secret, it reaches no GitHub (GetActionsService)',
    objects: [
      ...ns('ci'),
      runs('arc/arc-gha-rs-controller'),
      secret('ci/pat'),
      made('actions.github.com/v1alpha1 EphemeralRunner', 'ci/r', {
        finalizers: ['ephemeralrunner.actions.github.com/finalizer'],
        spec: { githubConfigSecret: 'pat' },
      }),
    ],
    ask: 'ns/ci',
    answer: 'open',
    fates: { EphemeralRunner: 'depends' },
  },
  {
    truth: 'cert-manager: with the Secret back, the record in DNS goes as well (`CleanUp`)',
    objects: [runs('cert-manager/cert-manager'), secret('shop/other'), challenge({}, true)],
    ask: 'explain challenge/c -n shop',
    answer: 'open',
    says: /Remedy 1 harms nothing; .* make Secret\/dns again, as it was.* kubectl get secret dns -n shop Remedy 2 skips/,
  },
  {
    truth: 'Actions Runner Controller: a listener needs no Secret to go, and names one elsewhere',
    objects: [
      runs('arc/arc-gha-rs-controller'),
      secret('arc/other'),
      made('actions.github.com/v1alpha1 AutoscalingListener', 'arc/l', {
        finalizers: ['autoscalinglistener.actions.github.com/finalizer'],
        spec: { githubConfigSecret: 'gh' },
      }),
    ],
    ask: 'autoscalinglistener/l -n arc',
    answer: 'goes',
  },
  {
    truth: 'nothing is made in a namespace that is being deleted (NamespaceLifecycle)',
    objects: [
      runs('cert-manager/cert-manager'),
      made('v1 Namespace', 'shop', { leaving: true, spec: { finalizers: ['kubernetes'] } }),
      secret('shop/other'),
      challenge({}, true),
    ],
    ask: 'explain challenge/c -n shop',
    answer: 'open',
    says: /^(?!.*make Secret)/,
  },
  {
    truth: 'a Service of type LoadBalancer needs nothing of its namespace',
    objects: [
      ...ns('shop'),
      runs('kube-system/cloud-controller-manager'),
      secret('shop/tls'),
      made('v1 Service', 'shop/lb', {
        finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
        spec: { type: 'LoadBalancer' },
      }),
    ],
    ask: 'ns/shop',
    answer: 'goes',
    fates: { 'Service/lb': 'goes' },
  },
  {
    truth: 'Actions Runner Controller: without its Secret, a set stays (ARC #4093, #4655)',
    objects: [...RUNNERS, secret('shop/gh'), ...ns('shop')],
    ask: 'ns/shop',
    answer: 'open',
    fates: { Namespace: 'depends', AutoscalingRunnerSet: 'depends', Secret: 'goes' },
    says: /reads Secret\/gh\.shop, which may go first, to do its work/,
  },
  {
    truth: 'Actions Runner Controller: its Secret stays',
    objects: [...RUNNERS, secret('shop/gh')],
    ask: 'autoscalingrunnerset/arc -n shop',
    answer: 'goes',
    fates: { AutoscalingRunnerSet: 'goes' },
  },
];
describeQuestions('answers about what an owner of a finalizer needs to act', QUESTIONS);
