import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { plural, shellQuoted } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { objectWords } from '../../manifests/object-words.ts';
import type { Besides } from '../beside/besides.ts';
import type { Doubt } from '../beside/doubts.ts';
import type { Requests } from '../cel/requests.ts';
import { definitionName } from '../links.ts';
import { byKeyIn } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import type { Admitted } from './admitted.ts';
import { type Asked, type Asking, allOf, isAskedAbout } from './asked.ts';
import { type Unserved, unservedApisIn } from './backends.ts';
import { isAskedToDelete, metBy } from './conditions.ts';
import { dryRunOfLater, endOf, isOfItself, isPlain, type Later, laterWords } from './later.ts';
import { MeantIndex } from './meant.ts';
import type { Webhook } from './observed.ts';
import { type Review, reviewedBy } from './reviews.ts';
import { endpointsOf, isSureFault, readyAddresses, serviceFaults } from './services.ts';

/**
 * Webhooks that the API server asks, and that do not answer as far as the dump says. Until they do,
 * it refuses requests: nobody can read an object that has to be converted, or delete or update one
 * that has to be admitted.
 */

/** An object that requests for a deletion cannot get past. */
export interface Refused {
  /** Store key. */
  readonly object: string;
  /** A webhook or the server of its API does not answer, or a policy does not accept. */
  readonly by: 'webhook' | 'server' | 'policy';
  /** Why: one clause. */
  readonly why: string;
  /** A command that says whether the webhook answers, or what the policy says. */
  readonly settle: string;
  /** Whether its DELETE is refused as the cluster is: no pod of the webhook is ready. */
  readonly isSure: boolean;
  /** A command after which the API server no longer asks the webhook. */
  readonly silence?: string;
}

interface Given extends Asking {
  readonly requests: Requests;
  readonly admitted: Admitted;
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  /** By `namespace/name`: the Services behind which nothing is left. */
  readonly unserved: ReadonlyMap<string, Unserved>;
  readonly later: (object: ApiObject) => readonly Later[];
}

/** The objects that a deletion reaches, and that a webhook keeps as they are. */
export function refusedIn(given: Given): readonly Refused[] {
  const { kept, goes, all, observations, table } = given;
  const definitions = new Map(
    all.flatMap((object) => {
      const observed = observations.get(keyOf(object));
      if (observed?.of !== 'CustomResourceDefinition') return [];
      return observed.conversion === null ? [] : [[object.name, { object, ...observed }] as const];
    }),
  );
  const admission = all.flatMap((object) => {
    const observed = observations.get(keyOf(object));
    if (observed?.of !== 'webhooks') return [];
    return observed.webhooks.map((webhook) => ({ object, webhook }));
  });
  const servers = silentServersIn(given);
  if (definitions.size + admission.length + servers.size === 0) return [];
  const down = serviceFaults(given);
  const failing = failedConversions(given);
  const inGoing = namesOfGoing(given);
  const otherwise = (object: ApiObject): Refused | null => {
    const server = servers.get(table[object.kind]?.apiVersions[0] ?? '');
    if (server !== undefined) return { object: keyOf(object), by: 'server', ...server };
    const found = definitions.get(definitionName(table[object.kind]));
    const conversion = found?.conversion ?? null;
    if (found !== undefined && conversion !== null) {
      const { byDefinition, byOthers } = conversion;
      const isNeeded = goes(found.object)
        ? byDefinition || inGoing.has(object.namespace)
        : byOthers;
      const isFailing = failing.has(`${found.group} ${found.kind}`);
      const reported = isFailing ? 'a condition reports that a conversion failed' : null;
      const fault = isNeeded ? (reported ?? down(conversion.service)) : null;
      if (fault !== null) {
        const why = `the conversion webhook of ${displayName(found.object)} does not answer (${fault}), so nobody can list, read or delete a ${found.kind}`;
        const settle = endpointsOf(conversion.service);
        return { object: keyOf(object), by: 'webhook', why, settle, isSure: false };
      }
    }
    return null;
  };
  const going = kept.filter(goes);
  const told = new Map<ApiObject, Refused>();
  for (const object of going) {
    const refused = otherwise(object);
    if (refused !== null) told.set(object, refused);
  }
  const open = going.filter((object) => !told.has(object));
  const deleted = new MeantIndex(open, (object) => object, given);
  const changed = new MeantIndex(laterOf(open, given), ({ request }) => request.about, given);
  for (const { object: configuration, webhook } of admission) {
    const fault = webhook.refuses ? down(webhook.service) : null;
    if (fault === null) continue;
    const meant = new Set([
      ...deleted.of([webhook], 'DELETE'),
      ...changed.of([webhook], 'UPDATE').map(({ object }) => object),
    ]);
    for (const object of meant) {
      const refused = refusedBy(configuration, webhook, object, given, fault);
      const known = told.get(object);
      const isBetter = known === undefined || (!known.isSure && refused?.isSure === true);
      if (refused !== null && isBetter) told.set(object, refused);
    }
  }
  return going.flatMap((object) => told.get(object) ?? []);
}

