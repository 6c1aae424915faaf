import {
  type ApiObject,
  BUILT_IN_KINDS,
  customKind,
  type DefaultPolicy,
  type Failure,
  type Kind,
  type KindTable,
  keyOf,
  type ObjectKey,
  type OwnerReference,
  resolveKind,
  type Uid,
} from '../../../model/index.ts';
import { objectOfKind, tableOf } from '../fixtures.ts';
import { Unsupported } from '../outcome.ts';
import { asReference } from '../shapes.ts';
import {
  branchesOf,
  type Given,
  type PlainStep,
  type StatedObject,
  type StatedOwner,
  type Step,
} from './schema.ts';

/** The kinds and objects of a scenario. Names without a meaning throw `Unsupported`. */
export interface Fixture {
  readonly kinds: KindTable;
  kind(name: string): Kind;
  object(key: string): ApiObject;
  readonly objects: readonly ApiObject[];
  readonly namespaces: readonly string[];
  reference(stated: StatedOwner): OwnerReference;
  reason(text: string): Failure['reason'];
}

const POLICIES: Readonly<Record<Given['kinds'][string]['defaultPolicy'], DefaultPolicy>> = {
  none: 'none',
  OrphanDependents: 'orphanDependents',
  DeleteDependents: 'deleteDependents',
};

const REASONS: readonly Failure['reason'][] = [
  'Forbidden',
  'NotFound',
  'MethodNotAllowed',
  'Conflict',
  'AlreadyExists',
  'Invalid',
];

/** The steps of a scenario without their nesting. */
export function plainSteps(steps: readonly Step[]): readonly PlainStep[] {
  return steps.flatMap((step) => (step.do === 'parallel' ? branchesOf(step).flat() : [step]));
}

const UID_PREFIX = 'uid-';

/** The uid of the object with that key in the scenario. */
export function uidOf(key: string): Uid {
  return `${UID_PREFIX}${key}`;
}

export function keyWithUid(uid: Uid): string {
  return uid.slice(UID_PREFIX.length);
}

export function fixtureOf(given: Given, steps: readonly Step[]): Fixture {
  const stated = plainSteps(steps).flatMap((step) => (step.do === 'create' ? step.objects : []));
  const byKey = new Map(stated.map((object) => [object.key, object]));
  const named = new Map(
    Object.entries(given.kinds).map(([name, kind]) => [name, kindOf(name, kind)]),
  );
  const kind = (name: string): Kind => {
    const found = named.get(name);
    if (found === undefined) throw new Unsupported(`there is no kind ${name} in given.kinds`);
    return found;
  };
  const statedObject = (key: string): StatedObject => {
    const found = byKey.get(key);
    if (found === undefined) throw new Unsupported(`no step creates an object ${key}`);
    return found;
  };
  const reference = (owner: StatedOwner): OwnerReference => {
    const { controller, blockOwnerDeletion } = owner;
    if ('to' in owner) {
      const { kind: kindName, name } = statedObject(owner.to);
      const { apiVersions, kind: named } = kind(kindName);
      const [apiVersion = ''] = apiVersions;
      const uid = uidOf(owner.to);
      return asReference({ apiVersion, kind: named, name, uid, controller, blockOwnerDeletion });
    }
    const uid = 'uid' in owner ? owner.uid : uidOf(statedObject(owner.uidOf).key);
    return asReference({ ...owner, uid });
  };
  const objects = new Map(
    stated.map((object) => {
      const { ownerReferences = [] } = object;
      const owners =
        typeof ownerReferences === 'string' ? ownerSet(given, ownerReferences) : ownerReferences;
      return [object.key, apiObject(kind(object.kind), object, owners.map(reference))];
    }),
  );
  const referenced = [...objects.values()].flatMap(({ ownerReferences }) => ownerReferences);
  return {
    kinds: kindsOf([...named.values()], referenced),
    kind,
    objects: [...objects.values()],
    namespaces: [...given.namespaces, ...stated.map(({ namespace }) => namespace)],
    object(key) {
      const found = objects.get(statedObject(key).key);
      if (found === undefined) throw new Unsupported(`no step creates an object ${key}`);
      return found;
    },
    reference,
    reason(text) {
      const found = REASONS.find((reason) => reason === text);
      if (found === undefined) throw new Unsupported(`the model knows no error ${text}`);
      return found;
    },
  };
}

function ownerSet(given: Given, name: string): readonly StatedOwner[] {
  const sets = given.ownerSets ?? {};
  const found = Object.hasOwn(sets, name) ? sets[name] : undefined;
  if (found === undefined) throw new Unsupported(`there is no set of owners ${name}`);
  return found;
}

/** The kind as Kubernetes has it, with the default policy of the scenario. */
function kindOf(name: string, stated: Given['kinds'][string]): Kind {
  const { apiVersion, resource, namespaced, defaultPolicy, custom } = stated;
  const builtIn = resolveKind(BUILT_IN_KINDS, apiVersion, name);
  if (custom !== true && builtIn === null) {
    throw new Unsupported(`Kubernetes has no kind ${name} in ${apiVersion}`);
  }
  const kind =
    custom === true || builtIn === null
      ? customKind(apiVersion, name, namespaced, resource)
      : builtIn;
  if (kind.resource !== resource || kind.namespaced !== namespaced) {
    throw new Unsupported(`${name} is not as Kubernetes has it`);
  }
  const { defaultPolicyByVersion: _, ...rest } = kind;
  return { ...rest, defaultPolicy: POLICIES[defaultPolicy] };
}

/** The kinds of the scenario, and the built-in kinds in owner references. */
function kindsOf(named: readonly Kind[], references: readonly OwnerReference[]): KindTable {
  const known = references.flatMap(({ apiVersion, kind }) => {
    const found = resolveKind(BUILT_IN_KINDS, apiVersion, kind);
    return found === null || named.some(({ name }) => name === found.name) ? [] : [found];
  });
  return tableOf([...named, ...known]);
}

/** Pods are never scheduled, so no kubelet has to end their grace periods. */
function apiObject(
  kind: Kind,
  { key, namespace, name, finalizers = [] }: StatedObject,
  ownerReferences: readonly OwnerReference[],
): ApiObject {
  const object = objectOfKind(
    kind,
    { namespace, name, uid: uidOf(key) },
    ownerReferences,
    finalizers,
  );
  return {
    ...object,
    generation: kind.generation ? 1 : 0,
    ...(kind.graceful
      ? { pod: { terminationGracePeriodSeconds: 30, scheduled: false, finished: false } }
      : {}),
  };
}

/** The keys of all objects of this kind in this namespace; an empty namespace means all. */
export function possibleKeys(
  fixture: Fixture,
  kind: string,
  namespace: string,
): readonly ObjectKey[] {
  const { name } = fixture.kind(kind);
  if (namespace !== '' && !fixture.namespaces.includes(namespace)) {
    throw new Unsupported(`there is no namespace ${namespace}`);
  }
  const there = fixture.objects.filter(
    (object) => object.kind === name && (namespace === '' || object.namespace === namespace),
  );
  return [...new Set(there.map(keyOf))].sort();
}
