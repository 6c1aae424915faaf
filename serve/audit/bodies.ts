import type { Call, Change, UpdateCall, World } from '../../model/index.ts';
import { kindOf } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import type { View } from '../cluster/views.ts';

/** A request of a controller, as it would be sent. */
export interface Sent {
  readonly verb: string;
  readonly subresource: string;
  readonly body: unknown;
}

/**
 * @param view of the object as it is stored.
 * @param read the resourceVersion that the client has read last.
 */
export function bodyOfCall(world: World, call: Call, view: View | null, read: string | null): Sent {
  switch (call.verb) {
    case 'create': {
      const { name, namespace, finalizers, ownerReferences } = call.object;
      const metadata = { name, namespace, finalizers, ownerReferences };
      return {
        verb: 'create',
        subresource: '',
        body: { ...typeOf(world, call.object.kind), metadata },
      };
    }
    case 'delete':
    case 'deleteCollection': {
      const verb = call.verb === 'delete' ? 'delete' : 'deletecollection';
      return { verb, subresource: '', body: optionsBody(call.options, read) };
    }
    case 'update': {
      if (!call.put) return { verb: 'patch', subresource: '', body: patchBody(call, view, read) };
      const subresource = subresourceOf(call.change);
      const type = typeOf(world, kindOf(call.key));
      return {
        verb: 'update',
        subresource,
        body: { ...type, ...putBody(call.change, view, read) },
      };
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(call satisfies never)}`);
  }
}

function typeOf(world: World, name: string): Body {
  const kind = world.kinds[name];
  return { apiVersion: kind?.apiVersions[0] ?? 'v1', kind: kind?.kind ?? name };
}

function optionsBody(
  { preconditions, dryRun: _dryRun, ...options }: Extract<Call, { verb: 'delete' }>['options'],
  read: string | null,
): Body {
  const demands = {
    ...(preconditions?.uid === undefined ? {} : { uid: preconditions.uid }),
    ...(preconditions?.resourceVersion === undefined || read === null
      ? {}
      : { resourceVersion: read }),
  };
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...options,
    ...(Object.keys(demands).length === 0 ? {} : { preconditions: demands }),
  };
}

/** The patches of the collector (`CollectorPatch`), and those that remove one finalizer. */
function patchBody(
  { change, uid, resourceVersion }: UpdateCall,
  view: View | null,
  read: string | null,
): Body {
  const demanded = uid === null ? {} : { uid };
  switch (change.do) {
    case 'setFinalizers': {
      const finalizers = change.finalizers.length === 0 ? null : change.finalizers;
      return { metadata: { resourceVersion: read, finalizers } };
    }
    case 'removeOwners': {
      if (resourceVersion) return { metadata: ownersLeft(change.uids, view) };
      const ownerReferences = change.uids.map((owner) => ({ $patch: 'delete', uid: owner }));
      return { metadata: { ...demanded, ownerReferences } };
    }
    case 'unblockOwners': {
      const { ownerReferences } = change;
      const list = ownerReferences.length === 0 ? {} : { ownerReferences };
      return { metadata: { ...demanded, creationTimestamp: null, ...list } };
    }
    case 'removeFinalizer':
      return { metadata: { '$deleteFromPrimitiveList/finalizers': [change.finalizer] } };
    default:
      return { metadata: demanded };
  }
}

/** The merge patch of a kind that takes no strategic merge patches: the references that remain. */
function ownersLeft(uids: readonly string[], view: View | null): Body {
  const owners = (view?.metadata.ownerReferences ?? []) as readonly { readonly uid: string }[];
  const left = owners.filter(({ uid }) => !uids.includes(uid));
  const { resourceVersion } = view?.metadata ?? {};
  return { resourceVersion, ownerReferences: left.length === 0 ? null : left };
}

function subresourceOf(change: Change): string {
  if (change.do === 'finalizeNamespace') return 'finalize';
  return change.do === 'setNamespaceStatus' ? 'status' : '';
}

/** The object as the client has read it, with what it changes. */
function putBody(change: Change, stored: View | null, read: string | null): Body {
  if (stored === null) return {};
  const version = read === null ? {} : { resourceVersion: read };
  const view: View = { ...stored, metadata: { ...stored.metadata, ...version } };
  const finalizers = (view.metadata.finalizers ?? []) as readonly string[];
  switch (change.do) {
    case 'finalizeNamespace':
      return { ...view, spec: { finalizers: change.specFinalizers ?? [] } };
    case 'setNamespaceStatus':
      return { ...view, status: { phase: change.phase, conditions: change.conditions } };
    case 'setFinalizers':
      return { ...view, metadata: { ...view.metadata, finalizers: change.finalizers } };
    case 'addFinalizer':
      return {
        ...view,
        metadata: { ...view.metadata, finalizers: [...finalizers, change.finalizer] },
      };
    case 'removeFinalizer':
      return {
        ...view,
        metadata: {
          ...view.metadata,
          finalizers: finalizers.filter((name) => name !== change.finalizer),
        },
      };
    default:
      return view;
  }
}
