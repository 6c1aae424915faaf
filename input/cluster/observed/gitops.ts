import { textAt, valueAt } from '../../documents/shape.ts';
import { conditionsOf } from './conditions.ts';
import type { Manifest, Mark, Tool } from './mark.ts';

/**
 * What an object says of its deletion with the Application, Kustomization or release that tracks
 * it.
 */
export function gitopsOf(given: Manifest): readonly Mark[] {
  return [
    ...argoOf(given),
    ...hooksOf(given),
    ...applicationOf(given),
    ...setOf(given),
    ...fluxOf(given),
    ...kappOf(given),
    ...helmOf(given),
    ...kyvernoOf(given),
  ];
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
  // `strconv.Atoi`
  const isWhole = (text: string): boolean =>
    /^[+-]?\d+$/.test(text) && Math.abs(Number(text)) < 2 ** 63;
  return Number(said.find(isWhole) ?? 0);
}

/** `isHookOfType`: the names of hooks of Argo CD, and of those of Helm that it takes for them. */
const HOOKS: readonly (readonly [hooks: string, name: string])[] = [
  ['PreDelete', 'PreDelete'],
  ['PreDelete', 'pre-delete'],
  ['PostDelete', 'PostDelete'],
  ['PostDelete', 'post-delete'],
];

/** Argo CD heeds both. */
const HOOK_ANNOTATIONS: readonly (readonly [key: string, tool: Tool])[] = [
  ['argocd.argoproj.io/hook', 'Argo CD'],
  ['helm.sh/hook', 'Helm'],
];

function hooksOf({ annotations, manifest }: Manifest): readonly Mark[] {
  const failed = conditionsOf(manifest).some(
    ({ type, status }) => type === 'Failed' && status === 'True',
  );
  return HOOK_ANNOTATIONS.flatMap(([key, tool]) => {
    const said = (annotations[key] ?? '').split(',').map((name) => name.trim());
    return HOOKS.filter(([, name]) => said.includes(name)).map(
      ([hooks]): Mark => ({ mark: 'hook', tool, hooks, failed }),
    );
  });
}

const ASKING: readonly string[] = ['Delete=confirm', 'Prune=confirm'];

/** What an Application says of all that it tracks. */
function applicationOf({ apiVersion, kind, annotations, manifest }: Manifest): readonly Mark[] {
  if (kind !== 'Application' || !apiVersion.startsWith('argoproj.io/')) return [];
  const found: Mark[] = [];
  // `autoSync`: without `selfHeal`, it applies each commit once.
  const automated = ['spec', 'syncPolicy', 'automated'];
  const isOn = valueAt(manifest, [...automated, 'enabled']) !== false;
  if (isOn && valueAt(manifest, [...automated, 'selfHeal']) === true) {
    found.push({ mark: 'heals', tool: 'Argo CD' });
  }
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
  for (const resource of Array.isArray(resources) ? resources : [])
    found.push(...comparedOf(resource));
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
  if (isHere) return found;
  // `Unknown`: it could not compare; an error of that is a condition.
  const sync = valueAt(manifest, ['status', 'sync', 'status']);
  const answers =
    (sync === 'Synced' || sync === 'OutOfSync') &&
    !conditionsOf(manifest).some(({ type }) => type.endsWith('Error'));
  found.push({ mark: 'elsewhere', tool: 'Argo CD', by: 'spec.destination', answers });
  return found;
}

/**
 * What the status of an Application says that it has compared: objects that it tracks, whatever
 * label of theirs says so (`application.instanceLabelKey`).
 */
function comparedOf(resource: unknown): readonly Mark[] {
  const text = (field: string): string => textAt(resource, [field]) ?? '';
  const kind = text('kind');
  if (valueAt(resource, ['hook']) === true || kind === '') return [];
  return [
    {
      ...{ mark: 'manages', tool: 'Argo CD', kind, group: text('group') },
      ...{ namespace: text('namespace'), name: text('name') },
    },
  ];
}

/** `ApplicationsSyncPolicy.AllowDelete`, `IsDeletionOrderReversed`. */
function setOf({ apiVersion, kind, manifest }: Manifest): readonly Mark[] {
  if (kind !== 'ApplicationSet' || !apiVersion.startsWith('argoproj.io/')) return [];
  const policy = valueAt(manifest, ['spec', 'syncPolicy', 'applicationsSync']);
  const order = valueAt(manifest, ['spec', 'strategy', 'deletionOrder']);
  return [
    ...(policy === 'create-only' || policy === 'create-update'
      ? [{ mark: 'releases', tool: 'Argo CD', by: `applicationsSync: ${policy}` } as const]
      : []),
    ...(order === 'Reverse'
      ? [{ mark: 'deletesOwned', tool: 'Argo CD', by: 'deletionOrder: Reverse' } as const]
      : []),
  ];
}

