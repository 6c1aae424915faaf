import { type ApiObject, isBeingDeleted, type KindTable, keyOf } from '../../model/index.ts';
import { shellQuoted } from '../../text/layout.ts';
import { displayName } from '../manifests/names.ts';
import { definitionName } from './links.ts';
import type { Observation } from './observations.ts';
import type { Webhook } from './webhook-observations.ts';

/**
 * Webhooks that the API server asks, and that do not answer as far as the dump says. Until they do, it
 * refuses requests: nobody can read an object that has to be converted, or delete or update one that
 * has to be admitted.
 */

/** An object that requests for a deletion cannot get past. */
export interface Refused {
  /** Store key. */
  readonly object: string;
  /** Why: one clause. */
  readonly why: string;
  /** A command that says whether the webhook answers. */
  readonly settle: string;
}

interface Given {
  readonly all: readonly ApiObject[];
  readonly kept: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
  readonly table: KindTable;
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
    if (observed?.of !== 'webhooks' || goes(object)) return [];
    return observed.webhooks.map((webhook) => ({ object, webhook }));
  });
  if (definitions.size === 0 && admission.length === 0) return [];
  const down = serviceFaults(given);
  const failing = failedConversions(given);
  return kept.filter(goes).flatMap((object): readonly Refused[] => {
    const found = definitions.get(definitionName(table[object.kind]));
    const conversion = found?.conversion ?? null;
    if (found !== undefined && conversion !== null) {
      const { byDefinition, byOthers } = conversion;
      const isNeeded = goes(found.object) ? byDefinition || isInGoing(object, given) : byOthers;
      const isFailing = failing.has(`${found.group} ${found.kind}`);
      const reported = isFailing ? 'a condition reports that a conversion failed' : null;
      const fault = isNeeded ? (reported ?? down(conversion.service)) : null;
      if (fault !== null) {
        const why = `the conversion webhook of ${displayName(found.object)} does not answer (${fault}), so nobody can list, read or delete a ${found.kind}`;
        return [{ object: keyOf(object), why, settle: endpointsOf(conversion.service) }];
      }
    }
    for (const { object: configuration, webhook } of admission) {
      if (!isAsked(webhook, object, table)) continue;
      const fault = down(webhook.service);
      if (fault === null) continue;
      const why = `the webhook ${webhook.name} of ${displayName(configuration)} has to admit it and does not answer (${fault})`;
      return [{ object: keyOf(object), why, settle: endpointsOf(webhook.service) }];
    }
    return [];
  });
}

/** Whether its namespace is emptied as well: by the preferred version, like any client. */
function isInGoing({ namespace }: ApiObject, { kept, goes, table }: Given): boolean {
  return kept.some(
    (object) =>
      object.name === namespace && table[object.kind]?.storage === 'namespace' && goes(object),
  );
}

/** Whether a webhook is asked about its DELETE, or about the UPDATE that takes a finalizer off. */
function isAsked(webhook: Webhook, object: ApiObject, table: KindTable): boolean {
  const kind = table[object.kind];
  const version = kind?.apiVersions[0] ?? '';
  const group = version.includes('/') ? (version.split('/')[0] ?? '') : '';
  return webhook.rules.some(
    ({ groups, resources, operations, scope }) =>
      [group, '*'].some((name) => groups.includes(name)) &&
      [kind?.resource ?? '', '*', '*/*'].some((name) => resources.includes(name)) &&
      scope !== (object.namespace === '' ? 'Namespaced' : 'Cluster') &&
      (['DELETE', '*'].some((name) => operations.includes(name)) ||
        (operations.includes('UPDATE') && object.finalizers.length > 0)),
  );
}

/** For `namespace/name` of a Service, what is wrong with it; null: nothing that the dump shows. */
function serviceFaults({ all, goes, observations }: Given): (service: string) => string | null {
  const services = new Map(
    all.flatMap((object) =>
      object.kind === 'Service' ? [[placeOf(object), object] as const] : [],
    ),
  );
  const ready = new Map<string, number>();
  for (const object of all) {
    const observed = observations.get(keyOf(object));
    if (observed?.of !== 'endpoints') continue;
    const service = `${object.namespace}/${observed.service || object.name}`;
    ready.set(service, (ready.get(service) ?? 0) + observed.ready);
  }
  const filled = new Set(all.map(({ namespace }) => namespace));
  const namespaces = new Set(all.flatMap(({ kind, name }) => (kind === 'Namespace' ? [name] : [])));
  return (service) => {
    const [namespace = '', name = ''] = service.split('/');
    const words = `Service/${name}.${namespace}`;
    const found = services.get(service);
    if (found !== undefined) {
      if (isBeingDeleted(found)) return `${words} is being deleted`;
      if (goes(found)) return `${words} may be deleted first`;
      return ready.get(service) === 0 ? `${words} has no ready pod` : null;
    }
    // The dump has Services, and would have this one.
    const isAbsent =
      (services.size > 0 && filled.has(namespace)) ||
      (namespaces.size > 0 && !namespaces.has(namespace));
    return service !== '' && isAbsent ? `${words} is not in the dump` : null;
  };
}

function placeOf({ namespace, name }: ApiObject): string {
  return `${namespace}/${name}`;
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

function endpointsOf(service: string): string {
  const [namespace = '', name = ''] = service.split('/');
  const label = shellQuoted(`kubernetes.io/service-name=${name}`);
  return `kubectl get endpointslices -n ${shellQuoted(namespace)} -l ${label}`;
}
