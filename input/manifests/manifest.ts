import {
  type ApiObject,
  DEFAULT_GRACE_PERIOD,
  FOREGROUND,
  type Kind,
  NAMESPACE_TOKEN,
  ORPHAN,
  type OwnerReference,
  objectKey,
  type PodGrace,
  type VolumeBinding,
} from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import type { Path, SourceDocument } from '../documents/document.ts';
import { isReservedName, missingField, shaped, unknownField } from '../documents/shape.ts';
import type { KindCatalogue } from './kind-catalogue.ts';
import {
  type Manifest,
  manifestSchema,
  namespaceSchema,
  OTHER_METADATA,
  OWNER_REFERENCE_FIELDS,
  observedSchema,
  podSchema,
  READ_METADATA,
  volumeSchema,
} from './manifest-schema.ts';
import { finalizerFault, groupOf, namespaceFault, objectNameFault } from './names.ts';
import { toleranceOf } from './tolerations.ts';

/** How reading a dump differs from reading a manifest that a person wrote. */
export interface ManifestRules {
  readonly kinds: Pick<KindCatalogue, 'accept' | 'isBuiltIn'>;
  /**
   * Whether unknown fields are errors: likely typing errors in a scenario, newer fields in a dump.
   */
  readonly strict: boolean;
  /**
   * Makes a uid for an object whose manifest has none, or gives `''` for now; null: the manifest
   * must have one.
   */
  readonly uidFor: ((kind: Kind, namespace: string, name: string) => string) | null;
  /** Further parts of the manifest that actors of the model depend on. */
  readonly reads?: { readonly nodes: boolean; readonly volumes: boolean };
}

/** An object of the input. References without a uid have the uid `''` for now. */
export interface ReadObject {
  readonly object: ApiObject;
  readonly kind: Kind;
  readonly document: SourceDocument;
  /** The path of its manifest in the document. */
  readonly path: Path;
}

/** Reads one manifest, with the validation of the API server. Throws `InputError`. */
export function readManifest(
  value: unknown,
  document: SourceDocument,
  path: Path,
  rules: ManifestRules,
): ReadObject {
  const manifest = shaped(manifestSchema, value, document, path, [
    'apiVersion',
    'kind',
    'metadata',
  ]);
  const { metadata } = manifest;
  const fail = faultAt(document, path);
  if (rules.strict) rejectUnknownFields(manifest, document, path);
  const group = groupOf(manifest.apiVersion);
  if (group === null)
    throw fail(
      ['apiVersion'],
      `"${manifest.apiVersion}" is not a valid apiVersion`,
      'v1 or group/v1',
    );
  if (group === '' && isReservedName(manifest.kind)) {
    throw fail(['kind'], `the core group has no kind "${manifest.kind}"`);
  }
  const kind = rules.kinds.accept(manifest.apiVersion, manifest.kind, Boolean(metadata.namespace));
  const namespace = namespaceOf(manifest, kind, rules, fail);
  const builtIn = rules.kinds.isBuiltIn(kind);
  // `helm template` prints RELEASE-NAME where a name is to come.
  const name = rules.strict ? metadata.name : metadata.name.toLowerCase();
  const nameFault = objectNameFault(name, kind.name, group, builtIn);
  if (nameFault !== null) {
    throw fail(
      ['metadata', 'name'],
      `"${metadata.name}" is not a valid name for a ${kind.kind}`,
      nameFault,
    );
  }
  if (metadata.uid && isReservedName(metadata.uid)) {
    throw fail(['metadata', 'uid'], `"${metadata.uid}" is not a valid uid`);
  }
  if (!metadata.uid && rules.uidFor === null)
    throw missingField(document, [...path, 'metadata', 'uid']);
  const finalizers = metadata.finalizers ?? [];
  // What a cluster stores, its API server has accepted.
  if (rules.strict) checkFinalizers(finalizers, builtIn, fail);
  checkPolicies(finalizers, fail);
  const deleting = Boolean(metadata.deletionTimestamp);
  const grace = deleting ? (metadata.deletionGracePeriodSeconds ?? null) : null;
  const object: ApiObject = {
    kind: kind.name,
    namespace,
    name: metadata.name,
    uid: metadata.uid ?? rules.uidFor?.(kind, namespace, metadata.name) ?? '',
    generation: kind.generation ? (metadata.generation ?? 1) : 0,
    finalizers,
    ownerReferences: ownersOf(manifest, document, path, rules),
    // The model's clock starts at 0, after every deletion in the input. Only grace periods still
    // run.
    deletionTimestamp: deleting ? (kind.graceful ? (grace ?? 0) : 0) : null,
    deletionGracePeriodSeconds: grace,
    ...initializersOf(manifest),
    ...(kind.observesGeneration === true ? observedGeneration(value, document, path) : {}),
    ...(kind.storage === 'namespace'
      ? {
          // Each has `kubernetes` from its creation on (`namespaceStrategy.PrepareForCreate`). What
          // no cluster has printed does not show it: a cluster prints an empty spec, too.
          specFinalizers:
            shaped(namespaceSchema, value, document, path).spec?.finalizers ??
            ('spec' in manifest && (rules.strict || metadata.uid) ? [] : [NAMESPACE_TOKEN]),
        }
      : {}),
    ...(kind.graceful ? { pod: podGrace(value, document, path, rules) } : {}),
    ...(kind.name === 'PersistentVolume' && rules.reads?.volumes === true
      ? volumeBinding(value, document, path)
      : {}),
  };
  return { object, kind, document, path };
}

