import { isReservedName } from '../../input/documents/shape.ts';
import { OTHER_METADATA, READ_METADATA } from '../../input/manifests/manifest-schema.ts';
import { isFreelyNamed, namespaceFault } from '../../input/manifests/names.ts';
import { type Body, isBody, metadataOf, textIn } from '../cluster/body.ts';
import { groupOf, type Resource } from '../cluster/resources.ts';
import { badRequest, type Fault, invalidObject } from './status.ts';

/** What is wrong with the metadata of a request, in the words of Kubernetes. */

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const OLD_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

const SUBDOMAIN_WORDS =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
export const LABEL_WORDS =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const OLD_LABEL_WORDS =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Why no object of a kind can have this name. Null: one can. */
function nameFault({ name: kind }: Resource['kind'], group: string, name: string): string | null {
  const matches = (form: RegExp, most: number, words: string): string | null => {
    if (name.length > most) return `must be no more than ${most} characters`;
    return form.test(name) ? null : words;
  };
  if (isFreelyNamed(kind, group)) {
    if (name === '.' || name === '..') return `may not be '${name}'`;
    const sign = ['/', '%'].find((one) => name.includes(one));
    return sign === undefined ? null : `may not contain '${sign}'`;
  }
  if (kind === 'Namespace') return matches(LABEL, 63, LABEL_WORDS);
  if (kind === 'Service') return matches(OLD_LABEL, 63, OLD_LABEL_WORDS);
  return matches(SUBDOMAIN, 253, SUBDOMAIN_WORDS);
}

/** Throws `StatusError` if no object of this kind can have this name. */
export function checkName(resource: Resource, apiVersion: string, body: Body): void {
  const name = textIn(metadataOf(body), 'name');
  const { kind } = resource;
  const field = 'metadata.name';
  if (name === '') {
    const message = 'Required value: name or generateName is required';
    const fault = { field, reason: 'FieldValueRequired', message };
    throw invalidObject(kind.kind, apiVersion, body, [fault]);
  }
  const why = nameFault(kind, groupOf(apiVersion), name);
  if (why === null) return;
  throw invalidObject(kind.kind, apiVersion, body, [invalid(field, name, why)]);
}

/** Throws `StatusError` if no namespace can have this name. */
export function checkNamespace(namespace: string): void {
  const fault = namespaceFault(namespace);
  if (fault === null && !isReservedName(namespace)) return;
  throw badRequest(`${JSON.stringify(namespace)} is not a valid namespace`);
}

/**
 * `fieldValidation=Strict`: unknown fields of the metadata are errors. `admitted` looks at the
 * others. Throws `StatusError`.
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

/** Labels and annotations must be texts, or selectors could not be sound. Throws `StatusError`. */
export function checkTexts(resource: Resource, apiVersion: string, body: Body): void {
  const { labels, annotations } = metadataOf(body);
  const faults = [
    ...textsIn('labels', labels).flatMap(([key, value]) => [
      ...keyFaults('metadata.labels', key),
      ...valueFaults(value),
    ]),
    ...annotationFaults(textsIn('annotations', annotations)),
    ...ownerFaults(metadataOf(body).ownerReferences),
  ];
  if (faults.length === 0) return;
  throw invalidObject(resource.kind.kind, apiVersion, body, faults);
}

function textsIn(field: string, texts: unknown): readonly (readonly [string, string])[] {
  if (texts === undefined || texts === null) return [];
  if (!isBody(texts)) throw badRequest(`metadata.${field} must be a mapping of texts`);
  return Object.entries(texts).map(([key, value]) => {
    if (typeof value === 'string') return [key, value] as const;
    throw badRequest(`metadata.${field}[${key}] must be a text`);
  });
}

const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const NAME_WORDS =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_WORDS =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** `IsQualifiedName`: a prefix that is a DNS name, and a name of at most 63 characters. */
function keyFaults(field: string, key: string): readonly Fault[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    const why = `a qualified name ${NAME_WORDS.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
    return [invalid(field, key, why)];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : null;
  return [
    ...(prefix === '' ? ['prefix part must be non-empty'] : []),
    ...(prefix !== null && prefix !== '' && !SUBDOMAIN.test(prefix)
      ? [`prefix part ${SUBDOMAIN_WORDS}`]
      : []),
    ...(name === '' ? ['name part must be non-empty'] : []),
    ...(name.length > 63 ? ['name part must be no more than 63 characters'] : []),
    ...(NAME_PART.test(name) ? [] : [NAME_WORDS]),
  ].map((why) => invalid(field, key, why));
}

/** `IsValidLabelValue`. */
function valueFaults(value: string): readonly Fault[] {
  return [
    ...(value.length > 63 ? ['must be no more than 63 characters'] : []),
    ...(value === '' || NAME_PART.test(value) ? [] : [VALUE_WORDS]),
  ].map((why) => invalid('metadata.labels', value, why));
}

/** `TotalAnnotationSizeLimitB`. */
const MOST_ANNOTATIONS = 256 * 1024;

/** The case of a key does not matter (`ValidateAnnotations`). */
function annotationFaults(texts: readonly (readonly [string, string])[]): readonly Fault[] {
  const field = 'metadata.annotations';
  const size = texts.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  const message = `Too long: may not be more than ${MOST_ANNOTATIONS} bytes`;
  return [
    ...texts.flatMap(([key]) => keyFaults(field, key.toLowerCase())),
    ...(size > MOST_ANNOTATIONS ? [{ field, reason: 'FieldValueTooLong', message }] : []),
  ];
}

/** What the model cannot hold of an owner reference: one that lacks a field. */
function ownerFaults(references: unknown): readonly Fault[] {
  if (!Array.isArray(references)) return [];
  const words = { apiVersion: 'version', kind: 'kind', name: 'name', uid: 'uid' };
  return references.filter(isBody).flatMap((reference) =>
    Object.entries(words).flatMap(([field, word]) => {
      const isThere = ![undefined, null, ''].includes(reference[field] as string | null);
      const why = `${word} must not be empty`;
      return isThere ? [] : [invalid(`metadata.ownerReferences.${field}`, '', why)];
    }),
  );
}

function invalid(field: string, value: string, why: string): Fault {
  const message = `Invalid value: ${JSON.stringify(value)}: ${why}`;
  return { field, reason: 'FieldValueInvalid', message };
}
