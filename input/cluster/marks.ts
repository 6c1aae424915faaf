import { z } from 'zod';

/** The tools that track objects by labels, annotations or references, without owner references. */
export type Tool = 'Argo CD' | 'Flux' | 'Helm' | 'Cluster API' | 'Crossplane';

/** What an object says of who manages it, or of what it manages. */
export type Mark =
  | {
      readonly mark: 'trackedBy';
      readonly tool: Tool;
      /** The kind of the object that tracks; empty: the tool keeps its own records. */
      readonly kind: string;
      readonly name: string;
      /** Empty: any namespace. */
      readonly namespace: string;
    }
  /** The object that this one stands for, and that is deleted with it. */
  | {
      readonly mark: 'manages';
      readonly tool: Tool;
      readonly kind: string;
      readonly namespace: string;
      readonly name: string;
    }
  /** The tool does not delete this object with what tracks it. */
  | { readonly mark: 'keptBy'; readonly tool: Tool };

const words = z.record(z.string(), z.string().catch('')).nullish().catch(null);

const markedSchema = z.looseObject({
  apiVersion: z.string().catch(''),
  metadata: z.looseObject({ labels: words, annotations: words }),
  spec: z
    .looseObject({
      resourceRef: z
        .looseObject({ kind: z.string(), name: z.string() })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** Where a tool writes the name of what tracks an object. */
interface Tracker {
  readonly tool: Tool;
  readonly kind: string;
  readonly in: 'labels' | 'annotations';
  readonly key: string;
  /** The key beside it that has the namespace. */
  readonly namespaceKey?: string;
}

const TRACKERS: readonly Tracker[] = [
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
  { tool: 'Argo CD', kind: 'Application', in: 'labels', key: 'app.kubernetes.io/instance' },
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
    tool: 'Cluster API',
    kind: 'Cluster',
    in: 'labels',
    key: 'cluster.x-k8s.io/cluster-name',
  },
  {
    tool: 'Helm',
    kind: '',
    in: 'annotations',
    key: 'meta.helm.sh/release-name',
    namespaceKey: 'meta.helm.sh/release-namespace',
  },
];

/** Reads labels, annotations and references of one manifest. */
export function marksOf(manifest: unknown): readonly Mark[] {
  const { data } = markedSchema.safeParse(manifest);
  if (data === undefined) return [];
  const { metadata, spec, apiVersion } = data;
  const tracked = TRACKERS.flatMap(({ tool, kind, in: where, key, namespaceKey }): Mark[] => {
    const value = metadata[where]?.[key];
    if (!value) return [];
    const namespace = namespaceKey === undefined ? '' : (metadata[where]?.[namespaceKey] ?? '');
    // Argo CD writes `NAMESPACE_NAME` for Applications outside of its own namespace.
    const name = (value.split(':')[0] ?? value).split('_').at(-1) ?? value;
    return [{ mark: 'trackedBy', tool, kind, name, namespace }];
  });
  const options = metadata.annotations?.['argocd.argoproj.io/sync-options'] ?? '';
  const isArgo = apiVersion.startsWith('argoproj.io/');
  const claimed = spec?.resourceRef;
  return [
    ...tracked,
    ...(options.includes('Delete=false') && !isArgo
      ? [{ mark: 'keptBy', tool: 'Argo CD' } as const]
      : []),
    ...(metadata.annotations?.['helm.sh/resource-policy'] === 'keep'
      ? [{ mark: 'keptBy', tool: 'Helm' } as const]
      : []),
    ...(claimed === undefined
      ? []
      : [
          {
            mark: 'manages',
            tool: 'Crossplane',
            kind: claimed.kind,
            namespace: '',
            name: claimed.name,
          } as const,
        ]),
  ];
}
