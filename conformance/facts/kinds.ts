import type { z } from 'zod';
import {
  type ApiObject,
  type Kind,
  type KindTable,
  type OwnerReference,
  parseGroupVersion,
} from '../../model/index.ts';
import { UnknownName } from './collector/names.ts';
import type { servedKind } from './shapes.ts';

/**
 * The kinds that the server of a trace knows. That server keeps the objects of each version apart,
 * so each version of a kind is a kind of its own here. It has no policies, no grace periods and no
 * watch: events are steps of the trace.
 */
export function servedKinds(served: readonly z.infer<typeof servedKind>[]): KindTable {
  return Object.fromEntries(
    served.map((entry) => {
      const kind = kindOf(entry);
      return [kind.name, kind];
    }),
  );
}

function kindOf(entry: z.infer<typeof servedKind>): Kind {
  const { group, version } = parseGroupVersion(entry.apiVersion) ?? { group: '', version: '' };
  return {
    name: `${entry.kind}.${version}.${group}`,
    kind: entry.kind,
    apiVersions: [entry.apiVersion],
    resource: entry.resource,
    namespaced: entry.namespaced,
    defaultPolicy: 'none',
    graceful: false,
    generation: false,
    storage: 'generic',
    watched: false,
  };
}

/** The kind of a place on the server. */
export function kindAt(kinds: KindTable, group: string, version: string, resource: string): Kind {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const found = Object.values(kinds).find(
    (kind) => kind.resource === resource && kind.apiVersions.includes(apiVersion),
  );
  if (found === undefined) throw new UnknownName(`${resource} of ${apiVersion} is not served`);
  return found;
}

export function apiObject(
  kind: Kind,
  object: { readonly namespace: string; readonly name: string; readonly uid: string },
  ownerReferences: readonly OwnerReference[],
  finalizers: readonly string[] = [],
  deleting = false,
): ApiObject {
  return {
    kind: kind.name,
    namespace: kind.namespaced ? object.namespace : '',
    name: object.name,
    uid: object.uid,
    generation: 0,
    finalizers,
    ownerReferences,
    deletionTimestamp: deleting ? 0 : null,
    deletionGracePeriodSeconds: deleting ? 0 : null,
  };
}
