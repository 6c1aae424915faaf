/**
 * Quantities as expressions use them (`library.Quantity` of the API server, 1.29). What Kubernetes
 * rounds or caps is not known here.
 */

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL: Readonly<Record<string, number>> = {
  ...{ n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 },
};
/** `Nano`: the smallest part. */
const DIGITS = 9;
const NANOS = 10n ** BigInt(DIGITS);
const LARGEST = (2n ** 63n - 1n) * NANOS;

const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?([A-Za-z]{0,2}|[eE][+-]?\d{1,2})$/;
/** Nothing with other characters, or without a digit, is a quantity. */
const PERHAPS = /^[+-]?[\d.]*\d[\d.]*[A-Za-z\d+-]*$/;

/** No suffix has as many letters. */
const LETTERS = /[A-Za-z]{3}/;

export class Quantity {
  readonly nanos: bigint;
  /** Whether Kubernetes stores it as an integer; null: not known. */
  readonly isInteger: boolean | null;

  constructor(nanos: bigint, isInteger: boolean | null = null) {
    this.nanos = nanos;
    this.isInteger = isInteger;
  }

  compare(other: Quantity): -1n | 0n | 1n {
    if (this.nanos === other.nanos) return 0n;
    return this.nanos < other.nanos ? -1n : 1n;
  }
}

/** undefined: it is none. null: not known. */
export function quantityOf(text: string): Quantity | null | undefined {
  const [, sign = '', whole = '', fraction = '', suffix = ''] = NUMBER.exec(text) ?? [];
  if (whole === '') return PERHAPS.test(text) && !LETTERS.test(text) ? null : undefined;
  const scaled = scaleOf(suffix);
  if (scaled === null) return /^[eE]/.test(suffix) ? null : undefined;
  const { factor, exponent } = scaled;
  // In parts of a power of ten, which has to be whole nanos.
  const value = BigInt(whole + fraction) * factor * (sign === '-' ? -1n : 1n);
  const places = exponent - fraction.length + DIGITS;
  const divisor = 10n ** BigInt(Math.max(0, -places));
  if (value % divisor !== 0n) return null;
  const nanos = (value / divisor) * 10n ** BigInt(Math.max(0, places));
  if (nanos > LARGEST || nanos < -LARGEST) return null;
  const isPlain = fraction === '' && exponent >= 0 && !/^[eE]./.test(suffix);
  return new Quantity(nanos, isPlain && whole.length < 16 ? true : null);
}

function scaleOf(suffix: string): { readonly factor: bigint; readonly exponent: number } | null {
  const binary = BINARY.indexOf(suffix);
  if (binary !== -1) return { factor: 1024n ** BigInt(binary + 1), exponent: 0 };
  const decimal = Object.hasOwn(DECIMAL, suffix) ? DECIMAL[suffix] : undefined;
  if (decimal !== undefined) return { factor: 1n, exponent: decimal };
  const [, exponent] = /^[eE]([+-]?\d+)$/.exec(suffix) ?? [];
  return exponent === undefined ? null : { factor: 1n, exponent: Number(exponent) };
}

/** An integer of CEL; null: Kubernetes may have none, or another one. */
export function integerOf({ nanos, isInteger }: Quantity): bigint | null {
  return isInteger === true ? nanos / NANOS : null;
}
