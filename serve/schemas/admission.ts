import { equalJson } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { badRequest, invalidObject } from '../requests/status.ts';
import { builtInSchema } from './built-in.ts';
import { type Fault, faultsIn, valueIn } from './faults.ts';
import { withCanonicalQuantities } from './quantities.ts';
import { shaped } from './shape.ts';
import { typeFault } from './types.ts';

/** The schema of a definition for this version. Null: it has none, or the kind is built in. */
function definedSchema({ schemas }: Resource, apiVersion: string): Body | null {
  return Object.hasOwn(schemas, apiVersion) ? (schemas[apiVersion] ?? null) : null;
}

/** The schema of a kind in this version. Null: its fields are not known. */
export function schemaIn(resource: Resource, apiVersion: string): Body | null {
  return definedSchema(resource, apiVersion) ?? builtInSchema(apiVersion, resource.kind.kind);
}

/** Paths of the fields that the kind does not have. */
export function unknownIn(resource: Resource, apiVersion: string, object: Body): readonly string[] {
  const schema = schemaIn(resource, apiVersion);
  return schema === null ? [] : shaped(schema, object).unknown;
}

export interface Admitted {
  readonly body: Body;
  /** What the client should know. */
  readonly warnings: readonly string[];
}

/**
 * The object of a request as its schema has it: without unknown fields, with the defaults of a
 * definition.
 *
 * @param query `fieldValidation` says whether an unknown field is refused, warned of or ignored.
 * Throws `StatusError`.
 * @param old what is stored now, which a dump may have changed: data that is left out. Null:
 * nothing is.
 */
export function admitted(
  resource: Resource,
  apiVersion: string,
  object: Body,
  query: URLSearchParams,
  old: Body | null,
): Admitted {
  const schema = schemaIn(resource, apiVersion);
  if (schema === null) {
    const isAsked = query.get('fieldValidation') === 'Strict';
    return { body: object, warnings: isAsked ? [notValidated(resource, apiVersion)] : [] };
  }
  if (definedSchema(resource, apiVersion) === null) demandTypes(resource, apiVersion, object, old);
  const { body: known, unknown } = shaped(schema, object);
  const body = withCanonicalQuantities(schema, known) as Body;
  const fields = unknown.map((field) => `unknown field ${JSON.stringify(field)}`);
  switch (query.get('fieldValidation')) {
    case 'Strict':
      if (fields.length > 0) throw badRequest(`strict decoding error: ${fields.join(', ')}`);
      return { body, warnings: [] };
    case 'Ignore':
      return { body, warnings: [] };
    default:
      return { body, warnings: fields };
  }
}

function notValidated({ kind }: Resource, apiVersion: string): string {
  return `reapcheck serve does not know the fields of ${kind.kind} in ${apiVersion}: they are not validated`;
}

/** What Go cannot decode. Throws `StatusError`. */
function demandTypes({ kind }: Resource, apiVersion: string, object: Body, old: Body | null): void {
  const schema = builtInSchema(apiVersion, kind.kind);
  const fault = schema === null ? null : typeFault(schema, object);
  if (schema === null || fault === null) return;
  if (old !== null && typeFault(schema, old) === fault) return;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  throw badRequest(
    `${kind.kind} in version "${version}" cannot be handled as a ${kind.kind}: ${fault}`,
  );
}

/**
 * Throws `StatusError` if an object is not as the schema of its definition demands.
 *
 * @param old what is stored now: what was wrong before and has not changed is let pass. Null:
 * nothing is.
 */
export function demandValid(
  resource: Resource,
  apiVersion: string,
  object: Body,
  old: Body | null,
): void {
  const schema = definedSchema(resource, apiVersion);
  if (schema === null) return;
  const typed = { ...object, apiVersion, kind: resource.kind.kind };
  const faults = faultsIn(schema, typed).filter((fault) => !wasSo(fault, typed, old));
  if (faults.length === 0) return;
  throw invalidObject(resource.kind.kind, apiVersion, object, faults);
}

function wasSo({ path, ratchets }: Fault, object: Body, old: Body | null): boolean {
  if (old === null || !ratchets) return false;
  const before = valueIn(old, path);
  return before !== undefined && equalJson(before, valueIn(object, path));
}
