import { type ApiObject, keyOf } from '../../../model/index.ts';
import { APPLIED_ANNOTATION, KEPT } from '../../collections/kept.ts';
import { anywhere, flagsIn, type Kept, partByEnding } from '../../collections/kept-part.ts';
import { isMapping, valueAt } from '../../documents/shape.ts';
import type { ReadObject } from '../../manifests/manifest.ts';
import { remembered } from '../lookups.ts';
import { Mapping, Unknown, type Value } from './value.ts';

/**
 * The objects of a dump as expressions see them. A dump may lack fields: those that `dump-command`
 * does not keep, those that people take out of secrets, and those that no dump has.
 */
export class StoredObjects {
  private readonly objects: readonly ReadObject[];
  private readByKey: ReadonlyMap<string, ReadObject> | null = null;
  private wholeKinds: ReadonlySet<string> | null = null;

  constructor(objects: readonly ReadObject[]) {
    this.objects = objects;
  }

  /** As the dump has it; undefined: the dump lacks it. */
  manifestOf(object: ApiObject): Readonly<Record<string, unknown>> | undefined {
    const read = this.byKey.get(keyOf(object));
    const manifest = read && valueAt(read.document.value, read.path);
    return isMapping(manifest) ? manifest : undefined;
  }

  /**
   * @param name of the variable, such as `oldObject`.
   * @param made another manifest for it.
   */
  valueOf(
    object: ApiObject,
    name: string,
    state: ObjectState,
    made?: Readonly<Record<string, unknown>>,
  ): Value {
    const read = this.byKey.get(keyOf(object));
    const manifest = made ?? this.manifestOf(object);
    if (read === undefined || manifest === undefined) return lacked(name);
    const isWhole = this.whole.has(familyOf(read));
    const isFromCluster = typeof valueAt(manifest, ['metadata', 'uid']) === 'string';
    const { mayChange, isConverted } = state;
    const make = (field: string): Value | undefined => {
      if (field === 'metadata') {
        return metadataValue(
          manifest[field],
          `${name}.metadata`,
          isWhole,
          isFromCluster,
          mayChange,
        );
      }
      if (field === 'kind') return text(manifest[field], name);
      if (isConverted || (field === 'status' && mayChange)) return changed(`${name}.${field}`);
      const kept = Object.hasOwn(KEPT, field) ? KEPT[field] : undefined;
      const part = isWhole && isFromCluster ? 'whole' : (kept ?? 'nothing');
      return storedValue(manifest[field], isFromCluster ? part : 'nothing', `${name}.${field}`);
    };
    const isCensored = CENSORED_KINDS.has(object.kind);
    const other = (field: string): Unknown | undefined => {
      const isAbsent = isWhole && isFromCluster && !(isCensored && CENSORED.has(field));
      return isAbsent ? undefined : lacked(`${name}.${field}`);
    };
    return new Mapping(Object.keys(manifest), make, other);
  }

  private get byKey(): ReadonlyMap<string, ReadObject> {
    this.readByKey ??= new Map(this.objects.map((read) => [keyOf(read.object), read]));
    return this.readByKey;
  }

  /** Kinds of a file of which an object has something that `dump-command` does not keep. */
  private get whole(): ReadonlySet<string> {
    this.wholeKinds ??= new Set(
      this.objects
        .filter(({ document, path }) => hasMore(valueAt(document.value, path)))
        .map(familyOf),
    );
    return this.wholeKinds;
  }
}

/** How an object is at the request. */
export interface ObjectState {
  /** Whether the deletion can have changed it since the dump. */
  readonly mayChange: boolean;
  /** Whether the expression sees it in another version than the dump has. */
  readonly isConverted: boolean;
}

function familyOf({ document, object }: ReadObject): string {
  return JSON.stringify([document.file, object.kind]);
}

/** Fields that people take out of what they hand on. */
const CENSORED: ReadonlySet<string> = new Set(['data', 'stringData', 'binaryData']);
const CENSORED_KINDS: ReadonlySet<string> = new Set(['Secret', 'ConfigMap']);

/** Fields that an object in a cluster has, or that no dump shows. */
const UNSHOWN: ReadonlySet<string> = new Set([
  ...['managedFields', 'resourceVersion', 'generation', 'creationTimestamp', 'uid'],
]);
/** Fields that change with each write. */
const WRITTEN: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion', 'generation']);
/** Fields that change in the course of a deletion. */
const CHANGING: ReadonlySet<string> = new Set([
  ...['finalizers', 'ownerReferences', 'deletionTimestamp', 'deletionGracePeriodSeconds'],
]);

