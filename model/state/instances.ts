import { trackingFinalizers } from './finalizers.ts';
import { resolveKind, type ServedVersions, watchedVersion } from './kinds.ts';
import { type NodeId, nodeId } from './nodes.ts';
import {
  type ApiObject,
  coordinatesOf,
  type Identity,
  keyOf,
  type ObjectKey,
  type OwnerReference,
  otherSpecFinalizers,
  thirdPartyFinalizers,
  type Uid,
} from './objects.ts';
import type { ControllerProgram } from './programs/program.ts';
import type { Setup, UserRequest } from './setup.ts';
import { adoptions, controllerReference } from './workloads.ts';

/** The finite domains of the actions' parameters, derived from the setup. */
export interface Instances {
  readonly uids: readonly Uid[];
  readonly keys: readonly ObjectKey[];
  /** Every node object that the graph can ever hold. */
  readonly nodes: readonly NodeId[];
  /** Third-party finalizers that can ever be on an object, with the objects. */
  readonly finalizers: readonly { readonly finalizer: string; readonly key: ObjectKey }[];
  readonly kinds: readonly string[];
}

export function requestsOf({ users }: Pick<Setup, 'users'>): readonly UserRequest[] {
  return Object.values(users).flatMap((steps) => steps.map((step) => step.request));
}

/** Every object that can ever be in the store, one entry for each uid. */
export function possibleObjects(setup: Setup): readonly ApiObject[] {
  const created = requestsOf(setup).flatMap((request) =>
    request.do === 'create' ? [request.object] : [],
  );
  const { workloads = [], operators = [], programs = [] } = setup;
  const made = [
    ...workloads.flatMap(({ children }) => children),
    ...operators.flatMap(({ creates, createsInTeardown = [] }) => [
      ...creates,
      ...createsInTeardown,
    ]),
    ...programs.flatMap(({ creates }) => creates),
  ];
  return [...setup.objects, ...created, ...made];
}

/** The owner references that each object can ever have. */
export function referencesByObject(
  setup: Setup,
): readonly { object: ApiObject; reference: OwnerReference }[] {
  const updates = requestsOf(setup).flatMap((request) =>
    request.do === 'update' && 'ownerReferences' in request.change
      ? [{ key: request.key, references: request.change.ownerReferences ?? [] }]
      : [],
  );
  const added = grouped([...adoptions(setup), ...programmedReferences(setup)], ({ key }) => key);
  const changed = grouped(updates, ({ key }) => key);
  return possibleObjects(setup).flatMap((object) => {
    const adopted = added.get(keyOf(object)) ?? [];
    const set = changed.get(keyOf(object)) ?? [];
    return [
      ...object.ownerReferences,
      ...set.flatMap((update) => update.references),
      ...adopted.map(({ reference }) => reference),
    ].map((reference) => ({ object, reference }));
  });
}

/**
 * The objects that a controller in TypeScript can write: of the kinds that it watches or creates.
 */
function writable(setup: Setup, { informers, creates }: ControllerProgram): readonly ApiObject[] {
  const kinds = [...informers, ...creates.map(({ kind }) => kind)];
  return possibleObjects(setup).filter(({ kind }) => kinds.includes(kind));
}

/** References that controllers in TypeScript can add. A plan that adds another one is refused. */
function programmedReferences(
  setup: Setup,
): readonly { readonly key: ObjectKey; readonly reference: OwnerReference }[] {
  return (setup.programs ?? []).flatMap((program) => {
    const owners = possibleObjects(setup).filter(({ kind }) => program.owners.includes(kind));
    const keys = [...new Set(writable(setup, program).map(keyOf))];
    return owners.flatMap((owner) =>
      keys.map((key) => ({
        key,
        reference: controllerReference(setup, { key: keyOf(owner), uid: owner.uid }),
      })),
    );
  });
}

/** Keys that objects with an owner reference can have, by the uid of the owner. */
export function dependentKeys(setup: Setup): ReadonlyMap<Uid, readonly ObjectKey[]> {
  const found = new Map<Uid, Set<ObjectKey>>();
  for (const { object, reference } of referencesByObject(setup)) {
    const known = found.get(reference.uid) ?? new Set();
    found.set(reference.uid, known.add(keyOf(object)));
  }
  return new Map([...found].map(([uid, keys]) => [uid, [...keys]]));
}

