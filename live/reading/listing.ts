import { asked, type Fields, fieldsOf, textOf, whyRefused } from '../asking.ts';
import type { Connection, Form, Room } from '../connection.ts';
import type { ServedKind } from './discovery.ts';

/** What a list of a kind gave. */
export type Listing<Item> =
  | {
      readonly is: 'listed';
      readonly items: readonly Item[];
      /** The resourceVersion of the list. */
      readonly version: string;
      readonly date: string | null;
    }
  /** It was asked for at one version, which the server cannot show (any more). */
  | { readonly is: 'expired' }
  | { readonly is: 'refused'; readonly code: number; readonly why: string };

export interface ListOptions<Item> {
  readonly form: Form;
  /** Empty: all namespaces. */
  readonly namespace?: string;
  /** List the objects as they were at this resourceVersion. Null: as they are. */
  readonly at: string | null;
  /** Reduces each object as soon as its page is read. */
  readonly reduce: (item: Fields) => Item;
  /** Bytes of one page. */
  readonly most: number;
  /** Default: there is room for a page of any size. */
  readonly room?: Room;
}

/** The page size of kubectl. */
const PAGE = 500;

/** How often a list is begun again, because it has expired between two pages. */
const RESTARTS = 3;

/** Lists all objects of a kind, page by page. Throws `InputError`. */
export async function listed<Item>(
  connection: Connection,
  kind: ServedKind,
  options: ListOptions<Item>,
): Promise<Listing<Item>> {
  for (let restart = 0; ; restart += 1) {
    // As in client-go, the last try is one large page.
    const found = await pages(connection, kind, options, restart < RESTARTS ? PAGE : 0);
    if (found.is !== 'expired' || options.at !== null || restart === RESTARTS) return found;
  }
}

async function pages<Item>(
  connection: Connection,
  kind: ServedKind,
  { form, namespace = '', at, reduce, most, room }: ListOptions<Item>,
  limit: number,
): Promise<Listing<Item>> {
  const items: Item[] = [];
  let version = '';
  for (let next = ''; ; ) {
    const query = new URLSearchParams({
      ...(limit > 0 ? { limit: String(limit) } : {}),
      ...(next !== '' ? { continue: next } : {}),
      ...(next === '' && at !== null ? { resourceVersion: at, resourceVersionMatch: 'Exact' } : {}),
    });
    const answer = await asked(connection, `${pathOf(kind, namespace)}?${query}`, form, most, room);
    if (answer.code === 410) return { is: 'expired' };
    // Of an API server of its own, with versions of its own.
    if (at !== null && next === '' && [400, 504].includes(answer.code)) return { is: 'expired' };
    const { items: found, metadata } = fieldsOf(answer.body);
    if (answer.code !== 200) {
      return { is: 'refused', code: answer.code, why: whyRefused(answer) };
    }
    if (!Array.isArray(found) && found !== null && found !== undefined) {
      return { is: 'refused', code: answer.code, why: 'the answer is not a list' };
    }
    if (textOf(fieldsOf(answer.body).kind).endsWith('List') === false) {
      return { is: 'refused', code: answer.code, why: 'the answer is not a list' };
    }
    for (const item of found ?? []) items.push(reduce(fieldsOf(item)));
    if (version === '') version = textOf(fieldsOf(metadata).resourceVersion);
    // A server that does not know the match answers with what is newest.
    if (at !== null && version !== at) return { is: 'expired' };
    next = textOf(fieldsOf(metadata).continue);
    if (next === '') return { is: 'listed', items, version, date: answer.date };
  }
}

/** `/api/v1/namespaces/shop/pods` */
export function pathOf({ root, resource, namespaced }: ServedKind, namespace: string): string {
  const place =
    namespace === '' || !namespaced ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${place}/${resource}`;
}
