import { castDraft } from 'immer';
import { spend } from '../state/budget.ts';
import type { Cluster, ClusterDraft } from '../state/cluster.ts';
import type { ApiObject, ObjectKey } from '../state/objects.ts';
import type { World } from '../state/world.ts';
import { plainCopy, readObject, rememberRead } from './store.ts';

/**
 * The member of etcd that the collector's API server reads from may lag behind the others. Without
 * quorum reads (`--etcd-quorum-read`, off until 1.9) a GET shows what that member has. Writes go
 * through a majority and are decided on what is stored.
 */

/**
 * The reader under whose name `unchangedSince` records whether the object has been written since
 * the member began to lag.
 */
function memberReader(key: ObjectKey): string {
  return `etcd member on ${key}`;
}

export function canLag({ lags, rules }: Pick<World, 'lags' | 'rules'>): boolean {
  return (lags ?? 0) > 0 && rules.etcdReads === 'anyMember';
}

/** From now on the member shows the object as it is now, or shows that there is none. */
export function lagBehind(cluster: ClusterDraft, key: ObjectKey): void {
  if (cluster.lagging[key] !== undefined || !spend(cluster, 'lag')) return;
  cluster.lagging[key] = castDraft({ object: readObject(cluster, key) });
  cluster.unchangedSince[memberReader(key)] = key;
}

export function catchUp(cluster: ClusterDraft, key: ObjectKey): void {
  if (cluster.lagging[key] === undefined) return;
  delete cluster.lagging[key];
  delete cluster.unchangedSince[memberReader(key)];
}

/** The object as a GET of the collector shows it. */
export function shownObject(cluster: ClusterDraft, world: World, key: ObjectKey): ApiObject | null {
  const shown = canLag(world) ? cluster.lagging[key] : undefined;
  if (shown === undefined) return readObject(cluster, key);
  return shown.object === null ? null : plainCopy(shown.object);
}

/**
 * The collector remembers the resourceVersion that a GET has shown. For an old copy of the object
 * it is outdated.
 */
export function rememberShown(
  cluster: ClusterDraft,
  world: World,
  client: string,
  key: ObjectKey,
): void {
  if (canLag(world) && isBehind(cluster, key)) delete cluster.unchangedSince[client];
  else rememberRead(cluster, client, key);
}

function isBehind(cluster: Cluster | ClusterDraft, key: ObjectKey): boolean {
  return (
    cluster.lagging[key] !== undefined && cluster.unchangedSince[memberReader(key)] === undefined
  );
}
