import { groupOf } from '../../../input/manifests/names.ts';
import { BUILT_IN_KINDS, customKind, type Kind, type KindTable } from '../../../model/index.ts';

/**
 * Logs name resources (`deployments`), the model names kinds (`Deployment.apps`). Kinds that are not
 * built in are custom ones; what the bodies in the log say of them is learned first.
 */
export class LogKinds {
  readonly #kinds = new Map<string, Kind>();

  constructor() {
    for (const kind of Object.values(BUILT_IN_KINDS)) this.#kinds.set(kind.name, kind);
  }

  /** An object of this kind stands in the log, under this resource if that is known. */
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
    // A version that is not in the table of a kind that is.
    const group = groupOf(apiVersion) ?? '';
    const other = this.#kinds.get(group === '' ? kind : `${kind}.${group}`);
    return other ?? customKind(apiVersion, kind, namespaced);
  }

  /** @param group null where the log leaves it out. */
  of(resource: string, group: string | null, namespaced: boolean): Kind {
    for (const kind of this.#kinds.values()) {
      const served =
        group === null || kind.apiVersions.some((version) => groupOf(version) === group);
      if (kind.resource === resource && served) return kind;
    }
    // Nobody has shown an object of it: the word for the resource has to do as the kind.
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
