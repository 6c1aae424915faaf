import * as z from 'zod';
import type { ObjectKey } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import { viewsAt } from '../cluster/earlier.ts';
import type { Resource } from '../cluster/resources.ts';
import { scaleOf } from '../requests/scale.ts';
import { type Selector, selectorOf } from '../requests/selectors.ts';
import { badRequest, expired, StatusError } from '../requests/status.ts';
import { type ApiRequest, type Reply, resourceOf, type Served } from './context.ts';
import { formOf, itemIn, listIn } from './forms.ts';
import { checkListOptions, demandReached, exactRevision } from './revisions.ts';
import type { Wanted } from './table.ts';
import { storedAt, subresourceOf } from './write.ts';

/** GET of one object. Throws `StatusError`. */
export function read(served: Served, request: ApiRequest): Reply {
  const { route } = request;
  const resource = resourceOf(served, route);
  const subresource = subresourceOf(resource, route.subresource);
  demandReached(served.cluster.revision, request.query);
  const stored = storedAt(served, request, resource);
  if (subresource === 'scale') return { code: 200, body: scaleOf(resource, stored) };
  return { code: 200, body: itemIn(wantedBy(served, request, resource), stored.view) };
}

/** The keys that a list shows, sorted. */
export function chosenKeys(
  { cluster }: Served,
  { route, query }: ApiRequest,
  resource: Resource,
): readonly ObjectKey[] {
  const selects = selectorIn(resource, route.apiVersion, query);
  return cluster.keys(resource.kind.name, route.namespace).filter((key) => {
    const view = cluster.get(key)?.view;
    return view !== undefined && selects(view);
  });
}

export function selectorIn(
  resource: Resource,
  apiVersion: string,
  query: URLSearchParams,
): Selector {
  const [labels, fields] = [query.get('labelSelector'), query.get('fieldSelector')];
  return selectorOf(resource, apiVersion, labels ?? '', fields ?? '');
}

/**
 * GET of a collection. The pages of one list show the revision of its first page, as long as the
 * history reaches back to it. Throws `StatusError`.
 */
export function list(served: Served, request: ApiRequest): Reply {
  const { cluster } = served;
  const { route, query } = request;
  const resource = resourceOf(served, route);
  checkListOptions(query);
  const after = continuation(query);
  const revision =
    (after === null ? exactRevision(cluster.revision, query) : after.revision) ?? cluster.revision;
  const all = viewsAt(cluster, resource.kind.name, route.namespace, revision);
  if (all === null) throw after === null ? expired(String(revision)) : cannotContinue(after.key);
  const selects = selectorIn(resource, route.apiVersion, query);
  const chosen = all.filter(([key, view]) => (after === null || key > after.key) && selects(view));
  const limit = wholeIn(query, 'limit') ?? 0;
  const shown = limit > 0 ? chosen.slice(0, limit) : chosen;
  const last = shown.at(-1);
  const more = shown.length < chosen.length && last !== undefined;
  const metadata: Body = {
    resourceVersion: String(revision),
    ...(more ? { continue: token(last[0], revision) } : {}),
    // A server that selects while it lists cannot know how many objects there are.
    ...(more && !isSelective(query) ? { remainingItemCount: chosen.length - shown.length } : {}),
  };
  const views = shown.map(([, view]) => view);
  return { code: 200, body: listIn(wantedBy(served, request, resource), views, metadata) };
}

function isSelective(query: URLSearchParams): boolean {
  return Boolean(query.get('labelSelector') || query.get('fieldSelector'));
}

/** The form that the request wants objects in. */
export function wantedBy(
  { cluster }: Served,
  { route, query, accept }: ApiRequest,
  resource: Resource,
): Wanted {
  const include = query.get('includeObject');
  return {
    resource,
    apiVersion: route.apiVersion,
    form: formOf(accept),
    include: include === 'None' || include === 'Object' ? include : 'Metadata',
    now: cluster.clock(),
  };
}

export function wholeIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`${name} must be a whole number`);
  return Number(text);
}

interface Continuation {
  /** The last object that the client has. */
  readonly key: ObjectKey;
  /** Null: the list goes on with what is stored now. */
  readonly revision: number | null;
}

function token(key: ObjectKey, revision: number | null): string {
  return Buffer.from(JSON.stringify([revision, key])).toString('base64url');
}

/** Where a list goes on. Null: it begins. Throws `StatusError`. */
function continuation(query: URLSearchParams): Continuation | null {
  const text = query.get('continue') ?? '';
  if (text === '') return null;
  const read = continuationSchema.safeParse(parsed(Buffer.from(text, 'base64url').toString()));
  if (!read.success) throw badRequest('continue key is not valid');
  const [revision, key] = read.data;
  return { key, revision };
}

const continuationSchema = z.tuple([z.int().min(0).nullable(), z.string()]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Mirrors `handleCompactedErrorForPaging`: the client may take the rest as it is now. */
function cannotContinue(key: ObjectKey): StatusError {
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
  return new StatusError(410, 'Expired', message, null, { continue: token(key, null) });
}
