import { type ApiObject, isBeingDeleted, keyOf, objectKey } from '../../../model/index.ts';
import { plural } from '../../../text/layout.ts';
import { displayName } from '../../manifests/names.ts';
import { byKeyIn } from '../lookups.ts';
import type { Observation } from '../observations.ts';
import { childrenByController } from '../workloads.ts';
import type { Besides } from './besides.ts';
import { expiryOf } from './expiries.ts';
import { type Surplus, surplusOf } from './surplus.ts';

/**
 * What other controllers than the collector do to objects that nobody deletes, since these name
 * others by uids of before a restore.
 */
export function unaskedIn(
  all: readonly ApiObject[],
  goes: (object: ApiObject) => boolean,
  observations: ReadonlyMap<string, Observation>,
): readonly Besides[] {
  const children = childrenByController(all);
  const given = { goes, observations };
  return all.flatMap((object): readonly Besides[] => {
    const observed = observations.get(keyOf(object));
    const own = children.get(object.uid) ?? [];
    const surplus = surplusOf(object, own, given) ?? historyOf(object, own, observations);
    const many =
      surplus === null
        ? []
        : [{ object: keyOf(object), what: surplus.what, expected: surplus.more }];
    const what =
      observed?.of === 'PersistentVolume'
        ? releasedBy(object, observed.reclaim, all, observations)
        : observed?.of === 'token'
          ? revokedBy(object, observed, all)
          : null;
    if (what !== null) return [{ object: keyOf(object), what, unasked: true }];
    const expiry = expiryOf(object, observations);
    if (expiry === null) return many;
    return [...many, { object: keyOf(object), what: expiry, expected: 1 }];
  });
}

/** Jobs of a CronJob that have ended, and that are more than it keeps (`cleanupFinishedJobs`). */
function historyOf(
  cronJob: ApiObject,
  own: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): Surplus | null {
  const observed = observations.get(keyOf(cronJob));
  if (cronJob.kind !== 'CronJob.batch' || observed?.of !== 'workload') return null;
  const { keepsComplete, keepsFailed } = observed;
  if (isBeingDeleted(cronJob)) return null;
  const ended = own.flatMap((job) => {
    const found = observations.get(keyOf(job));
    return found?.of === 'workload' && found.finished && !isBeingDeleted(job) ? [found] : [];
  });
  const failed = ended.filter((job) => job.failed).length;
  const over = (count: number, most: number | null): number =>
    most === null ? 0 : Math.max(0, count - most);
  const more = over(failed, keepsFailed) + over(ended.length - failed, keepsComplete);
  if (more === 0) return null;
  const what = `${displayName(cronJob)} has ${plural(ended.length, 'Job')} that ended, more than its history limits keep: its controller deletes ${more} of them, the oldest first`;
  return { what, more };
}

/**
 * `syncVolume` and `syncBoundClaim` of the volume controller. A volume that was kept from an older
 * claim of the same name stays as it is: the claim does not name it.
 */
function releasedBy(
  volume: ApiObject,
  reclaim: string,
  all: readonly ApiObject[],
  observations: ReadonlyMap<string, Observation>,
): string | null {
  const { claim: key = '', claimUid } = volume.volume ?? {};
  const claim = byKeyIn(all).get(key);
  if (claim === undefined || claimUid === undefined || claim.uid === claimUid) return null;
  const isNamed = (observations.get(keyOf(claim))?.names ?? []).some(
    (named) => named.kind === 'PersistentVolume' && named.name === volume.name,
  );
  if (!isNamed && reclaim === 'Retain') return null;
  const [lost, name] = [displayName(claim), displayName(volume)];
  const why = `it is for ${lost} with another uid (${claimUid}): restored?`;
  const [fate, policy] = RECLAIMED[reclaim] ?? ['may be deleted', 'not said'];
  const lack = isNamed ? `${lost} gets no volume, and ` : '';
  return `${lack}${name} and its data ${fate}: its reclaim policy is ${policy}, and ${why}`;
}

const RECLAIMED: Readonly<Record<string, readonly [fate: string, policy: string]>> = {
  Delete: ['are deleted', 'Delete'],
  Recycle: ['may be deleted', 'Recycle'],
  Retain: ['stay', 'Retain'],
};

/** `syncSecret` of the token controller. */
function revokedBy(
  secret: ApiObject,
  { account, uid }: Extract<Observation, { readonly of: 'token' }>,
  all: readonly ApiObject[],
): string | null {
  const found = byKeyIn(all).get(objectKey('ServiceAccount', secret.namespace, account));
  if (found === undefined || uid === '' || found.uid === uid) return null;
  return `the token controller deletes ${displayName(secret)}: it is for an account of the name of ${displayName(found)} with another uid (${uid}): restored?`;
}
