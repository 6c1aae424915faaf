import { MESSAGES } from '../../../text/messages.ts';
import { valueAt } from '../../documents/shape.ts';

/** One term of `kubectl --field-selector`. */
export interface FieldTerm {
  /** The path with dots, such as `status.phase`. */
  readonly field: string;
  readonly value: string;
  /** False: the objects with another value. */
  readonly isMeant: boolean;
}

const EVERY: readonly string[] = ['metadata.name', 'metadata.namespace'];

/**
 * By kind: the fields by which the API server selects (`AddFieldLabelConversionFunc` of each API
 * group) and that a reduced dump keeps, each with the value of an object that does not have the
 * field. Null: the API server sets it in every object, so the dump has lost it.
 */
const FIELDS_OF: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  Pod: {
    'spec.nodeName': '',
    'spec.restartPolicy': 'Always',
    'spec.serviceAccountName': null,
    'status.phase': null,
  },
  Namespace: { 'status.phase': null },
  ReplicationController: { 'status.replicas': '0' },
  'ReplicaSet.apps': { 'status.replicas': '0' },
  'Job.batch': { 'status.successful': '0' },
};

/** Where a field is that has another name in selectors. */
const PLACES: Readonly<Record<string, string>> = { 'status.successful': 'status.succeeded' };

/** As `fields.ParseSelector` reads it. Throws `InputError`. */
export function readFieldSelector(selector: string): readonly FieldTerm[] {
  return selector.split(',').map((term) => {
    const [, field, sign, value] = /^([\w.]+)(!=|==?)([^=!]*)$/.exec(term.trim()) ?? [];
    if (field !== undefined && value !== undefined) return { field, value, isMeant: sign !== '!=' };
    throw MESSAGES.usage(
      `--field-selector takes FIELD=VALUE and FIELD!=VALUE, not "${term}"`,
      'status.phase=Failed,metadata.namespace!=shop',
    );
  });
}

/** Throws `InputError` for a field by which no objects of this kind can be selected. */
export function checkFields(terms: readonly FieldTerm[], kind: string): void {
  const known = [...EVERY, ...Object.keys(FIELDS_OF[kind] ?? {})];
  const other = terms.find(({ field }) => !known.includes(field));
  if (other === undefined) return;
  throw MESSAGES.usage(
    `--field-selector of ${kind} takes ${known.join(', ')}, not "${other.field}"`,
    'kubectl get KIND --field-selector ... -o name prints the objects: name these',
  );
}

/**
 * Whether an object meets all terms, which `checkFields` has accepted. Throws `InputError` where the
 * dump does not say.
 *
 * @param shown the object in words.
 */
export function meetsFields(
  terms: readonly FieldTerm[],
  kind: string,
  manifest: unknown,
  shown: string,
): boolean {
  return terms.every(({ field, value, isMeant }) => {
    const found = valueAt(manifest, (PLACES[field] ?? field).split('.'));
    const absent = EVERY.includes(field) ? '' : FIELDS_OF[kind]?.[field];
    const said = found ?? absent ?? null;
    if (said !== null) return (String(said) === value) === isMeant;
    throw MESSAGES.usage(
      `${shown} has no ${field} in the dump, so --field-selector cannot tell whether it is meant`,
      'a dump with the status of its objects, as kubectl get -o yaml prints it',
    );
  });
}
