/**
 * Addresses and ranges as expressions use them (`library.IP`, `library.CIDR` of the API server,
 * 1.30).
 */

export class Address {
  readonly bits: 32 | 128;
  readonly value: bigint;

  constructor(bits: 32 | 128, value: bigint) {
    this.bits = bits;
    this.value = value;
  }

  equals(other: Address): boolean {
    return this.bits === other.bits && this.value === other.value;
  }

  /** The first so many bits, as a number. */
  first(count: number): bigint {
    return this.value >> BigInt(this.bits - count);
  }

  toString(): string {
    if (this.bits === 32) return partsOf(this.value, 4, 8).join('.');
    const groups = partsOf(this.value, 8, 16).map((group) => group.toString(16));
    return shortened(groups);
  }
}

export class Range {
  readonly address: Address;
  readonly length: number;

  constructor(address: Address, length: number) {
    this.address = address;
    this.length = length;
  }

  contains(other: Address): boolean {
    const { bits } = this.address;
    return other.bits === bits && other.first(this.length) === this.address.first(this.length);
  }

  masked(): Range {
    const { bits } = this.address;
    const rest = BigInt(bits - this.length);
    return new Range(new Address(bits, this.address.first(this.length) << rest), this.length);
  }

  equals(other: Range): boolean {
    return this.length === other.length && this.address.equals(other.address);
  }

  toString(): string {
    return `${this.address}/${this.length}`;
  }
}

function partsOf(value: bigint, count: number, size: number): readonly bigint[] {
  const mask = (1n << BigInt(size)) - 1n;
  return Array.from(
    { length: count },
    (_, at) => (value >> BigInt((count - 1 - at) * size)) & mask,
  );
}

/** RFC 5952: the first of the longest runs of zeros, if it has two or more. */
function shortened(groups: readonly string[]): string {
  let [start, length] = [0, 0];
  for (const at of groups.keys()) {
    const end = groups.findIndex((group, index) => index >= at && group !== '0');
    const run = (end === -1 ? groups.length : end) - at;
    if (run > length) [start, length] = [at, run];
  }
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

/** undefined: it is none, or one that Kubernetes refuses: with a zone, or IPv4 within IPv6. */
export function addressOf(text: string): Address | undefined {
  const four = fourOf(text);
  if (four !== undefined) return new Address(32, four);
  if (!/^[\da-fA-F:.]+$/.test(text)) return undefined;
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...before, ...Array.from({ length: missing }, () => 0n), ...after];
  const value = all.reduce((sum, group) => (sum << 16n) | group, 0n);
  return value >> 32n === 0xffffn ? undefined : new Address(128, value);
}

function fourOf(text: string): bigint | undefined {
  const parts = text.split('.');
  const areAll = parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  if (parts.length !== 4 || !areAll) return undefined;
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

function groupsOf(text: string): readonly bigint[] | undefined {
  if (text === '') return [];
  const found: bigint[] = [];
  const parts = text.split(':');
  for (const [at, part] of parts.entries()) {
    const four = at === parts.length - 1 && part.includes('.') ? fourOf(part) : undefined;
    if (four !== undefined) found.push(four >> 16n, four & 0xffffn);
    else if (/^[\da-fA-F]{1,4}$/.test(part)) found.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return found;
}

export function rangeOf(text: string): Range | undefined {
  const [, from = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const address = addressOf(from);
  if (address === undefined || Number(length) > address.bits) return undefined;
  return new Range(address, Number(length));
}

type Test = (address: Address) => boolean;

const isUnspecified: Test = ({ value }) => value === 0n;
const isLoopback: Test = (one) => (one.bits === 32 ? one.first(8) === 127n : one.value === 1n);
const isMulticast: Test = (one) =>
  one.bits === 32 ? one.first(4) === 14n : one.first(8) === 0xffn;
const isLinkLocalUnicast: Test = (one) =>
  one.bits === 32 ? one.first(16) === 0xa9fen : one.first(10) === 0x3fan;
const isLinkLocalMulticast: Test = (one) =>
  one.bits === 32 ? one.first(24) === 0xe00000n : (one.first(16) & 0xff0fn) === 0xff02n;
const isBroadcast: Test = ({ bits, value }) => bits === 32 && value === 0xffffffffn;

/** As those of `netip.Addr`. */
export const ADDRESS_TESTS: Readonly<Record<string, Test>> = {
  isUnspecified,
  isLoopback,
  isLinkLocalUnicast,
  isLinkLocalMulticast,
  isGlobalUnicast: (one) =>
    ![isUnspecified, isLoopback, isMulticast, isLinkLocalUnicast, isBroadcast].some((test) =>
      test(one),
    ),
};
