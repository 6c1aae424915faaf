import { plural } from '../../text/layout.ts';
import type { SourceDocument } from '../documents/document.ts';
import type { Source } from '../documents/source.ts';
import { firstFew, groupOf } from './names.ts';

/** What clusters list or tools write beside the objects that matter to deletion. */
const NOTHING_DEPENDS_ON: readonly {
  readonly group: string;
  /** Undefined: every kind of the group. */
  readonly kind?: string;
}[] = [
  // The collector ignores events, and they expire by themselves.
  { group: '', kind: 'Event' },
  { group: 'events.k8s.io', kind: 'Event' },
  // Computed when they are read, not stored.
  { group: '', kind: 'ComponentStatus' },
  { group: 'metrics.k8s.io' },
  { group: 'packages.operators.coreos.com' },
  { group: 'project.openshift.io', kind: 'ProjectRequest' },
  // The input of a tool, not of a cluster.
  { group: 'kustomize.config.k8s.io' },
];

/** Sorts out, and counts, what is in the input and is no object that a deletion can reach. */
export class LeftOut {
  readonly #kinds = new Map<string, number>();
  readonly #files = new Set<string>();

  /** Whether to leave a whole document out: text, or something empty. */
  takesDocument({ value }: SourceDocument, source: Source): boolean {
    if (source.isFound !== true || (typeof value === 'object' && value !== null)) return false;
    if (value !== null && value !== undefined) this.#files.add(source.file);
    return true;
  }

  /** Whether to leave a manifest out. In a folder, other files than manifests are usual. */
  takes(value: unknown, source: Source): boolean {
    if (source.isFound === true && !isManifest(value)) {
      this.#files.add(source.file);
      return true;
    }
    if (!isManifest(value)) return false;
    const { apiVersion, kind } = value;
    const group = groupOf(apiVersion);
    const isUnneeded = NOTHING_DEPENDS_ON.some(
      (entry) => entry.group === group && (entry.kind ?? kind) === kind,
    );
    if (isUnneeded) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    return isUnneeded;
  }

  sentences(): readonly string[] {
    const kinds = [...this.#kinds].map(([kind, count]) => `${kind} (${count})`);
    return [
      ...(kinds.length === 0
        ? []
        : [`Objects left out because nothing depends on them: ${kinds.join(', ')}.`]),
      ...(this.#files.size === 0
        ? []
        : [
            `${plural(this.#files.size, 'file')} left out, in which something is no manifest: ${firstFew([...this.#files])}.`,
          ]),
    ];
  }
}

/**
 * The namespace of which OpenShift shows a Project: with the same uid. Other values as they are.
 */
export function namespaceOf(value: unknown): unknown {
  const isView =
    isManifest(value) &&
    groupOf(value.apiVersion) === 'project.openshift.io' &&
    value.kind === 'Project';
  return isView ? { ...value, apiVersion: 'v1', kind: 'Namespace' } : value;
}

function isManifest(
  value: unknown,
): value is { readonly apiVersion: string; readonly kind: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind, metadata } = value as Readonly<Record<string, unknown>>;
  return (
    typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    typeof metadata === 'object' &&
    metadata !== null
  );
}
