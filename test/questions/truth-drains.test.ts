import { describeQuestions, made, owner, type Question } from './truth-objects.ts';

const TERMINATION = 'karpenter.sh/termination';
const spec = { containers: [{ name: 'c' }], securityContext: {} };
const READY = { type: 'Ready', status: 'True' };

/** Karpenter with its pod on a node that it has made. */
const KARPENTER = [
  made('apps/v1 Deployment', 'kube-system/karpenter', {
    spec: { replicas: 1, template: { spec } },
    status: { replicas: 1, readyReplicas: 1 },
  }),
  made('apps/v1 ReplicaSet', 'kube-system/karpenter-1', {
    owners: [owner('apps/v1 Deployment', 'kube-system/karpenter')],
    spec: { replicas: 1, template: { spec } },
  }),
  made('v1 Pod', 'kube-system/karpenter-1-a', {
    owners: [owner('apps/v1 ReplicaSet', 'kube-system/karpenter-1')],
    spec: { nodeName: 'n1', ...spec },
    status: { phase: 'Running', conditions: [READY] },
  }),
  made('karpenter.sh/v1 NodeClaim', 'n1', { finalizers: [TERMINATION] }),
  made('v1 Node', 'n1', {
    finalizers: [TERMINATION],
    owners: [owner('karpenter.sh/v1 NodeClaim', 'n1')],
    status: { conditions: [READY] },
  }),
];
const other = (taint?: string) =>
  made('v1 Node', 'n2', {
    spec: taint === undefined ? {} : { taints: [{ key: taint, effect: 'NoSchedule' }] },
    status: { conditions: [READY] },
  });

/** A node under the owner of its finalizer. */
const QUESTIONS: readonly Question[] = [
  {
    truth: 'Karpenter evicts its only pod, and nothing drains the node to its end',
    objects: [...KARPENTER, other('team')],
    ...{ ask: 'nodeclaim/n1', answer: 'open' },
    fates: { NodeClaim: 'depends', Node: 'depends' },
    says: /Karpenter drains Node\/n1 first, with its own Pod\/karpenter-1-a\.kube-system, and no other node takes a new one/,
  },
  {
    truth: 'a new pod of Karpenter runs on another node',
    objects: [...KARPENTER, other()],
    ...{ ask: 'nodeclaim/n1', answer: 'goes', fates: { NodeClaim: 'goes', Node: 'goes' } },
  },
];

describeQuestions('answers about nodes that their own controller drains', QUESTIONS);
