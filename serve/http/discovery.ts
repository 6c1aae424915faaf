import type { Rules } from '../../model/index.ts';
import type { Body } from '../cluster/body.ts';
import { groupOf, inOrder, type Resource, type Resources } from '../cluster/resources.ts';
import { REVIEW_VERSIONS, type Review, reviewsIn } from './reviews.ts';

/** What `/api`, `/apis` and the paths of the versions below them say of the resources. */

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const PART_VERBS = ['get', 'patch', 'update'];

/** Whether the client wants all groups, versions and resources in one document. */
export function wantsAggregate(accept: string): string | null {
  for (const option of accept.split(',')) {
    if (!/as=APIGroupDiscoveryList/.test(option)) continue;
    const version = option.match(/v=(v2|v2beta1)(;|$)/)?.[1];
    if (version !== undefined) return version;
  }
  return null;
}

/** By the media type of the answer, clients know that they got what they have asked for. */
export function aggregateType(version: string): string {
  return `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

/** `APIVersions` of `/api`. */
export function coreVersions(address: string): Body {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** Versions of a group, also of those that only have reviews, in the order of the API. */
function versionsOf(resources: Resources): ReadonlyMap<string, readonly string[]> {
  const reviews = REVIEW_VERSIONS.map((version) => [groupOf(version), [version]] as const);
  return inOrder([...resources.versions(), ...reviews]);
}

/** `APIGroupList` of `/apis`. */
export function groupList(resources: Resources): Body {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [...versionsOf(resources)].flatMap(([group, versions]) =>
      group === '' ? [] : [groupBody(group, versions)],
    ),
  };
}

/** `APIGroup`. Null: the server has no such group. */
export function oneGroup(resources: Resources, group: string): Body | null {
  const versions = versionsOf(resources).get(group);
  if (versions === undefined) return null;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group, versions) };
}

function groupBody(group: string, versions: readonly string[]): Body {
  const list = versions.map((groupVersion) => ({ groupVersion, version: shortOf(groupVersion) }));
  return { name: group, versions: list, preferredVersion: list[0] };
}

function shortOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/** `APIResourceList`. Null: the server has no such version. */
export function resourceList(resources: Resources, apiVersion: string, rules: Rules): Body | null {
  const found = resources.in(apiVersion);
  const reviews = reviewsIn(apiVersion);
  if (found.length + reviews.length === 0) return null;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersion,
    resources: [...reviews.map(reviewBody), ...found.flatMap((one) => resourceBodies(one, rules))],
  };
}

function reviewBody({ resource, kind, namespaced }: Review): Body {
  return { name: resource, singularName: kind.toLowerCase(), namespaced, kind, verbs: ['create'] };
}

function resourceBodies(resource: Resource, rules: Rules): readonly Body[] {
  return [
    {
      ...named(resource),
      name: resource.kind.resource,
      verbs: verbsOf(resource, rules),
      ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
      ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    },
    ...partsOf(resource).map(({ name, kind, group, version, verbs }) => ({
      name: `${resource.kind.resource}/${name}`,
      singularName: '',
      namespaced: resource.kind.namespaced,
      ...(group === null ? {} : { group, version }),
      kind,
      verbs,
    })),
  ];
}

function named({ kind, singular }: Resource): Body {
  return { singularName: singular, namespaced: kind.namespaced, kind: kind.kind };
}

function verbsOf(resource: Resource, rules: Rules): readonly string[] {
  const isSingly = isDeletedSingly(resource, rules);
  return isSingly ? VERBS.filter((verb) => verb !== 'deletecollection') : VERBS;
}

/** Namespaces are deleted one by one, and so were Services. */
export function isDeletedSingly({ kind }: Resource, { serviceCollections }: Rules): boolean {
  if (kind.name === 'Namespace') return true;
  return kind.singlyDeleted === true && serviceCollections === 'refused';
}

interface Part {
  readonly name: string;
  readonly kind: string;
  /** Null: the group and version of the resource itself. */
  readonly group: string | null;
  readonly version: string;
  readonly verbs: readonly string[];
}

const EVICTION: Part = {
  name: 'eviction',
  kind: 'Eviction',
  group: 'policy',
  version: 'v1',
  verbs: ['create'],
};

const BINDING: Part = {
  name: 'binding',
  kind: 'Binding',
  group: '',
  version: 'v1',
  verbs: ['create'],
};

function partsOf({ kind, status, scale }: Resource): readonly Part[] {
  const own = { kind: kind.kind, group: null, version: '', verbs: PART_VERBS };
  return [
    ...(status ? [{ ...own, name: 'status' }] : []),
    ...(scale === null
      ? []
      : [{ ...own, name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1' }]),
    ...(kind.storage === 'namespace' ? [{ ...own, name: 'finalize', verbs: ['update'] }] : []),
    ...(kind.name === 'Pod' ? [EVICTION, BINDING] : []),
  ];
}

/** `APIGroupDiscoveryList` of `/api` (the core group) or `/apis` (all other groups). */
export function aggregate(
  resources: Resources,
  isCore: boolean,
  version: string,
  rules: Rules,
): Body {
  const groups = [...versionsOf(resources)].filter(([group]) => (group === '') === isCore);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(([group, versions]) => ({
      metadata: { name: group === '' ? null : group, creationTimestamp: null },
      versions: versions.map((apiVersion) => ({
        version: shortOf(apiVersion),
        freshness: 'Current',
        resources: [
          ...reviewsIn(apiVersion).map((review) => discoveredReview(review, apiVersion)),
          ...resources.in(apiVersion).map((resource) => discovered(resource, apiVersion, rules)),
        ],
      })),
    })),
  };
}

function typeIn(apiVersion: string, kind: string): Body {
  return { group: groupOf(apiVersion), version: shortOf(apiVersion), kind };
}

function discoveredReview({ resource, kind, namespaced }: Review, apiVersion: string): Body {
  return {
    resource,
    responseKind: typeIn(apiVersion, kind),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.toLowerCase(),
    verbs: ['create'],
  };
}

function discovered(resource: Resource, apiVersion: string, rules: Rules): Body {
  const { kind, singular, shortNames, categories } = resource;
  const type = typeIn(apiVersion, kind.kind);
  return {
    resource: kind.resource,
    responseKind: type,
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(resource, rules),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    subresources: partsOf(resource).map(({ name, kind: partKind, group, version, verbs }) => ({
      subresource: name,
      responseKind: group === null ? type : { group, version, kind: partKind },
      verbs,
    })),
  };
}
