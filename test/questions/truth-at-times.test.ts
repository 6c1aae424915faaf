import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const ENDED = '2026-01-02T03:00:00Z';
const JOB = made('batch/v1 Job', 'shop/done', {
  spec: { ttlSecondsAfterFinished: 600 },
  status: { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: ENDED }] },
});
const LABELLED = made('v1 ConfigMap', 'shop/c', { labels: { 'cleanup.kyverno.io/ttl': '2h' } });
const ACCOUNT = made('v1 ServiceAccount', 'shop/web');
const NAMED = { 'kubernetes.io/service-account.name': 'web' };

const RESOURCES = 'resources-finalizer.argocd.argoproj.io';
const OF_WEB = { 'app.kubernetes.io/instance': 'web' };
const ARGO = [
  runs('argocd/argocd-application-controller'),
  made('v1 ConfigMap', 'shop/listed', { labels: OF_WEB }),
  made('v1 ConfigMap', 'shop/of-helm', { labels: OF_WEB }),
];
const application = (resources: readonly object[]) =>
  made('argoproj.io/v1alpha1 Application', 'argocd/web', {
    ...{ finalizers: [RESOURCES], status: { resources } },
  });

const chart = made('helm.cattle.io/v1 HelmChart', 'kube-system/traefik', {
  finalizers: ['wrangler.cattle.io/on-helm-chart-remove'],
});
const node = (kubeletVersion: string) =>
  made('v1 Node', 'n1', { status: { nodeInfo: { kubeletVersion } } });
const CHART = 'helmchart/traefik -n kube-system';

