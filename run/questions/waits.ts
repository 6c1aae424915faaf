import type { ClusterAround } from '../../input/cluster/around.ts';
import { rowOf } from '../../input/cluster/doubts/apart.ts';
import type { JudgedRow } from '../../input/cluster/finalizers.ts';
import {
  byKeyIn,
  byKindIn,
  claimantsIn,
  contentsIn,
  dependentsIn,
  placesIn,
  remembered,
  storedIn,
} from '../../input/cluster/lookups.ts';
import { blocks } from '../../input/cluster/pieces.ts';
import { displayName } from '../../input/manifests/names.ts';
import {
  type ApiObject,
  CLAIM_FINALIZER,
  type Cluster,
  FOREGROUND,
  formatKey,
  isBeingDeleted,
  keyOf,
  NAMESPACE_TOKEN,
  type ObjectKey,
  ORPHAN,
  objectKey,
  otherSpecFinalizers,
  plainFinalizer,
  RECLAIM_FINALIZERS,
  refusedDeletion,
  type Setup,
  usesClaim,
  VOLUME_FINALIZER,
} from '../../model/index.ts';
import type { Wait } from '../../report/document/answer.ts';
import { groupedBy } from '../../text/layout.ts';

/**
 * What keeps an object from going in a state in which nothing more happens, or in the initial one.
 * Empty: the object is gone.
 *
 * @param object as it is there, if that is not what the store has.
 */
export function waitsOf(
  cluster: Pick<Cluster, 'store'>,
  setup: Setup,
  around: ClusterAround | null,
  key: ObjectKey,
  object: ApiObject | undefined = cluster.store[key],
): readonly Wait[] {
  if (object === undefined) return [];
  const name = displayName(object);
  const refused = refusedDeletion(setup.kinds[object.kind], key);
  if (!isBeingDeleted(object) && refused !== null) {
    const text = `${name} may not be deleted: the API server refuses it (${refused.by})`;
    return [{ for: 'nothing', what: '', text }];
  }
  if (!isBeingDeleted(object)) {
    const isEmptied = setup.emptiedNamespaces?.includes(object.namespace) === true;
    const ends = cluster.store[objectKey('Namespace', '', object.namespace)];
    // Its controller deletes what is in it.
    if (isEmptied && ends !== undefined && isBeingDeleted(ends)) return [];
    return [{ for: 'nothing', what: '', text: `nothing deletes ${name}` }];
  }
  const others = storedIn(cluster.store);
  const byText = new Map(
    object.finalizers
      .flatMap((finalizer) =>
        finalizerWaits(plainFinalizer(finalizer), object, others, setup, around),
      )
      .map((wait) => [wait.text, wait]),
  );
  const isLast = ({ for: kind, what }: Wait): boolean =>
    kind !== 'finalizer' || !isRemoved(what, object, around);
  const own = [...byText.values()];
  const found = [
    ...own.filter(isLast),
    ...own.filter((wait) => !isLast(wait)),
    ...contentWaits(object, others, setup, around),
    ...otherSpecFinalizers(object).map((finalizer) =>
      ownerWait(finalizer, ' from spec.finalizers', object, around),
    ),
    ...(object.finalizers.length === 0 && (object.deletionGracePeriodSeconds ?? 0) > 0
      ? [kubeletWait(object)]
      : []),
  ];
  return found.length > 0 ? found : [removalWait(name)];
}

function finalizerWaits(
  finalizer: string,
  object: ApiObject,
  others: readonly ApiObject[],
  setup: Setup,
  around: ClusterAround | null,
): readonly Wait[] {
  const name = displayName(object);
  if (finalizer === FOREGROUND) {
    const dependents = dependentsIn(others).get(object.uid) ?? [];
    const blocking = dependents.filter((dependent) => blocks(dependent, object.uid));
    if (blocking.length > 0) {
      return blocking.map((other) => {
        const what = displayName(other);
        return { for: 'dependent', what, text: `${name} waits for its dependent ${what}` };
      });
    }
  }
  if (finalizer === FOREGROUND || finalizer === ORPHAN) {
    const text = `${name} waits for the garbage collector, which removes ${finalizer}`;
    return [{ for: 'finalizer', what: finalizer, text }];
  }
  const users = usersOf(finalizer, object, others);
  if (users.length > 0) {
    return users.map((user) => {
      const what = displayName(user);
      return { for: 'users', what, text: `${name} waits for ${what}, which uses it` };
    });
  }
  if (finalizer === INSTANCES) {
    const kinds = [...byKindIn(others)].filter(
      ([kind]) => object.name === definitionName(setup, kind),
    );
    const defined = kinds.flatMap(([, instances]) => instances);
    if (defined.length > 0) {
      return defined.map((other) => {
        const what = displayName(other);
        return { for: 'instances', what, text: `${name} waits for its instance ${what}` };
      });
    }
  }
  const tracked = trackedBy(finalizer, object, others, around);
  const own = ownerWait(finalizer, '', object, around);
  return tracked.length > 0 && isRemoved(finalizer, object, around) ? tracked : [own, ...tracked];
}

