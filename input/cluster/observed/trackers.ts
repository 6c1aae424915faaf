import type { Tool } from './mark.ts';

/** Where a tool writes the name of what tracks an object. */
interface Tracker {
  readonly tool: Tool;
  readonly kind: string;
  readonly in: 'labels' | 'annotations';
  readonly key: string;
  /** The key beside it that has the namespace. */
  readonly namespaceKey?: string;
  /** It is in the namespace of the object. */
  readonly isBeside?: boolean;
  /** Other tools write it as well. */
  readonly isCommon?: true;
}

/** The labels and annotations of tools that name what tracks an object. */
export const TRACKERS: readonly Tracker[] = [
  // `NAME:group/Kind:namespace/name`
  {
    tool: 'Argo CD',
    kind: 'Application',
    in: 'annotations',
    key: 'argocd.argoproj.io/tracking-id',
  },
  { tool: 'Argo CD', kind: 'Application', in: 'labels', key: 'argocd.argoproj.io/instance' },
  // The default label of Argo CD, and a common one of other tools: it counts only where an
  // Application has that name.
  {
    ...{ tool: 'Argo CD', kind: 'Application', in: 'labels', isCommon: true },
    key: 'app.kubernetes.io/instance',
  },
  {
    tool: 'Flux',
    kind: 'Kustomization',
    in: 'labels',
    key: 'kustomize.toolkit.fluxcd.io/name',
    namespaceKey: 'kustomize.toolkit.fluxcd.io/namespace',
  },
  {
    tool: 'Flux',
    kind: 'HelmRelease',
    in: 'labels',
    key: 'helm.toolkit.fluxcd.io/name',
    namespaceKey: 'helm.toolkit.fluxcd.io/namespace',
  },
  {
    tool: 'Flux Operator',
    kind: 'ResourceSet',
    in: 'labels',
    key: 'resourceset.fluxcd.controlplane.io/name',
    namespaceKey: 'resourceset.fluxcd.controlplane.io/namespace',
  },
  {
    tool: 'Fleet',
    kind: 'GitRepo',
    in: 'labels',
    key: 'fleet.cattle.io/repo-name',
    isBeside: true,
  },
  {
    tool: 'Fleet',
    kind: 'Bundle',
    in: 'labels',
    key: 'fleet.cattle.io/bundle-name',
    namespaceKey: 'fleet.cattle.io/bundle-namespace',
  },
  {
    tool: 'KubeVela',
    kind: 'Application',
    in: 'labels',
    key: 'app.oam.dev/name',
    namespaceKey: 'app.oam.dev/namespace',
  },
  {
    tool: 'Cluster API',
    kind: 'Cluster',
    in: 'labels',
    key: 'cluster.x-k8s.io/cluster-name',
  },
  // Of a node (`reconcileNode`).
  {
    tool: 'Cluster API',
    kind: 'Machine',
    in: 'annotations',
    key: 'cluster.x-k8s.io/machine',
    namespaceKey: 'cluster.x-k8s.io/cluster-namespace',
  },
  {
    tool: 'cert-manager',
    kind: 'Certificate',
    in: 'annotations',
    key: 'cert-manager.io/certificate-name',
  },
  // The default of `cluster_name_label`.
  {
    tool: 'Postgres Operator',
    kind: 'postgresql',
    in: 'labels',
    key: 'cluster-name',
    isBeside: true,
  },
  {
    tool: 'OLM',
    kind: 'ClusterServiceVersion',
    in: 'labels',
    key: 'olm.owner',
    namespaceKey: 'olm.owner.namespace',
  },
  {
    tool: 'Karmada',
    kind: 'ResourceBinding',
    in: 'annotations',
    key: 'resourcebinding.karmada.io/name',
    namespaceKey: 'resourcebinding.karmada.io/namespace',
  },
  {
    tool: 'Karmada',
    kind: 'ClusterResourceBinding',
    in: 'annotations',
    key: 'clusterresourcebinding.karmada.io/name',
  },
  {
    tool: 'k3s',
    kind: 'Addon',
    in: 'annotations',
    key: 'objectset.rio.cattle.io/owner-name',
    namespaceKey: 'objectset.rio.cattle.io/owner-namespace',
  },
  ...['ingress', 'service'].map(
    (of): Tracker => ({
      tool: 'AWS Load Balancer Controller',
      kind: of === 'ingress' ? 'Ingress' : 'Service',
      in: 'labels',
      key: `${of}.k8s.aws/stack-name`,
      namespaceKey: `${of}.k8s.aws/stack-namespace`,
    }),
  ),
  {
    tool: 'OpenShift',
    kind: 'Service',
    in: 'annotations',
    key: 'service.beta.openshift.io/originating-service-name',
    isBeside: true,
  },
  ...['ClusterPolicy', 'Policy', 'GeneratingPolicy'].map(
    (kind): Tracker => ({
      tool: 'Kyverno',
      kind,
      in: 'labels',
      key: 'generate.kyverno.io/policy-name',
      namespaceKey: 'generate.kyverno.io/policy-namespace',
    }),
  ),
  {
    tool: 'Helm',
    kind: '',
    in: 'annotations',
    key: 'meta.helm.sh/release-name',
    namespaceKey: 'meta.helm.sh/release-namespace',
  },
];