/** The requests that follow the DELETEs of objects. */
function laterOf(objects: readonly ApiObject[], { later }: Pick<Given, 'later'>) {
  return objects.flatMap((object) => later(object).map((request) => ({ object, request })));
}

/**
 * By `group/version`: APIs that another server than the API server serves, and that do not answer,
 * or may not once the DELETE of an object is sent. So no request reaches their objects:
 * `responsewriters.ErrorNegotiated` with 503 of the aggregator (1.20), or 404 without an
 * APIService.
 */
function silentServersIn({ all, goes, observations, unserved }: Given) {
  const silent = unservedApisIn(all, observations, unserved).map(
    ({ object, groupVersion, condition: { message, reason }, isLater }) => {
      const fault = isLater ? `${message}, perhaps first` : message || reason;
      const isSure = !isLater && !goes(object);
      return { object, groupVersion, fault: `does not answer (${fault})`, isSure };
    },
  );
  const going = all.flatMap((object) => {
    const observed = goes(object) ? observations.get(keyOf(object)) : undefined;
    if (observed?.of !== 'APIService' || observed.service === '') return [];
    const { groupVersion } = observed;
    return [{ object, groupVersion, fault: 'goes, perhaps first', isSure: false }];
  });
  return new Map(
    [...going, ...silent].map(({ object, groupVersion, fault, isSure }) => {
      const why = `${displayName(object)} ${fault}, so nobody can list, read or delete what it serves`;
      const settle = `kubectl get apiservices ${shellQuoted(object.name)}`;
      return [groupVersion, { why, settle, isSure }] as const;
    }),
  );
}

/** What a webhook that does not answer keeps of this object; null: nothing. */
function refusedBy(
  configuration: ApiObject,
  webhook: Webhook,
  object: ApiObject,
  given: Given,
  fault: string,
): Refused | null {
  const { requests, admitted, unserved } = given;
  const called = [webhook.name, configuration.name];
  const isLosing = unserved.has(webhook.service);
  if (isLosing) admitted.silence(called);
  const names = isLosing ? [] : called;
  const deleting = admitted.asked(object, names, isAskedToDelete(webhook, object, requests, given));
  const later = deleting === 'yes' ? null : worstLater(webhook, object, names, given);
  const asked = later === null ? deleting : worse(deleting, later.asked);
  if (asked === 'no') return null;
  // A configuration that goes acts until it is gone.
  const stays = !given.goes(configuration);
  const has = asked === 'yes' && stays ? 'has' : 'may have';
  const isOwn = later === null || deleting === asked || isPlain(later.request);
  const what = isOwn ? 'it' : laterWords(later.request);
  const why = `the webhook ${webhook.name} of ${displayName(configuration)} ${has} to admit ${what} and does not answer (${fault}); with failurePolicy Fail, the API server then refuses the request`;
  // Nothing takes the last finalizer off without a change of the object.
  const isLocked =
    isBeingDeleted(object) && later?.asked === 'yes' && isOfItself(later.request, object);
  const isSure = stays && (deleting === 'yes' || isLocked) && isSureFault(fault);
  const settle = endpointsOf(webhook.service);
  const silence = `kubectl delete ${objectWords(configuration, given.table)}`;
  return {
    ...{ object: keyOf(object), by: 'webhook', why, settle, isSure },
    ...(stays ? { silence } : {}),
  };
}

