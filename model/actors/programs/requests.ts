import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { cached } from '../../state/informers.ts';
import { instancesOf } from '../../state/instances.ts';
import { kindOf, splitKey } from '../../state/keys.ts';
import { type ApiObject, isVisible, type ObjectKey } from '../../state/objects.ts';
import type { Programmed } from '../../state/programs/process.ts';
import { type ControllerProgram, programInformer } from '../../state/programs/program.ts';
import type { Setup } from '../../state/setup.ts';
import type { World } from '../../state/world.ts';
import { refusalsOf } from '../workloads/refusals.ts';
import { processOf } from './processes.ts';

/** The requests of controllers in TypeScript: for which objects there is one. */

/** What is fixed for the controllers of a setup. */
export interface Programs {
  readonly setup: Setup;
  readonly world: World;
}

/** The objects that requests of this controller can be about. */
export function requestKeys(setup: Setup, program: ControllerProgram): readonly ObjectKey[] {
  if (program.described !== undefined) return [program.described.object];
  return instancesOf(setup).keys.filter((key) => kindOf(key) === program.for);
}

export function refusals(
  cluster: Cluster | ClusterDraft,
  { setup, world }: Programs,
  program: ControllerProgram,
): string {
  const keys = program.described?.keys ?? keysOf(setup, program);
  return refusalsOf(cluster, world, { keys, children: program.creates });
}

/** Of every object that it may read or write. */
function keysOf(setup: Setup, { informers, creates }: ControllerProgram): readonly ObjectKey[] {
  const kinds = new Set([...informers, ...creates.map(({ kind }) => kind)]);
  return instancesOf(setup).keys.filter((key) => kinds.has(kindOf(key)));
}

/** Whether the request would do again what has just changed nothing. */
export function isInVain(
  cluster: Cluster | ClusterDraft,
  programs: Programs,
  program: ControllerProgram,
  { vain = {} }: Programmed,
  key: ObjectKey,
): boolean {
  const digest = vain[key];
  return digest !== undefined && digest === refusals(cluster, programs, program);
}

export function inCache(
  cluster: Cluster | ClusterDraft,
  program: ControllerProgram,
  key: ObjectKey,
): ApiObject | null {
  return cached(cluster, programInformer(program, kindOf(key)), key);
}

export function isRequested(
  cluster: Cluster | ClusterDraft,
  setup: Setup,
  program: ControllerProgram,
  key: ObjectKey,
): boolean {
  return (
    isRequestedBy(cluster, setup, program, key) ||
    processOf(cluster, program).queued?.[key] !== undefined
  );
}

/** Whether an object in the caches makes a request: the object itself, or one that it controls. */
export function isRequestedBy(
  cluster: Cluster | ClusterDraft,
  setup: Setup,
  program: ControllerProgram,
  key: ObjectKey,
): boolean {
  if (program.described !== undefined) return isThere(cluster, program, key);
  if (inCache(cluster, program, key) !== null) return true;
  const [kind, namespace, name] = splitKey(key);
  return instancesOf(setup).keys.some((child) => {
    if (!program.informers.includes(kindOf(child))) return false;
    const object = inCache(cluster, program, child);
    if (object === null || (namespace !== '' && object.namespace !== namespace)) return false;
    const plain = kind.split('.')[0];
    return object.ownerReferences.some(
      (reference) =>
        reference.controller === true && reference.name === name && reference.kind === plain,
    );
  });
}

/** Whether the controller can see that this object exists. */
function isThere(
  cluster: Cluster | ClusterDraft,
  program: ControllerProgram,
  key: ObjectKey,
): boolean {
  if (program.reads === 'cache') return inCache(cluster, program, key) !== null;
  const object = cluster.store[key];
  return object !== undefined && isVisible(object as ApiObject);
}
