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
 * The object with its quantities as the API server stores them. Clients in Go write them so,
 * whatever they have read: 0.5 becomes `500m`, which must be no change.
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

interface Quantity {
  /** In units of 10 to the power of `NANO`, without the sign. What is smaller is rounded up. */
  readonly nanos: bigint;
  readonly isNegative: boolean;
  readonly form: 'binary' | 'decimal' | 'exponent';
}

/** Null: it is no quantity. */
function quantityOf(value: unknown): Quantity | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = QUANTITY.exec(String(value)) ?? [];
  if (whole + fraction === '') return null;
  const binary = suffix.endsWith('i') ? BINARY.indexOf(suffix) : 0;
  const isExponent = /^[eE]./.test(suffix);
  const power = isExponent ? Number(suffix.slice(1)) : decimalPower(suffix);
  const digits = BigInt(whole + fraction) * 1024n ** BigInt(binary);
  const shift = power - fraction.length - NANO;
  const nanos =
    shift >= 0 ? digits * 10n ** BigInt(shift) : roundedUp(digits, 10n ** BigInt(-shift));
  const form = isExponent ? 'exponent' : binary > 0 ? 'binary' : 'decimal';
  return { nanos, isNegative: sign === '-' && nanos > 0n, form };
}

/** Mirrors `Quantity.CanonicalizeBytes`. What is no quantity stays as it is. */
export function canonicalQuantity(value: unknown): unknown {
  const quantity = quantityOf(value);
  if (quantity === null) return value;
  const { nanos, isNegative, form } = quantity;
  const text =
    (form === 'binary' ? binaryText(nanos) : null) ??
    decimalText(nanos, (thousands) =>
      form === 'exponent' && thousands !== 0 ? `e${3 * thousands}` : suffixOf(thousands),
    );
  return text === null ? value : `${isNegative ? '-' : ''}${text}`;
}

export function isQuantity(value: unknown): boolean {
  return quantityOf(value) !== null;
}

/** Whether the one quantity is less than the other one. What is no quantity counts as 0. */
export function isLess(one: unknown, other: unknown): boolean {
  return amount(one) < amount(other);
}

function amount(value: unknown): bigint {
  const { nanos = 0n, isNegative = false } = quantityOf(value) ?? {};
  return isNegative ? -nanos : nanos;
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