type Fail = (field: Path, what: string, expected?: string, next?: string) => InputError;

function faultAt(document: SourceDocument, path: Path): Fail {
  return (field, what, expected, next) =>
    new InputError({ what, where: document.place([...path, ...field]), expected, next });
}

function namespaceOf(
  manifest: Manifest,
  kind: Kind,
  { strict }: ManifestRules,
  fail: Fail,
): string {
  const given = manifest.metadata.namespace ?? '';
  const field = ['metadata', 'namespace'];
  if (!kind.namespaced) {
    // kubectl drops such a namespace, and charts often have one.
    if (given === '' || !strict) return '';
    throw fail(
      field,
      `${kind.kind}/${manifest.metadata.name} has a namespace, but ${kind.name} is cluster-scoped`,
      'no namespace',
    );
  }
  if (given === '') return 'default';
  const fault = namespaceFault(given);
  if (fault !== null) throw fail(field, `"${given}" is not a valid namespace`, fault);
  return given;
}

function checkFinalizers(finalizers: readonly string[], builtIn: boolean, fail: Fail): void {
  for (const [index, finalizer] of finalizers.entries()) {
    const fault = finalizerFault(finalizer, builtIn);
    if (fault === null) continue;
    throw fail(
      ['metadata', 'finalizers', index],
      `"${finalizer}" is not a valid finalizer name`,
      fault,
    );
  }
}

/** No API server has stored both (`ValidateFinalizers`, 1.20), so a dump with both is made by hand. */
function checkPolicies(finalizers: readonly string[], fail: Fail): void {
  if (finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND)) {
    throw fail(
      ['metadata', 'finalizers'],
      `both ${ORPHAN} and ${FOREGROUND} are set`,
      'at most one of them: the API server accepts no object with both',
    );
  }
}

function ownersOf(
  manifest: Manifest,
  document: SourceDocument,
  path: Path,
  rules: ManifestRules,
): readonly OwnerReference[] {
  const fail = faultAt(document, path);
  const references = manifest.metadata.ownerReferences ?? [];
  const field = ['metadata', 'ownerReferences'];
  for (const [index, reference] of references.entries()) {
    const at = [...field, index];
    if (!reference.uid && rules.uidFor === null)
      throw missingField(document, [...path, ...at, 'uid']);
    if (reference.uid && isReservedName(reference.uid)) {
      throw fail([...at, 'uid'], `"${reference.uid}" is not a valid uid`);
    }
    const group = groupOf(reference.apiVersion);
    if (group === null) {
      throw fail(
        [...at, 'apiVersion'],
        `"${reference.apiVersion}" is not a valid apiVersion`,
        'v1 or group/v1',
      );
    }
    if (reference.kind === 'Event' && (group === '' || group === 'events.k8s.io')) {
      throw fail([...at, 'kind'], 'an Event cannot be an owner');
    }
  }
  // The collector does not ask who controls an object.
  const controllers = references.filter((reference) => reference.controller === true);
  if (rules.strict && controllers.length > 1) {
    throw fail(field, 'two owners have controller: true', 'at most one of them');
  }
  return references.map((reference) => ({
    apiVersion: reference.apiVersion,
    kind: reference.kind,
    name: reference.name,
    uid: reference.uid ?? '',
    ...(typeof reference.controller === 'boolean' ? { controller: reference.controller } : {}),
    ...(typeof reference.blockOwnerDeletion === 'boolean'
      ? { blockOwnerDeletion: reference.blockOwnerDeletion }
      : {}),
  }));
}

