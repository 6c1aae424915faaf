import type { ApiObject, Kind } from '../../model/index.ts';
import { type Body, bodyIn, metadataOf } from './body.ts';

/** What the server keeps of an object beside the model: everything that deletion does not read. */
export interface Kept {
  /** The resourceVersion. */
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When its deletion began, which is 0 on the clock of the model. Null: it has not. */
  readonly deletingSince: number | null;
  /** As the client has sent it. The metadata that the model keeps is ignored. */
  readonly body: Body;
}

/** An object as clients see it, without `apiVersion` and `kind`, which depend on the request. */
export type View = Body & { readonly metadata: Body };

/** The metadata that the model keeps, or that the server sets. */
const OWN_METADATA: readonly string[] = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'selfLink',
  'initializers',
];

/** `SetDefaults_Namespace`: selectors choose namespaces by this label. */
export function labelOfNamespace(name: string): Body {
  return { 'kubernetes.io/metadata.name': name };
}

/** `metav1.Time`, which has no fraction of a second. */
export function timeText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The object as clients see it. */
export function viewOf(kind: Kind, object: ApiObject, kept: Kept): View {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = kept.body;
  const others = Object.entries(metadataOf(kept.body)).filter(
    ([field]) => !OWN_METADATA.includes(field),
  );
  const { deletionTimestamp: due, deletionGracePeriodSeconds: grace } = object;
  const metadata: Body = {
    name: object.name,
    ...(object.namespace === '' ? {} : { namespace: object.namespace }),
    uid: object.uid,
    resourceVersion: String(kept.revision),
    ...(kind.generation ? { generation: object.generation } : {}),
    creationTimestamp: timeText(kept.createdAt),
    ...(due === null
      ? {}
      : { deletionTimestamp: timeText((kept.deletingSince ?? 0) + due * 1_000) }),
    ...(grace === null ? {} : { deletionGracePeriodSeconds: grace }),
    ...Object.fromEntries(others),
    ...(kind.storage === 'namespace'
      ? { labels: { ...bodyIn(metadataOf(kept.body), 'labels'), ...labelOfNamespace(object.name) } }
      : {}),
    ...(object.ownerReferences.length === 0 ? {} : { ownerReferences: object.ownerReferences }),
    ...(object.finalizers.length === 0 ? {} : { finalizers: object.finalizers }),
  };
  return { metadata, ...rest, ...fromModel(kind, object, rest) };
}

/** What the model knows of spec and status, in place of what the client has sent. */
function fromModel(kind: Kind, object: ApiObject, body: Body): Body {
  const status = bodyIn(body, 'status');
  if (kind.storage === 'namespace') {
    const { conditions = [] } = object;
    return {
      spec: { ...bodyIn(body, 'spec'), finalizers: object.specFinalizers ?? [] },
      status: {
        ...status,
        phase: object.phase ?? (object.deletionTimestamp === null ? 'Active' : 'Terminating'),
        ...(conditions.length === 0 ? {} : { conditions }),
      },
    };
  }
  const phase = phaseOf(kind, object, status.phase);
  return phase === undefined || phase === status.phase ? {} : { status: { ...status, phase } };
}

/** @param given the phase that a client has written. Undefined: the kind has none. */
function phaseOf({ name }: Kind, { pod, volume }: ApiObject, given: unknown): unknown {
  switch (name) {
    case 'Pod':
      if (pod?.finished === true) return isFinished(given) ? given : 'Succeeded';
      if (pod?.running === true && (given === undefined || given === 'Pending')) return 'Running';
      return given ?? 'Pending';
    case 'PersistentVolume':
      if (volume?.bound === false && given === 'Bound') return 'Released';
      return given ?? (volume?.bound === true ? 'Bound' : 'Pending');
    case 'PersistentVolumeClaim':
      return given ?? 'Pending';
    default:
      return undefined;
  }
}

export function isFinished(phase: unknown): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}
