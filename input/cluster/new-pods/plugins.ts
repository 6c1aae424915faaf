import { type ApiObject, objectKey } from '../../../model/index.ts';
import { listAt, valueAt } from '../../documents/shape.ts';
import { displayName } from '../../manifests/names.ts';
import { quantityOf } from '../cel/quantity.ts';
import type { StoredObjects } from '../cel/stored.ts';
import { byKeyIn, byKindIn } from '../lookups.ts';
import {
  ENFORCED,
  ENFORCED_VERSION,
  type Fields,
  fieldsAt,
  minorOf,
  violationsOf,
} from './pod-security.ts';
import type { NewPod } from './template.ts';

/** What admission plug-ins of the API server know of new pods. */
export interface PluginsGiven {
  readonly all: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly stored: StoredObjects;
}

/**
 * Why the API server itself refuses a new pod in this namespace: clauses; none: nothing that the
 * dump shows. A webhook may change the pod first, or a configuration except it.
 */
export function pluginFaults(
  pod: NewPod,
  namespace: string,
  given: PluginsGiven,
): readonly string[] {
  return [
    ...lackingOf(pod, namespace, given),
    ...securityOf(pod, namespace, given),
    ...rangesOf(pod, namespace, given),
    ...belowOf(pod, namespace, given),
    ...unsaidOf(pod, namespace, given),
  ];
}

/** What a pod names, and the plug-in looks up when it is made. */
const LOOKED_UP: readonly {
  readonly kind: string;
  readonly field: 'serviceAccountName' | 'priorityClassName' | 'runtimeClassName';
  readonly word: string;
  readonly namespaced: boolean;
  /** Always there, or made anew at once. */
  readonly certain: readonly string[];
}[] = [
  {
    ...{ kind: 'ServiceAccount', field: 'serviceAccountName', word: 'ServiceAccount' },
    ...{ namespaced: true, certain: ['default'] },
  },
  {
    ...{ kind: 'PriorityClass.scheduling.k8s.io', field: 'priorityClassName', namespaced: false },
    ...{ word: 'PriorityClass', certain: ['system-node-critical', 'system-cluster-critical'] },
  },
  {
    ...{ kind: 'RuntimeClass.node.k8s.io', field: 'runtimeClassName', namespaced: false },
    ...{ word: 'RuntimeClass', certain: [] },
  },
];

/** `Admit` of the plug-ins ServiceAccount, Priority and RuntimeClass. */
function lackingOf(
  { asks }: NewPod,
  place: string,
  { all, goes }: PluginsGiven,
): readonly string[] {
  return LOOKED_UP.flatMap(({ kind, field, word, namespaced, certain }) => {
    const name = asks.names[field];
    if (name === null || certain.includes(name)) return [];
    const namespace = namespaced ? place : '';
    const found = byKeyIn(all).get(objectKey(kind, namespace, name));
    if (found !== undefined) {
      return goes(found) ? [`it names ${displayName(found)}, which goes as well`] : [];
    }
    const others = (byKindIn(all).get(kind) ?? []).some((one) => one.namespace === namespace);
    return others ? [`it names ${word}/${name}, which the dump lacks`] : [];
  });
}

/** `EvaluatePod` of the plug-in PodSecurity. */
function securityOf(
  { spec, manifest }: NewPod,
  place: string,
  { all, stored }: PluginsGiven,
): readonly string[] {
  const namespace = byKeyIn(all).get(objectKey('Namespace', '', place));
  const said = namespace && stored.manifestOf(namespace);
  const level = valueAt(said, ['metadata', 'labels', ENFORCED]);
  if (level !== 'baseline' && level !== 'restricted') return [];
  const minor = minorOf(valueAt(said, ['metadata', 'labels', ENFORCED_VERSION]));
  const annotations = fieldsAt(manifest, ['metadata', 'annotations']) ?? {};
  const violated = violationsOf({ level, minor }, spec, annotations);
  return violated.length === 0
    ? []
    : [`Namespace/${place} enforces the Pod Security level ${level}: ${violated.join(', ')}`];
}

/** What a LimitRange says of each container. */
export function limitsOf(manifest: unknown) {
  return listAt(manifest, ['spec', 'limits'])
    .filter((one) => valueAt(one, ['type']) === 'Container')
    .map((one) => {
      const [max, min, byDefault, requested] = ['max', 'min', 'default', 'defaultRequest'].map(
        (field) => fieldsAt(one, [field]) ?? {},
      );
      const all = Object.keys({ ...max, ...min, ...byDefault, ...requested });
      return { max, min, byDefault, given: all };
    });
}

