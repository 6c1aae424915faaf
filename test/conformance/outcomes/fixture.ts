import {
  type ApiObject,
  type Kind,
  type KindTable,
  type OwnerReference,
  resolveKind,
  type Uid,
} from '../../../model/index.ts';
import { type PlainStep, plainStepsOf, type StatedOwner, type Step } from './steps.ts';

/** The objects that play in a recorded scenario, by the ids of its steps. */

/** Something in the steps that cannot be played: the scenario is not understood. */
export class NotPlayable extends Error {}

/** The namespaces of a scenario; a recording made a new one for each run. */
export const NAMESPACE = 'run';
export const OTHER_NAMESPACE = 'other';

/** The id under which steps speak of the namespace itself. */
export const NAMESPACE_ID = 'ns';

/** Seconds; what the API server puts into a pod that says nothing of it. */
const DEFAULT_GRACE = 30;

export type CreateStep = Extract<PlainStep, { do: 'create' }>;

export interface Cast {
  readonly kinds: KindTable;
  kind(name: string): Kind;
  /** What this very step creates. Its uid is the id, with a dash for each earlier one of that id. */
  createdBy(step: CreateStep): ApiObject;
  /** The object that an id means: the last one that was created before, else the first one. */
  object(id: string): ApiObject;
  references(owners: readonly StatedOwner[]): readonly OwnerReference[];
  /** From here on the id means what this step has created. */
  enter(step: CreateStep): void;
}

/** @param table every kind that the recording shows. */
export function castOf(steps: readonly Step[], table: KindTable): Cast {
  const creates = plainStepsOf(steps).filter((step) => step.do === 'create');
  const kind = (name: string): Kind => {
    const found = Object.values(table).find((candidate) => candidate.kind === name);
    if (found === undefined) throw new NotPlayable(`no kind ${name} in the recording`);
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
    if (found === undefined) throw new NotPlayable(`no step creates ${id}`);
    return found;
  };
  let strangers = 0;
  const reference = (stated: StatedOwner): OwnerReference => {
    const owner = typeof stated === 'string' ? { of: stated } : stated;
    const of = owner.of === undefined ? null : creating(owner.of);
    const named = owner.kind ?? of?.kind ?? 'ConfigMap';
    const served = Object.values(table).find((candidate) => candidate.kind === named);
    const uid = uidOf(owner.uid, of === null ? undefined : uids.get(of), () => {
      strangers++;
      return `stranger-${strangers}`;
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
    enter: (step) => {
      meant.set(step.id, step);
    },
  };
}

function uidOf(stated: string | undefined, own: Uid | undefined, stranger: () => Uid): Uid {
  if (stated === '$random') return stranger();
  return stated ?? own ?? stranger();
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

/** The kinds of these objects and of the owners that they or later references name. */
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
