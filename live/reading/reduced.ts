import { APPLIED_ANNOTATION, KEPT } from '../../input/collections/kept.ts';
import {
  type ANYWHERE,
  anywhere,
  flagsIn,
  type Kept,
  partByEnding,
} from '../../input/collections/kept-part.ts';
import { type Fields, fieldsOf } from '../asking.ts';

/**
 * Kinds of which only the metadata matters. The server is asked for nothing else, so that the data
 * of secrets and config maps stay where they are.
 */
const METADATA_ONLY: ReadonlySet<string> = new Set([
  'configmaps',
  'controllerrevisions.apps',
  'podtemplates',
  'secrets',
]);

export function hasMetadataOnly(resource: string): boolean {
  return METADATA_ONLY.has(resource);
}

/**
 * The parts of an object that the reader of dumps reads, as `dump-command` prints them. Everything
 * else is dropped before anything is stored.
 */
export function reduced(object: Fields, apiVersion: string, kind: string): Fields {
  return {
    apiVersion,
    kind,
    metadata: metadataOf(object.metadata),
    ...fieldsOf(partOf(object, { fields: KEPT })),
  };
}

function metadataOf(metadata: unknown): Fields {
  const { managedFields: _, annotations, ...rest } = fieldsOf(metadata);
  if (annotations === undefined) return rest;
  const { [APPLIED_ANNOTATION]: _applied, ...others } = fieldsOf(annotations);
  return { ...rest, annotations: others };
}

/** At any depth. */
function partsIn(value: unknown, kept: keyof typeof ANYWHERE): unknown {
  if (Array.isArray(value)) return value.map((one) => partOf(one, kept));
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      const part = anywhere(kept, name, typeof field === 'object' && field !== null);
      return part === null ? [] : [[name, partOf(field, part)]];
    }),
  );
}

/** Mirrors the template of `dump-command`. */
function partOf(value: unknown, kept: Kept): unknown {
  if (kept === 'whole') return value;
  if (kept === 'scalar') return typeof value === 'object' ? null : value;
  if (typeof kept === 'string') return partsIn(value, kept);
  if ('flags' in kept) return Array.isArray(value) ? flagsIn(value, kept) : null;
  if ('items' in kept) {
    return Array.isArray(value) ? value.map((item) => partOf(item, kept.items)) : null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if ('endings' in kept) return partOf(value, partByEnding(fieldsOf(value).name, kept));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      const part = Object.hasOwn(kept.fields, name) ? kept.fields[name] : undefined;
      return part === undefined ? [] : [[name, partOf(field, part)]];
    }),
  );
}
