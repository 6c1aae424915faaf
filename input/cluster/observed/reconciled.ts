import * as z from 'zod';
import { valueAt } from '../../documents/shape.ts';

/** What an object says of what its operator applies, and with what. */
export interface Reconciled {
  readonly of: 'reconciled';
  readonly suspended: boolean;
  /** Whether what it applied is deleted with it, unless it is suspended. */
  readonly prunes: boolean;
  /** What it has applied, as `NAMESPACE_NAME_GROUP_KIND`; null: not said. */
  readonly inventory: readonly string[] | null;
  /** The service account of its namespace as which it acts; empty: none. */
  readonly account: string;
  /** The Secret of its namespace by which it reaches another cluster; empty: none. */
  readonly kubeConfig: string;
  /** The release of Helm, and the namespace of its records; null: none, or not said. */
  readonly release: { readonly namespace: string; readonly name: string } | null;
}

const text = z.string().catch('').default('');

const reconciledSchema = z.looseObject({
  spec: z
    .looseObject({
      suspend: z.boolean().optional().catch(undefined),
      prune: z.boolean().optional().catch(undefined),
      deletionPolicy: z.string().optional().catch(undefined),
      serviceAccountName: text,
    })
    .catch({ serviceAccountName: '' })
    .default({ serviceAccountName: '' }),
});

/** Kinds of Flux and of its operator, and of kapp-controller. */
const FLUX = /^(kustomize|helm)\.toolkit\.fluxcd\.io\/|^fluxcd\.controlplane\.io\//;
const KAPP = /^kappctrl\.k14s\.io\//;

/** Of a kind that the model does not know, without its group; null: it says nothing of the sort. */
export function reconciledOf(kind: string, manifest: unknown): Reconciled | null {
  const { data } = reconciledSchema.safeParse(manifest);
  const { suspend, prune, deletionPolicy = 'MirrorPrune', serviceAccountName } = data?.spec ?? {};
  const apiVersion = text.parse(valueAt(manifest, ['apiVersion']));
  const isFlux = FLUX.test(apiVersion);
  // It needs no account to delete nothing.
  const isKapp = KAPP.test(apiVersion) && valueAt(manifest, ['spec', 'noopDelete']) !== true;
  if (suspend === undefined && prune === undefined && !isFlux && !isKapp) return null;
  // `finalizerShouldDeleteResources` of Flux. Another kind may have such a policy of its own.
  const mirrors = kind !== 'Kustomization' || deletionPolicy === 'MirrorPrune';
  return {
    of: 'reconciled',
    suspended: suspend === true,
    prunes: mirrors ? prune === true : ['WaitForTermination', 'Delete'].includes(deletionPolicy),
    inventory: inventoryOf(manifest),
    account: isFlux || isKapp ? (serviceAccountName ?? '') : '',
    kubeConfig: isFlux
      ? text.parse(valueAt(manifest, ['spec', 'kubeConfig', 'secretRef', 'name']))
      : '',
    release: releaseOf(kind, manifest),
  };
}

/** An object that has never been reconciled has applied nothing. */
function inventoryOf(manifest: unknown): Reconciled['inventory'] {
  const entries = valueAt(manifest, ['status', 'inventory', 'entries']);
  if (Array.isArray(entries)) return entries.map((entry) => text.parse(valueAt(entry, ['id'])));
  return valueAt(manifest, ['status', 'observedGeneration']) === -1 ? [] : null;
}

function releaseOf(kind: string, manifest: unknown): Reconciled['release'] {
  const namespace = text.parse(valueAt(manifest, ['status', 'storageNamespace']));
  const history = valueAt(manifest, ['status', 'history']);
  const name = Array.isArray(history) ? text.parse(valueAt(history[0], ['name'])) : '';
  return kind === 'HelmRelease' && namespace !== '' && name !== '' ? { namespace, name } : null;
}
