import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import type { Dump } from '../../manifests/dump.ts';
import type { Labels } from '../../manifests/label-selector.ts';
import { displayName } from '../../manifests/names.ts';
import type { Doubt } from '../beside/doubts.ts';
import { contentsIn } from '../lookups.ts';
import type { Condition, Observation } from '../observations.ts';

/** What decides whether anything is left behind a Service. */
export interface BackendsGiven {
  readonly all: readonly ApiObject[];
  /** By store key: the labels of the objects that have some. */
  readonly labels: ReadonlyMap<string, Labels>;
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  /** Store keys of the objects that a controller makes anew. */
  readonly comesBack: ReadonlySet<string>;
}

/** A Service that serves nothing any more once what is asked for is deleted. */
export interface Unserved {
  readonly service: ApiObject;
  /** Why: one clause, after which no name has to be repeated. */
  readonly why: string;
}

/**
 * By `namespace/name`: the Services that the API server calls, and that go, or whose pods all go
 * and do not come back.
 */
export function unservedIn(given: BackendsGiven): ReadonlyMap<string, Unserved> {
  const { all, labels, goes, observations, comesBack } = given;
  const called = new Set(all.flatMap((object) => calledBy(observations.get(keyOf(object)))));
  if (called.size === 0) return new Map();
  const pods = all.filter(({ pod }) => pod !== undefined && pod.finished !== true);
  return new Map(
    all
      .filter(
        ({ kind, namespace, name }) => kind === 'Service' && called.has(`${namespace}/${name}`),
      )
      .flatMap((service): [string, Unserved][] => {
        const key = `${service.namespace}/${service.name}`;
        if (goes(service)) return [[key, { service, why: `${displayName(service)} goes` }]];
        const observed = observations.get(keyOf(service));
        const selector = observed?.of === 'Service' ? Object.entries(observed.selector ?? {}) : [];
        const behind = pods.filter((pod) => {
          const own = labels.get(keyOf(pod)) ?? {};
          const isMeant = selector.every(([label, value]) => own[label] === value);
          return pod.namespace === service.namespace && isMeant && !isBeingDeleted(pod);
        });
        if (selector.length === 0) return [];
        const isLost = (one: ApiObject): boolean => goes(one) && !comesBack.has(keyOf(one));
        if (behind.length > 0) {
          const why = `the pods behind ${displayName(service)} go`;
          return behind.every(isLost) ? [[key, { service, why }]] : [];
        }
        // The dump lacks the pods: what makes them may be in it.
        const beside = contentsIn(all).get(service.namespace) ?? [];
        const of = (told: boolean | null): readonly ApiObject[] =>
          beside.filter((object) => serves(observations.get(keyOf(object)), selector) === told);
        const makers = of(true);
        // Where none has such labels in its selector, their pods may have them all the same.
        const lost = (makers.length > 0 ? makers : of(null)).filter(isLost);
        const [maker] = lost;
        if (maker === undefined || lost.length < makers.length) return [];
        const which = makers.length > 0 ? 'the pods' : 'perhaps the pods';
        const why = `${displayName(maker)} goes, and ${which} behind ${displayName(service)} with it`;
        return [[key, { service, why }]];
      }),
  );
}

/**
 * Whether the pods of a workload are those of this selector: its own may have fewer labels. Null:
 * it has none of these labels.
 */
function serves(
  observed: Observation | undefined,
  selector: readonly (readonly [string, string])[],
): boolean | null {
  if (observed?.of !== 'workload') return false;
  const told = selector.flatMap(([label, value]) =>
    observed.selector
      .filter(({ key, operator }) => key === label && operator === 'In')
      .map(({ values }) => values.includes(value)),
  );
  return told.length === 0 ? null : told.every(Boolean);
}

/** `namespace/name` of the Services behind webhooks, APIs and conversions. */
function calledBy(observed: Observation | undefined): readonly string[] {
  switch (observed?.of) {
    case 'webhooks':
      return observed.webhooks.map(({ service }) => service);
    case 'APIService':
      return [observed.service];
    case 'CustomResourceDefinition':
      return observed.conversion === null ? [] : [observed.conversion.service];
    default:
      return [];
  }
}

