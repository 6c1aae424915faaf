import { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import {
  isList,
  isNamed,
  itemType,
  type ListedAs,
  mappingOf,
  type Path,
  type SourceDocument,
} from '../documents/document.ts';
import { isMapping } from '../documents/shape.ts';

/** One manifest of a document, with the type that a typed list gives it, and its place. */
export interface ListedManifest {
  readonly value: unknown;
  readonly path: Path;
}

/** Lists in lists; no tool nests them more than twice. */
const DEEPEST = 20;

/**
 * The manifests of a document: itself, or the items of a `List`, of a typed list such as `PodList`
 * (whose items need not say their type), or of a plain sequence, also nested. Throws `InputError`.
 */
export function manifestsIn(document: SourceDocument): Iterable<ListedManifest> {
  const { value } = document;
  if (Array.isArray(value)) return itemsIn(document, value, [], null, 0);
  const mapping = mappingOf(document);
  return mapping === null
    ? [].values()
    : manifestsAt(document, mapping, [], document.listed ?? null, 0);
}

function* manifestsAt(
  document: SourceDocument,
  value: unknown,
  path: Path,
  listed: ListedAs | null,
  depth: number,
): Generator<ListedManifest> {
  if (!isMapping(value)) {
    yield { value, path };
    return;
  }
  if (isList(value)) {
    if (value.items === null) return;
    if (!Array.isArray(value.items)) {
      const where = document.place([...path, 'items']);
      throw new InputError({ what: 'items is not a list', where });
    }
    const type = itemType(value.apiVersion, value.kind);
    yield* itemsIn(document, value.items, [...path, 'items'], type, depth);
    return;
  }
  if (value.kind === 'Status' && 'status' in value && !('metadata' in value && isNamed(value))) {
    throw new InputError({
      what: `this is an answer of the API server, not an object: ${JSON.stringify(value.message ?? value.status)}`,
      where: document.place(path),
      next: 'run the kubectl command again',
    });
  }
  if (String(value.apiVersion).startsWith('meta.k8s.io/')) {
    throw new InputError({
      what: `this is a ${value.kind}, which lacks the kinds or the specs of objects`,
      where: document.place(path),
      next: 'kubectl get ... -o yaml prints manifests',
    });
  }
  yield { value: listed === null ? value : { ...listed, ...value }, path };
}

function* itemsIn(
  document: SourceDocument,
  items: readonly unknown[],
  path: Path,
  listed: ListedAs | null,
  depth: number,
): Generator<ListedManifest> {
  if (depth > DEEPEST) throw MESSAGES.tooDeep(document.file);
  for (const [index, item] of items.entries()) {
    yield* manifestsAt(document, item, [...path, index], listed, depth + 1);
  }
}
