import { referenceKey } from '../../input/cluster/doubts/owners.ts';
import { byUidIn } from '../../input/cluster/lookups.ts';
import { displayName } from '../../input/manifests/names.ts';
import type { Plan } from '../../input/plan.ts';
import {
  type ApiObject,
  isBeingDeleted,
  isWatched,
  type OwnerReference,
  resolveKind,
  type Setup,
  type Uid,
} from '../../model/index.ts';
import { inPostOrder } from '../../text/orders.ts';

/** Why something happens to an object that no request deletes. */
export interface Cause {
  /**
   * deletion: an older deletion goes on. owner: an owner does not exist as it is named. none:
   * nothing happens to it.
   */
  readonly kind: 'deletion' | 'owner' | 'none';
  /** As a sentence without its full stop; null: there is nothing to say. */
  readonly text: string | null;
  /** It stays, although none of its owners exists as it is named. */
  readonly lost?: true;
}

/** How an owner is named, and what is there. */
type Link =
  | { readonly is: 'there'; readonly owner: ApiObject }
  | { readonly is: 'unknown' }
  | { readonly is: 'absent'; readonly text: string }
  /** The collector cannot look the owner up, so it never decides. */
  | { readonly is: 'unresolved'; readonly text: string };

/**
 * The cause of each object of a plan, by uid.
 *
 * @param goes whether an object does not just stay.
 */
export function causesOf(
  { setup, cluster }: Pick<Plan, 'setup' | 'cluster'>,
  goes: (uid: Uid) => boolean,
): ReadonlyMap<Uid, Cause> {
  const unknown = new Set(cluster?.unknownOwners.map(({ reference }) => reference.uid));
  const doubtful = new Set(cluster?.doubtfulOwners.map(({ reference }) => referenceKey(reference)));
  const places = placesOf(setup);
  const causes = new Map<Uid, Cause>();
  // Around a cycle, the other owners decide.
  const known = ({ uid }: ApiObject): Cause => causes.get(uid) ?? { kind: 'deletion', text: null };
  const movingAbove = ({ ownerReferences }: ApiObject): readonly ApiObject[] =>
    ownerReferences.flatMap(({ uid }) => (goes(uid) ? (places.byUid.get(uid) ?? []) : []));
  const causeOf = (object: ApiObject, causeOfOwner: (owner: ApiObject) => Cause): Cause => {
    if (isBeingDeleted(object)) return { kind: 'deletion', text: 'it is being deleted already' };
    const links = object.ownerReferences.map((reference) =>
      unknown.has(reference.uid) || doubtful.has(referenceKey(reference))
        ? UNKNOWN
        : linkOf(object, reference, places, setup),
    );
    const texts = links.flatMap((link) => ('text' in link ? [link.text] : []));
    const owners = links.flatMap((link) => (link.is === 'there' ? [link.owner] : []));
    if (!goes(object.uid)) {
      const isLost = links.length > 0 && links.every(({ is }) => is === 'absent');
      const text = whyItStays(object, texts, owners, setup);
      return { kind: 'none', text, ...(isLost ? { lost: true as const } : {}) };
    }
    const container = containerOf(object, places, setup);
    if (container !== null) {
      return { kind: 'deletion', text: `${displayName(container)} is being deleted` };
    }
    const node = object.pod?.node;
    if (node !== undefined && setup.lostNodes?.includes(node) === true) {
      texts.push(`its node ${node} is gone, and pod garbage collection deletes it`);
    }
    const moving = owners.filter(({ uid }) => goes(uid));
    const above = moving.map((owner) => `its owner ${displayName(owner)} goes`);
    if (texts.length === 0 && moving.length === 0) return { kind: 'owner', text: null };
    const isDeletion =
      texts.length === 0 && moving.every((owner) => causeOfOwner(owner).kind === 'deletion');
    return { kind: isDeletion ? 'deletion' : 'owner', text: [...texts, ...above].join('; ') };
  };
  for (const object of inPostOrder(setup.objects, movingAbove)) {
    causes.set(object.uid, causeOf(object, known));
  }
  return causes;
}