const QUESTIONS: readonly Question[] = [
  {
    truth: 'the TTL controller deletes a Job at a time that its condition says',
    objects: [JOB],
    ...{ ask: 'collect', answer: 'goes' },
    says: /other controllers delete 1 object by themselves.*deleted by itself 600 s later, at 2026-01-02T03:10:00Z/,
  },
  {
    truth: 'controllers delete what is too many (`removeOldestJobs`, `manageJob`)',
    objects: [
      made('batch/v1 CronJob', 'shop/daily', {
        spec: { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 },
      }),
      ...['Complete', 'Complete', 'Failed'].map((type, place) =>
        made('batch/v1 Job', `shop/daily-${place}`, {
          owners: [owner('batch/v1 CronJob', 'shop/daily')],
          ...{ spec: {}, status: { conditions: [{ type, status: 'True' }] } },
        }),
      ),
      made('batch/v1 Job', 'shop/work', { spec: { parallelism: 1, completions: 9 } }),
      ...['a', 'b'].map((name) =>
        made('v1 Pod', `shop/${name}`, {
          owners: [owner('batch/v1 Job', 'shop/work')],
          ...{ spec: { nodeName: 'n1' }, status: { phase: 'Running' } },
        }),
      ),
    ],
    ...{ ask: 'collect', answer: 'goes' },
    says: /delete 2 objects by themselves.*CronJob\S+ has 3 Jobs that ended, .*deletes 1 of them, the oldest first Job\S+work\.shop has 2 active pods and wants 1/,
  },
  {
    truth: 'kubelets renew their leases every 10 s, which says how old a deletion is',
    objects: [
      runs('kube-system/aws-load-balancer-controller'),
      made('networking.k8s.io/v1 Ingress', 'shop/web', {
        ...{ finalizers: ['ingress.k8s.aws/resources'], leaving: true },
      }),
      made('coordination.k8s.io/v1 Lease', 'kube-node-lease/n1', {
        spec: { holderIdentity: 'n1', renewTime: '2026-01-02T09:04:05.000000Z' },
      }),
    ],
    ...{ ask: 'explain', answer: 'open' },
    says: /nothing in the dump holds Ingress\S+web\.shop, but it should have been gone for 6 hours/,
  },
  {
    truth: 'the cleanup controller of Kyverno deletes at a time that a label says',
    objects: [LABELLED],
    ...{ ask: 'explain cm/c -n shop', answer: 'goes' },
    says: /Kyverno, if .*, deletes ConfigMap\/c\.shop 2h after it was made/,
  },
  {
    truth: 'the metadata of a Secret do not say whether it is a token',
    objects: [ACCOUNT, made('v1 Secret', 'shop/s', { annotations: NAMED })],
    ...{ ask: 'sa/web -n shop', answer: 'goes' },
    says: /deletes Secret\/s\.shop with .*, if its type, which the dump lacks, is that of tokens/,
  },
  {
    truth: 'an Application has compared others, and the label is that of Helm',
    objects: [...ARGO, application([{ kind: 'ConfigMap', namespace: 'shop', name: 'listed' }])],
    ...{ ask: 'app/web -n argocd', answer: 'goes' },
    says: /^(?!.*ConfigMap\/of-helm).*goes *ConfigMap\/listed/,
  },
  {
    truth: 'an Application that says nothing of what it has compared',
    objects: [...ARGO, application([])],
    ...{ ask: 'app/web -n argocd', answer: 'goes' },
    fates: { 'ConfigMap/of-helm': 'goes' },
  },
  {
    truth: 'the server of k3s has the Helm controller',
    objects: [node('v1.31.2+k3s1'), chart],
    ...{ ask: CHART, answer: 'goes', fates: { HelmChart: 'goes' } },
  },
  {
    truth: 'EKS has none',
    objects: [node('v1.31.2-eks-7f9249a'), chart],
    ...{ ask: CHART, answer: 'open', fates: { HelmChart: 'depends' } },
    says: /no node is of that distribution \(v1\.31\.2-eks-7f9249a\)/,
  },
  {
    truth: 'kapp-controller deletes as an account that can be made again',
    objects: [
      runs('kapp-controller/kapp-controller'),
      ACCOUNT,
      made('kappctrl.k14s.io/v1alpha1 App', 'shop/app', {
        ...{ finalizers: ['finalizers.kapp-ctrl.k14s.io/delete'], leaving: true },
        spec: { serviceAccountName: 'deployer' },
      }),
    ],
    ...{ ask: 'explain app/app -n shop', answer: 'open' },
    says: /make ServiceAccount\/deployer again/,
  },
  {
    truth: 'NACK keeps an account that a stream of its namespace names (`findDependentResources`)',
    objects: [
      runs('nats/nack'),
      made('jetstream.nats.io/v1beta2 Account', 'shop/a', {
        finalizers: ['account.nats.io/finalizer'],
      }),
      made('jetstream.nats.io/v1beta2 Stream', 'shop/s', { spec: { account: 'a' } }),
    ],
    ...{ ask: 'account/a -n shop', answer: 'open', says: /Stream\S+ stays/ },
  },
  ...[true, false].map(
    (destroyOnFinalize): Question => ({
      truth: `Pulumi makes an Update to destroy a stack (destroyOnFinalize: ${destroyOnFinalize})`,
      objects: [
        ...[made('v1 Namespace', 'shop'), runs('pulumi/pulumi-kubernetes-operator')],
        made('v1 ConfigMap', 'shop/kube-root-ca.crt'),
        made('v1 ServiceAccount', 'shop/default'),
        made('pulumi.com/v1 Stack', 'shop/s', {
          finalizers: ['finalizer.stack.pulumi.com'],
          spec: { destroyOnFinalize },
        }),
      ],
      ...{
        ask: 'ns/shop',
        answer: destroyOnFinalize ? 'open' : 'goes',
      },
    }),
  ),
  {
    truth: 'NACK deletes the stream in NATS, as topic operators do with topics',
    objects: [
      runs('nats/nack'),
      made('jetstream.nats.io/v1beta2 Stream', 'shop/orders', {
        finalizers: ['stream.nats.io/finalizer'],
      }),
    ],
    ...{ ask: 'stream/orders -n shop', answer: 'goes' },
    says: /the stream, with its messages, in NATS/,
  },
];

describeQuestions('what happens at set times, and to whom', QUESTIONS);
