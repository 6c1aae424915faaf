import type * as z from 'zod';
import {
  type ApiObject,
  BUILT_IN_KINDS,
  customKind,
  type Identity,
  type Kind,
  type KindTable,
  type OwnerReference,
  parseGroupVersion,
  type Rules,
  resolveKind,
} from '../../model/index.ts';
import { Unsupported } from './outcome.ts';
import type { servedKind } from './shapes.ts';

/** Kinds and objects of the model, made from what cases state. */

/** A kind without a default policy, grace period or generation, in generic storage. */
export function genericKind(
  kind: Pick<Kind, 'name' | 'kind' | 'apiVersions' | 'resource' | 'namespaced'> & Partial<Kind>,
): Kind {
  return {
    defaultPolicy: 'none',
    graceful: false,
    generation: false,
    storage: 'generic',
    watched: true,
    ...kind,
  };
}

export function tableOf(kinds: readonly Kind[]): KindTable {
  return Object.fromEntries(kinds.map((kind) => [kind.name, kind]));
}

/**
 * The kinds that the server of a trace serves. It stores the objects of each version separately, so
 * each version of a kind is a kind of its own. It has no watch: events are steps of the trace.
 */
export function servedKinds(served: readonly z.infer<typeof servedKind>[]): KindTable {
  return tableOf(
    served.map(({ apiVersion, kind, resource, namespaced }) => {
      const { group, version } = groupVersion(apiVersion);
      return genericKind({
        name: `${kind}.${version}.${group}`,
        kind,
        apiVersions: [apiVersion],
        resource,
        namespaced,
        watched: false,
      });
    }),
  );
}

export function groupVersion(apiVersion: string): {
  readonly group: string;
  readonly version: string;
} {
  return parseGroupVersion(apiVersion) ?? { group: '', version: '' };
}

/** The served kind with this resource. Throws `Unsupported`. */
export function kindAt(kinds: KindTable, group: string, version: string, resource: string): Kind {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const found = Object.values(kinds).find(
    (kind) => kind.resource === resource && kind.apiVersions.includes(apiVersion),
  );
  if (found === undefined) throw new Unsupported(`${resource} of ${apiVersion} is not served`);
  return found;
}

/** The built-in kinds, and a custom kind for every other kind of the identities. */
export function withCustomKinds(
  named: readonly (Pick<Identity, 'apiVersion' | 'kind'> & { readonly namespaced: boolean })[],
): KindTable {
  const custom = named
    .filter(({ apiVersion, kind }) => resolveKind(BUILT_IN_KINDS, apiVersion, kind) === null)
    .map(({ apiVersion, kind, namespaced }) => customKind(apiVersion, kind, namespaced));
  return { ...BUILT_IN_KINDS, ...tableOf(custom) };
}

/** The rules of an API server that may run without the garbage collector. */
export function withCollector(rules: Rules, gcEnabled: boolean): Rules {
  return gcEnabled ? rules : { ...rules, collectorFinalizers: 'disabled' };
}

/** An object that is not being deleted, with the given fields. */
export function newObject(
  coordinates: Pick<ApiObject, 'kind' | 'namespace' | 'name' | 'uid'>,
  fields: Partial<ApiObject> = {},
): ApiObject {
  return {
    ...coordinates,
    generation: 0,
    finalizers: [],
    ownerReferences: [],
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    ...fields,
  };
}

export function objectOfKind(
  kind: Kind,
  { namespace, name, uid }: Pick<ApiObject, 'namespace' | 'name' | 'uid'>,
  ownerReferences: readonly OwnerReference[],
  finalizers: readonly string[] = [],
  deleting = false,
): ApiObject {
  return newObject(
    { kind: kind.name, namespace: kind.namespaced ? namespace : '', name, uid },
    {
      finalizers,
      ownerReferences,
      ...(deleting ? { deletionTimestamp: 0, deletionGracePeriodSeconds: 0 } : {}),
    },
  );
}
