import type { KnownFinalizer } from './schema.ts';

/** Finalizers of what queues, runs and records jobs. */
export const BATCH_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'kueue.x-k8s.io/resource-in-use',
    kinds: ['ResourceFlavor.kueue.x-k8s.io'],
    project: 'Kueue',
    owner: 'the Kueue controller',
    waitsFor: 'every ClusterQueue that uses it to be gone',
    runs: 'workload',
    workloads: ['kueue-controller-manager'],
    whileThere: ['ClusterQueue.kueue.x-k8s.io'],
    leaves: 'queues that name a flavor that is gone',
    documented: 'https://kueue.sigs.k8s.io/docs/concepts/',
  },
  {
    name: 'kueue.x-k8s.io/resource-in-use',
    kinds: ['ClusterQueue.kueue.x-k8s.io'],
    project: 'Kueue',
    owner: 'the Kueue controller',
    waitsFor: 'every Workload that it has admitted to be finished or gone',
    runs: 'workload',
    workloads: ['kueue-controller-manager'],
    whileThere: ['Workload.kueue.x-k8s.io'],
    leaves: 'admitted Workloads without a queue',
    documented: 'https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/',
  },
  {
    name: 'kueue.x-k8s.io/resource-in-use',
    project: 'Kueue',
    owner: 'the Kueue controller',
    waitsFor: 'the job of the Workload to be suspended, finished or gone',
    runs: 'workload',
    workloads: ['kueue-controller-manager'],
    leaves: 'a quota that stays in use until Kueue starts again',
    documented: 'https://kueue.sigs.k8s.io/docs/concepts/workload/',
  },
  {
    name: 'chains.tekton.dev*',
    project: 'Tekton Chains',
    owner: 'the Tekton Chains controller',
    waitsFor: 'the run to be signed',
    runs: 'workload',
    workloads: ['tekton-chains-controller'],
    leaves: 'a run without a signature',
    documented: 'https://tekton.dev/docs/chains/',
  },
];
