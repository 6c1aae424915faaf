import type { KnownFinalizer } from './schema.ts';

const TEKTON = {
  project: 'Tekton Operator',
  owner: 'the Tekton operator',
  kinds: ['*.operator.tekton.dev'],
  runs: 'workload',
  workloads: ['tekton-operator', 'openshift-pipelines-operator'],
  documented: 'https://tekton.dev/docs/operator/',
} as const;

/** The kinds of VictoriaMetrics whose objects have parts with the same finalizer. */
const OF_VICTORIA = ['VMAgent', 'VMAlert', 'VMAlertmanager', 'VMAnomaly', 'VMAuth', 'VMCluster']
  .concat(['VMSingle', 'VLogs', 'VLAgent', 'VLCluster', 'VLSingle', 'VTCluster', 'VTSingle'])
  .map((kind) => `${kind}.operator.victoriametrics.com`);
const VICTORIA = {
  name: 'apps.victoriametrics.com/finalizer',
  project: 'VictoriaMetrics Operator',
  owner: 'the VictoriaMetrics operator',
  runs: 'workload',
  workloads: ['victoria-metrics-operator', 'vm-operator'],
  documented: 'https://docs.victoriametrics.com/operator/',
} as const;

/** Finalizers of operators that install other projects. */
export const INSTALLER_FINALIZERS: readonly KnownFinalizer[] = [
  {
    // `EnsureTektonPipelineCRNotExists`, and those of the other components
    ...TEKTON,
    name: 'tektonconfigs.operator.tekton.dev',
    waitsFor: 'the components that it installed to be gone',
    waitsForDependents: true,
    leaves: 'the components that it installed',
  },
  {
    ...TEKTON,
    name: '*.operator.tekton.dev',
    waitsFor: 'what it installed to be removed',
    leaves: 'what it installed',
  },
  {
    name: 'sailoperator.io/sail-operator',
    project: 'Sail Operator',
    owner: 'the Sail operator',
    waitsFor: 'the release of Istio that it installed to be uninstalled',
    runs: 'workload',
    workloads: ['sail-operator', 'servicemesh-operator3'],
    leaves: 'the installed Istio',
    documented: 'https://github.com/istio-ecosystem/sail-operator',
  },
  {
    name: 'argoproj.io/finalizer',
    kinds: ['ArgoCD.argoproj.io'],
    project: 'Argo CD Operator',
    owner: 'the Argo CD operator',
    waitsFor: 'its roles and bindings in the cluster and in other namespaces to be removed',
    runs: 'workload',
    workloads: [
      'argocd-operator-controller-manager',
      'openshift-gitops-operator-controller-manager',
    ],
    leaves: 'roles and bindings of Argo CD',
    documented: 'https://argocd-operator.readthedocs.io/en/latest/',
  },
  {
    ...VICTORIA,
    kinds: ['*.operator.victoriametrics.com'],
    waitsFor: 'nothing: it takes the finalizer off what it made, which then goes',
    leaves: 'what it made, which has the finalizer as well',
  },
  {
    // `removeFinalizeObjByName`
    ...VICTORIA,
    waitsFor: 'what it belongs to to be deleted',
    onlyWith: OF_VICTORIA,
    leaves: 'nothing',
  },
];