function initializersOf({ metadata }: Manifest): Pick<ApiObject, 'initializers'> {
  const { pending, result } = metadata.initializers ?? {};
  const names = (pending ?? []).map(({ name }) => name);
  const failed = result?.status === 'Failure';
  if (names.length === 0 && !failed) return {};
  return { initializers: { pending: names, ...(failed ? { failed } : {}) } };
}

function observedGeneration(
  value: unknown,
  document: SourceDocument,
  path: Path,
): Pick<ApiObject, 'observedGeneration'> {
  const observed = shaped(observedSchema, value, document, path).status?.observedGeneration;
  return typeof observed === 'number' ? { observedGeneration: observed } : {};
}

function podGrace(
  value: unknown,
  document: SourceDocument,
  path: Path,
  { reads = { nodes: false, volumes: false } }: ManifestRules,
): PodGrace {
  const { metadata, spec, status } = shaped(podSchema, value, document, path);
  // The claim of an ephemeral volume has the names of the pod and of the volume.
  const claims = (spec?.volumes ?? []).flatMap(
    ({ name, persistentVolumeClaim: claim, ephemeral }) =>
      claim?.claimName ?? (ephemeral && name ? `${metadata.name}-${name}` : []),
  );
  const tolerates = toleranceOf(spec?.tolerations ?? []);
  return {
    terminationGracePeriodSeconds: spec?.terminationGracePeriodSeconds ?? DEFAULT_GRACE_PERIOD,
    scheduled: Boolean(spec?.nodeName),
    finished: status?.phase === 'Succeeded' || status?.phase === 'Failed',
    ...(reads.nodes && status?.phase === 'Running' ? { running: true as const } : {}),
    ...(reads.nodes && spec?.nodeName ? { node: spec.nodeName } : {}),
    ...(reads.nodes && tolerates !== null ? { tolerates } : {}),
    ...(reads.volumes && claims.length > 0 ? { claims } : {}),
  };
}

function volumeBinding(
  value: unknown,
  document: SourceDocument,
  path: Path,
): { readonly volume?: VolumeBinding } {
  const { spec, status } = shaped(volumeSchema, value, document, path);
  const reference = spec?.claimRef;
  if (reference === undefined || reference === null) return {};
  const volume = {
    claim: objectKey('PersistentVolumeClaim', reference.namespace ?? 'default', reference.name),
    ...(reference.uid ? { claimUid: reference.uid } : {}),
    bound: (status?.phase ?? 'Bound') === 'Bound',
  };
  return { volume };
}

function rejectUnknownFields(manifest: Manifest, document: SourceDocument, path: Path): void {
  const known = [...READ_METADATA, ...OTHER_METADATA];
  for (const key of Object.keys(manifest.metadata)) {
    if (!known.includes(key)) throw unknownField(document, [...path, 'metadata', key], known);
  }
  // A field with wrong indentation: beside metadata instead of in it.
  for (const key of ['ownerReferences', 'finalizers', 'name', 'namespace', 'uid']) {
    if (key in manifest) {
      throw new InputError({
        what: `${key} is beside metadata`,
        where: document.place([...path, key]),
        expected: `metadata.${key}`,
      });
    }
  }
  for (const [index, reference] of (manifest.metadata.ownerReferences ?? []).entries()) {
    const unknown = Object.keys(reference).find((key) => !OWNER_REFERENCE_FIELDS.includes(key));
    if (unknown === undefined) continue;
    const at = [...path, 'metadata', 'ownerReferences', index, unknown];
    throw unknownField(document, at, OWNER_REFERENCE_FIELDS);
  }
}
