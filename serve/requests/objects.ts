import type { SourceDocument } from '../../input/documents/document.ts';
import { readManifest } from '../../input/manifests/manifest.ts';
import { type ApiObject, BUILT_IN_KINDS, type Uid } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { type Body, metadataOf } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { badRequest } from './status.ts';

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