/** What the owner of the finalizer deletes first, and waits for. */
function trackedBy(
  finalizer: string,
  object: ApiObject,
  others: readonly ApiObject[],
  around: ClusterAround | null,
): readonly Wait[] {
  const entries = around === null ? undefined : trackingIn(around).get(keyOf(object));
  const entry = entries?.find((one) => one.finalizer === finalizer);
  const byKey = byKeyIn(others);
  const places = placesIn(others);
  const placeOf = ({ uid }: ApiObject): number => places.get(uid) ?? 0;
  const found = (keys: readonly string[] = []): readonly ApiObject[] =>
    [...new Set(keys)].flatMap((key) => byKey.get(key) ?? []);
  // While one of these is being deleted, nothing is asked of the others.
  const pausing = found(entry?.pausing).filter(isBeingDeleted);
  return [...(pausing.length > 0 ? pausing : found(entry?.waitsFor))]
    .sort((one, other) => placeOf(one) - placeOf(other))
    .map((other) => {
      const what = displayName(other);
      const text = `${displayName(object)} waits for ${what}, which it tracks`;
      return { for: 'tracked', what, text };
    });
}

const trackingIn = remembered(({ tracking }: ClusterAround) =>
  groupedBy(tracking, ({ object }) => object as string),
);

const judgedIn = remembered(
  ({ finalizers }: ClusterAround) => new Map(finalizers.map((one) => [one.finalizer, one])),
);

function judgedOn(
  finalizer: string,
  object: ApiObject,
  around: ClusterAround | null,
): JudgedRow | undefined {
  const judged = around === null ? undefined : judgedIn(around).get(finalizer);
  return judged === undefined ? undefined : rowOf(judged, keyOf(object));
}

function isRemoved(finalizer: string, object: ApiObject, around: ClusterAround | null): boolean {
  return judgedOn(finalizer, object, around)?.judgement === 'cooperative';
}

function ownerWait(
  finalizer: string,
  from: string,
  object: ApiObject,
  around: ClusterAround | null,
): Wait {
  const judged = judgedOn(finalizer, object, around);
  const owner = judged?.known?.owner ?? `the owner of ${finalizer}`;
  const why = judged === undefined ? '' : ` (${judged.evidence})`;
  const text = `${displayName(object)} waits for ${owner} to remove ${finalizer}${from}${why}`;
  return { for: 'finalizer', what: finalizer, text };
}

const INSTANCES = 'customresourcecleanup.apiextensions.k8s.io';

/** Pods that use a claim, claims that are bound to a volume. */
function usersOf(
  finalizer: string,
  object: ApiObject,
  others: readonly ApiObject[],
): readonly ApiObject[] {
  if (finalizer === CLAIM_FINALIZER) {
    return (claimantsIn(others).get(keyOf(object)) ?? []).filter(usesClaim(object));
  }
  const isOfVolume = finalizer === VOLUME_FINALIZER || RECLAIM_FINALIZERS.includes(finalizer);
  if (isOfVolume && object.volume?.bound === true) {
    const { claim } = object.volume;
    const bound = byKeyIn(others).get(claim);
    return bound === undefined ? [] : [bound];
  }
  return [];
}

/** `plural.group` of the kind: the name of its definition. */
function definitionName({ kinds }: Setup, kind: string): string {
  const known = kinds[kind];
  const [group = ''] = known?.apiVersions[0]?.split('/') ?? [];
  return `${known?.resource ?? ''}.${group}`;
}

function contentWaits(
  object: ApiObject,
  others: readonly ApiObject[],
  { kinds, rules }: Setup,
  around: ClusterAround | null,
): readonly Wait[] {
  if (kinds[object.kind]?.storage !== 'namespace') return [];
  if (object.specFinalizers?.includes(NAMESPACE_TOKEN) !== true) return [];
  const name = displayName(object);
  const inside = contentsIn(others).get(object.name) ?? [];
  const down = (around?.unavailableApis ?? []).map(({ name: api, condition }): Wait => {
    const said = condition.message === '' ? condition.reason : condition.message;
    const why = said === '' ? '' : ` (${said})`;
    const text = `${name} waits for discovery: APIService ${api} does not answer${why}`;
    return { for: 'api', what: api, text };
  });
  if (down.length > 0 && inside.length === 0) return down;
  if (inside.length === 0) {
    const text = `${name} waits for the namespace controller`;
    return [{ for: 'contents', what: 'namespace controller', text }];
  }
  // While a pod is left, nothing else is deleted, so only pods hold it, and what leaves already.
  const isPaused =
    rules.namespaceContentOrder === 'podsFirst' && inside.some(({ pod }) => pod !== undefined);
  const holding = inside.filter((other) => other.pod !== undefined || isBeingDeleted(other));
  const contents = (isPaused ? holding : inside).map((other): Wait => {
    const what = formatKey(keyOf(other));
    return { for: 'contents', what, text: `${name} waits for ${what}, which is in it` };
  });
  return [...down, ...contents];
}

/**
 * A DELETE marks an object and then removes it. If the second request to the store fails, the
 * object stays until the next DELETE or update: see `BeforeDelete` and `ShouldDeleteDuringUpdate`
 * (1.20).
 */
function removalWait(name: string): Wait {
  const text = `${name} waits for another DELETE: nothing holds it, so its removal has failed`;
  return { for: 'removal', what: '', text };
}

function kubeletWait(object: ApiObject): Wait {
  const node = object.pod?.node;
  const name = displayName(object);
  if (node === undefined) {
    return {
      for: 'kubelet',
      what: '',
      text: `${name} waits for a kubelet to end its grace period`,
    };
  }
  const text = `${name} waits for the kubelet of ${node} to end its grace period`;
  return { for: 'kubelet', what: node, text };
}
