import type { Observation } from '../cluster/observations.ts';
import { isReservedName } from '../documents/shape.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import { firstFew, groupOf } from './names.ts';

type Definition = Extract<Observation, { readonly of: 'CustomResourceDefinition' }>;

interface UnknownKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether an instance has a namespace. */
  namespaced: boolean;
}

/**
 * Kinds that are not built in. Whether such a kind is namespaced is known only after the whole
 * input is read: its definition says so, or any of its instances. Until then its instances wait.
 */
export class KindsToCome {
  readonly #kinds: KindCatalogue;
  readonly #unknown = new Map<string, UnknownKind>();

  constructor(kinds: KindCatalogue) {
    this.#kinds = kinds;
  }

  define(definition: Definition): void {
    this.#kinds.define(definition);
  }

  /** Reads a manifest now, or later if its kind is not known yet. */
  read<Read>(manifest: unknown, read: (manifest: unknown) => Read): () => Read {
    const { apiVersion, kind, metadata } = fieldsOf(manifest);
    const isReadable =
      typeof apiVersion === 'string' &&
      typeof kind === 'string' &&
      groupOf(apiVersion) !== null &&
      !(groupOf(apiVersion) === '' && isReservedName(kind));
    if (!isReadable || this.#kinds.resolve(apiVersion, kind) !== null) {
      const found = read(manifest);
      return () => found;
    }
    const key = `${apiVersion} ${kind}`;
    const known = this.#unknown.get(key) ?? { apiVersion, kind, namespaced: false };
    known.namespaced ||= Boolean(fieldsOf(metadata).namespace);
    this.#unknown.set(key, known);
    // Nothing but the metadata of a custom resource matters. A built-in kind may have an old group.
    const isOld = Object.values(this.#kinds.table()).some((other) => other.kind === kind);
    const light = isOld ? manifest : { apiVersion, kind, metadata: withoutNotes(metadata) };
    return () => read(light);
  }

  /** Accepts the kinds that were put off. Returns a warning for those whose scope is a guess. */
  accept(): readonly string[] {
    const guessed: string[] = [];
    for (const { apiVersion, kind, namespaced } of this.#unknown.values()) {
      const scope = this.#kinds.scopeOf(apiVersion, kind);
      const accepted = this.#kinds.accept(apiVersion, kind, scope ?? namespaced);
      // Another version of a built-in kind has its scope.
      const isGuess = scope === undefined && !this.#kinds.isBuiltIn(accepted);
      if (isGuess && !accepted.namespaced) guessed.push(accepted.name);
    }
    if (guessed.length === 0) return [];
    return [
      `${firstFew(guessed)} ${guessed.length === 1 ? 'is' : 'are'} taken to be cluster-scoped: no object of the kind has a namespace, and its definition is not in the input`,
    ];
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** What can be large and says nothing of deletion. */
function withoutNotes(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return metadata;
  const { managedFields: _fields, annotations: _annotations, ...rest } = fieldsOf(metadata);
  return rest;
}
