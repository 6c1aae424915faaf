import { z } from 'zod';

/**
 * What a dump says of a cluster beyond the metadata of its objects: which nodes are ready, what a
 * namespace reports, which API is down. The model does not need it; the answers do.
 *
 * Every reader is lenient: a field that is absent or has another type counts as not said. A dump
 * comes from a real cluster, so a wrong type here is a field of a newer API, not a typing error.
 */

/** A condition as all of Kubernetes writes them; `status` is `True`, `False` or `Unknown`. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** One object's share of the observations. */
export type Observation =
  | { readonly of: 'Node'; readonly ready: 'True' | 'False' | 'Unknown' | 'unsaid' }
  | { readonly of: 'Namespace'; readonly conditions: readonly Condition[] }
  | {
      readonly of: 'APIService';
      readonly groupVersion: string;
      readonly unavailable: Condition | null;
    }
  | {
      readonly of: 'CustomResourceDefinition';
      readonly group: string;
      readonly kind: string;
      readonly plural: string;
      /** The first that is listed. */
      readonly version: string;
      readonly namespaced: boolean;
    }
  | { readonly of: 'workload'; readonly replicas: number }
  | { readonly of: 'other' };

/** Who manages an object by labels or annotations, without an owner reference. */
export interface Tracking {
  readonly tool: 'Argo CD' | 'Flux' | 'Helm';
  /** The Application, Kustomization or release, as the label names it. */
  readonly name: string;
}

const text = z.string().catch('');

const conditionSchema = z
  .looseObject({ type: text, status: text, reason: text, message: text })
  .catch({ type: '', status: '', reason: '', message: '' });

const statusSchema = z.looseObject({
  status: z
    .looseObject({ conditions: z.array(conditionSchema).catch([]).default([]) })
    .catch({ conditions: [] })
    .default({ conditions: [] }),
});

function conditionsOf(manifest: unknown): readonly Condition[] {
  const read = statusSchema.safeParse(manifest);
  return (read.data?.status.conditions ?? []).map(({ type, status, reason, message }) => ({
    type,
    status,
    reason,
    message,
  }));
}

function readiness(manifest: unknown): 'True' | 'False' | 'Unknown' | 'unsaid' {
  const ready = conditionsOf(manifest).find(({ type }) => type === 'Ready')?.status;
  return ready === 'True' || ready === 'False' || ready === 'Unknown' ? ready : 'unsaid';
}

const apiServiceSchema = z.looseObject({
  spec: z.looseObject({ group: text, version: text }),
});

const definitionSchema = z.looseObject({
  metadata: z.looseObject({ name: text }),
  spec: z
    .looseObject({
      group: text,
      scope: text,
      names: z.looseObject({ kind: text, plural: text }).catch({ kind: '', plural: '' }),
      versions: z.array(z.looseObject({ name: text })).catch([]),
    })
    .optional()
    .catch(undefined),
});

/** The name is `PLURAL.GROUP`, so a shortened definition still says most of it. */
function definitionOf(manifest: unknown): Observation {
  const { data } = definitionSchema.safeParse(manifest);
  const [plural = '', ...group] = (data?.metadata.name ?? '').split('.');
  const spec = data?.spec;
  return {
    of: 'CustomResourceDefinition',
    group: spec?.group || group.join('.'),
    plural: spec?.names.plural || plural,
    kind: spec?.names.kind || plural,
    version: spec?.versions[0]?.name || 'v1',
    namespaced: spec?.scope !== 'Cluster',
  };
}

const workloadSchema = z.looseObject({
  spec: z.looseObject({ replicas: z.int().min(0).catch(1).default(1) }),
});

const WORKLOADS: readonly string[] = [
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
];

/** Reads one manifest of this kind (without its group). */
export function observe(kind: string, manifest: unknown): Observation {
  switch (kind) {
    case 'Node':
      return { of: 'Node', ready: readiness(manifest) };
    case 'Namespace':
      return { of: 'Namespace', conditions: conditionsOf(manifest) };
    case 'APIService': {
      const { data } = apiServiceSchema.safeParse(manifest);
      const available = conditionsOf(manifest).find(({ type }) => type === 'Available');
      const { group = '', version = '' } = data?.spec ?? {};
      return {
        of: 'APIService',
        groupVersion: `${group}/${version}`,
        unavailable: available?.status === 'False' ? available : null,
      };
    }
    case 'CustomResourceDefinition':
      return definitionOf(manifest);
    default: {
      if (!WORKLOADS.includes(kind)) return { of: 'other' };
      const { data } = workloadSchema.safeParse(manifest);
      return { of: 'workload', replicas: data?.spec.replicas ?? 1 };
    }
  }
}

const markedSchema = z.looseObject({
  metadata: z.looseObject({
    labels: z.record(z.string(), text).nullish().catch(null),
    annotations: z.record(z.string(), text).nullish().catch(null),
  }),
});

/** The tools that track objects by a label or annotation, and where they write the name. */
const TRACKERS: readonly (Pick<Tracking, 'tool'> & {
  readonly in: 'labels' | 'annotations';
  readonly key: string;
})[] = [
  // `NAME:group/Kind:namespace/name`
  { tool: 'Argo CD', in: 'annotations', key: 'argocd.argoproj.io/tracking-id' },
  { tool: 'Argo CD', in: 'labels', key: 'argocd.argoproj.io/instance' },
  { tool: 'Flux', in: 'labels', key: 'kustomize.toolkit.fluxcd.io/name' },
  { tool: 'Flux', in: 'labels', key: 'helm.toolkit.fluxcd.io/name' },
  { tool: 'Helm', in: 'annotations', key: 'meta.helm.sh/release-name' },
];

/** `app.kubernetes.io/instance` is Argo CD's default label, and a common one of other tools. */
const INSTANCE = 'app.kubernetes.io/instance';

/** Who tracks this object; null: no tool that is known here. */
export function trackingOf(
  manifest: unknown,
  isApplication: (name: string) => boolean,
): Tracking | null {
  const { data } = markedSchema.safeParse(manifest);
  if (data === undefined) return null;
  const { labels, annotations } = data.metadata;
  for (const { tool, in: where, key } of TRACKERS) {
    const value = (where === 'labels' ? labels : annotations)?.[key];
    if (value) return { tool, name: value.split(':')[0] ?? value };
  }
  const instance = labels?.[INSTANCE];
  return instance && isApplication(instance) ? { tool: 'Argo CD', name: instance } : null;
}