/** `KubernetesInternalAPIServerAddr`, and the name of that cluster. */
const HERE: readonly string[] = ['https://kubernetes.default.svc', 'in-cluster'];

/** Labels or annotations with which Flux leaves an object (`deleteObjects`). */
const EXCLUSIONS: readonly (readonly [key: string, value: string, tool: Tool])[] = [
  ['kustomize.toolkit.fluxcd.io/prune', 'disabled', 'Flux'],
  ['kustomize.toolkit.fluxcd.io/reconcile', 'disabled', 'Flux'],
  ['kustomize.toolkit.fluxcd.io/ssa', 'Ignore', 'Flux'],
  ['fluxcd.controlplane.io/prune', 'disabled', 'Flux Operator'],
];
const DISABLED = 'fluxcd.controlplane.io/reconcile';

function fluxOf({ apiVersion, labels, annotations, manifest }: Manifest): readonly Mark[] {
  const kept = EXCLUSIONS.filter(([key, value]) =>
    [labels[key], annotations[key]].some((said) => said?.toLowerCase() === value.toLowerCase()),
  );
  const isDisabled =
    apiVersion.startsWith('fluxcd.controlplane.io/') && annotations[DISABLED] === 'disabled';
  // `kubeConfig` names a Secret or ConfigMap with the address of the cluster in which it applies.
  const isElsewhere =
    /^(kustomize|helm)\.toolkit\.fluxcd\.io\//.test(apiVersion) &&
    valueAt(manifest, ['spec', 'kubeConfig']) !== undefined;
  const isReady = conditionsOf(manifest).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
  const heals = valueAt(manifest, ['spec', 'driftDetection', 'mode']) === 'enabled';
  return [
    ...(heals ? [{ mark: 'heals', tool: 'Flux' } as const] : []),
    ...kept.map(([, , tool]): Mark => ({ mark: 'keptBy', tool })),
    ...(isDisabled
      ? [{ mark: 'leavesTracked', tool: 'Flux Operator', by: `${DISABLED}: disabled` } as const]
      : []),
    ...(isElsewhere
      ? [{ mark: 'elsewhere', tool: 'Flux', by: 'spec.kubeConfig', answers: isReady } as const]
      : []),
  ];
}

/** An App that names the Secret with the address of another cluster (`AppClusterSpec`). */
function kappOf({ apiVersion, manifest }: Manifest): readonly Mark[] {
  const secret = valueAt(manifest, ['spec', 'cluster', 'kubeconfigSecretRef', 'name']);
  const deletes = valueAt(manifest, ['spec', 'noopDelete']) !== true;
  if (!apiVersion.startsWith('kappctrl.k14s.io/') || typeof secret !== 'string' || !deletes) {
    return [];
  }
  const answers = conditionsOf(manifest).some(
    ({ type, status }) => type === 'ReconcileSucceeded' && status === 'True',
  );
  return [{ mark: 'elsewhere', tool: 'kapp-controller', by: 'spec.cluster', answers }];
}

/** `filterManifestsToKeep` reads `Keep` and ` keep` as well. */
function helmOf({ annotations }: Manifest): readonly Mark[] {
  const isKept = annotations['helm.sh/resource-policy']?.trim().toLowerCase() === 'keep';
  return isKept ? [{ mark: 'keptBy', tool: 'Helm' }] : [];
}

/**
 * A policy of Kyverno whose generated objects stay without it: its rules do not synchronize them,
 * or orphan them. What a rule clones stays with some versions only.
 */
function kyvernoOf({ apiVersion, kind, manifest }: Manifest): readonly Mark[] {
  const leaves = (by: string): readonly Mark[] => [{ mark: 'leavesTracked', tool: 'Kyverno', by }];
  if (apiVersion.startsWith('policies.kyverno.io/') && kind === 'GeneratingPolicy') {
    const enabled = (field: string): boolean =>
      valueAt(manifest, ['spec', 'evaluation', field, 'enabled']) === true;
    if (enabled(ORPHANS)) return leaves(ORPHANS);
    return enabled('synchronize') ? [] : leaves('synchronize');
  }
  if (!apiVersion.startsWith('kyverno.io/')) return [];
  const rules = valueAt(manifest, ['spec', 'rules']);
  const generated = (Array.isArray(rules) ? rules : []).flatMap((rule) => {
    const generate = valueAt(rule, ['generate']);
    return generate === undefined ? [] : [generate];
  });
  const isLeft = (generate: unknown): boolean =>
    valueAt(generate, [ORPHANS]) === true || valueAt(generate, ['synchronize']) !== true;
  if (generated.length === 0 || !generated.every(isLeft)) return [];
  const orphans = generated.some((generate) => valueAt(generate, [ORPHANS]) === true);
  return leaves(orphans ? ORPHANS : 'synchronize');
}

const ORPHANS = 'orphanDownstreamOnPolicyDelete';
