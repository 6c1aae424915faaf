import type { KnownFinalizer } from './schema.ts';

const SERVER = 'the server of k3s or RKE2';

/**
 * Finalizers of controllers that are built into distributions of Kubernetes. They run in the process
 * of the API server, or where the cloud keeps that, and no workload of a cluster is theirs.
 */
export const DISTRIBUTION_FINALIZERS: readonly KnownFinalizer[] = [
  {
    name: 'wrangler.cattle.io/on-helm-chart-remove',
    project: 'k3s',
    builds: ['+k3s', '+rke2'],
    owner: `the Helm controller in ${SERVER}`,
    waitsFor: 'a Job that uninstalls the release to succeed',
    runs: 'distribution',
    makes: 'jobs',
    leaves: 'the release with all that it has installed',
    documented: 'https://docs.k3s.io/helm',
  },
  {
    name: 'wrangler.cattle.io/*',
    kinds: ['Node', '*.k3s.cattle.io'],
    project: 'k3s',
    builds: ['+k3s', '+rke2'],
    owner: SERVER,
    waitsFor: 'the member of etcd, the password or the snapshot of the node to be removed',
    runs: 'distribution',
    leaves: 'a member of etcd or a password of a node that is gone',
    documented: 'https://docs.k3s.io/cli/server',
  },
  {
    name: 'helm.k0sproject.io/uninstall-helm-release',
    project: 'k0s',
    builds: ['+k0s'],
    owner: 'the Helm controller in the controllers of k0s',
    waitsFor: 'the release to be uninstalled',
    runs: 'distribution',
    leaves: 'the release with all that it has installed',
    documented: 'https://docs.k0sproject.io/stable/helm-charts/',
  },
  {
    name: 'eks.amazonaws.com/termination',
    project: 'Amazon EKS',
    owner: 'EKS Auto Mode',
    waitsFor: 'the nodes of the NodeClass to be gone',
    runs: 'distribution',
    leaves: 'instances in the cloud',
    documented: 'https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html',
  },
];
