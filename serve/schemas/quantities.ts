import { type Body, isBody } from '../cluster/body.ts';
import { schemaOf } from './shape.ts';

/** Of a field of a built-in kind: its value is a `resource.Quantity`. */
export const IS_QUANTITY = 'x-reapcheck-quantity';

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** For each third power of ten, from that of `NANO` on. */
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const NANO = -9;

const QUANTITY =
  /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d{1,2})?$/;

/**
 * The object with its quantities as the API server stores them. Clients in Go write them so, whatever
 * they have read: 0.5 becomes `500m`, which must be no change.
 */
export function withCanonicalQuantities(schema: Body, value: unknown): unknown {
  if (schema[IS_QUANTITY] === true) return canonicalQuantity(value);
  if (Array.isArray(value)) {
    const { items } = schema;
    return isBody(items) ? value.map((one) => withCanonicalQuantities(items, one)) : value;
  }
  if (!isBody(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => {
      const known = schemaOf(schema, field);
      return [field, known === null ? part : withCanonicalQuantities(known, part)] as const;
    }),
  );
}

/** Mirrors `Quantity.CanonicalizeBytes`. What is no quantity stays as it is. */
export function canonicalQuantity(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = QUANTITY.exec(String(value)) ?? [];
  if (whole + fraction === '') return value;
  const binary = suffix.endsWith('i') ? BINARY.indexOf(suffix) : 0;
  const isExponent = /^[eE]./.test(suffix);
  const power = isExponent ? Number(suffix.slice(1)) : decimalPower(suffix);
  // In units of 10 to the power of `NANO`. What is smaller is rounded up.
  const digits = BigInt(whole + fraction) * 1024n ** BigInt(binary);
  const shift = power - fraction.length - NANO;
  const nanos =
    shift >= 0 ? digits * 10n ** BigInt(shift) : roundedUp(digits, 10n ** BigInt(-shift));
  const text =
    (binary > 0 ? binaryText(nanos) : null) ??
    decimalText(nanos, (thousands) =>
      isExponent && thousands !== 0 ? `e${3 * thousands}` : suffixOf(thousands),
    );
  return text === null ? value : `${sign === '-' && nanos > 0n ? '-' : ''}${text}`;
}

function decimalPower(suffix: string): number {
  const at = suffix.endsWith('i') ? -1 : DECIMAL.indexOf(suffix);
  return at < 0 ? 0 : NANO + 3 * at;
}

function suffixOf(thousands: number): string | null {
  return DECIMAL[thousands - NANO / 3] ?? null;
}

function roundedUp(digits: bigint, by: bigint): bigint {
  return (digits + by - 1n) / by;
}

/** Null: it has a part that is no whole number, or is below 1024, and so is written in decimals. */
function binaryText(nanos: bigint): string | null {
  const unit = 10n ** BigInt(-NANO);
  if (nanos % unit !== 0n || nanos < 1024n * unit) return null;
  let [left, power] = [nanos / unit, 0];
  while (left % 1024n === 0n && power < BINARY.length - 1) {
    left /= 1024n;
    power++;
  }
  return `${left}${BINARY[power]}`;
}

function decimalText(nanos: bigint, suffix: (thousands: number) => string | null): string | null {
  if (nanos === 0n) return '0';
  let [left, thousands] = [nanos, NANO / 3];
  while (left % 1000n === 0n) {
    left /= 1000n;
    thousands++;
  }
  const text = suffix(thousands);
  return text === null ? null : `${left}${text}`;
}
