import type { Rules } from '../rules/rules.ts';
import { plainFinalizer } from '../state/finalizers.ts';
import {
  type ApiObject,
  FOREGROUND,
  isBeingDeleted,
  ORPHAN,
  type OwnerReference,
} from '../state/objects.ts';

/** `field.Error`. The field has no `metadata.` prefix. */
export interface FieldError {
  readonly field: string;
  readonly type: 'Invalid' | 'Forbidden';
  readonly message: string;
}

/** The metadata of an object that its validation reads. */
export type Metadata = Pick<
  ApiObject,
  | 'finalizers'
  | 'ownerReferences'
  | 'deletionTimestamp'
  | 'deletionGracePeriodSeconds'
  | 'generation'
> &
  Partial<Pick<ApiObject, 'name' | 'namespace' | 'uid'>>;

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

export function formatFieldError(error: FieldError): string {
  const what = error.type === 'Invalid' ? 'Invalid value' : 'Forbidden';
  return `metadata.${error.field}: ${what}: ${error.message}`;
}

const STANDARD_FINALIZERS = ['kubernetes', ORPHAN, FOREGROUND];
const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Mirrors `ValidateObjectMetaAccessor` (1.20) for owner references and finalizers. */
export function validateMetadata(
  object: Pick<Metadata, 'finalizers' | 'ownerReferences'>,
  finalizerNames: FinalizerNames,
): readonly FieldError[] {
  return [
    ...validateOwnerReferences(object.ownerReferences),
    ...validateFinalizers(object.finalizers, finalizerNames),
  ];
}

/** Mirrors `ValidateOwnerReferences` (1.20). */
function validateOwnerReferences(references: readonly OwnerReference[]): readonly FieldError[] {
  const errors = references.flatMap(validateOwnerReference);
  const controllers = references.filter((reference) => reference.controller === true);
  for (const extra of controllers.slice(1)) {
    errors.push({
      field: 'ownerReferences',
      type: 'Invalid',
      message: `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]?.kind}/${controllers[0]?.name} and ${extra.kind}/${extra.name}`,
    });
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference): FieldError[] {
  const errors: FieldError[] = [];
  const demand = (value: string, field: string, word: string): void => {
    if (value !== '') return;
    errors.push({
      field: `ownerReferences.${field}`,
      type: 'Invalid',
      message: `${word} must not be empty`,
    });
  };
  demand(versionOf(reference.apiVersion), 'apiVersion', 'version');
  demand(reference.kind, 'kind', 'kind');
  demand(reference.name, 'name', 'name');
  demand(reference.uid, 'uid', 'uid');
  if (reference.apiVersion === 'v1' && reference.kind === 'Event') {
    errors.push({
      field: 'ownerReferences',
      type: 'Invalid',
      message: '/v1, Kind=Event is disallowed from being an owner',
    });
  }
  return errors;
}

/** Mirrors `schema.ParseGroupVersion` followed by a check of the version. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : (parts.at(-1) ?? '');
}

/** `standardOrPrefixed` is the additional check of the built-in kinds, on top of `qualified`. */
export type FinalizerNames = 'standardOrPrefixed' | 'qualified';

/** Mirrors `ValidateFinalizers` (1.20). */
function validateFinalizers(
  finalizers: readonly string[],
  names: FinalizerNames,
): readonly FieldError[] {
  const errors = [...validateFinalizerNames(finalizers, names)];
  if (finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND)) {
    errors.push({
      field: 'finalizers',
      type: 'Invalid',
      message: `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`,
    });
  }
  return errors;
}

/** Mirrors `ValidateFinalizerName` and `validateKubeFinalizerName` (1.20). */
export function validateFinalizerNames(
  finalizers: readonly string[],
  names: FinalizerNames,
): readonly FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedNameErrors(plainFinalizer(finalizer)).map(
      (message): FieldError => ({ field: 'finalizers', type: 'Invalid', message }),
    ),
  );
  if (names === 'qualified') return errors;
  for (const [index, finalizer] of finalizers.entries()) {
    if (finalizer.includes('/') || STANDARD_FINALIZERS.includes(finalizer)) continue;
    errors.push({
      field: `finalizers[${index}]`,
      type: 'Invalid',
      message: `"${finalizer}": name is neither a standard finalizer name nor is it fully qualified`,
    });
  }
  return errors;
}

/** Mirrors `validation.IsQualifiedName` (1.20). */
function qualifiedNameErrors(value: string): readonly string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [`"${value}": a qualified name must be a name with an optional DNS subdomain prefix`];
  }
  const errors: string[] = [];
  const name = parts.at(-1) ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') errors.push(`"${value}": prefix part must be non-empty`);
    else if (prefix.length > 253 || !SUBDOMAIN.test(prefix)) {
      errors.push(`"${value}": prefix part must be a DNS subdomain`);
    }
  }
  if (name === '') errors.push(`"${value}": name part must be non-empty`);
  else if (name.length > 63)
    errors.push(`"${value}": name part must be no more than 63 characters`);
  if (!NAME_PART.test(name)) {
    errors.push(
      `"${value}": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
    );
  }
  return errors;
}

/** Mirrors `ValidateObjectMetaAccessorUpdate` (1.20) for the fields that deletion reads. */
export function validateMetadataUpdate(
  rules: Rules,
  next: Metadata,
  stored: Metadata,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (rules.finalizersWhileDeleting === 'onlyRemoved' && isBeingDeleted(stored)) {
    errors.push(...noNewFinalizers(next.finalizers, stored.finalizers));
  }
  for (const field of IMMUTABLE) {
    if (next[field] === stored[field]) continue;
    if (field === 'deletionGracePeriodSeconds' && mendsGrace(rules, next, stored)) continue;
    errors.push({ field, type: 'Invalid', message: `${next[field]}: field is immutable` });
  }
  if (next.generation < stored.generation) {
    errors.push({
      field: 'generation',
      type: 'Invalid',
      message: `${next.generation}: must not be decremented`,
    });
  }
  return errors;
}

/** Since 1.22 an update may change a negative grace period to the one second that it counts as. */
function mendsGrace(rules: Rules, next: Metadata, stored: Metadata): boolean {
  return (
    rules.negativeGracePeriod === 'oneSecond' &&
    (stored.deletionGracePeriodSeconds ?? 0) < 0 &&
    next.deletionGracePeriodSeconds === 1
  );
}

/** Mirrors `ValidateNoNewFinalizers` (1.20). */
function noNewFinalizers(
  next: readonly string[],
  stored: readonly string[],
): readonly FieldError[] {
  const extra = [...new Set(next)].filter((name) => !stored.includes(name)).sort();
  if (extra.length === 0) return [];
  return [
    {
      field: 'finalizers',
      type: 'Forbidden',
      message: `no new finalizers can be added if the object is being deleted, found new finalizers ${extra.join(', ')}`,
    },
  ];
}
