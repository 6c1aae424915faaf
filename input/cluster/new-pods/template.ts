import { type ApiObject, isBeingDeleted, keyOf } from '../../../model/index.ts';
import { isMapping, listAt, valueAt } from '../../documents/shape.ts';
import type { StoredObjects } from '../cel/stored.ts';
import { byUidIn } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import { isCurrent } from '../operating/revisions.ts';
import { type Asks, asksOf, type Fields, fieldsAt } from './pod-security.ts';

/** What is known of the workloads that make objects anew. */
export interface MakingGiven {
  readonly all: readonly ApiObject[];
  readonly goes: (object: ApiObject) => boolean;
  readonly observations: ReadonlyMap<string, Observation>;
}

/** What makes another object for one that goes. */
const MAKING: readonly string[] = [
  ...['ReplicaSet.apps', 'StatefulSet.apps', 'DaemonSet.apps', 'Deployment.apps'],
  ...['ReplicationController', 'Job.batch'],
];

/**
 * The workload that stays and makes another object for this one; null: none does. A Deployment
 * makes the pods of a ReplicaSet that it makes anew.
 */
export function makerOf(
  object: ApiObject,
  given: MakingGiven,
  below: readonly ApiObject[] = [],
): ApiObject | null {
  const { all, goes, observations } = given;
  if (object.pod?.finished) return null;
  const controller = object.ownerReferences.find((reference) => reference.controller === true);
  const parent = controller === undefined ? undefined : byUidIn(all).get(controller.uid);
  if (parent === undefined || !MAKING.includes(parent.kind) || isBeingDeleted(parent)) return null;
  if (goes(parent)) {
    // Owners can be a cycle.
    const isNext = parent.kind === 'ReplicaSet.apps' && !below.includes(parent);
    return isNext ? makerOf(parent, given, [...below, parent]) : null;
  }
  const isMade = parent.kind !== 'Deployment.apps' || isCurrent(object, parent, all, observations);
  return isMade ? parent : null;
}

/** A pod that is to be made, as far as the dump shows it. */
export interface NewPod {
  readonly asks: Asks;
  readonly spec: Fields;
  readonly labels: Readonly<Record<string, string>>;
  /** As policies see it: fields that admission adds are those of the pod before it. */
  readonly manifest: Fields;
}

/** Made in the place of this pod, by the template of its maker; null: the dump shows neither. */
export function newPodOf(pod: ApiObject, maker: ApiObject, stored: StoredObjects): NewPod | null {
  const old = stored.manifestOf(pod);
  const template = valueAt(stored.manifestOf(maker), ['spec', 'template']);
  const spec = fieldsAt(template, ['spec']) ?? fieldsAt(old, ['spec']);
  if (spec === null || old === undefined) return null;
  const labels = {
    // A controller adds labels of its own.
    ...textsIn(fieldsAt(old, ['metadata', 'labels'])),
    ...textsIn(fieldsAt(template, ['metadata', 'labels'])),
  };
  const annotations = {
    ...textsIn(fieldsAt(old, ['metadata', 'annotations'])),
    ...textsIn(fieldsAt(template, ['metadata', 'annotations'])),
  };
  const metadata = { ...fieldsAt(old, ['metadata']), labels, annotations };
  return {
    asks: asksOf(spec),
    spec,
    labels,
    manifest: { ...old, metadata, spec: likeBoth(fieldsAt(old, ['spec']), spec) },
  };
}

/** The fields of the new one, and those that only the old one has. */
function likeBoth(old: Fields | null, now: Fields): Fields {
  const merged = Object.fromEntries(
    ['containers', 'initContainers'].flatMap((at) => {
      const before = listAt(old, [at]);
      const after = listAt(now, [at]);
      if (before.length + after.length === 0) return [];
      const nameOf = (one: unknown): unknown => valueAt(one, ['name']);
      const beside = before.filter((one) => !after.some((other) => nameOf(other) === nameOf(one)));
      const own = after.map((one) => {
        const same = before.find((other) => nameOf(other) === nameOf(one));
        return isMapping(one) && isMapping(same) ? { ...same, ...one } : one;
      });
      return [[at, [...own, ...beside]]];
    }),
  );
  return { ...old, ...now, ...merged };
}

function textsIn(fields: Fields | null): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields ?? {}).map(([key, one]) => [key, String(one)]));
}

/** By store key, with the labels of the new pod in the place of those of the old one. */
export function withLabelsOf<T>(labels: ReadonlyMap<string, T>, pod: ApiObject, own: T) {
  return new Map([...labels, [keyOf(pod), own] as const]);
}
