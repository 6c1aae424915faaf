import { MESSAGES } from '../../../text/messages.ts';
import { type FieldLabel, fieldLabelsOf, labelledIn } from './field-labels.ts';

/** One term of `kubectl --field-selector`. */
export interface FieldTerm {
  /** The path with dots, such as `status.phase`. */
  readonly field: string;
  readonly value: string;
  /** False: the objects with another value. */
  readonly isMeant: boolean;
}

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
  const known = [...fieldLabelsOf(kind)].flatMap(([label, { inDumps }]) =>
    inDumps === 'left out' ? [] : [label],
  );
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
  const labels = fieldLabelsOf(kind);
  return terms.every(({ field, value, isMeant }) => {
    const label = labels.get(field);
    const said = label === undefined ? null : saidIn(manifest, label);
    if (said !== null) return (said === value) === isMeant;
    throw MESSAGES.usage(
      `${shown} has no ${field} in the dump, so --field-selector cannot tell whether it is meant`,
      'a dump with the status of its objects, as kubectl get -o yaml prints it',
    );
  });
}

/** Null: the dump does not say. */
function saidIn(manifest: unknown, label: FieldLabel): string | null {
  return labelledIn(manifest, label) ?? (label.inDumps === 'absent' ? label.absent : null);
}
