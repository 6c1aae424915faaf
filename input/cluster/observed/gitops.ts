import { valueAt } from '../../documents/shape.ts';
import type { Mark } from './mark.ts';

/** What a manifest says of itself, by its metadata. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly manifest: unknown;
}

/** What an object says of its deletion with the Application, Kustomization or release that tracks it. */
export function gitopsOf(given: Manifest): readonly Mark[] {
  return [...argoOf(given), ...applicationOf(given), ...fluxOf(given), ...helmOf(given)];
}

const OPTIONS = 'argocd.argoproj.io/sync-options';
/** A time; it counts if it is not before the deletion began (`IsDeletionConfirmed`). */
const APPROVED = 'argocd.argoproj.io/deletion-approved';

/** The options of one object: `shouldBeDeleted`, `isObjRequiresDeletionConfirmation`. */
function argoOf({ annotations }: Manifest): readonly Mark[] {
  const options = (annotations[OPTIONS] ?? '').split(',').map((option) => option.trim());
  const [asking] = options.filter((option) => ASKING.includes(option));
  const wave = waveOf(annotations);
  return [
    ...(wave === 0 ? [] : [{ mark: 'wave', tool: 'Argo CD', wave } as const]),
    ...(options.includes('Delete=false') ? [{ mark: 'keptBy', tool: 'Argo CD' } as const] : []),
    ...(options.some((option) => option.startsWith('Delete=') && option !== 'Delete=false')
      ? [{ mark: 'deletedBy', tool: 'Argo CD' } as const]
      : []),
    ...(asking === undefined
      ? []
      : [{ mark: 'asksFor', tool: 'Argo CD', of: 'itself', by: asking } as const]),
  ];
}

/** `syncwaves.Wave`, `helm.Weight`: the first that is a number. */
function waveOf(annotations: Manifest['annotations']): number {
  const said = ['argocd.argoproj.io/sync-wave', 'helm.sh/hook-weight'].map(
    (key) => annotations[key] ?? '',
  );
  return Number(said.find((text) => /^[+-]?\d{1,9}$/.test(text)) ?? 0);
}

const ASKING: readonly string[] = ['Delete=confirm', 'Prune=confirm'];

/** What an Application says of all that it tracks. */
function applicationOf({ apiVersion, kind, annotations, manifest }: Manifest): readonly Mark[] {
  if (kind !== 'Application' || !apiVersion.startsWith('argoproj.io/')) return [];
  const found: Mark[] = [];
  const said = valueAt(manifest, ['spec', 'syncPolicy', 'syncOptions']);
  const options = Array.isArray(said) ? said : [];
  const [asking] = ASKING.filter((option) => options.includes(option));
  const resources = valueAt(manifest, ['status', 'resources']);
  const isAsked =
    Array.isArray(resources) &&
    resources.some((one) => valueAt(one, ['requiresDeletionConfirmation']) === true);
  if (options.includes('Delete=false')) {
    const by = 'syncOptions: Delete=false';
    found.push({ mark: 'leavesTracked', tool: 'Argo CD', by });
  } else if (asking !== undefined || isAsked) {
    const by = asking === undefined ? 'requiresDeletionConfirmation' : `syncOptions: ${asking}`;
    found.push({ mark: 'asksFor', tool: 'Argo CD', of: 'tracked', by });
  }
  const begun = Date.parse(String(valueAt(manifest, ['metadata', 'deletionTimestamp'])));
  // Without both times, one is no number, and nothing is said.
  if (Date.parse(annotations[APPROVED] ?? '') >= begun) {
    found.push({ mark: 'agreed', tool: 'Argo CD', by: APPROVED });
  }
  const server = valueAt(manifest, ['spec', 'destination', 'server']);
  const name = valueAt(manifest, ['spec', 'destination', 'name']);
  const isHere = [server, name].every(
    (place) => typeof place !== 'string' || place === '' || HERE.includes(place),
  );
  if (!isHere) found.push({ mark: 'elsewhere', tool: 'Argo CD', by: 'spec.destination' });
  return found;
}

/** `KubernetesInternalAPIServerAddr`, and the name of that cluster. */
const HERE: readonly string[] = ['https://kubernetes.default.svc', 'in-cluster'];

/** Labels or annotations with which Flux leaves an object, if they say `disabled` (`finalize`). */
const EXCLUSIONS: readonly string[] = [
  'kustomize.toolkit.fluxcd.io/prune',
  'kustomize.toolkit.fluxcd.io/reconcile',
];

function fluxOf({ apiVersion, labels, annotations, manifest }: Manifest): readonly Mark[] {
  const isKept = EXCLUSIONS.some((key) => [labels[key], annotations[key]].includes('disabled'));
  // `kubeConfig` names a Secret or ConfigMap with the address of the cluster in which it applies.
  const isElsewhere =
    /^(kustomize|helm)\.toolkit\.fluxcd\.io\//.test(apiVersion) &&
    valueAt(manifest, ['spec', 'kubeConfig']) !== undefined;
  return [
    ...(isKept ? [{ mark: 'keptBy', tool: 'Flux' } as const] : []),
    ...(isElsewhere ? [{ mark: 'elsewhere', tool: 'Flux', by: 'spec.kubeConfig' } as const] : []),
  ];
}

function helmOf({ annotations }: Manifest): readonly Mark[] {
  const isKept = annotations['helm.sh/resource-policy'] === 'keep';
  return isKept ? [{ mark: 'keptBy', tool: 'Helm' }] : [];
}
