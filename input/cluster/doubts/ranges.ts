import { type ApiObject, keyOf, objectKey } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { type Address, addressOf, type Range, rangeOf } from '../cel/addresses.ts';
import type { KnownFinalizer } from '../known/index.ts';
import { byKeyIn, byKindIn } from '../lookups.ts';
import { marksOn } from '../marks.ts';
import { type Evidence, firstHeld, type Held, isReached } from './evidence.ts';

const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
const RANGE = 'ServiceCIDR.networking.k8s.io';
const ADDRESS = 'IPAddress.networking.k8s.io';
/** `LabelManagedBy`: others than the allocator are not asked about. */
const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
const ALLOCATOR = 'ipallocator.k8s.io';

/**
 * An address that stays, and that no other range has: it holds its range (`canDeleteCIDR`, 1.33);
 * null: none. Addresses go with their Service, and the API server makes them anew for one that
 * stays.
 */
export function rangeDoubt(
  known: KnownFinalizer | null,
  objects: readonly ApiObject[],
  evidence: Evidence,
  mayHold: (finalizer: string, object: ApiObject) => boolean,
): Held | null {
  if (known?.name !== FINALIZER) return null;
  const waits = objects
    .filter((object) => object.kind === RANGE && isReached(object, evidence))
    .flatMap((range) =>
      (byKindIn(evidence.dump).get(ADDRESS) ?? []).flatMap((address) =>
        waitFor(address, range, known.owner, evidence, mayHold),
      ),
    );
  const sure = waits.filter((one) => one.sure === true);
  const [first] = [...sure, ...waits];
  if (first === undefined) return unseenDoubt(objects, known.owner, evidence);
  const all = first.sure === true ? sure : [first];
  return { ...first, objects: [...new Set(all.flatMap((one) => one.objects))] };
}

/** Any cluster has an address, that of `kubernetes.default`: a dump without one lacks them all. */
function unseenDoubt(
  objects: readonly ApiObject[],
  owner: string,
  evidence: Evidence,
): Held | null {
  const ranges = byKindIn(evidence.dump).get(RANGE) ?? [];
  if ((byKindIn(evidence.dump).get(ADDRESS) ?? []).length > 0) return null;
  const isWithin = (range: ApiObject): boolean => {
    const others = ranges.filter((one) => one.uid !== range.uid && !isReached(one, evidence));
    const around = others.flatMap((one) => rangesOf(one, evidence) ?? []);
    const own = rangesOf(range, evidence) ?? [];
    return own.length > 0 && own.every((one) => around.some((other) => isPart(one, other)));
  };
  const found = firstHeld('lacking', objects, evidence, (range) =>
    isWithin(range)
      ? null
      : `${owner} waits until no address is in ${displayName(range)} alone, and the dump has no IPAddress`,
  );
  const [range] = found?.objects ?? [];
  if (found === null || range === undefined) return null;
  const asks = `whether an address is in ${displayName(range)} alone`;
  return { ...found, asks, settle: 'kubectl get ipaddresses,services -A -o yaml' };
}

function waitFor(
  address: ApiObject,
  range: ApiObject,
  owner: string,
  evidence: Evidence,
  mayHold: (finalizer: string, object: ApiObject) => boolean,
): readonly Held[] {
  const isAlone = needsRange(address, range, evidence);
  if (isAlone === false || isReached(address, evidence)) return [];
  const service = serviceOf(address, evidence);
  const waits = `${owner} waits for ${displayName(address)}`;
  if (service === undefined) return [{ by: 'used', objects: [address], why: `${waits} to go` }];
  const name = displayName(service);
  if (isReached(service, evidence)) {
    const finalizer = service.finalizers.find((one) => mayHold(one, service));
    if (finalizer === undefined) return [];
    const why = `${waits} of ${name}, which ${finalizer} may hold`;
    return [{ by: 'beneath', objects: [service], why }];
  }
  const held = { by: 'used', objects: [service] } as const;
  if (isAlone === null) {
    const why = `${waits} of ${name}, which stays, unless another range has that address`;
    return [{ ...held, why }];
  }
  const why = `${waits} of ${name}, which stays: no range that stays has that address`;
  return [{ ...held, why, sure: true }];
}

/** Whether no other range has the address; null: not said, or one that goes as well has it. */
function needsRange(address: ApiObject, range: ApiObject, evidence: Evidence): boolean | null {
  const { dump, labels } = evidence;
  const manager = labels.get(keyOf(address))?.[MANAGED_BY];
  const of = rangesOf(range, evidence);
  const value = addressOf(address.name);
  if (manager !== undefined && manager !== ALLOCATOR) return false;
  if (value === undefined) return null;
  if (of !== null && !of.some((one) => allocates(one, value))) return false;
  const others = (byKindIn(dump).get(RANGE) ?? [])
    .filter(({ uid }) => uid !== range.uid)
    .map((other) => {
      const has = rangesOf(other, evidence)?.some((one) => allocates(one, value)) ?? null;
      return has === true && isReached(other, evidence) ? null : has;
    });
  if (others.includes(true)) return false;
  return others.includes(null) || of === null || manager === undefined ? null : true;
}

/** Whether both objects say their ranges of addresses, and these have none in common. */
export function areRangesApart(
  one: ApiObject,
  other: ApiObject,
  evidence: Pick<Evidence, 'observations'>,
): boolean {
  const first = rangesOf(one, evidence) ?? [];
  // Few objects have any, and this is asked of many pairs.
  const second = first.length === 0 ? [] : (rangesOf(other, evidence) ?? []);
  if (second.length === 0) return false;
  return !first.some((a) => second.some((b) => isPart(a, b) || isPart(b, a)));
}

/** Null: not said. */
function rangesOf(
  object: ApiObject,
  { observations }: Pick<Evidence, 'observations'>,
): readonly Range[] | null {
  const marks = marksOn(observations, object);
  const mark = marks.find((one) => one.mark === 'ranges');
  return mark?.mark === 'ranges' ? mark.cidrs.flatMap((text) => rangeOf(text) ?? []) : null;
}

function serviceOf(address: ApiObject, { dump, observations }: Evidence): ApiObject | undefined {
  const marks = marksOn(observations, address);
  const mark = marks.find((one) => one.mark === 'addressOf');
  return mark?.mark === 'addressOf'
    ? byKeyIn(dump).get(objectKey('Service', mark.namespace, mark.name))
    : undefined;
}

/** `PrefixContainsIP`: without the first address, and without the last one of IPv4. */
function allocates(range: Range, address: Address): boolean {
  if (!range.contains(address) || range.masked().address.equals(address)) return false;
  const rest = BigInt(address.bits - range.length);
  const last = ((address.first(range.length) + 1n) << rest) - 1n;
  return address.bits !== 32 || address.value !== last;
}

function isPart(range: Range, of: Range): boolean {
  return of.length <= range.length && of.contains(range.address);
}
