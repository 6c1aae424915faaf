import { describeQuestions, made, owner, type Question, runs } from './truth-objects.ts';

const KEDA = made('keda.sh/v1alpha1 ScaledObject', 'shop/web', {
  finalizers: ['finalizer.keda.sh'],
});
const keda = (spec: object, ready = 1) => runs('keda/keda-operator', spec, ready);
const manager = (more: object) => ({ containers: [{ name: 'manager', ...more }] });
const watching = (name: string, value: string) => manager({ env: [{ name, value }] });
const lease = (name: string, holder: string, renewTime: string) =>
  made('coordination.k8s.io/v1 Lease', name, { spec: { holderIdentity: holder, renewTime } });
/** As operators of before client-go 0.24 may have it. */
const lock = (type: string, name: string, holderIdentity: string, renewTime: string) =>
  made(type, name, {
    annotations: {
      'control-plane.alpha.kubernetes.io/leader': JSON.stringify({ holderIdentity, renewTime }),
    },
  });
const node = lease('kube-node-lease/n1', 'n1', '2026-01-02T12:00:00.000000Z');
const goes = { ask: 'scaledobject/web', answer: 'goes', fates: { ScaledObject: 'goes' } } as const;
const open = {
  ask: 'scaledobject/web',
  answer: 'open',
  fates: { ScaledObject: 'depends' },
} as const;

const RIGHTS = [
  keda({ serviceAccountName: 'keda', ...manager({}) }),
  made('v1 ServiceAccount', 'keda/keda'),
  made('rbac.authorization.k8s.io/v1 ClusterRole', 'keda'),
  made('rbac.authorization.k8s.io/v1 ClusterRoleBinding', 'keda', {
    roleRef: { kind: 'ClusterRole', name: 'keda' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'keda', name: 'keda' }],
  }),
];
const olm = (annotations: object) =>
  made('apps/v1 Deployment', 'keda/keda-operator', {
    spec: {
      replicas: 1,
      template: {
        metadata: { annotations },
        spec: manager({
          env: [
            {
              name: 'WATCH_NAMESPACE',
              valueFrom: {
                fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" },
              },
            },
          ],
        }),
      },
    },
    status: { readyReplicas: 1 },
  });

/** The ReplicaSet and the pod of the operator, which runs. */
const children = (spec: object) => [
  made('apps/v1 ReplicaSet', 'keda/keda-operator-6f', {
    owners: [owner('apps/v1 Deployment', 'keda/keda-operator')],
    spec: { replicas: 1, template: { spec } },
    status: { readyReplicas: 1 },
  }),
  made('v1 Pod', 'keda/keda-operator-6f-x', {
    owners: [owner('apps/v1 ReplicaSet', 'keda/keda-operator-6f')],
    spec: { nodeName: 'n1', ...spec },
    status: { phase: 'Running' },
  }),
];
const OPS = watching('WATCH_NAMESPACE', 'ops');

/** A pod without a workload. */
const alone = (spec: object, ready = 'True') =>
  made('v1 Pod', 'keda/keda-operator', {
    spec: { nodeName: 'n1', ...spec },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
  });

