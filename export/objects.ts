import {
  type ApiObject,
  BUILT_IN_KINDS,
  FOREGROUND,
  type Kind,
  kindOf,
  type ObjectKey,
  ORPHAN,
  type Setup,
  splitKey,
  thirdPartyFinalizers,
} from '../model/index.ts';
import type { Json, StartObject, Target } from './test-case.ts';

/** The objects of a run as clients write them. */

export function targetOf(setup: Setup, key: ObjectKey): Target {
  const kind = setup.kinds[kindOf(key)];
  const [, namespace, name] = splitKey(key);
  if (kind === undefined) throw new Error(`the kind of ${key} is not in the table`);
  const [apiVersion = ''] = kind.apiVersions;
  return { apiVersion, kind: kind.kind, plural: kind.resource, namespace, name };
}

/** A manifest that a cluster accepts, without what only the API server sets. */
export function manifestOf(setup: Setup, object: ApiObject): Json {
  const { apiVersion, kind, namespace, name } = targetOf(setup, keyOfObject(object));
  const finalizers = thirdPartyFinalizers(object);
  const { ownerReferences } = object;
  const spec = object.kind === DEFINITION ? definitionSpec(setup, name) : specOf(object);
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === '' ? {} : { namespace }),
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
    },
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
  };
}

function keyOfObject({ kind, namespace, name }: ApiObject): ObjectKey {
  return `${kind}/${namespace}/${name}`;
}

const DEFINITION = 'CustomResourceDefinition.apiextensions.k8s.io';

/**
 * A run keeps no specs, but the name of a definition and the kinds of the run say what it defines.
 */
function definitionSpec({ kinds }: Setup, definition: string): Json {
  const kind = Object.values(kinds).find((each) => definition === definitionOf(each));
  const plural = definition.slice(0, definition.indexOf('.'));
  const group = definition.slice(plural.length + 1);
  const versions = (kind?.apiVersions ?? [`${group}/v1`]).map((version, index) => ({
    name: version.slice(version.indexOf('/') + 1),
    served: true,
    storage: index === 0,
    schema: {
      openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  }));
  return {
    group,
    scope: kind?.namespaced === false ? 'Cluster' : 'Namespaced',
    names: { plural, kind: kind?.kind ?? 'Unknown' },
    versions,
  };
}

/** Name of the definition of a kind. */
export function definitionOf({ resource, apiVersions: [version = ''] }: Kind): string {
  return `${resource}.${version.slice(0, Math.max(0, version.indexOf('/')))}`;
}

function specOf({ pod, replicas }: ApiObject): Json {
  if (pod === undefined) return replicas === undefined ? {} : { replicas };
  const { claims = [], terminationGracePeriodSeconds } = pod;
  const volumes = claims.map((claimName, index) => ({
    name: `volume-${index}`,
    persistentVolumeClaim: { claimName },
  }));
  return {
    containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.9' }],
    terminationGracePeriodSeconds,
    ...(pod.scheduled ? { nodeName: pod.node ?? 'some-node' } : {}),
    ...(volumes.length === 0 ? {} : { volumes }),
  };
}

/** The objects of the start, owners before their dependents. */
export function startObjects(setup: Setup): readonly StartObject[] {
  const waiting = [...setup.objects];
  const ordered: ApiObject[] = [];
  while (waiting.length > 0) {
    const free = waiting.findIndex(({ ownerReferences }) =>
      ownerReferences.every(({ uid }) => !waiting.some((other) => other.uid === uid)),
    );
    // In a circle of owners, any of them comes first.
    ordered.push(...waiting.splice(Math.max(0, free), 1));
  }
  return ordered.map((object) => ({
    target: targetOf(setup, keyOfObject(object)),
    uid: object.uid,
    manifest: manifestOf(setup, object),
    deleted: object.deletionTimestamp === null ? null : policyOf(object),
  }));
}

function policyOf({ finalizers }: ApiObject): NonNullable<StartObject['deleted']> {
  if (finalizers.includes(FOREGROUND)) return 'Foreground';
  return finalizers.includes(ORPHAN) ? 'Orphan' : 'Background';
}

/** Kinds of the run that a cluster knows only by a definition. */
export function customKinds({ kinds }: Setup): readonly string[] {
  return Object.values(kinds).flatMap(({ name, resource, apiVersions: [version = ''] }) =>
    Object.hasOwn(BUILT_IN_KINDS, name) ? [] : [`${resource} (${version})`],
  );
}
