import type { Cluster, ClusterDraft } from '../../state/cluster.ts';
import { stateOf } from '../../state/controllers.ts';
import type { ObjectKey } from '../../state/objects.ts';
import { PROGRAMMED, type Programmed, setProgrammed } from '../../state/programs/process.ts';
import { type ControllerProgram, programInformer } from '../../state/programs/program.ts';

/** The processes of controllers in TypeScript: what runs, and what a restart forgets. */

export const NOTHING: Programmed = { role: 'programmed' };

/** The process as it is now. A process that has started again has forgotten everything. */
export function processOf(cluster: Cluster | ClusterDraft, program: ControllerProgram): Programmed {
  const state = stateOf(cluster, program.name, PROGRAMMED) ?? NOTHING;
  return isOfEarlierProcess(cluster, program, state) ? NOTHING : (state as Programmed);
}

export function isOfEarlierProcess(
  cluster: Cluster | ClusterDraft,
  { runsIn }: ControllerProgram,
  { pod }: Programmed,
): boolean {
  return runsIn !== undefined && pod !== undefined && cluster.store[runsIn]?.uid !== pod;
}

export function isRunning(cluster: Cluster | ClusterDraft, { runsIn }: ControllerProgram): boolean {
  return runsIn === undefined || cluster.store[runsIn] !== undefined;
}

export function podOf(
  cluster: ClusterDraft,
  { runsIn }: ControllerProgram,
): Pick<Programmed, 'pod'> {
  const uid = runsIn === undefined ? undefined : cluster.store[runsIn]?.uid;
  return uid === undefined ? {} : { pod: uid };
}

/**
 * The clients of earlier processes. The API server still works on the request that a process had in
 * flight when it ended, while the next process already acts.
 */
export function earlierClients({ name, restarts, runsIn }: ControllerProgram): readonly string[] {
  return [
    ...Array.from({ length: restarts }, (_, index) => `${name}, ${index + 1} restarts earlier`),
    ...(runsIn === undefined ? [] : [`${name}, earlier process`]),
  ];
}

/**
 * The process restarts: it has forgotten everything, and its caches list anew.
 *
 * @returns false if it cannot restart yet, because too many requests of earlier ones are in flight.
 */
export function forget(cluster: ClusterDraft, program: ControllerProgram): boolean {
  const call = cluster.calls[program.name];
  if (call !== undefined) {
    const earlier = earlierClients(program).find((client) => cluster.calls[client] === undefined);
    if (earlier === undefined) return false;
    cluster.calls[earlier] = call;
    delete cluster.calls[program.name];
  }
  delete cluster.controllers[program.name];
  for (const kind of program.informers) {
    const informer = programInformer(program, kind);
    if ((cluster.unseen[informer] ?? []).length > 0) cluster.unseen[informer] = [];
  }
  for (const reader of Object.keys(cluster.unchangedSince)) {
    if (reader.startsWith(`${program.name}: `)) delete cluster.unchangedSince[reader];
  }
  return true;
}

/** Whether a restart would forget anything. */
export function hasMemory(cluster: Cluster | ClusterDraft, program: ControllerProgram): boolean {
  return (
    cluster.controllers[program.name] !== undefined ||
    cluster.calls[program.name] !== undefined ||
    program.informers.some(
      (kind) => (cluster.unseen[programInformer(program, kind)] ?? []).length > 0,
    )
  );
}

/** The removal of an object was seen: there is a request for it. */
export function queueRemoved(
  cluster: ClusterDraft,
  program: ControllerProgram,
  key: ObjectKey,
): void {
  if (!isRunning(cluster, program)) return;
  const now = processOf(cluster, program);
  set(cluster, program, {
    ...now,
    ...podOf(cluster, program),
    queued: { ...now.queued, [key]: true },
  });
}

export function set(cluster: ClusterDraft, { name }: ControllerProgram, next: Programmed): void {
  setProgrammed(cluster, name, next);
}