function metadataValue(
  metadata: unknown,
  path: string,
  isWhole: boolean,
  isFromCluster: boolean,
  mayChange: boolean,
): Value {
  if (!isMapping(metadata)) return lacked(path);
  const mayDiffer = (field: string): boolean =>
    WRITTEN.has(field) || (mayChange && CHANGING.has(field));
  const make = (field: string): Value | undefined => {
    if (mayDiffer(field)) return changed(`${path}.${field}`);
    const value = metadata[field];
    if (field !== 'annotations' || !isMapping(value) || isWhole) {
      return storedValue(value, 'whole', `${path}.${field}`);
    }
    const note = (name: string): Value | undefined => text(value[name], `${path}.annotations`);
    const other = (name: string): Unknown | undefined =>
      name === APPLIED_ANNOTATION ? lacked(`its annotation ${name}`) : undefined;
    return new Mapping(Object.keys(value), note, other);
  };
  const other = (field: string): Unknown | undefined => {
    const mayBeThere = UNSHOWN.has(field) || mayDiffer(field) || !isFromCluster;
    return mayBeThere ? lacked(`${path}.${field}`) : undefined;
  };
  return new Mapping(Object.keys(metadata), make, other);
}

/** @param kept `nothing`: any field that is not there may be there in the cluster. */
function storedValue(value: unknown, kept: Kept | 'nothing', path: string): Value {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    return isExact ? value : lacked(path);
  }
  // Of such a list, words lack.
  if (typeof kept === 'object' && 'flags' in kept) return lacked(path);
  if (Array.isArray(value)) {
    const ofItems = typeof kept === 'object' && 'items' in kept ? kept.items : undefined;
    const part = kept === 'whole' ? kept : (ofItems ?? 'nothing');
    return value.map((item, index) => storedValue(item, part, `${path}[${index}]`));
  }
  // What a dump keeps of a value of another type is null, which the API server hardly ever stores.
  if (!isMapping(value)) return lacked(path);
  const fields = typeof kept === 'object' && 'fields' in kept ? kept.fields : {};
  const keptOf = (name: string): Kept | 'nothing' => {
    if (kept === 'whole') return kept;
    return (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? 'nothing';
  };
  return new Mapping(
    Object.keys(value),
    (name) => storedValue(value[name], keptOf(name), `${path}.${name}`),
    kept === 'whole'
      ? null
      : (name) => (keptOf(name) === 'nothing' ? lacked(`${path}.${name}`) : undefined),
  );
}

function text(value: unknown, path: string): Value {
  return typeof value === 'string' ? value : lacked(path);
}

function lacked(path: string): Unknown {
  return new Unknown(`${path}, which the dump may lack`);
}

function changed(path: string): Unknown {
  return new Unknown(`${path} at that time`);
}

/** Whether a manifest has something that `dump-command` does not keep, so that it has all. */
function hasMore(manifest: unknown): boolean {
  if (!isMapping(manifest)) return false;
  const { apiVersion: _, kind: __, metadata, ...others } = manifest;
  const applied = valueAt(metadata, ['annotations', APPLIED_ANNOTATION]);
  if (applied !== undefined || valueAt(metadata, ['managedFields']) !== undefined) return true;
  return exceeds(others, { fields: KEPT });
}

function exceeds(value: unknown, kept: Kept): boolean {
  if (kept === 'whole') return false;
  if (kept === 'scalar') return typeof value === 'object' && value !== null;
  if (typeof kept === 'string') {
    if (Array.isArray(value)) return value.some((one) => exceeds(one, kept));
    if (!isMapping(value)) return value !== null;
    return Object.entries(value).some(([name, one]) =>
      exceeds(one, anywhere(kept, name, true) ?? kept),
    );
  }
  if ('items' in kept) {
    return Array.isArray(value) && value.some((item) => exceeds(item, kept.items));
  }
  if ('flags' in kept) {
    return Array.isArray(value) && flagsIn(value, kept).length < value.length;
  }
  if (!isMapping(value)) return false;
  if ('endings' in kept) return exceeds(value, partByEnding(value.name, kept));
  return Object.keys(value).some((name) => {
    const part = Object.hasOwn(kept.fields, name) ? kept.fields[name] : undefined;
    return part === undefined || exceeds(value[name], part);
  });
}

/** What is found out about the objects of a dump is found out once for all questions. */
export const storedIn: (objects: readonly ReadObject[]) => StoredObjects = remembered(
  (objects) => new StoredObjects(objects),
);
