import type { ObjectKey } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import type { View } from '../cluster/views.ts';
import { scaleOf } from '../requests/scale.ts';
import { type Selector, selectorOf } from '../requests/selectors.ts';
import { badRequest, StatusError } from '../requests/status.ts';
import { type ApiRequest, type Reply, resourceOf, type Served } from './context.ts';
import { formOf, itemIn, listIn } from './forms.ts';
import { checkListOptions, checkRevision, demandReached, revisionIn } from './revisions.ts';
import type { Wanted } from './wanted.ts';
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
  const selects = selectorIn(resource, query);
  return cluster.keys(resource.kind.name, route.namespace).filter((key) => {
    const view = cluster.get(key)?.view;
    return view !== undefined && selects(view);
  });
}

export function selectorIn({ kind }: Resource, query: URLSearchParams): Selector {
  return selectorOf(kind.name, query.get('labelSelector') ?? '', query.get('fieldSelector') ?? '');
}

/** GET of a collection. Throws `StatusError`. */
export function list(served: Served, request: ApiRequest): Reply {
  const { cluster } = served;
  const { route, query } = request;
  const resource = resourceOf(served, route);
  checkListOptions(query);
  checkRevision(cluster.revision, query);
  const after = continuation(query, cluster.revision);
  const chosen = chosenKeys(served, request, resource).filter(
    (key) => after === null || key > after.key,
  );
  const limit = wholeIn(query, 'limit') ?? 0;
  const shown = limit > 0 ? chosen.slice(0, limit) : chosen;
  const last = shown.at(-1);
  const revision = String(after?.revision ?? cluster.revision);
  const more = shown.length < chosen.length && last !== undefined;
  const metadata: Body = {
    resourceVersion: revision,
    ...(more
      ? { continue: token(last, revision), remainingItemCount: chosen.length - shown.length }
      : {}),
  };
  const views = shown.flatMap((key): View | [] => cluster.get(key)?.view ?? []);
  return { code: 200, body: listIn(wantedBy(served, request, resource), views, metadata) };
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
  readonly key: ObjectKey;
  readonly revision: number;
}

function token(key: ObjectKey, revision: string): string {
  return Buffer.from(JSON.stringify([revision, key])).toString('base64url');
}

/**
 * Where a list goes on. The server keeps no old states: a list that goes on after a change is told
 * to begin again, as when etcd has been compacted.
 */
function continuation(query: URLSearchParams, current: number): Continuation | null {
  const text = query.get('continue') ?? '';
  if (text === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw badRequest('continue key is not valid');
  }
  const [revision, key] = Array.isArray(value) ? value : [];
  if (typeof revision !== 'string' || typeof key !== 'string') {
    throw badRequest('continue key is not valid');
  }
  if (revisionIn(revision) !== current) {
    throw new StatusError(
      410,
      'Expired',
      'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
    );
  }
  return { key, revision: Number(revision) };
}