/** An API that another server than the API server serves, and why no request reaches it. */
export interface UnservedApi {
  readonly object: ApiObject;
  /** `group/version`. */
  readonly groupVersion: string;
  /** What its APIService reports, now or once what is asked for is deleted. */
  readonly condition: Condition;
  /** Whether that is so only once something is deleted. */
  readonly isLater: boolean;
  /** `namespace/name` of what serves it; empty: the API server itself does. */
  readonly service: string;
}

/** What the availability controller reports of an API behind which nothing is left. */
export function unservedCondition(message: string): Condition {
  return { type: 'Available', status: 'False', reason: 'ServiceNotFound', message };
}

/** APIs that do not answer, or will not once what goes is gone. */
export function unservedApisIn(
  all: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
  unserved: ReadonlyMap<string, Unserved>,
): readonly UnservedApi[] {
  return all.flatMap((object) => {
    const observed = observations.get(keyOf(object));
    if (observed?.of !== 'APIService') return [];
    // What reports a fault counts also where the dump lacks its Service.
    const { groupVersion, unavailable, service } = observed;
    const gone = unserved.get(service);
    const condition = unavailable ?? (gone && unservedCondition(gone.why));
    const isLater = unavailable === null;
    return condition ? [{ object, groupVersion, condition, isLater, service }] : [];
  });
}

/** An API that does not answer. */
export interface UnavailableApi {
  /** Name of the APIService. */
  readonly name: string;
  /** `group/version`. */
  readonly groupVersion: string;
  readonly condition: Condition;
}

/** What is deleted, and what no longer answers then. */
interface Going {
  /** Those that the namespace controller empties and that go. */
  readonly namespaces: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly unserved: ReadonlyMap<string, Unserved>;
}

/**
 * Those that discovery lacks before a namespace is empty: from the start, or soon enough. Of those
 * whose APIService is gone it knows nothing. `silencedIn` has those for which the order decides.
 */
export function unavailableIn(dump: Observed, going: Going): readonly UnavailableApi[] {
  return silentIn(dump, going)
    .filter(({ isInTime }) => isInTime)
    .map(({ object: { name }, groupVersion, condition }) => ({ name, groupVersion, condition }));
}

/**
 * Namespaces that hang if an API stops answering before they are empty. The namespace controller
 * asks discovery each time, and the order decides (`deleteAllContent`, 1.20).
 */
export function silencedIn(dump: Observed, going: Going): readonly Doubt[] {
  if (going.namespaces.length === 0) return [];
  const silent = silentIn(dump, going).filter(({ isInTime }) => !isInTime);
  return silent.flatMap(({ object, condition }) =>
    going.namespaces.map((namespace): Doubt => {
      const name = displayName(object);
      const why = `hangs if ${condition.message} before ${displayName(namespace)} is empty: ${name} then does not answer, and the namespace controller waits for it; delete ${name} first, if its API is to go`;
      return { object: keyOf(namespace), by: 'release', why };
    }),
  );
}

type Observed = Pick<Dump, 'objects' | 'observations'>;

function silentIn(
  { objects, observations }: Observed,
  { namespaces, goes, unserved }: Going,
): readonly (UnservedApi & { readonly isInTime: boolean })[] {
  const all = objects.map(({ object }) => object);
  return unservedApisIn(all, observations, unserved)
    .filter(({ object }) => !isGoneAtOnce(object, goes))
    .map((api) => ({ ...api, isInTime: !api.isLater || outlast(namespaces, api, all) }));
}

/**
 * Whether the namespaces last longer than the API that is served in them: their Services go in the
 * first pass of the namespace controller, and their pods only after their grace periods.
 */
function outlast(
  namespaces: readonly ApiObject[],
  { service }: UnservedApi,
  all: readonly ApiObject[],
): boolean {
  return (
    namespaces.length > 0 &&
    namespaces.every(
      ({ name }) =>
        service.startsWith(`${name}/`) &&
        all.some(
          ({ namespace, pod }) =>
            namespace === name && pod?.running === true && pod.terminationGracePeriodSeconds !== 0,
        ),
    )
  );
}

/** Whether nothing here holds an APIService that goes. */
function isGoneAtOnce(object: ApiObject, goes: (object: ApiObject) => boolean): boolean {
  return goes(object) && object.finalizers.length + object.ownerReferences.length === 0;
}
