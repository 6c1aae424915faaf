import { type Body, bodyIn, isBody, metadataOf } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import { builtInSchema } from '../schemas/built-in.ts';
import { type Entry, entriesIn, type Manager, managedFieldsOf } from './entries.ts';
import { leavesOf, type Path } from './leaves.ts';
import type { Typed } from './ownership.ts';

/**
 * Which fields of the objects of a kind have owners, and what an object without entries begins
 * with.
 */

/** `BeforeApplyManagerName`: owns what was there before the first apply patch. */
const BEFORE_APPLY = 'before-first-apply';

/** `stripSet`: the metadata that no manager owns. */
const STRIPPED: readonly string[] = [
  ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'generation'],
  ...['managedFields', 'resourceVersion', 'generateName'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
].map((field) => `f:${field}`);

/** @param schema of the kind. Null: none is known, so lists are atomic. */
export function typedOf({ status }: Resource, schema: Body | null, subresource: string): Typed {
  const ofPod = builtInSchema('v1', 'Pod') ?? {};
  const { metadata } = bodyIn(ofPod, 'properties');
  const properties = { ...bodyIn(schema ?? {}, 'properties'), metadata };
  const isOwned = ([first = '', second = '']: Path): boolean => {
    if (subresource === 'status') return first === 'f:status';
    if (first === 'f:status') return !status;
    if (first === 'f:metadata') return second !== '' && !STRIPPED.includes(second);
    return first !== 'f:apiVersion' && first !== 'f:kind';
  };
  return { schema: { ...schema, properties }, isOwned };
}

/**
 * The entries with which an update begins: those that the client sends, or else those that are
 * stored. An empty entry clears them.
 */
export function entriesFor(live: Body, next: Body): readonly Entry[] {
  const { managedFields } = metadataOf(next);
  const [first, ...more] = Array.isArray(managedFields) ? managedFields : [];
  if (isBody(first) && more.length === 0 && Object.keys(first).length === 0) return [];
  const sent = entriesIn(managedFields);
  return sent.length > 0 ? sent : entriesIn(metadataOf(live).managedFields);
}

/** The entries with which an apply patch begins. */
export function entriesBefore(
  typed: Typed,
  live: Body,
  apiVersion: string,
  time: string,
): readonly Entry[] {
  const found = entriesIn(metadataOf(live).managedFields);
  if (found.length > 0) return found;
  return [allOf(typed, live, { ...updater(BEFORE_APPLY, apiVersion), time })];
}

/** An entry that owns everything. */
export function allOf(typed: Typed, object: Body, by: Omit<Entry, 'fields'>): Entry {
  const leaves = leavesOf(typed.schema, object, typed.isOwned);
  return { ...by, fields: new Map([...leaves].map(([key, { path }]) => [key, path])) };
}

export function updater(manager: string, apiVersion: string, subresource = ''): Manager {
  return { manager, operation: 'Update', apiVersion, subresource };
}

/** `managerOrUserAgent`: who a request is by. */
export function managerName(query: URLSearchParams, userAgent: string): string {
  const [program = ''] = userAgent.split('/');
  return query.get('fieldManager') || program.replaceAll(/[^ -~]/g, '').slice(0, 128);
}

/** The object with these entries. */
export function withEntries(body: Body, entries: readonly Entry[]): Body {
  const { managedFields: _, ...metadata } = metadataOf(body);
  const managedFields = managedFieldsOf(entries);
  return {
    ...body,
    metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields },
  };
}

/** As Kubernetes names the owner of a field in a conflict. */
export function managerWords({ manager, operation, apiVersion, subresource, time }: Entry): string {
  const of = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const name = `${JSON.stringify(manager)}${of}`;
  if (operation === 'Apply') return name;
  return `${name} using ${apiVersion}${time === '' ? '' : ` at ${time}`}`;
}