/** What stays of a kind in a namespace. */
export function standing(
  kind: string,
  place: string,
  { all, goes }: PluginsGiven,
): readonly ApiObject[] {
  const found = byKindIn(all).get(kind) ?? [];
  return found.filter((one) => one.namespace === place && !goes(one));
}

function limitsIn(place: string, given: PluginsGiven) {
  return standing('LimitRange', place, given).flatMap((range) =>
    limitsOf(given.stored.manifestOf(range)).map((limit) => ({ range, limit })),
  );
}

/** `maxConstraint` and `minConstraint` of the plug-in LimitRanger, of what the pod itself says. */
function rangesOf({ asks }: NewPod, place: string, given: PluginsGiven): readonly string[] {
  return limitsIn(place, given).flatMap(({ range, limit }) =>
    (['max', 'min'] as const).flatMap((bound) =>
      Object.entries(limit[bound] ?? {}).flatMap(([resource, allowed]) =>
        asks.containers.flatMap(({ name, limits, requests }) => {
          const said = [limits[resource], requests[resource]].find(
            (one) => one !== undefined && isBeyond(bound, one, allowed),
          );
          if (said === undefined) return [];
          const words = `${bound === 'max' ? 'at most' : 'at least'} ${allowed} ${resource}`;
          return [`${displayName(range)} allows ${words} for a container, and ${name} has ${said}`];
        }),
      ),
    ),
  );
}

/** Containers that `mergeContainerResources` gives a limit below what they request. */
function belowOf({ asks }: NewPod, place: string, given: PluginsGiven): readonly string[] {
  if (asks.saysForAll) return [];
  return limitsIn(place, given).flatMap(({ range, limit }) =>
    Object.entries(limit.byDefault ?? {}).flatMap(([resource, most]) =>
      asks.containers.flatMap(({ name, limits, requests }) => {
        const asked = limits[resource] === undefined ? requests[resource] : undefined;
        if (asked === undefined || !isBeyond('max', asked, most)) return [];
        return [
          `${displayName(range)} gives ${name} a limit of ${most} ${resource}, which is below its request of ${asked}`,
        ];
      }),
    ),
  );
}

function isBeyond(bound: 'max' | 'min', said: unknown, allowed: unknown): boolean {
  const [own, edge] = [said, allowed].map((one) => quantityOf(String(one)) ?? null);
  return own != null && edge != null && own.compare(edge) === (bound === 'max' ? 1n : -1n);
}

/** What is counted of pods by what they ask for. */
const ASKED = /^(?:(requests|limits)\.)?(cpu|memory|ephemeral-storage|hugepages-.+|[^.]+\..+\/.+)$/;

/** What of a container a quota counts; null: nothing that it asks for. */
export function askedIn(
  counted: string,
): { readonly of: 'limits' | 'requests'; readonly resource: string } | null {
  const [, of, resource] = ASKED.exec(counted) ?? [];
  return resource === undefined ? null : { of: of === 'limits' ? of : 'requests', resource };
}

/** What each container has to say if a quota counts it (`PodValidateConstraintsFunc`). */
const NEEDED: readonly string[] = ['cpu', 'memory'];

/** What a ResourceQuota counts of all pods: a scope leaves some out. */
export function countedBy(manifest: unknown): readonly string[] {
  const isScoped =
    listAt(manifest, ['spec', 'scopes']).length > 0 ||
    fieldsAt(manifest, ['spec', 'scopeSelector']) !== null;
  return isScoped ? [] : Object.keys(fieldsAt(manifest, ['status', 'hard']) ?? {});
}

function unsaidOf({ asks }: NewPod, place: string, given: PluginsGiven): readonly string[] {
  if (asks.saysForAll) return [];
  const limits = limitsIn(place, given);
  return standing('ResourceQuota', place, given).flatMap((quota) =>
    countedBy(given.stored.manifestOf(quota)).flatMap((counted) => {
      const { of, resource } = askedIn(counted) ?? {};
      if (of === undefined || resource === undefined || !NEEDED.includes(resource)) return [];
      // Limits are the requests of what has none, and a LimitRange gives both.
      const isGiven = limits.some(({ limit }) => limit.given.includes(resource));
      const isSaid = (own: Fields): boolean => own[resource] !== undefined;
      const isUnsaid = asks.containers.some(
        (one) => one.isShown && !isSaid(one[of]) && !(of === 'requests' && isSaid(one.limits)),
      );
      return isUnsaid && !isGiven
        ? [`${displayName(quota)} counts ${counted}, of which it says nothing`]
        : [];
    }),
  );
}
