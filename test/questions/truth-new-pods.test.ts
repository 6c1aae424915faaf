import { describeQuestions, made, owner, type Question } from './truth-objects.ts';

const TEAM = { 'kubernetes.io/metadata.name': 'shop' };
const place = (labels: Readonly<Record<string, string>> = {}) =>
  made('v1 Namespace', 'shop', { labels: { ...TEAM, ...labels } });
const enforcing = (level: string) => place({ 'pod-security.kubernetes.io/enforce': level });
const container = { name: 'c', resources: {} };

/** A Deployment, its ReplicaSet and its pod, which may have been made from an older template. */
function web(
  spec: object,
  labels: Readonly<Record<string, string>> = {},
  annotations: Readonly<Record<string, string>> = {},
): readonly object[] {
  const whole = { containers: [container], securityContext: {}, ...spec };
  const workload = {
    spec: { replicas: 1, template: { metadata: { labels, annotations }, spec: whole } },
    status: { replicas: 1, readyReplicas: 1 },
  };
  return [
    made('apps/v1 Deployment', 'shop/web', workload),
    made('apps/v1 ReplicaSet', 'shop/web-1', {
      ...{ owners: [owner('apps/v1 Deployment', 'shop/web')], ...workload },
    }),
    made('v1 Pod', 'shop/web-1-x', {
      labels: { app: 'web' },
      owners: [owner('apps/v1 ReplicaSet', 'shop/web-1')],
      spec: { nodeName: 'n1', ...whole },
      status: { phase: 'Running' },
    }),
  ];
}

const ODD = {
  ...{ appArmorProfile: { type: 'Unconfined' }, procMount: 'Unmasked' },
  ...{ seLinuxOptions: { user: 'system_u' }, windowsOptions: { hostProcess: true } },
};

const ENGINE = { seLinuxOptions: { type: 'container_engine_t' } };
const PROBING = {
  containers: [{ ...container, readinessProbe: { tcpSocket: { host: '10.0.0.1', port: 80 } } }],
};
const UNCONFINED = { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' };

const node = (spec: object = {}) =>
  made('v1 Node', 'n1', {
    ...{ labels: { disk: 'ssd' }, spec },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
const TAINTS = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
const CORDONED = node({ taints: TAINTS });

/** A DaemonSet and its pod. */
function each(name: string, spec: object): readonly object[] {
  const whole = { containers: [container], securityContext: {}, ...spec };
  return [
    made('apps/v1 DaemonSet', `shop/${name}`, { spec: { template: { spec: whole } } }),
    made('v1 Pod', `shop/${name}-x`, {
      owners: [owner('apps/v1 DaemonSet', `shop/${name}`)],
      spec: { nodeName: 'n1', ...whole },
      status: { phase: 'Running' },
    }),
  ];
}

const account = (name: string) => made('v1 ServiceAccount', `shop/${name}`);
const BOUND = made('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding', 'team', {
  spec: { policyName: 'team', validationActions: ['Deny'] },
});
const POLICY = made('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy', 'team', {
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
      ],
    },
    validations: [{ expression: '"team" in object.metadata.labels' }],
  },
});

const goes = { answer: 'goes', fates: { Pod: 'goes' } } as const;
const pod = { ask: 'pod/web-1-x -n shop', ...goes };
const refused = (why: string) =>
  new RegExp(`admission may refuse a new one.*perhaps no pod can be made.*: ${why}`);
const REPLACED = /^(?!.*stays pending)Pod\/web-1-x\.shop goes and is replaced/;