/**
 * The request after the DELETE about which it is asked for certain, or else perhaps; null: none.
 */
function worstLater(
  webhook: Webhook,
  object: ApiObject,
  names: readonly string[],
  given: Given,
): { readonly request: Later; readonly asked: Asked } | null {
  const found = given.later(object).map((request) => {
    return { request, asked: isAskedLater(webhook, request, names, given) };
  });
  return (
    found.find(({ asked }) => asked === 'yes') ??
    found.find(({ asked }) => asked === 'perhaps') ??
    null
  );
}

/** Whether it is asked about a request that follows the DELETE. */
export function isAskedLater(
  webhook: Webhook,
  { about, subresource, by }: Later,
  names: readonly string[],
  given: Pick<Given, 'requests' | 'admitted'> & Asking,
): Asked {
  const matched = isAskedAbout(webhook, about, ['UPDATE'], given, { subresource });
  // A dry run of the DELETE says nothing of it, but a webhook that is known to let all through
  // does.
  const isKnown = names.some((name) => given.admitted.lets(name));
  if (matched === 'no' || isKnown) return 'no';
  const how = { operation: 'UPDATE', subresource } as const;
  return allOf([matched, metBy(webhook, about, by, how, given.requests)]);
}

function worse(one: Asked, other: Asked): Asked {
  return [one, other].find((asked) => asked === 'yes') ?? (one === 'no' ? other : one);
}

/**
 * Whether nothing is to be said of a webhook as one that may answer: `refusedIn` has those without
 * which requests are refused, and of the others, only what has no pod surely does not answer.
 */
function isPassed({ refuses }: Webhook, fault: string | null): boolean {
  return fault !== null && (refuses || isSureFault(fault));
}

/** The webhooks that answer, as far as the dump says, and may refuse a DELETE. */
export function askedIn(given: Given): readonly Review[] {
  const { kept, goes, all, observations } = given;
  const down = serviceFaults(given);
  const ready = readyAddresses(given);
  const index = new MeantIndex(kept.filter(goes), (object) => object, given);
  return all.flatMap((configuration): readonly Review[] => {
    const observed = observations.get(keyOf(configuration));
    if (observed?.of !== 'webhooks') return [];
    return observed.webhooks.flatMap((webhook): readonly Review[] => {
      const fault = down(webhook.service);
      if (isPassed(webhook, fault)) return [];
      const names = [webhook.name, configuration.name];
      const asked = (object: ApiObject): Asked =>
        given.admitted.asked(
          object,
          names,
          isAskedToDelete(webhook, object, given.requests, given),
        );
      const isThere = fault === null && !goes(configuration);
      return [
        {
          ...reviewedBy(index.of([webhook], 'DELETE'), asked, isThere),
          by: `the webhook ${webhook.name} of ${displayName(configuration)}`,
          ...{ verb: 'asked', preposition: 'about' },
          details: `${servedWords(webhook, ready)}; ${unansweredWords(webhook)}`,
        },
      ];
    });
  });
}

/**
 * The webhooks that answer, and are asked about no DELETE but about a request that follows one,
 * such as the PATCH with which the collector takes its finalizer off. They may refuse that. What
 * the owner of a finalizer sends is often for a webhook of its own, and only noted.
 */
