import { type CelValue, celList, celMap, isCelList, isCelMap } from '@bufbuild/cel';
import { ADDRESS_TESTS, Address, addressOf, Range, rangeOf } from '../addresses.ts';
import { isStored } from '../fields.ts';
import { integerOf, Quantity, quantityOf } from '../quantity.ts';
import { listCall } from './lists.ts';
import { patternOf } from './patterns.ts';
import { ParsedUrl, urlOf } from './urls.ts';

/**
 * The functions that Kubernetes adds to CEL, as far as they depend on their arguments only. What
 * Kubernetes answers with an error is not known here, and neither is what it may answer in another
 * way.
 */

/** Values of types that the library does not have. It must never get one of them. */
type Own = Quantity | Address | Range | ParsedUrl;

function isOwn(value: unknown): value is Own {
  return [Quantity, Address, Range, ParsedUrl].some((type) => value instanceof type);
}

/** Whether a value is of such a type, or has one in it, also deep inside. */
export function isOpaque(value: CelValue): boolean {
  if (isOwn(value)) return true;
  if (isCelList(value)) return [...value.values()].some(isOpaque);
  // What a dump has is of no such type.
  return isCelMap(value) && !isStored(value) && [...value.values()].some(isOpaque);
}

/** Names before a point that stand for no value: `sets.contains(a, b)`. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  sets: ['contains', 'equivalent', 'intersects'],
  ip: ['isCanonical'],
};

/** The names of the functions and methods, without those of libraries. */
export const NAMES: ReadonlySet<string> = new Set([
  ...['isSorted', 'sum', 'min', 'max', 'indexOf', 'lastIndexOf', 'find', 'findAll', 'string'],
  ...[
    'url',
    'isURL',
    'getScheme',
    'getHost',
    'getHostname',
    'getPort',
    'getEscapedPath',
    'getQuery',
  ],
  ...[
    'quantity',
    'isQuantity',
    'sign',
    'isInteger',
    'asInteger',
    'asApproximateFloat',
    'add',
    'sub',
  ],
  ...['isGreaterThan', 'isLessThan', 'compareTo', 'ip', 'isIP', 'family', 'cidr', 'isCIDR'],
  ...['containsIP', 'containsCIDR', 'masked', 'prefixLength', ...Object.keys(ADDRESS_TESTS)],
  ...Object.entries(LIBRARIES).flatMap(([library, names]) =>
    names.map((name) => `@${library}.${name}`),
  ),
]);

/** Null: not known. undefined: there is no such function of such values. */
export type Called = CelValue | null | undefined;
type Equals = (one: CelValue, other: CelValue) => boolean | null;

/** @param args the target first, where there is one. */
export function called(name: string, args: readonly CelValue[], equals: Equals): Called {
  const [one, other] = args;
  if ((name === '_==_' || name === '_!=_') && args.some(isOwn)) {
    const same = sameOwn(one, other);
    return same === null ? null : same === (name === '_==_');
  }
  if (typeof one === 'string') return ofText(name, one, args.slice(1));
  if (one instanceof Quantity) return ofQuantity(name, one, other);
  if (one instanceof Address) return ofAddress(name, one);
  if (one instanceof Range) return ofRange(name, one, other);
  if (one instanceof ParsedUrl) return ofUrl(name, one);
  return listCall(name, args, equals);
}

function sameOwn(one: unknown, other: unknown): boolean | null {
  if (one instanceof Quantity && other instanceof Quantity) return one.nanos === other.nanos;
  if (one instanceof Address && other instanceof Address) return one.equals(other);
  if (one instanceof Range && other instanceof Range) return one.equals(other);
  if (one instanceof ParsedUrl && other instanceof ParsedUrl)
    return one.text === other.text || null;
  return null;
}

/** A value of a type of its own, which no type of the library permits. */
function own(value: Own | null | undefined): Called {
  return (value ?? null) as Called;
}

/** Whether a text is one; null: not known. */
function isOne(value: Own | null | undefined): boolean | null {
  return value === null ? null : value !== undefined;
}

