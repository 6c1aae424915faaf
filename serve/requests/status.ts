import { type Failure, formatKey, type ObjectKey, splitKey } from '../../model/index.ts';
import { type Body, metadataOf, textIn } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { groupOf } from '../cluster/resources.ts';

/** `metav1.Status` of an error, thrown by whatever finds that a request cannot be answered. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: string;
  readonly details: Body | null;
  /** `metav1.ListMeta`: where a list that has failed can go on. */
  readonly metadata: Body;

  constructor(
    code: number,
    reason: string,
    message: string,
    details: Body | null = null,
    metadata: Body = {},
  ) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.metadata = metadata;
  }
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function invalidRequest(message: string): StatusError {
  return new StatusError(422, 'Invalid', message);
}

/** What is wrong with one field of an object. */
export interface Fault {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** Mirrors `NewInvalid`. */
export function invalidObject(
  kind: string,
  apiVersion: string,
  object: Body,
  faults: readonly Fault[],
): StatusError {
  const words = faults.map(({ field, message }) => `${field}: ${message}`);
  const all = words.length === 1 ? words[0] : `[${words.join(', ')}]`;
  const group = groupOf(apiVersion);
  const subject = group === '' ? kind : `${kind}.${group}`;
  const name = textIn(metadataOf(object), 'name');
  const causes = faults.map(({ field, reason, message }) => ({ reason, message, field }));
  const details = { name, ...(group === '' ? {} : { group }), kind, causes };
  const message = `${subject} ${JSON.stringify(name)} is invalid: ${all}`;
  return new StatusError(422, 'Invalid', message, details);
}

export function notServed(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource');
}

export function methodNotAllowed(method: string, what: string): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    `the server does not allow this method on the requested resource: ${method} ${what}`,
  );
}

/** Something that Kubernetes has, and this server does not. */
export function notImplemented(what: string): StatusError {
  return new StatusError(501, 'NotImplemented', `reapcheck serve does not implement ${what}`);
}

export function unsupportedType(type: string, expected: string): StatusError {
  return new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format (${type}): reapcheck serve reads ${expected}`,
  );
}

export function expired(revision: string): StatusError {
  return new StatusError(410, 'Expired', `too old resource version: ${revision}`);
}

export function notFoundOf(resource: Resource, name: string): StatusError {
  return new StatusError(
    404,
    'NotFound',
    `${qualified(resource)} "${name}" not found`,
    detailsOf(resource, name),
  );
}

/** The failure of the model, in the words of Kubernetes: `pods "a"` in place of `Pod/a`. */
export function ofFailure(
  { code, reason, message }: Failure,
  resource: Resource,
  key: ObjectKey | null,
  named: (key: ObjectKey) => Resource | null,
): StatusError {
  if (key === null) return new StatusError(code, reason, message, detailsOf(resource, ''));
  if (reason === 'Invalid') return ofFaults(message, resource, key);
  const [, namespace, name] = splitKey(key);
  let words = message;
  for (const mentioned of [key, `Namespace//${namespace}`]) {
    const found = named(mentioned);
    if (found === null) continue;
    const text = `${qualified(found)} "${splitKey(mentioned)[2]}"`;
    words = words.replaceAll(formatKey(mentioned), text).replaceAll(mentioned, text);
  }
  const isNamespace = reason === 'NotFound' && words.startsWith('namespaces "');
  const subject = isNamespace ? (named(`Namespace//${namespace}`) ?? resource) : resource;
  return new StatusError(code, reason, words, {
    ...detailsOf(subject, isNamespace ? namespace || name : name),
    ...(words.endsWith(TERMINATES) ? { causes: [terminatingCause(namespace)] } : {}),
  });
}

/** The end of the message of `NamespaceLifecycle`. Clients look for the cause, not for the words. */
const TERMINATES = 'because it is being terminated';

function terminatingCause(namespace: string): Fault {
  const message = `namespace ${namespace} is being terminated`;
  return { reason: 'NamespaceTerminating', message, field: 'metadata.namespace' };
}

/** The faults in a message of the model, `SUBJECT is invalid: FAULT` or `...: [FAULT, FAULT]`. */
function ofFaults(text: string, { kind }: Resource, key: ObjectKey): StatusError {
  const [apiVersion = ''] = kind.apiVersions;
  const all = text.slice(text.indexOf(': ') + 2).replace(/^\[(.*)\]$/s, '$1');
  const faults = all.split(BETWEEN_FAULTS).map((fault): Fault => {
    const [field = '', ...words] = fault.split(': ');
    const reason = words[0] === 'Forbidden' ? 'FieldValueForbidden' : 'FieldValueInvalid';
    return { field, reason, message: words.join(': ') };
  });
  return invalidObject(kind.kind, apiVersion, { metadata: { name: splitKey(key)[2] } }, faults);
}

const BETWEEN_FAULTS = /, (?=(?:metadata|spec|status)\.\S+: (?:Invalid value|Forbidden): )/;

function qualified({ kind }: Resource): string {
  const group = groupOf(kind.apiVersions[0] ?? '');
  return group === '' ? kind.resource : `${kind.resource}.${group}`;
}

function detailsOf({ kind }: Resource, name: string): Body {
  const group = groupOf(kind.apiVersions[0] ?? '');
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: kind.resource,
  };
}

/** The `metav1.Status` that a client gets. */
export function statusBody({ code, reason, message, details, metadata }: StatusError): Body {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    reason,
    ...(details === null ? {} : { details }),
    code,
  };
}
