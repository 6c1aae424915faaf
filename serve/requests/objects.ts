import type { SourceDocument } from '../../input/documents/document.ts';
import { isReservedName } from '../../input/documents/shape.ts';
import { readManifest } from '../../input/manifests/manifest.ts';
import { OTHER_METADATA, READ_METADATA } from '../../input/manifests/manifest-schema.ts';
import { namespaceFault, objectNameFault } from '../../input/manifests/names.ts';
import { type ApiObject, BUILT_IN_KINDS, type Uid } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { type Body, metadataOf } from '../cluster/body.ts';
import { groupOf, type Resource } from '../cluster/resources.ts';
import { badRequest, invalidRequest } from './status.ts';

/** The part of an object in a request that the model keeps. Throws `StatusError`. */
export function modelObject(
  resource: Resource,
  apiVersion: string,
  body: Body,
  uid: Uid,
): ApiObject {
  const { kind } = resource;
  const value = { ...body, apiVersion, kind: kind.kind };
  try {
    return readManifest(value, documentOf(value), [], {
      kinds: { accept: () => kind, isBuiltIn: ({ name }) => Object.hasOwn(BUILT_IN_KINDS, name) },
      strict: false,
      uidFor: () => uid,
      reads: { nodes: true, volumes: true },
    }).object;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { what, where, expected } = error.text;
    const field = where?.field === undefined ? '' : `${where.field}: `;
    throw badRequest(`${field}${what}${expected === undefined ? '' : `; expected ${expected}`}`);
  }
}

/** What a reader of manifests needs to know of the file around them. */
function documentOf(value: Body): SourceDocument {
  return {
    value,
    file: 'the body of the request',
    place: (path) => ({ file: 'the body of the request', field: path.join('.') }),
  };
}

/** Throws `StatusError` if no object of this kind can have this name. */
export function checkName(resource: Resource, apiVersion: string, name: string): void {
  if (name === '')
    throw invalidRequest('metadata.name: Required value: name or generateName is required');
  const builtIn = Object.hasOwn(BUILT_IN_KINDS, resource.kind.name);
  const fault = objectNameFault(name, resource.kind.name, groupOf(apiVersion), builtIn);
  if (fault === null) return;
  throw invalidRequest(`metadata.name: Invalid value: ${JSON.stringify(name)}: expected ${fault}`);
}

/** Throws `StatusError` if no namespace can have this name. */
export function checkNamespace(namespace: string): void {
  const fault = namespaceFault(namespace);
  if (fault === null && !isReservedName(namespace)) return;
  throw badRequest(`${JSON.stringify(namespace)} is not a valid namespace`);
}

/** The metadata that the server keeps beside the model. The rest is the model's, or unknown. */
const KEPT: readonly string[] = ['annotations', 'generateName', 'labels', 'managedFields'];

/** What is kept of a body beside the model. */
export function keptOf(body: Body): Body {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = body;
  const metadata = Object.fromEntries(
    Object.entries(metadataOf(body)).filter(
      ([field, value]) => KEPT.includes(field) && value !== null,
    ),
  );
  return { ...rest, metadata };
}

/**
 * `fieldValidation=Strict`: unknown fields of the metadata are errors. `admitted` looks at the others.
 * Throws `StatusError`.
 */
export function checkFields(body: Body, query: URLSearchParams): void {
  if (query.get('fieldValidation') !== 'Strict') return;
  const known = [...READ_METADATA, ...OTHER_METADATA];
  const unknown = Object.keys(metadataOf(body)).find(
    (field) => !known.includes(field) && !field.startsWith('$'),
  );
  if (unknown === undefined) return;
  throw badRequest(`strict decoding error: unknown field "metadata.${unknown}"`);
}

/** `IsQualifiedName`: a prefix that is a DNS name, and a name of at most 63 characters. */
const QUALIFIED =
  /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
/** `IsValidLabelValue`. */
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** Labels and annotations must be texts, or selectors could not be sound. Throws `StatusError`. */
export function checkTexts(body: Body): void {
  for (const field of ['labels', 'annotations']) {
    const texts = metadataOf(body)[field];
    if (texts === undefined || texts === null) continue;
    if (typeof texts !== 'object' || Array.isArray(texts)) {
      throw badRequest(`metadata.${field} must be a mapping of texts`);
    }
    const wrong = Object.entries(texts).find(([, value]) => typeof value !== 'string');
    if (wrong !== undefined) throw badRequest(`metadata.${field}[${wrong[0]}] must be a text`);
    const strange = Object.entries(texts).find(
      ([key, value]) => !QUALIFIED.test(key) || (field === 'labels' && !LABEL_VALUE.test(value)),
    );
    if (strange !== undefined) {
      throw invalidRequest(
        `metadata.${field}: Invalid value: ${JSON.stringify(`${strange[0]}: ${strange[1]}`)}`,
      );
    }
  }
}