function ofText(name: string, text: string, [other, ...more]: readonly CelValue[]): Called {
  switch (name) {
    case 'quantity':
      return own(quantityOf(text));
    case 'isQuantity':
      return isOne(quantityOf(text));
    case 'url':
      return own(urlOf(text));
    case 'isURL':
      return isOne(urlOf(text));
    case 'ip':
      return own(addressOf(text));
    case 'isIP':
      return isOne(addressOf(text));
    case '@ip.isCanonical': {
      const address = addressOf(text);
      return address === undefined ? null : address.toString() === text;
    }
    case 'cidr':
      return own(rangeOf(text));
    case 'isCIDR':
      return isOne(rangeOf(text));
    case 'find':
    case 'findAll':
      return typeof other === 'string' ? matched(name, text, other, more) : undefined;
    default:
      return undefined;
  }
}

function matched(
  name: 'find' | 'findAll',
  text: string,
  pattern: string,
  [most]: readonly CelValue[],
): Called {
  const known = patternOf(pattern, text);
  if (known === null) return null;
  const all = [...text.matchAll(known)].map(([match]) => match);
  if (name === 'find') return all[0] ?? '';
  // Go leaves out an empty match that follows another one.
  if (all.includes('')) return null;
  if (most === undefined) return celList(all);
  if (typeof most !== 'bigint') return null;
  return celList(most < 0n ? all : all.slice(0, Number(most)));
}

function ofQuantity(name: string, one: Quantity, other: CelValue | undefined): Called {
  const second =
    typeof other === 'bigint'
      ? new Quantity(other * 10n ** 9n)
      : other instanceof Quantity
        ? other
        : null;
  const integer = integerOf(one);
  switch (name) {
    case 'sign':
      return one.compare(new Quantity(0n));
    case 'isInteger':
      return one.isInteger;
    case 'asInteger':
      return integer;
    case 'asApproximateFloat':
      return integer !== null && Number.isSafeInteger(Number(integer)) ? Number(integer) : null;
    case 'add':
      return own(second && new Quantity(one.nanos + second.nanos));
    case 'sub':
      return own(second && new Quantity(one.nanos - second.nanos));
    case 'compareTo':
      return second && one.compare(second);
    case 'isGreaterThan':
      return second && one.compare(second) === 1n;
    case 'isLessThan':
      return second && one.compare(second) === -1n;
    default:
      return null;
  }
}

function ofAddress(name: string, one: Address): Called {
  if (name === 'family') return one.bits === 32 ? 4n : 6n;
  if (name === 'string') return one.toString();
  const test = Object.hasOwn(ADDRESS_TESTS, name) ? ADDRESS_TESTS[name] : undefined;
  return test === undefined ? null : test(one);
}

function ofRange(name: string, one: Range, other: CelValue | undefined): Called {
  const text = typeof other === 'string' ? other : null;
  switch (name) {
    case 'ip':
      return own(one.address);
    case 'prefixLength':
      return BigInt(one.length);
    case 'masked':
      return own(one.masked());
    case 'string':
      return one.toString();
    case 'containsIP': {
      const address = text === null ? other : addressOf(text);
      return address instanceof Address ? one.contains(address) : null;
    }
    case 'containsCIDR': {
      const range = text === null ? other : rangeOf(text);
      if (!(range instanceof Range)) return null;
      return one.contains(range.address) && one.length <= range.length;
    }
    default:
      return null;
  }
}

function ofUrl(name: string, { scheme, host, port, path, query }: ParsedUrl): Called {
  switch (name) {
    case 'getScheme':
      return scheme;
    case 'getHost':
      return port === '' ? host : `${host}:${port}`;
    case 'getHostname':
      return host.replace(/^\[|\]$/g, '');
    case 'getPort':
      return port;
    case 'getEscapedPath':
      return path;
    case 'getQuery':
      return celMap(new Map([...query].map(([key, values]) => [key, celList(values)])));
    default:
      return null;
  }
}
