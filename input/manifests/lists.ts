import { InputError } from '../../text/input-error.ts';
import { MESSAGES } from '../../text/messages.ts';
import type { Gap } from '../collections/collection.ts';
import {
  isList,
  isNamed,
  itemType,
  mappingOf,
  type Page,
  type Path,
  pageOf,
  type SourceDocument,
} from '../documents/document.ts';
import { isMapping, textAt } from '../documents/shape.ts';

/** One manifest of a document, with the type that a typed list gives it, and its place. */
export interface ListedManifest {
  readonly value: unknown;
  readonly path: Path;
  /** Of the innermost list around it. */
  readonly page?: Page;
}

/** Lists in lists; no tool nests them more than twice. */
const DEEPEST = 20;

/**
 * The manifests of a document: itself, or the items of a `List`, of a typed list such as `PodList`
 * (whose items need not say their type), or of a plain sequence, also nested. Throws `InputError`.
 */
export function manifestsIn(document: SourceDocument): Iterable<ListedManifest> {
  const { value } = document;
  if (Array.isArray(value)) return itemsIn(document, value, [], {}, 0);
  const mapping = mappingOf(document);
  return mapping === null ? [].values() : manifestsAt(document, mapping, [], document, 0);
}

type Around = Pick<SourceDocument, 'listed' | 'page'>;

function* manifestsAt(
  document: SourceDocument,
  value: unknown,
  path: Path,
  around: Around,
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
    const listed = itemType(value.apiVersion, value.kind);
    const own = { page: pageOf(value), ...(listed === null ? {} : { listed }) };
    yield* itemsIn(document, value.items, [...path, 'items'], own, depth);
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
  const { listed, page } = around;
  const typed = listed === undefined ? value : { ...listed, ...value };
  yield { value: typed, path, ...(page === undefined ? {} : { page }) };
}

function* itemsIn(
  document: SourceDocument,
  items: readonly unknown[],
  path: Path,
  around: Around,
  depth: number,
): Generator<ListedManifest> {
  if (depth > DEEPEST) throw MESSAGES.tooDeep(document.file);
  for (const [index, item] of items.entries()) {
    yield* manifestsAt(document, item, [...path, index], around, depth + 1);
  }
}

/**
 * Notices lists of which the input lacks a part: one request with `limit` gets a page, and only the
 * last page of a list has no `continue` (`ListMeta`). kubectl asks for all of them.
 */
export class Pages {
  /** Kinds, by what all pages of one list share. */
  readonly #open = new Map<string, string>();
  readonly #ended = new Set<string>();

  see(page: Page | undefined, value: unknown): void {
    if (page === undefined) return;
    const { resourceVersion, isContinued } = page;
    const kind = textAt(value, ['kind']) ?? '';
    const list = `${textAt(value, ['apiVersion'])} ${kind} ${resourceVersion}`;
    if (isContinued) this.#open.set(list, kind);
    else if (resourceVersion !== '') this.#ended.add(list);
  }

  gaps(): readonly Gap[] {
    const open = [...this.#open].filter(([list]) => !this.#ended.has(list));
    const kinds = [...new Set(open.map(([, kind]) => kind))].sort();
    return kinds.map((kind) => ({
      what: `the input has only the first objects of kind ${kind}: its list goes on (metadata.continue)`,
      settle: 'reapcheck dump-command  # run what it prints',
    }));
  }
}
