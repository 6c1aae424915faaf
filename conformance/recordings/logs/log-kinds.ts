import { groupOf } from '../../../input/manifests/names.ts';
import { BUILT_IN_KINDS, customKind, type Kind, type KindTable } from '../../../model/index.ts';

/**
 * Logs have resources (`deployments`), the model has kinds (`Deployment.apps`). A kind that is not
 * built in is a custom kind; `learn` must be called first for every body in the log that names
 * one.
 */
export class LogKinds {
  readonly #kinds = new Map<string, Kind>();

  constructor() {
    for (const kind of Object.values(BUILT_IN_KINDS)) this.#kinds.set(kind.name, kind);
  }

  /**
   * The log shows an object of this kind.
   *
   * @param resource the resource of the kind; null if unknown.
   */
  learn(apiVersion: string, kind: string, resource: string | null, namespaced: boolean): void {
    const group = groupOf(apiVersion);
    if (group === null) return;
    const name = group === '' ? kind : `${kind}.${group}`;
    if (this.#kinds.has(name) || this.#served(apiVersion, kind)) return;
    this.#kinds.set(name, customKind(apiVersion, kind, namespaced, resource ?? plural(kind)));
  }

  #served(apiVersion: string, kind: string): boolean {
    return [...this.#kinds.values()].some(
      (known) => known.kind === kind && known.apiVersions.includes(apiVersion),
    );
  }

  /** The kind of an object that the log shows in full. */
  named(apiVersion: string, kind: string, namespaced: boolean): Kind {
    this.learn(apiVersion, kind, null, namespaced);
    for (const known of this.#kinds.values()) {
      if (known.kind === kind && known.apiVersions.includes(apiVersion)) return known;
    }
    // A known kind, in a version that is not in the table.
    const group = groupOf(apiVersion) ?? '';
    const other = this.#kinds.get(group === '' ? kind : `${kind}.${group}`);
    return other ?? customKind(apiVersion, kind, namespaced);
  }

  /**
   * @param group null if the log does not show it.
   */
  of(resource: string, group: string | null, namespaced: boolean): Kind {
    for (const kind of this.#kinds.values()) {
      const served =
        group === null || kind.apiVersions.some((version) => groupOf(version) === group);
      if (kind.resource === resource && served) return kind;
    }
    // The log shows no object of this kind: the resource is also used as the name of the kind.
    const kind = customKind(`${group ?? 'unknown'}/v1`, resource, namespaced, resource);
    this.#kinds.set(kind.name, kind);
    return kind;
  }

  table(): KindTable {
    return Object.fromEntries(this.#kinds);
  }
}

/** Mirrors `meta.UnsafeGuessKindToResource`. */
function plural(kind: string): string {
  const word = kind.toLowerCase();
  if (word.endsWith('s') || word.endsWith('x') || word.endsWith('ch')) return `${word}es`;
  if (word.endsWith('y')) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}