/** The finalizers that requests and controllers in TypeScript can add, by key. */
function addedFinalizers(setup: Setup): ReadonlyMap<ObjectKey, readonly string[]> {
  const programmed = (setup.programs ?? []).flatMap((program) =>
    distinct(writable(setup, program).map(keyOf)).map((key) => [key, program.finalizers] as const),
  );
  const requested = requestsOf(setup).flatMap((request) => {
    if (request.do !== 'update') return [];
    const { key, change } = request;
    if (change.do === 'addFinalizer') return [[key, [change.finalizer]] as const];
    return 'finalizers' in change ? [[key, change.finalizers ?? []] as const] : [];
  });
  const groups = grouped([...programmed, ...requested], ([key]) => key);
  return new Map([...groups].map(([key, rows]) => [key, rows.flatMap(([, names]) => names)]));
}

/**
 * Virtual nodes take their coordinates from references, with the namespace of the referring object
 * (`addDependentToOwners`, `getAlternateOwnerIdentity`). Observed nodes take them from the object.
 */
export function instancesOf(setup: Setup): Instances {
  const known = madeFor.get(setup);
  if (known !== undefined) return known;
  const made = makeInstances(setup);
  madeFor.set(setup, made);
  return made;
}

/** Every actor asks for them, and setups never change. */
const madeFor = new WeakMap<Setup, Instances>();

function makeInstances(setup: Setup): Instances {
  const objects = possibleObjects(setup);
  const identities: Identity[] = objects.flatMap((object) => {
    const identity = identityIn(setup, object);
    const later = setup.kinds[object.kind]?.laterVersions ?? [];
    return [identity, ...later.map((apiVersion) => ({ ...identity, apiVersion }))];
  });
  for (const { object, reference } of referencesByObject(setup)) {
    identities.push(coordinatesOf(reference, object.namespace));
    const kind = resolveKind(setup.kinds, reference.apiVersion, reference.kind);
    if (kind?.namespaced === false) identities.push(coordinatesOf(reference, ''));
  }
  const byKey = grouped(objects, keyOf);
  const made = new Set((setup.workloads ?? []).flatMap(({ children }) => children));
  const nodes =
    setup.rules.nodeVersion === 'frozen'
      ? identities
      : withVersions([...new Map(identities.map((one) => [nodeId(one), one])).values()]);
  const added = addedFinalizers(setup);
  const finalizers = [...byKey].flatMap(([key, stored]) => {
    const names = [
      ...stored.flatMap(thirdPartyFinalizers),
      ...stored.flatMap((object) =>
        made.has(object) ? trackingFinalizers(setup.rules, object) : [],
      ),
      ...(added.get(key) ?? []),
      ...stored.flatMap(otherSpecFinalizers),
    ];
    return thirdPartyFinalizers({ finalizers: distinct(names) }).map((finalizer) => ({
      finalizer,
      key,
    }));
  });
  return {
    uids: distinct(objects.map((object) => object.uid)),
    keys: [...byKey.keys()],
    nodes: distinct(nodes.map(nodeId)),
    finalizers,
    kinds: distinct(objects.map((object) => object.kind)),
  };
}

/**
 * A node can take over the version and kind of other nodes with its uid, and keep its place
 * (`refreshedNode`).
 */
function withVersions(identities: readonly Identity[]): readonly Identity[] {
  const byUid = grouped(identities, ({ uid }) => uid);
  const mixed = identities.flatMap((identity) =>
    (byUid.get(identity.uid) ?? []).map(({ apiVersion, kind }) => ({
      ...identity,
      apiVersion,
      kind,
    })),
  );
  return [...identities, ...mixed];
}

/**
 * The coordinates under which the collector observes an object, in the watched version of its kind.
 */
export function identityIn(
  setup: Pick<Setup, 'kinds'>,
  object: ApiObject,
  served: ServedVersions = {},
): Identity {
  const kind = setup.kinds[object.kind];
  if (kind === undefined) throw new Error(`kind ${object.kind} is not in the table of kinds`);
  return {
    apiVersion: watchedVersion(kind, served),
    kind: kind.kind,
    namespace: object.namespace,
    name: object.name,
    uid: object.uid,
  };
}

/** In the order of first appearance. */
export function grouped<Value>(
  values: readonly Value[],
  key: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const own = key(value);
    const group = groups.get(own);
    if (group === undefined) groups.set(own, [value]);
    else group.push(value);
  }
  return groups;
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