const QUESTIONS: readonly Question[] = [
  {
    truth: 'PodSecurity refuses a pod that was made before the label',
    objects: [enforcing('restricted'), ...web({ securityContext: { runAsNonRoot: true } })],
    ...pod,
    says: refused(
      'Namespace/shop enforces .* restricted: allowPrivilegeEscalation is not false, capabilities.drop lacks ALL, no seccompProfile ',
    ),
  },
  {
    truth: 'a dump of an older dump-command has no securityContext',
    objects: [enforcing('restricted'), ...web({ securityContext: null })],
    ...pod,
    says: REPLACED,
  },
  {
    truth: 'a Deployment makes the ReplicaSet anew, and PodSecurity refuses its pods',
    objects: [enforcing('baseline'), ...web({ hostNetwork: true })],
    ...{ ask: 'rs/web-1 -n shop', ...goes },
    says: /perhaps no pod can be made .* baseline: hostNetwork: true/,
  },
  {
    truth: 'what the levels say of volumes and of security contexts',
    objects: [
      enforcing('restricted'),
      ...web({
        volumes: [{ name: 'v', nfs: {} }],
        securityContext: { runAsNonRoot: false, sysctls: [{ name: 'kernel.sem' }] },
        containers: [{ ...container, securityContext: ODD }],
      }),
    ],
    ...pod,
    says: refused(
      'Namespace/shop enforces .* restricted: appArmorProfile.type: Unconfined, procMount: Unmasked, seLinuxOptions.user: system_u, windowsOptions.hostProcess: true, sysctl kernel.sem, a volume of type nfs, .*runAsNonRoot is not true',
    ),
  },
  {
    truth: '`baseline` allows volumes of every type, and a pod with users of its own more of /proc',
    objects: [
      enforcing('baseline'),
      ...web({
        ...{ hostUsers: false, volumes: [{ name: 'v', nfs: {} }] },
        containers: [{ ...container, securityContext: { procMount: 'Unmasked', ...ENGINE } }],
      }),
    ],
    ...pod,
    says: /^(?!.*no pod can be made)Pod.*is replaced/,
  },
  {
    truth: 'a release before both of these (1.35, 1.31); sysctls are compared as written',
    objects: [
      place({
        'pod-security.kubernetes.io/enforce': 'baseline',
        'pod-security.kubernetes.io/enforce-version': 'v1.30',
      }),
      ...web({
        hostUsers: false,
        securityContext: { sysctls: [{ name: 'net/ipv4/tcp_syncookies' }] },
        containers: [{ ...container, securityContext: { procMount: 'Unmasked', ...ENGINE } }],
      }),
    ],
    ...pod,
    says: refused(
      'Namespace/shop enforces .* baseline: procMount: Unmasked, seLinuxOptions.type: container_engine_t, sysctl net/ipv4/tcp_syncookies ',
    ),
  },
  {
    truth: 'a host of a probe (1.34), and a profile that an annotation names',
    objects: [enforcing('baseline'), ...web(PROBING, {}, UNCONFINED)],
    ...pod,
    says: refused(
      'Namespace/shop enforces .* baseline: readinessProbe.tcpSocket.host: 10.0.0.1, container.apparmor.*/c: unconfined ',
    ),
  },
  {
    truth: 'the rules of the release that the namespace names, which asked less',
    objects: [
      place({
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/enforce-version': 'v1.18',
      }),
      ...web({ securityContext: { runAsNonRoot: true }, ...PROBING }),
    ],
    ...pod,
    says: refused('Namespace/shop enforces .* restricted: allowPrivilegeEscalation is not false '),
  },
  {
    truth: 'LimitRanger gives a limit that is below the request',
    objects: [
      place(),
      made('v1 LimitRange', 'shop/less', {
        spec: { limits: [{ type: 'Container', default: { cpu: '500m' } }] },
      }),
      ...web({ containers: [{ ...container, resources: { requests: { cpu: 1 } } }] }),
    ],
    ...pod,
    says: refused(
      'LimitRange/less.shop gives c a limit of 500m cpu, which is below its request of 1',
    ),
  },
  {
    truth: 'the plug-in ServiceAccount refuses a pod without its account',
    objects: [place(), account('default'), ...web({ serviceAccountName: 'web' })],
    ...pod,
    says: refused('it names ServiceAccount/web, which the dump lacks'),
  },
  {
    truth: 'the account goes with the same deletion',
    objects: [place(), account('web'), ...web({ serviceAccountName: 'web' })],
    ...{ ask: 'pod/web-1-x sa/web -n shop', ...goes },
    says: /perhaps no pod can be made .* it names ServiceAccount\/web\.shop, which goes as well/,
  },
  {
    truth: 'LimitRanger and ResourceQuota judge the template, and not the pod',
    objects: [
      place(),
      made('v1 LimitRange', 'shop/most', {
        spec: { limits: [{ type: 'Container', max: { memory: '100Mi' } }] },
      }),
      made('v1 ResourceQuota', 'shop/cpus', { status: { hard: { 'limits.cpu': '4' } } }),
      ...web({ containers: [{ ...container, resources: { limits: { memory: '0.2Gi' } } }] }),
    ],
    ...pod,
    says: /allows at most 100Mi memory for a container, and c has 0\.2Gi.*counts limits\.cpu, of which it says nothing/,
  },
  {
    truth: 'no node has the labels of the nodeSelector',
    objects: [place(), node(), ...web({ nodeSelector: { disk: 'nvme' } })],
    ...pod,
    says: /goes and is replaced.*stays pending until a node fits: n1 does not have the labels/,
  },
  {
    truth: 'every node is cordoned',
    objects: [place(), CORDONED, ...web({})],
    ...pod,
    says: /stays pending until a node fits: n1 is cordoned/,
  },
  {
    truth: 'a dump with a part of the nodes, as its pods say',
    objects: [
      ...[place(), CORDONED, ...web({})],
      made('v1 Pod', 'shop/else', { spec: { nodeName: 'n2' }, status: { phase: 'Running' } }),
    ],
    ...pod,
    says: REPLACED,
  },
  {
    truth: 'a toleration without a key is for every taint',
    objects: [place(), CORDONED, ...web({ tolerations: [{ operator: 'Exists' }] })],
    ...pod,
    says: REPLACED,
  },
  {
    truth: '`nodeShouldRunDaemonPod`: a taint that has come after the pod; it tolerates a cordon',
    objects: [
      ...[place(), node({ taints: [{ key: 'gpu', effect: 'NoSchedule' }, ...TAINTS] })],
      ...each('agent', {}),
      ...each('gpu', { tolerations: [{ key: 'gpu', operator: 'Exists' }] }),
    ],
    ...{ ask: 'pod/agent-x pod/gpu-x -n shop', ...goes },
    says: /1 of them replaced.*makes no other Pod\/agent-x\.shop: n1 has the taint gpu, which it/,
  },
  ...[
    { key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute', hostNetwork: true },
    { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule', hostNetwork: false },
    { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule', hostNetwork: true },
  ].map(({ hostNetwork, ...taint }): Question => {
    const isTolerated = hostNetwork && taint.effect === 'NoSchedule';
    const where = hostNetwork ? 'on' : 'off';
    return {
      truth: `\`AddOrUpdateDaemonPodTolerations\`: ${taint.key} ${where} the network of the node`,
      objects: [place(), node({ taints: [taint] }), ...each('agent', { hostNetwork })],
      ...{ ask: 'pod/agent-x -n shop', ...goes },
      says: isTolerated
        ? /goes and is replaced/
        : /makes no other .* n1 has the taint \S+, which it/,
    };
  }),
  ...[
    {
      used: '1',
      says: refused('ResourceQuota/cpus.shop allows 2 requests.cpu, of which 1 is used'),
    },
    { used: '500m', says: REPLACED },
  ].map(
    ({ used, says }): Question => ({
      truth: `\`CheckRequest\`: a template that asks for more by now, with ${used} used`,
      objects: [
        place(),
        made('v1 ResourceQuota', 'shop/cpus', {
          status: { hard: { 'requests.cpu': '2' }, used: { 'requests.cpu': used } },
        }),
        ...web({ containers: [{ ...container, resources: { requests: { cpu: '2' } } }] }).slice(
          0,
          2,
        ),
        ...web({ containers: [{ ...container, resources: { limits: { cpu: '500m' } } }] }).slice(2),
      ],
      ...pod,
      says,
    }),
  ),
  ...['v1.18', 'v1.19'].map(
    (version): Question => ({
      truth: `\`seccompProfileBaseline_1_0\`: annotations count for ${version} or not`,
      objects: [
        place({
          'pod-security.kubernetes.io/enforce': 'baseline',
          'pod-security.kubernetes.io/enforce-version': version,
        }),
        ...web({}, {}, { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' }),
      ],
      ...pod,
      says: version === 'v1.18' ? refused('.* baseline: seccomp.*/pod: unconfined') : REPLACED,
    }),
  ),
  {
    truth: 'a policy judges what the template has by now',
    objects: [place(), BOUND, POLICY, ...web({}, { team: 'a' })],
    ...pod,
    says: REPLACED,
  },
  {
    truth: 'a policy refuses what neither the template nor the pod has',
    objects: [place(), BOUND, POLICY, ...web({})],
    ...pod,
    says: refused('ValidatingAdmissionPolicy\\S+ refuses one like it'),
  },
];

const inOrder = (policy: object, status: string) => [
  made('apps/v1 StatefulSet', 'shop/db', { spec: { replicas: 2, ...policy } }),
  ...[status, 'True'].map((ready, index) =>
    made('v1 Pod', `shop/db-${index}`, {
      owners: [owner('apps/v1 StatefulSet', 'shop/db')],
      spec: { nodeName: 'n1' },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
    }),
  ),
];
const ORDERED: readonly Question[] = [
  { ...{ policy: 'OrderedReady', ready: 'False', lower: 0 }, waits: true },
  { ...{ policy: 'OrderedReady', ready: 'False', lower: 1 }, waits: false },
  { ...{ policy: 'OrderedReady', ready: 'True', lower: 0 }, waits: false },
  { ...{ policy: 'Parallel', ready: 'False', lower: 0 }, waits: false },
].map(({ policy, ready, lower, waits }) => ({
  truth: `\`processReplica\`: ${policy}, and Ready=${ready} of db-${lower}`,
  objects: inOrder({ podManagementPolicy: policy }, ready),
  ask: `pod/db-${1 - lower} -n shop`,
  ...{ answer: 'goes', fates: { [`Pod/db-${1 - lower}`]: 'goes' } },
  says: waits ? /only once Pod\/db-0\.shop is ready/ : /^(?!.*only once).*is replaced/,
}));

const DEMANDED = { name: 'params', namespace: 'shop', parameterNotFoundAction: 'Deny' };
const parameters = (failurePolicy: string) => [
  made('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy', 'team', {
    spec: { failurePolicy, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [] },
  }),
  made('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding', 'team', {
    spec: { policyName: 'team', validationActions: ['Deny'], paramRef: DEMANDED },
  }),
  made('v1 ConfigMap', 'shop/params'),
];
const DEMANDING: readonly Question[] = ['Fail', 'Ignore'].map((failure) => ({
  truth: `\`CollectParams\`: parameters that are demanded, and failurePolicy ${failure}`,
  objects: parameters(failure),
  ...{ ask: 'cm/params -n shop', answer: 'goes', fates: { ConfigMap: 'goes' } },
  says: failure === 'Fail' ? /then refuses all that it is about/ : /^(?!.*then refuses)/,
}));

describeQuestions('what the control plane says of new pods', QUESTIONS);
describeQuestions('what a StatefulSet makes in order', ORDERED);
describeQuestions('what policies demand', DEMANDING);
