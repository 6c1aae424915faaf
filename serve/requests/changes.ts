import {
  type Change,
  equalJson,
  listsWithStatus,
  type NamespaceCondition,
} from '../../model/index.ts';
import { type Body, bodyIn, isBody, metadataOf, textIn, valueAt } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import type { Stored } from '../cluster/stored-objects.ts';
import { withDefaults } from './defaults.ts';
import { checkTexts } from './metadata.ts';
import { keptOf, modelObject } from './objects.ts';
import { badRequest } from './status.ts';

export type Subresource = '' | 'status' | 'scale' | 'finalize' | 'binding';

/** A change as the model sees it, and what is kept beside the model afterwards. */
export interface Changed {
  readonly change: Change;
  readonly body: Body;
}

/**
 * What a PUT or PATCH changes.
 *
 * @param next the whole object as the request wants it. Throws `StatusError`.
 */
export function changeTo(
  resource: Resource,
  apiVersion: string,
  stored: Stored,
  next: Body,
  subresource: Subresource,
): Changed {
  checkTexts(resource, apiVersion, next);
  const { kind } = resource;
  const { name, namespace, uid } = stored.object;
  const wanted = metadataOf(next);
  demandSame('name', textIn(wanted, 'name'), 'name on the URL', name);
  // Of what is in no namespace, Kubernetes forgets the one that a client gives it.
  const inBody = (namespace !== '' && textIn(wanted, 'namespace')) || namespace;
  demandSame('namespace', inBody, 'namespace on the request', namespace);
  if (kind.storage === 'namespace' && subresource === 'finalize') {
    const { specFinalizers = [] } = modelObject(resource, apiVersion, next, uid);
    return { change: { do: 'finalizeNamespace', specFinalizers }, body: stored.kept.body };
  }
  if (kind.storage === 'namespace' && subresource === 'status') {
    const phase = valueAt(next, 'status.phase') === 'Terminating' ? 'Terminating' : 'Active';
    const change = { do: 'setNamespaceStatus', phase, conditions: conditionsIn(next) } as const;
    return { change, body: keptOf({ ...stored.view, status: next.status }) };
  }
  const kept = withOtherParts(resource, stored, next, subresource);
  const object = modelObject(resource, apiVersion, { ...kept, metadata: wanted }, uid);
  const { finalizers, ownerReferences, pod, volume, observedGeneration } =
    subresource === 'status' ? { ...object, ...listsKept(resource, stored) } : object;
  const bodyOf = (parts: Body, metadata: Body): Body =>
    subresource === 'status'
      ? withDefaults(resource, withLabelsOf(parts, stored))
      : keptOf(withDefaults(resource, { ...parts, metadata }));
  const body = bodyOf(kept, wanted);
  // What a request writes that changes nothing: what no client has written, such as defaults, and
  // what the model keeps, are no change.
  const { metadata: shown } = stored.view;
  const before = bodyOf(withOtherParts(resource, stored, stored.view, subresource), shown);
  // What the request leaves alone stays as the model has it.
  const read = modelObject(
    resource,
    apiVersion,
    { ...stored.kept.body, metadata: stored.view.metadata },
    uid,
  );
  const change: Change = {
    do: 'setMetadata',
    finalizers,
    ownerReferences,
    other: otherChange(before, body),
    ...deletionIn(stored, wanted),
    ...(pod === undefined || equalJson(pod, read.pod) ? {} : { pod }),
    ...(volume === undefined || equalJson(volume, read.volume) ? {} : { volume }),
    ...(observedGeneration === undefined || observedGeneration === read.observedGeneration
      ? {}
      : { observedGeneration }),
  };
  return { change, body: equalJson(body, before) ? stored.kept.body : body };
}

/** Mirrors `checkName` of the handlers. Throws `StatusError`. */
function demandSame(what: string, given: string, where: string, wanted: string): void {
  if (given === wanted) return;
  throw badRequest(`the ${what} of the object (${given}) does not match the ${where} (${wanted})`);
}

/** The lists that a write of the status leaves as they are. */
function listsKept({ kind }: Resource, { object: { finalizers, ownerReferences } }: Stored) {
  const changed = listsWithStatus(kind) ?? [];
  return {
    ...(changed.includes('finalizers') ? {} : { finalizers }),
    ...(changed.includes('ownerReferences') ? {} : { ownerReferences }),
  };
}

/**
 * A write of the status leaves spec and data as they are, and every other write leaves the status.
 */
function withOtherParts(
  { status }: Resource,
  stored: Stored,
  next: Body,
  subresource: Subresource,
): Body {
  const { metadata: _old, ...before } = stored.kept.body;
  const { metadata: _new, ...after } = next;
  if (subresource === 'status') return withStatus(before, after.status);
  return status ? withStatus(after, before.status) : after;
}

function withStatus(body: Body, status: unknown): Body {
  const { status: _, ...rest } = body;
  return status === undefined ? rest : { ...rest, status };
}

function withLabelsOf(body: Body, stored: Stored): Body {
  return keptOf({ ...body, metadata: metadataOf(stored.kept.body) });
}

function otherChange(before: Body, body: Body): 'same' | 'data' | 'spec' {
  if (equalJson(body, before)) return 'same';
  const rest = ({ metadata: _metadata, status: _status, ...others }: Body): Body => others;
  return equalJson(rest(body), rest(before)) ? 'data' : 'spec';
}

/**
 * Fields of the deletion are immutable. What differs goes to the model, which refuses it; the text
 * of a time has no place on the clock of the model.
 */
function deletionIn(
  { object, view }: Stored,
  wanted: Body,
): { deletionTimestamp?: number; deletionGracePeriodSeconds?: number } {
  const due = textIn(wanted, 'deletionTimestamp');
  const grace = wanted.deletionGracePeriodSeconds;
  return {
    ...(due === '' || due === view.metadata.deletionTimestamp
      ? {}
      : { deletionTimestamp: (object.deletionTimestamp ?? -1) + 1 }),
    ...(typeof grace === 'number' ? { deletionGracePeriodSeconds: grace } : {}),
  };
}

function conditionsIn(next: Body): readonly NamespaceCondition[] {
  const conditions = bodyIn(next, 'status').conditions;
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(isBody).map((condition) => {
    const status = textIn(condition, 'status');
    return {
      type: textIn(condition, 'type'),
      status: status === 'True' || status === 'False' ? status : 'Unknown',
      reason: textIn(condition, 'reason'),
      message: textIn(condition, 'message'),
    };
  });
}