const QUESTIONS: readonly Question[] = [
  {
    truth: 'a pod that runs watches no more namespaces than its Deployment',
    objects: [KEDA, keda(OPS), ...children(OPS)],
    ...open,
    says: /Deployment\S+, which may run its owner, watches ops only/,
  },
  {
    truth: 'a pod in CrashLoopBackOff is Running, and its Deployment has no ready pod',
    objects: [KEDA, keda({}, 0), ...children(manager({}))],
    ...open,
    says: /has no ready pod/,
  },
  {
    truth: 'a role of another group (keycloak, IAM) has the name of the ClusterRole that goes',
    objects: [KEDA, ...RIGHTS, made('iam.acme.io/v1 ClusterRole', 'keda')],
    ask: 'scaledobject/web clusterrole.rbac.authorization.k8s.io/keda -n shop',
    answer: 'open',
    fates: { ScaledObject: 'depends' },
  },
  {
    truth: 'KEDA: WATCH_NAMESPACE is another one',
    objects: [KEDA, keda(watching('WATCH_NAMESPACE', 'ops'))],
    ...open,
    says: /watches ops only \(WATCH_NAMESPACE\), and not shop/,
  },
  {
    truth: 'KEDA: WATCH_NAMESPACE names it among others',
    objects: [KEDA, keda(watching('WATCH_NAMESPACE', 'ops, shop'))],
    ...goes,
  },
  {
    truth: 'KEDA: WATCH_NAMESPACE is in a ConfigMap, whose data no dump needs to have',
    objects: [
      KEDA,
      keda(
        manager({
          env: [
            { name: 'WATCH_NAMESPACE', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
          ],
        }),
      ),
    ],
    ...open,
    says: /whose value the dump does not show: kubectl describe deployment\/keda-operator -n keda/,
  },
  {
    truth: 'a flag and its value in two words, with a variable',
    objects: [
      KEDA,
      keda(
        manager({
          env: [{ name: 'NAMESPACE', value: 'ops' }],
          args: ['--namespace', '$(NAMESPACE)'],
        }),
      ),
    ],
    ...open,
    says: /watches ops only \(--namespace\)/,
  },
  {
    truth: 'a dump of an older dump-command has no names of containers and variables',
    objects: [KEDA, keda({ containers: [{ env: [{}] }] })],
    ...open,
    says: /does not show its variables and arguments \(shortened, or of an older dump-command\): kubectl/,
  },
  {
    truth: 'no pod is without containers, so the dump does not show them (validateContainers)',
    objects: [KEDA, keda({ containers: [] })],
    ...open,
    says: /does not show its variables and arguments \(shortened/,
  },
  {
    truth: 'WATCH_NAMESPACE may be one of all that a ConfigMap has',
    objects: [KEDA, keda(manager({ envFrom: [{ configMapRef: { name: 'c' } }] }))],
    ...open,
    says: /does not show the variables of ConfigMap\/c/,
  },
  ...(
    [
      [{ WATCH_NAMESPACE: 'shop,web' }, 'goes', /./],
      [{ WATCH_NAMESPACE: 'ops' }, 'open', /watches ops only \(WATCH_NAMESPACE\)/],
      [{ LOG: 'debug' }, 'goes', /./],
      [{}, 'open', /does not show the variables of ConfigMap\/c/],
    ] as const
  ).map(([data, answer, says]) => ({
    truth: `a ConfigMap has ${JSON.stringify(data)} for all variables`,
    objects: [
      KEDA,
      keda(manager({ envFrom: [{ configMapRef: { name: 'c' } }] })),
      made('v1 ConfigMap', 'keda/c', { data }),
    ],
    ...(answer === 'goes' ? goes : open),
    says,
  })),
  ...[
    ['shop', 'ops', /which WATCH_NAMESPACE counts/] as const,
    ['shop', null, /the variables of ConfigMap\/b/] as const,
  ].map(([first, second, says]) => ({
    truth: `the last ConfigMap counts, and has ${second} (makeEnvironmentVariables)`,
    objects: [
      KEDA,
      keda(manager({ envFrom: ['a', 'b'].map((name) => ({ configMapRef: { name } })) })),
      made('v1 ConfigMap', 'keda/a', { data: { WATCH_NAMESPACE: first } }),
      ...(second === null
        ? []
        : [made('v1 ConfigMap', 'keda/b', { data: { WATCH_NAMESPACE: second } })]),
    ],
    ...open,
    says,
  })),
  {
    truth: 'two containers watch different namespaces, and nothing says which is the operator',
    objects: [
      KEDA,
      keda({
        containers: ['shop', 'ops'].flatMap(
          (value) => watching('WATCH_NAMESPACE', value).containers,
        ),
      }),
    ],
    ...open,
    says: /which WATCH_NAMESPACE counts/,
  },
  ...([undefined, 'shop', 'ops'] as const).map((value) => ({
    truth: `one variable has the namespaces, and another one has ${value ?? 'what the dump lacks'}`,
    objects: [
      KEDA,
      keda(
        manager({
          env: [
            { name: 'WATCH_NAMESPACE', value: 'shop' },
            {
              name: 'TARGET_NAMESPACE',
              valueFrom: { configMapKeyRef: { name: 'c', key: 'namespaces' } },
            },
          ],
        }),
      ),
      ...(value === undefined
        ? []
        : [made('v1 ConfigMap', 'keda/c', { data: { namespaces: value } })]),
    ],
    ...(value === 'shop' ? goes : open),
  })),
  {
    truth: 'beside a container with the namespaces, one has a script that the dump lacks',
    objects: [
      KEDA,
      keda({
        containers: [
          ...watching('WATCH_NAMESPACE', 'shop').containers,
          { name: 'operator', image: 'operator', command: ['sh', '-c'] },
        ],
      }),
    ],
    ...open,
    says: /does not show the script that starts it/,
  },
  {
    truth: 'tools empty the values of a Secret, so an empty one does not mean all namespaces',
    objects: [
      KEDA,
      keda(manager({ envFrom: [{ secretRef: { name: 's' } }] })),
      made('v1 Secret', 'keda/s', { data: { WATCH_NAMESPACE: '' } }),
    ],
    ...open,
    says: /whose value the dump does not show/,
  },
  {
    truth: 'a key of a Secret has the namespaces, which an argument names by a variable',
    objects: [
      KEDA,
      keda(
        manager({
          env: [{ name: 'NS', valueFrom: { secretKeyRef: { name: 's', key: 'namespaces' } } }],
          args: ['--namespace=$(NS)'],
        }),
      ),
      made('v1 Secret', 'keda/s', { data: { namespaces: 'b3Bz' } }),
    ],
    ...open,
    says: /watches ops only \(--namespace\)/,
  },
  {
    truth: 'an explicit variable counts more than those of a ConfigMap',
    objects: [
      KEDA,
      keda(
        manager({
          env: [{ name: 'WATCH_NAMESPACE', value: '' }],
          envFrom: [{ configMapRef: { name: 'c' } }],
        }),
      ),
    ],
    ...goes,
  },
  {
    truth: 'sh -c: the flag is in the script',
    objects: [
      KEDA,
      keda(manager({ command: ['/bin/sh', '-c'], args: ['exec /keda --watch-namespace="ops"'] })),
    ],
    ...open,
    says: /watches ops only \(--watch-namespace\)/,
  },
  {
    truth: 'sh -c: the script sets the variable, by another one',
    objects: [
      KEDA,
      keda(
        manager({
          env: [{ name: 'NS', value: 'ops' }],
          command: ['sh', '-ec', 'export WATCH_NAMESPACE=$NS; exec /keda'],
        }),
      ),
    ],
    ...open,
    says: /watches ops only \(WATCH_NAMESPACE\)/,
  },
  {
    truth: 'sh -c: a script without such a flag',
    objects: [KEDA, keda(manager({ command: ['sh', '-c', 'exec /keda --leader-elect'] }))],
    ...goes,
  },
  {
    truth: 'sh -c: dump-command keeps no script',
    objects: [KEDA, keda({ containers: [{ name: 'c', command: ['sh', '-c'] }] })],
    ...open,
    says: /does not show the script that starts it/,
  },
  {
    truth: 'KEDA: an empty WATCH_NAMESPACE means all',
    objects: [KEDA, keda(watching('WATCH_NAMESPACE', ''))],
    ...goes,
  },
  {
    truth: 'KEDA: the API server leaves an empty value out',
    objects: [KEDA, keda(manager({ env: [{ name: 'WATCH_NAMESPACE' }] }))],
    ...goes,
  },
  {
    truth: 'OLM: the OperatorGroup selects other namespaces',
    objects: [KEDA, olm({ 'olm.targetNamespaces': 'ops' })],
    ...open,
  },
  {
    truth: 'OLM: the OperatorGroup selects all',
    objects: [KEDA, olm({ 'olm.targetNamespaces': '' })],
    ...goes,
  },
  {
    truth: 'an operator of its own namespace alone (metadata.namespace)',
    objects: [
      KEDA,
      keda(
        manager({
          env: [
            {
              name: 'WATCH_NAMESPACE',
              valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } },
            },
          ],
        }),
      ),
    ],
    ...open,
    says: /watches keda only/,
  },
  {
    truth: 'Strimzi: one topic operator for each namespace, by STRIMZI_NAMESPACE',
    objects: ['a', 'b'].flatMap((name) => [
      runs(`${name}/main-entity-operator`, watching('STRIMZI_NAMESPACE', name)),
      made('kafka.strimzi.io/v1beta2 KafkaTopic', `${name}/t`, {
        finalizers: ['strimzi.io/topic-operator'],
      }),
    ]),
    ask: 'kafkatopic/t -n a',
    answer: 'goes',
    fates: { KafkaTopic: 'goes' },
  },
  {
    truth: 'Percona: WATCH_NAMESPACE of the operator is that of the cluster',
    objects: [
      runs('db/percona-xtradb-cluster-operator', watching('WATCH_NAMESPACE', 'db')),
      ...['db', 'other'].map((name) =>
        made('pxc.percona.com/v1 PerconaXtraDBCluster', `${name}/c`, {
          finalizers: ['percona.com/delete-pxc-pods-in-order'],
        }),
      ),
    ],
    ask: 'pxc/c -n other',
    answer: 'open',
    fates: { PerconaXtraDBCluster: 'depends' },
  },
  {
    truth: 'Cluster API: --namespace of the manager limits it',
    objects: [
      runs('capi-system/capi-controller-manager', manager({ args: ['--namespace=team-a'] })),
      made('cluster.x-k8s.io/v1beta1 Cluster', 'team-b/c', {
        finalizers: ['cluster.cluster.x-k8s.io'],
      }),
    ],
    ask: 'cluster.cluster.x-k8s.io/c -n team-b',
    answer: 'open',
    fates: { Cluster: 'depends' },
    says: /--namespace/,
  },
  {
    truth: 'a Deployment of the operator for each namespace: one is scaled to 0',
    objects: [
      runs('a/keda-operator', watching('WATCH_NAMESPACE', 'shop'), 0),
      runs('b/keda-operator', watching('WATCH_NAMESPACE', 'other')),
      KEDA,
    ],
    ...open,
  },
  {
    truth: 'a cluster-scoped object is seen whatever namespaces are watched',
    objects: [
      runs('gk/gatekeeper-controller-manager', watching('WATCH_NAMESPACE', 'gk')),
      made('templates.gatekeeper.sh/v1 ConstraintTemplate', 't', {
        finalizers: ['constrainttemplate.finalizers.gatekeeper.sh'],
      }),
    ],
    ask: 'constrainttemplate/t',
    answer: 'goes',
  },
  {
    truth: 'leader election: the lease was renewed hours before those of the nodes',
    objects: [
      KEDA,
      keda({}),
      node,
      lease('keda/operator.keda.sh', 'keda-operator-6f-x_1', '2026-01-02T09:00:00Z'),
    ],
    ...open,
    says: /last renewed Lease\S+operator\.keda\.sh\.keda 180 minutes before/,
  },
  ...['ConfigMap', 'Endpoints'].map(
    (kind): Question => ({
      truth: `leader election: a lock in an object of kind ${kind} (resourcelock)`,
      objects: [
        ...[KEDA, keda({}), node],
        lock(`v1 ${kind}`, 'keda/operator', 'keda-operator-6f-x_1', '2026-01-02T09:00:00Z'),
      ],
      ...open,
      says: RegExp(`last renewed ${kind}/operator\\.keda 180 minutes before`),
    }),
  ),
  {
    truth: 'leader election: a multilock has both (configmapsleases), and one is new',
    objects: [
      ...[KEDA, keda({}), node],
      lock('v1 ConfigMap', 'keda/operator', 'keda-operator-6f-x_1', '2026-01-02T09:00:00Z'),
      lease('keda/operator', 'keda-operator-6f-x_1', '2026-01-02T11:59:50Z'),
    ],
    ...goes,
  },
  {
    truth: 'leader election: the lock of a ConfigMap is made anew by who holds it',
    objects: [
      ...[KEDA, keda({}), ...children(manager({}))],
      lock('v1 ConfigMap', 'keda/operator', 'keda-operator-6f-x_1', '2026-01-02T11:59:50Z'),
    ],
    ...{ ask: 'cm/operator -n keda', answer: 'goes' },
    says: /makes ConfigMap\/operator\.keda anew/,
  },
  {
    truth: 'leader election: the lease is as new as those of the nodes',
    objects: [
      KEDA,
      keda({}),
      node,
      lease('keda/operator.keda.sh', 'keda-operator-6f-x_1', '2026-01-02T11:59:50Z'),
    ],
    ...goes,
  },
  {
    truth: 'leader election: without other leases, nothing says how old it is',
    objects: [
      KEDA,
      keda({}),
      lease('keda/operator.keda.sh', 'keda-operator-6f-x_1', '2026-01-02T09:00:00Z'),
    ],
    ...goes,
  },
  {
    truth: 'leader election: another lease that it holds is new',
    objects: [
      KEDA,
      keda({}),
      node,
      lease('keda/old', 'keda-operator-6f-x_1', '2026-01-02T09:00:00Z'),
      lease('keda/operator.keda.sh', 'keda-operator-6f-x_2', '2026-01-02T11:59:50Z'),
    ],
    ...goes,
  },
  {
    truth: 'leader election: the stale lease is that of a workload with a longer name',
    objects: [
      KEDA,
      keda({}),
      runs('keda/keda-operator-metrics'),
      node,
      lease('keda/metrics', 'keda-operator-metrics-5c-y_1', '2026-01-02T09:00:00Z'),
      lease('keda/operator.keda.sh', 'keda-operator-6f-x_2', '2026-01-02T11:59:50Z'),
    ],
    ...goes,
  },
  {
    truth: 'leader election: the fresh lease is that of a workload with a longer name',
    objects: [
      KEDA,
      keda({}),
      runs('keda/keda-operator-metrics'),
      node,
      lease('keda/metrics', 'keda-operator-metrics-5c-y_1', '2026-01-02T11:59:50Z'),
      lease('keda/operator.keda.sh', 'keda-operator-6f-x_2', '2026-01-02T09:00:00Z'),
    ],
    ...open,
  },
  {
    truth: 'leader election: the leases of cert-manager are in kube-system',
    objects: [
      made('acme.cert-manager.io/v1 Challenge', 'shop/c', {
        finalizers: ['acme.cert-manager.io/finalizer'],
      }),
      runs('cert-manager/cert-manager'),
      node,
      lease(
        'kube-system/cert-manager-controller',
        'cert-manager-5f-x-external-cert-manager-controller',
        '2026-01-02T09:00:00Z',
      ),
    ],
    ask: 'challenge/c -n shop',
    answer: 'open',
    says: /last renewed Lease\S+cert-manager-controller\.kube-system 180 minutes/,
  },
  {
    truth: 'leader election: of two workloads with one name, each may hold the lease elsewhere',
    objects: [
      KEDA,
      keda({}),
      runs('other/keda-operator'),
      node,
      lease('kube-system/a', 'keda-operator-6f-x_1', '2026-01-02T09:00:00Z'),
      lease('kube-system/b', 'keda-operator-7a-y_2', '2026-01-02T11:59:50Z'),
    ],
    ...open,
  },
  {
    truth: 'leader election: the pod that holds the lease says of which workload it is',
    objects: [
      KEDA,
      keda({}),
      ...children({ containers: [{ name: 'c' }] }),
      runs('other/keda-operator', {}, 0),
      node,
      lease('kube-system/a', 'keda-operator-6f-x_1', '2026-01-02T11:59:50Z'),
    ],
    ...goes,
  },
  {
    truth: 'an operator that is a pod alone, and is not ready',
    objects: [KEDA, alone({}, 'False')],
    ...open,
    says: /Pod\/keda-operator\.keda, which may run its owner, is not ready/,
  },
  {
    truth: 'an operator that is a pod alone, and watches another namespace',
    objects: [KEDA, alone(OPS)],
    ...open,
    says: /watches ops only/,
  },
  {
    truth: 'an operator that is a pod alone runs',
    objects: [KEDA, alone({})],
    ...goes,
  },
  {
    truth: 'an operator that is a pod alone goes, which nothing makes anew',
    objects: [KEDA, alone({})],
    ask: 'pod/keda-operator -n keda',
    answer: 'goes',
    says: /without it, the deletion of ScaledObject\S+ hangs/,
  },
  {
    truth: 'the ClusterRole of the operator goes as well',
    objects: [KEDA, ...RIGHTS],
    ask: 'scaledobject/web clusterrole/keda -n shop',
    answer: 'open',
    fates: { ScaledObject: 'depends' },
    says: /loses its rights with ClusterRole\S+\/keda/,
  },
  {
    truth: 'another ClusterRole goes as well',
    objects: [KEDA, ...RIGHTS, made('rbac.authorization.k8s.io/v1 ClusterRole', 'other')],
    ask: 'scaledobject/web clusterrole/other -n shop',
    answer: 'goes',
  },
  {
    truth: 'the ClusterRoleBinding of the operator goes as well',
    objects: [KEDA, ...RIGHTS],
    ask: 'scaledobject/web clusterrolebinding/keda -n shop',
    answer: 'open',
  },
  {
    truth: 'CrashLoopBackOff: no ready pod',
    objects: [KEDA, keda({}, 0)],
    ...open,
    says: /has no ready pod/,
  },
  {
    truth: 'the operator in the namespace that is deleted, with the object in another one',
    objects: [
      KEDA,
      keda({}),
      made('v1 Namespace', 'keda'),
      made('v1 ConfigMap', 'keda/kube-root-ca.crt'),
      made('v1 ServiceAccount', 'keda/default'),
    ],
    ask: 'ns/keda',
    answer: 'open',
    says: /without it, the deletion of ScaledObject\S+ hangs/,
  },
  {
    truth: 'the operator is a StatefulSet that is being deleted',
    objects: [
      KEDA,
      made('apps/v1 StatefulSet', 'keda/keda-operator', {
        leaving: true,
        finalizers: ['foregroundDeletion'],
        status: { readyReplicas: 1 },
      }),
    ],
    ...open,
  },
];
describeQuestions('answers about whether the owner of a finalizer runs and acts', QUESTIONS);
