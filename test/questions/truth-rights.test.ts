import { describeQuestions, made, type Question, runs } from './truth-objects.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';
const KEDA = runs('keda/keda-operator', { serviceAccountName: 'keda' });
const SCALED = made('keda.sh/v1alpha1 ScaledObject', 'shop/web', {
  finalizers: ['finalizer.keda.sh'],
});
const OTHERS = made(`${RBAC} ClusterRoleBinding`, 'system:node', {
  ...{ roleRef: { kind: 'ClusterRole', name: 'system:node' }, subjects: [] },
});
const may = (name: string, resource: string, more: object = {}) =>
  made(`${RBAC} ClusterRole`, name, {
    rules: [
      {
        ...{ apiGroups: [resource.split('/')[0]], resources: [resource.split('/')[1]] },
        ...{ verbs: ['update'], ...more },
      },
    ],
  });
const bound = (name: string) =>
  made(`${RBAC} ClusterRoleBinding`, name, {
    roleRef: { kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', namespace: 'keda', name: 'keda' }],
  });
const OWN = [may('keda', 'keda.sh/scaledobjects'), bound('keda')];
const LEADER = [may('leader', 'coordination.k8s.io/leases'), bound('leader')];
const ALSO = [may('also', 'keda.sh/scaledobjects'), bound('also')];
const OF_SOME = [may('also', 'keda.sh/scaledobjects', { resourceNames: ['x'] }), bound('also')];

const ELSE = made(`${RBAC} ClusterRoleBinding`, 'nginx', {
  ...{ roleRef: { kind: 'ClusterRole', name: 'nginx' }, subjects: [] },
});
const DEFINED = made('apiextensions.k8s.io/v1 CustomResourceDefinition', 'scaledobjects.keda.sh', {
  spec: { group: 'keda.sh', names: { kind: 'ScaledObject', plural: 'scaledobjects' } },
});

const CLUSTER = [OTHERS, KEDA, SCALED, ...OWN, ...LEADER];
const goes = { answer: 'goes', fates: { ClusterRoleBinding: 'goes' } } as const;
const HANGS = /the deletion of ScaledObject\.keda\.sh\/web\.shop hangs/;
const SILENT = /^(?!.*ScaledObject)/;

/** What an operator can no longer do once a binding or role goes. */
const QUESTIONS: readonly Question[] = [
  {
    truth: 'the binding for the election of a leader says nothing of what has the finalizer',
    objects: CLUSTER,
    ...{ ask: 'clusterrolebinding/leader', ...goes, says: SILENT },
  },
  {
    truth: 'its role changes what has the finalizer',
    objects: CLUSTER,
    ...{ ask: 'clusterrolebinding/keda', ...goes, says: HANGS },
  },
  {
    truth: 'another binding grants it as well',
    objects: [...CLUSTER, ...ALSO],
    ...{ ask: 'clusterrolebinding/keda', ...goes, says: SILENT },
  },
  {
    truth: 'another role grants it for some names only',
    objects: [...CLUSTER, ...OF_SOME],
    ...{ ask: 'clusterrolebinding/keda', ...goes, says: HANGS },
  },
  {
    truth: 'the dump lacks the role of a binding that goes',
    objects: [...CLUSTER, bound('unsaid')],
    ...{ ask: 'clusterrolebinding/unsaid clusterrolebinding/keda', ...goes, says: HANGS },
  },
  {
    truth: 'what goes with the binding may still be let go, if only the leader changes',
    objects: CLUSTER,
    ...{ ask: 'clusterrolebinding/leader scaledobject/web -n shop', answer: 'goes' },
    fates: { ScaledObject: 'goes' },
  },
];

/** What it may do at all. */
const ALL_OR_SOME: readonly Question[] = [
  {
    truth: 'the bindings of another release do not say what an account may do',
    objects: [KEDA, SCALED, DEFINED, ELSE],
    ...{ ask: 'scaledobject/web -n shop', answer: 'goes' },
  },
  {
    truth: 'all bindings of the cluster, and none for its account',
    objects: [KEDA, SCALED, DEFINED, ELSE, OTHERS],
    ...{ ask: 'scaledobject/web -n shop', answer: 'open' },
    says: /kubectl auth can-i update scaledobjects\.keda\.sh -n shop --as system:serviceaccount:keda:keda/,
  },
];

describeQuestions('what the account of an operator may do', ALL_OR_SOME);
describeQuestions('answers about the rights of operators', QUESTIONS);
