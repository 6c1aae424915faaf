import { type Cluster, namesOf, type Setup, worldOf } from '../../model/index.ts';
import { type ObjectView, objectViews, type Viewpoint } from './objects.ts';
import { type OwnerView, ownerViews } from './owners.ts';
import { waitingItems } from './waiting.ts';
import { workUnderWay } from './work.ts';

/**
 * One state as pictures and texts show it: with names instead of keys, and with the stored form of
 * each object beside its node in the collector's graph. Plain data; the keys of all records are
 * stable, so that two snapshots can be compared entry by entry.
 */
export interface Snapshot {
  /** By uid: objects that are stored, in the graph, or named by a reference only. */
  readonly objects: Readonly<Record<string, ObjectView>>;
  /** By `ownerId`: the owner references that are stored or in the graph. */
  readonly owners: Readonly<Record<string, OwnerView>>;
  /** By queue or stream that is not empty: what waits in it, in order. */
  readonly waiting: Readonly<Record<string, readonly string[]>>;
  /** By actor that is at work: its task, and its next step. */
  readonly work: Readonly<Record<string, string>>;
}

/** Snapshots of the states of one model. */
export function snapshots(setup: Setup): (cluster: Cluster) => Snapshot {
  const viewpoint: Viewpoint = { setup, world: worldOf(setup), names: namesOf(setup) };
  return (cluster) => ({
    objects: objectViews(viewpoint, cluster),
    owners: ownerViews(cluster),
    waiting: waitingItems(viewpoint, cluster),
    work: workUnderWay(viewpoint, cluster),
  });
}

export function snapshotOf(setup: Setup, cluster: Cluster): Snapshot {
  return snapshots(setup)(cluster);
}

/** The actors that are at work in a state, with their tasks, a line each. */
export function workLines(setup: Setup): (cluster: Cluster) => readonly string[] {
  const viewpoint: Viewpoint = { setup, world: worldOf(setup), names: namesOf(setup) };
  return (cluster) =>
    Object.entries(workUnderWay(viewpoint, cluster)).map(([who, what]) => `${who}: ${what}`);
}