export function askedLaterIn(given: Given): {
  readonly besides: readonly Besides[];
  readonly doubts: readonly Doubt[];
} {
  const { kept, goes, all, observations, requests, admitted } = given;
  const [besides, doubts]: [Besides[], Doubt[]] = [[], []];
  const down = serviceFaults(given);
  const index = new MeantIndex(
    laterOf(kept.filter(goes), given),
    ({ request }) => request.about,
    given,
  );
  for (const configuration of all) {
    const observed = observations.get(keyOf(configuration));
    if (observed?.of !== 'webhooks') continue;
    for (const webhook of observed.webhooks) {
      if (isPassed(webhook, down(webhook.service))) continue;
      const names = [webhook.name, configuration.name];
      const found = index.of([webhook], 'UPDATE').filter(({ object, request }) => {
        const deleting = isAskedToDelete(webhook, object, requests, given);
        // `askedIn` has those. One that lets a DELETE through says nothing of what follows.
        if (admitted.asked(object, names, deleting) !== 'no') return false;
        return isAskedLater(webhook, request, names, given) !== 'no';
      });
      const by = `the webhook ${webhook.name} of ${displayName(configuration)}`;
      const about = (request: Later): string => `is asked about ${laterWords(request)}`;
      const [first, ...others] = found.filter(({ request }) => request.by.name === null);
      if (first !== undefined) {
        const more = others.length === 0 ? '' : ` and ${plural(others.length, 'more change')}`;
        const what = `${by} ${about(first.request)}${more}, and what it refuses stays`;
        besides.push({ object: keyOf(first.object), what });
      }
      for (const { object, request } of found) {
        if (request.by.name === null) continue;
        const settle = dryRunOfLater(request, given);
        const why = `${by} ${about(request)}`;
        const end = endOf(request, object);
        doubts.push({ object: keyOf(object), by: 'admission', why, settle, ...end });
      }
    }
  }
  return { besides, doubts };
}

/** What nobody can reach any more without an APIService that goes. */
export function unregisteredIn({ all, kept, goes, observations }: Given): readonly Besides[] {
  return kept.filter(goes).flatMap((object): readonly Besides[] => {
    const observed = observations.get(keyOf(object));
    if (observed?.of !== 'APIService' || observed.service === '') return [];
    const { groupVersion, service } = observed;
    const [namespace = '', name = ''] = service.split('/');
    const server = byKeyIn(all).get(keyOf({ kind: 'Service', namespace, name }));
    const isLeft = server === undefined || !goes(server);
    const left = isLeft ? `; what it stores stays behind Service/${name}.${namespace}` : '';
    const what = `without ${displayName(object)}, nobody can list, read or delete an object of ${groupVersion}, also no collector and no namespace controller, until it is created again${left}`;
    return [{ object: keyOf(object), what }];
  });
}

function servedWords({ service }: Webhook, ready: ReadonlyMap<string, number>): string {
  if (service === '') return 'it is reached by a URL, and the dump does not say whether it answers';
  const count = ready.get(service);
  if (count === undefined) {
    return `the dump does not say whether anything serves it (${endpointsOf(service)})`;
  }
  return count === 1 ? '1 pod that is ready serves it' : `${count} pods that are ready serve it`;
}

function unansweredWords({ refuses, timeoutSeconds }: Webhook): string {
  const none = `if it does not answer within ${timeoutSeconds} s`;
  return refuses
    ? `${none}, the DELETE is refused (failurePolicy Fail)`
    : `${none}, the DELETE goes on (failurePolicy Ignore)`;
}

/** The namespaces that are emptied as well: by the preferred version, like any client. */
function namesOfGoing({ kept, goes, table }: Given): ReadonlySet<string> {
  const going = kept.filter((one) => table[one.kind]?.storage === 'namespace' && goes(one));
  return new Set(going.map(({ name }) => name));
}

/** Kinds whose conversion has failed, as conditions report it: `GROUP KIND`. */
function failedConversions({ all, observations }: Given): ReadonlySet<string> {
  const messages = all.flatMap((object) => {
    const observed = observations.get(keyOf(object));
    const isTold = observed?.of === 'Namespace' || observed?.of === 'CustomResourceDefinition';
    return isTold ? observed.conditions.filter(({ status }) => status === 'True') : [];
  });
  return new Set(
    messages.flatMap(({ message }) =>
      [...message.matchAll(CONVERSION_FAILED)].map(([, group, kind]) => `${group} ${kind}`),
    ),
  );
}

const CONVERSION_FAILED = /conversion webhook for ([\w.-]+)\/\w+, Kind=(\w+) failed/g;
