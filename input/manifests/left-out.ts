import { plural } from '../../text/layout.ts';
import type { SourceDocument } from '../documents/document.ts';
import type { Source } from '../documents/source.ts';
import { firstFew, groupOf } from './names.ts';
import { type NotRead, notReadOf } from './not-read.ts';

/** Sorts out, and counts, what is in the input and is no object that a deletion can reach. */
export class LeftOut {
  readonly #kinds = new Map<NotRead['because'], Map<string, number>>();
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
    const because = notReadOf(value)?.because;
    if (because === undefined) return false;
    const counts = this.#kinds.get(because) ?? new Map<string, number>();
    this.#kinds.set(because, counts.set(value.kind, (counts.get(value.kind) ?? 0) + 1));
    return true;
  }

  sentences(): readonly string[] {
    return [
      ...[...this.#kinds].map(([because, counts]) => {
        const kinds = [...counts].map(([kind, count]) => `${kind} (${count})`);
        return `Objects left out because ${because}: ${kinds.join(', ')}.`;
      }),
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