/** Why an object stays whose owners are not all as they should be; null: they are. */
function whyItStays(
  object: ApiObject,
  texts: readonly string[],
  owners: readonly ApiObject[],
  setup: Setup,
): string | null {
  const cycle = cycleFrom(object, setup);
  if (texts.length === 0) {
    return cycle === null
      ? null
      : `the owners are a cycle (${cycle.join(' → ')}), which the collector never deletes by itself`;
  }
  const [owner] = owners;
  const but = owner === undefined ? [] : [`but its owner ${displayName(owner)} exists`];
  const watched = isWatched(setup, object.kind) ? [] : ['the collector does not watch this kind'];
  return [...texts, ...but, ...watched].join('; ');
}

const UNKNOWN = { is: 'unknown' } as const;

interface Places {
  readonly byUid: ReadonlyMap<Uid, ApiObject>;
  /** By kind, namespace and name. */
  readonly byPlace: ReadonlyMap<string, ApiObject>;
}

function placesOf({ objects }: Setup): Places {
  return {
    byUid: byUidIn(objects),
    byPlace: new Map(
      objects.map((object) => [placeOf(object.kind, object.namespace, object.name), object]),
    ),
  };
}

function placeOf(kind: string, namespace: string, name: string): string {
  // Without its group: a definition is found by its bare kind.
  return JSON.stringify([kind, namespace, name]);
}

/** The namespace or definition that is being deleted and takes this object along. */
function containerOf(
  { kind, namespace }: ApiObject,
  { byPlace }: Places,
  { kinds }: Setup,
): ApiObject | null {
  const known = kinds[kind];
  const group = (known?.apiVersions[0] ?? '').split('/')[0] ?? '';
  const candidates = [
    byPlace.get(placeOf('Namespace', '', namespace)),
    byPlace.get(placeOf('CustomResourceDefinition', '', `${known?.resource}.${group}`)),
  ];
  return candidates.find((found) => found !== undefined && isBeingDeleted(found)) ?? null;
}

function linkOf(
  dependent: ApiObject,
  { apiVersion, kind, name, uid }: OwnerReference,
  { byUid, byPlace }: Places,
  { kinds }: Setup,
): Link {
  const named = `${kind}/${name}`;
  const found = resolveKind(kinds, apiVersion, kind);
  const meant = byUid.get(uid);
  if (found === null) {
    return {
      is: 'unresolved',
      text: `no cluster serves ${apiVersion} ${kind} that this dump knows of, so its owner ${named} cannot be looked up`,
    };
  }
  if (found.namespaced && dependent.namespace === '') {
    return {
      is: 'unresolved',
      text: `its owner ${named} is namespaced and it is not: the collector cannot look up such an owner and never deletes it`,
    };
  }
  const namespace = found.namespaced ? dependent.namespace : '';
  const there = byPlace.get(placeOf(found.name, namespace, name));
  if (there !== undefined && there.uid === uid) return { is: 'there', owner: there };
  if (there !== undefined) {
    return {
      is: 'absent',
      text: `its owner ${named} (uid ${uid}) does not exist; a ${kind} of this name exists with another uid: restored?`,
    };
  }
  if (meant === undefined) {
    return { is: 'absent', text: `its owner ${named} (uid ${uid}) does not exist` };
  }
  const where =
    meant.namespace !== '' && meant.namespace !== namespace
      ? `is in namespace ${meant.namespace}: the collector looks for it in ${namespace === '' ? 'no namespace' : namespace}`
      : `is ${displayName(meant)}, not ${named}`;
  return { is: 'absent', text: `the owner with uid ${uid} ${where}` };
}

/** The names of a chain of owners that leads back to an object; null: none does. */
function cycleFrom(object: ApiObject, { objects }: Setup): readonly string[] | null {
  const byUid = byUidIn(objects);
  /** The object beneath each one, on a shortest way up. */
  const beneath = new Map<ApiObject, ApiObject>();
  const open = new Set([object]);
  for (const each of open) {
    for (const owner of each.ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? [])) {
      if (owner === object) {
        const path = [owner, each];
        for (let one = beneath.get(each); one !== undefined; one = beneath.get(one)) path.push(one);
        return path.reverse().map(displayName);
      }
      if (!open.has(owner)) beneath.set(owner, each);
      open.add(owner);
    }
  }
  return null;
}
