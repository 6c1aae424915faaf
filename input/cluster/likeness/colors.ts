import {
  type ApiObject,
  type KindTable,
  keyOf,
  refusedDeletion,
  type Setup,
  type Uid,
} from '../../../model/index.ts';
import { byKeyIn, byUidIn, cyclesIn, placesIn, setOf } from '../lookups.ts';
import { REPLACEMENT } from '../workloads.ts';
import { coarsestStable, type Edge } from './refinement.ts';

const NO_CYCLES: ReadonlyMap<Uid, unknown> = new Map();

/**
 * Two objects have the same colour if no chain of owners, dependents, claims or volumes tells them
 * apart.
 *
 * @param tellKinds whether kinds that deletion treats in the same way differ, as each kind has a
 *   watch stream of its own; and so do objects that owners lead back to, as colours do not tell two
 *   cycles from one of twice the length.
 */
export function colorsOf(setup: Setup, tellKinds = false): ReadonlyMap<Uid, string> {
  const { objects, kinds } = setup;
  const cycles = tellKinds ? cyclesIn(objects) : NO_CYCLES;
  const special = new Set([...specialUids(setup), ...cycles.keys()]);
  const places = placesIn(objects);
  const byKey = byKeyIn(objects);
  const edges: Edge[] = [];
  const given = objects.map((object, from): string => {
    const { uid, namespace, ownerReferences, pod, volume } = object;
    const absent: unknown[] = [];
    for (const [index, reference] of ownerReferences.entries()) {
      const { apiVersion, kind, controller = null, blockOwnerDeletion = null } = reference;
      const label = JSON.stringify([apiVersion, kind, controller, blockOwnerDeletion]);
      const to = places.get(reference.uid);
      if (to === undefined) absent.push([index, reference.uid, label]);
      else
        edges.push(
          { from, to, label: `owner ${index} ${label}` },
          { from: to, to: from, label: `dependent ${label}` },
        );
    }
    const claims = (pod?.claims ?? []).map((name) => `PersistentVolumeClaim/${namespace}/${name}`);
    for (const key of [...claims, ...(volume === undefined ? [] : [volume.claim])].sort()) {
      const to = places.get(byKey.get(key)?.uid ?? '');
      if (to === undefined) absent.push(key);
      else edges.push({ from, to, label: 'claim' }, { from: to, to: from, label: 'claimant' });
    }
    if (special.has(uid)) return uid;
    const own = `${tellKinds ? object.kind : ''} ${ownSignature(object, kinds)}`;
    const uses = usesWithin(withOwners(setup, object));
    return uses.length + absent.length === 0 ? own : `${own} ${JSON.stringify([uses, absent])}`;
  });
  const classes = coarsestStable(given, edges);
  return new Map(objects.map(({ uid }, place) => [uid, `${classes[place]}`]));
}

/** An object, its owners that are there, and the claims of the volumes among these, each once. */
export function withOwners({ objects }: Setup, object: ApiObject): readonly ApiObject[] {
  const byUid = byUidIn(objects);
  const byKey = byKeyIn(objects);
  const owners = object.ownerReferences.flatMap(({ uid }) => byUid.get(uid) ?? []);
  const claims = [object, ...owners].flatMap(({ volume }) => byKey.get(volume?.claim ?? '') ?? []);
  return [...new Set([object, ...owners, ...claims])];
}

/**
 * Which of these objects use which claims among them, as places. The colours of two do not say it:
 * a pod can use a claim that it owns, or one that is like it. A claim with the name that a volume
 * says may have another uid.
 */
export function usesWithin(objects: readonly ApiObject[]): readonly string[] {
  return objects.flatMap((claim, place) =>
    claim.kind !== 'PersistentVolumeClaim'
      ? []
      : objects.flatMap((user, other): readonly string[] => {
          const isMounted = user.pod?.claims?.includes(claim.name) === true;
          if (isMounted && user.namespace === claim.namespace) return [`pod ${other} of ${place}`];
          if (user.volume?.claim !== keyOf(claim)) return [];
          const isFormer = (user.volume.claimUid ?? claim.uid) !== claim.uid;
          return [`volume ${other} of ${isFormer ? 'one before ' : ''}${place}`];
        }),
  );
}

/** Whether the object is a namespace that its controller empties. */
export function isEmptied(
  { emptiedNamespaces }: Setup,
  { kind, name }: Pick<ApiObject, 'kind' | 'name'>,
): boolean {
  return (
    kind === 'Namespace' && emptiedNamespaces !== undefined && setOf(emptiedNamespaces).has(name)
  );
}

/**
 * Objects that a request, a workload, a definition or an operator names are like no other. Nor are
 * namespaces that are being emptied: what is in them tells them apart.
 */
export function specialUids(setup: Setup): ReadonlySet<Uid> {
  const { objects, users, workloads = [], definitions = [], operators = [] } = setup;
  const named = new Set<string>();
  for (const text of wordsIn([users, workloads, definitions, operators])) {
    named.add(text);
    // The object in whose place a controller makes this one.
    if (text.endsWith(REPLACEMENT)) named.add(text.slice(0, -REPLACEMENT.length));
  }
  return new Set(
    objects
      .filter(
        (object) => isEmptied(setup, object) || named.has(keyOf(object)) || named.has(object.uid),
      )
      .map(({ uid }) => uid),
  );
}

/** All texts in a JSON value, the names of fields included. */
export function wordsIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [value];
  for (const each of open) {
    if (typeof each === 'string') found.add(each);
    else if (typeof each === 'object' && each !== null) {
      if (!Array.isArray(each)) for (const field of Object.keys(each)) found.add(field);
      for (const part of Object.values(each)) open.push(part);
    }
  }
  return found;
}

/**
 * What tells an object from others by itself: all but its names, and those of its claims. Settings
 * name nodes, and the API server spares some objects by their names.
 */
export function ownSignature(object: ApiObject, kinds: KindTable): string {
  const { kind, name, uid: _uid, ownerReferences: _owners, pod, volume, ...rest } = object;
  const {
    name: _kindName,
    kind: _kind,
    apiVersions: _versions,
    resource: _resource,
    ...nature
  } = kinds[kind] ?? { name: '', kind: '', apiVersions: [], resource: '' };
  const { node, claims: _claims, ...grace } = pod ?? {};
  return JSON.stringify([
    nature,
    // Kinds for which an actor of the model does more than for others.
    ACTED_ON.has(kind) ? kind : null,
    kind === 'Node' ? name : null,
    // The API server knows some objects by their names, and never deletes them.
    refusedDeletion(kinds[kind], keyOf(object)) !== null,
    rest,
    pod === undefined
      ? null
      : // Only nodes that matter are left in a setup: lost ones, and those that are deleted.
        [grace, node ?? null],
    volume === undefined ? null : [volume.bound, volume.claimUid !== undefined],
  ]);
}

const ACTED_ON: ReadonlySet<string> = new Set([
  ...['Namespace', 'Node', 'Pod', 'PersistentVolumeClaim', 'PersistentVolume'],
  ...['Deployment.apps', 'ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps'],
  ...['Job.batch', 'CronJob.batch', 'Service', 'Endpoints'],
]);
