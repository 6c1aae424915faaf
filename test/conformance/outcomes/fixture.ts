import {
  type ApiObject,
  type Kind,
  type KindTable,
  type OwnerReference,
  resolveKind,
  type Uid,
} from '../../../model/index.ts';
import { type PlainStep, plainStepsOf, type StatedOwner, type Step } from './steps.ts';

/** The objects of a recorded scenario, by the ids in its steps. */

/** A step that the test does not know. */
export class UnknownStep extends Error {}

/** The namespaces of a scenario; a recording made a new one for each run. */
export const NAMESPACE = 'run';
export const OTHER_NAMESPACE = 'other';

/** The id of the namespace itself in steps. */
export const NAMESPACE_ID = 'ns';

/** In seconds: the default of the API server for pods. */
const DEFAULT_GRACE = 30;

export type CreateStep = Extract<PlainStep, { do: 'create' }>;

export interface Fixture {
  readonly kinds: KindTable;
  kind(name: string): Kind;
  /**
   * The object that this step creates. Its uid is the id, with a prime for each earlier object of
   * that id.
   */
  createdBy(step: CreateStep): ApiObject;
  /** The object with this id: the last one that was created before, or else the first one. */
  object(id: string): ApiObject;
  references(owners: readonly StatedOwner[]): readonly OwnerReference[];
  /** From here on the id means the object that this step creates. */
  setMeaning(step: CreateStep): void;
}

/**
 * @param table all kinds in the recording.
 */
export function fixtureOf(steps: readonly Step[], table: KindTable): Fixture {
  const creates = plainStepsOf(steps).filter((step) => step.do === 'create');
  const kind = (name: string): Kind => {
    const found = Object.values(table).find((candidate) => candidate.kind === name);
    if (found === undefined) throw new UnknownStep(`no kind ${name} in the recording`);
    return found;
  };
  const uids = new Map<CreateStep, Uid>();
  const times = new Map<string, number>();
  for (const step of creates) {
    const earlier = times.get(step.id) ?? 0;
    uids.set(step, `${step.id}${"'".repeat(earlier)}`);
    times.set(step.id, earlier + 1);
  }
  const meant = new Map<string, CreateStep>();
  const creating = (id: string): CreateStep => {
    const found = meant.get(id) ?? creates.find((step) => step.id === id);
    if (found === undefined) throw new UnknownStep(`no step creates ${id}`);
    return found;
  };
  let unknownOwners = 0;
  const reference = (stated: StatedOwner): OwnerReference => {
    const owner = typeof stated === 'string' ? { of: stated } : stated;
    const of = owner.of === undefined ? null : creating(owner.of);
    const named = owner.kind ?? of?.kind ?? 'ConfigMap';
    const served = Object.values(table).find((candidate) => candidate.kind === named);
    const uid = uidOf(owner.uid, of === null ? undefined : uids.get(of), () => {
      unknownOwners++;
      return `stranger-${unknownOwners}`;
    });
    return {
      apiVersion: owner.apiVersion ?? served?.apiVersions[0] ?? 'v1',
      kind: named,
      name: owner.name ?? of?.id ?? '',
      uid,
      ...(owner.controller === undefined ? {} : { controller: owner.controller }),
      ...(owner.block === undefined ? {} : { blockOwnerDeletion: owner.block }),
    };
  };
  const objects = new Map<CreateStep, ApiObject>();
  const createdBy = (step: CreateStep): ApiObject => {
    const known = objects.get(step);
    if (known !== undefined) return known;
    const references = (step.owners ?? []).map(reference);
    const made = newObject(kind(step.kind ?? 'ConfigMap'), step, uids.get(step) ?? '', references);
    objects.set(step, made);
    return made;
  };
  return {
    kinds: table,
    kind,
    createdBy,
    object: (id) => createdBy(creating(id)),
    references: (owners) => owners.map(reference),
    setMeaning: (step) => {
      meant.set(step.id, step);
    },
  };
}

function uidOf(stated: string | undefined, own: Uid | undefined, unknownOwner: () => Uid): Uid {
  if (stated === '$random') return unknownOwner();
  return stated ?? own ?? unknownOwner();
}

function newObject(
  kind: Kind,
  step: CreateStep,
  uid: Uid,
  ownerReferences: readonly OwnerReference[],
): ApiObject {
  const namespace = step.ns === 'other' ? OTHER_NAMESPACE : NAMESPACE;
  return {
    kind: kind.name,
    namespace: kind.namespaced ? namespace : '',
    name: step.id,
    uid,
    generation: kind.generation ? 1 : 0,
    finalizers: step.finalizers ?? [],
    ownerReferences,
    deletionTimestamp: null,
    deletionGracePeriodSeconds: null,
    ...(kind.graceful ? { pod: podOn(step.node) } : {}),
  };
}

export function podOn(node: string | undefined): NonNullable<ApiObject['pod']> {
  const scheduled = node !== undefined;
  return { terminationGracePeriodSeconds: DEFAULT_GRACE, scheduled, finished: false };
}

/** The kinds of these objects, of their owners, and of the owners in `references`. */
export function kindsOf(
  table: KindTable,
  objects: readonly ApiObject[],
  references: readonly OwnerReference[],
): KindTable {
  const owners = [...objects.flatMap(({ ownerReferences }) => ownerReferences), ...references];
  const names = new Set(objects.map((object) => object.kind));
  for (const { apiVersion, kind } of owners) {
    const found = resolveKind(table, apiVersion, kind);
    if (found !== null) names.add(found.name);
  }
  return Object.fromEntries(Object.entries(table).filter(([, { name }]) => names.has(name)));
}
