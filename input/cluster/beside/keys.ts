import { type ApiObject, keyOf } from '../../../model/index.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import { byUidIn } from '../lookups.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** An object that nothing makes again as it was, and that no other object names. */
interface Key {
  readonly kind: string;
  readonly name?: RegExp;
  readonly namespace?: string;
  readonly label?: string;
  /** Only while what owns it stays. */
  readonly isOwned?: true;
  /** What the lack of it means. */
  readonly lack: (name: string) => string;
}

const KUBEADM = (name: string): string => `kubeadm adds and upgrades no node without ${name}`;
const ISTIO = (name: string): string =>
  `istiod goes on with another root certificate without ${name}, and workloads with different ones do not trust each other`;

const KEYS: readonly Key[] = [
  {
    ...{ kind: 'Secret', label: 'sealedsecrets.bitnami.com/sealed-secrets-key' },
    lack: (name) => `no SealedSecret that was sealed for ${name} can be read without it`,
  },
  {
    ...{ kind: 'Secret', name: /^velero-repo-credentials$/ },
    lack: (name) =>
      `no backup of a volume that was made with ${name} can be read without its password`,
  },
  {
    ...{ kind: 'Secret', name: /(^|-)unseal-keys$/ },
    lack: (name) =>
      `a Vault whose keys only ${name} has cannot be unsealed again, and its data are lost`,
  },
  { kind: 'Secret', name: /^(istio-ca-secret|cacerts)$/, namespace: 'istio-system', lack: ISTIO },
  {
    ...{ kind: 'Secret', name: /-ca$/, label: 'cluster.x-k8s.io/cluster-name' },
    lack: (name) => `no machine can join the control plane of its cluster without ${name}`,
  },
  {
    ...{ kind: 'ConfigMap', name: /^aws-auth$/, namespace: 'kube-system' },
    lack: (name) => `nodes and users of EKS whose roles only ${name} maps are refused without it`,
  },
  {
    ...{ kind: 'ConfigMap', name: /^(kubeadm|kubelet)-config(-[\d.]+)?$/ },
    ...{ namespace: 'kube-system', lack: KUBEADM },
  },
  { kind: 'ConfigMap', name: /^cluster-info$/, namespace: 'kube-public', lack: KUBEADM },
  // `handlePoolDeleted`, `reconcileServicesAfterRangeDeletion` of `operator/pkg/lbipam` (2026): it looks
  // for addresses of other pools then.
  {
    kind: 'CiliumLoadBalancerIPPool.cilium.io',
    lack: (name) =>
      `Cilium takes the addresses of ${name} away from the Services that have them, and gives them others if another pool has some`,
  },
  // `RemovePool` of `l3_route_resolver.go`, and `masq-ipam-pools` of Felix (2026)
  ...['crd.projectcalico.org', 'projectcalico.org'].map((group) => ({
    kind: `IPPool.${group}`,
    lack: (name: string) =>
      `pods keep the addresses that they have of ${name}, and Calico makes no routes and no NAT for these`,
  })),
  // `deleteMachineConfig` of its render controller, and `cascadeDelete` of that of kubelets. What the
  // former has rendered it makes anew (`syncGeneratedMachineConfig`).
  ...['MachineConfig', 'KubeletConfig', 'ContainerRuntimeConfig'].map((kind) => ({
    kind: `${kind}.machineconfiguration.openshift.io`,
    name: /^(?!rendered-)/,
    lack: (name: string) =>
      `OpenShift drains and restarts the nodes of the pools for which ${name} is, unless a pool is paused`,
  })),
  // `syncAllSriovNetworkNodeStates`, after each DELETE of a policy
  {
    kind: 'SriovNetworkNodePolicy.sriovnetwork.openshift.io',
    lack: (name) =>
      `its operator sets the nodes of ${name} up anew, and may drain and restart them`,
  },
  // `deleteEntries` of the entry reconciler of spire-controller-manager
  {
    kind: 'ClusterSPIFFEID.spire.spiffe.io',
    lack: (name) => `workloads that have their identities by ${name} alone lose them`,
  },
  // `ReconcileGenericJob`: `stopJob` with `StopReasonNoMatchingWorkload` (2026)
  {
    ...{ kind: 'Workload.kueue.x-k8s.io', isOwned: true },
    lack: (name) => `Kueue suspends the job of ${name}, so that its pods go, and admits it anew`,
  },
  // `GameServerStateUnhealthy` of its controllers of health and of sets
  {
    ...{ kind: 'Pod', label: 'agones.dev/gameserver', isOwned: true },
    lack: (name) =>
      `Agones marks the GameServer of ${name} as Unhealthy, and its fleet deletes it, allocated or not`,
  },
];

/** What is lost with a key or a configuration that goes alone. */
export function keysIn(
  { all, kept, goes }: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  return kept.filter(goes).flatMap((object) => {
    const found = KEYS.find((key) => isOf(object, key, labels.get(keyOf(object)) ?? {}));
    const owners = object.ownerReferences.flatMap(({ uid }) => byUidIn(all).get(uid) ?? []);
    if (found?.isOwned === true && owners.every(goes)) return [];
    return found === undefined
      ? []
      : [{ object: keyOf(object), what: found.lack(displayName(object)) }];
  });
}

function isOf({ kind, namespace, name }: ApiObject, key: Key, labels: Labels): boolean {
  return (
    kind === key.kind &&
    (key.namespace ?? namespace) === namespace &&
    key.name?.test(name) !== false &&
    (key.label === undefined || labels[key.label] !== undefined)
  );
}
