import { type Cluster, namesOf, type Setup, worldOf } from '../../model/index.ts';
import { type ObjectView, objectViews, type Viewpoint } from './objects.ts';
import { type OwnerView, ownerViews } from './owners.ts';
import { waitingItems } from './waiting.ts';
import { workUnderWay } from './work.ts';

/**
 * One state as a picture or a text shows it: names instead of keys, and of each object what is stored
 * beside what the collector's graph has. Plain data; every record is keyed so that two snapshots can
 * be compared entry by entry.
 */
export interface Snapshot {
  /** By uid: what is stored, what is in the graph, and what only a reference names. */
  readonly objects: Readonly<Record<string, ObjectView>>;
  /** By `ownerId`: the owner references that are stored or in the graph. */
  readonly owners: Readonly<Record<string, OwnerView>>;
  /** By name of the queue or stream, as far as something waits there: what, first things first. */
  readonly waiting: Readonly<Record<string, readonly string[]>>;
  /** By name of whoever is at work: at what, and where he stands. */
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

/** Who is at work in a state and at what, a line each. */
export function workLines(setup: Setup): (cluster: Cluster) => readonly string[] {
  const viewpoint: Viewpoint = { setup, world: worldOf(setup), names: namesOf(setup) };
  return (cluster) =>
    Object.entries(workUnderWay(viewpoint, cluster)).map(([who, what]) => `${who}: ${what}`);
}
