import { type ApiObject, keyOf } from '../../../model/index.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import type { Besides, BesidesGiven } from './besides.ts';

/** An object that nothing makes again as it was, and that no other object names. */
interface Key {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name?: RegExp;
  readonly namespace?: string;
  readonly label?: string;
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
];

/** What is lost with a key or a configuration that goes alone. */
export function keysIn(
  { kept, goes }: BesidesGiven,
  labels: ReadonlyMap<string, Labels>,
): readonly Besides[] {
  return kept.filter(goes).flatMap((object) => {
    const found = KEYS.find((key) => isOf(object, key, labels.get(keyOf(object)) ?? {}));
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
