import type { ClusterAround } from '../../input/cluster/around.ts';
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
  RECLAIM_FINALIZERS,
  refusedDeletion,
  type Setup,
  usesClaim,
  VOLUME_FINALIZER,
} from '../../model/index.ts';
import type { Wait } from '../../report/document/answer.ts';

/**
 * What keeps an object from going in a state in which nothing more happens, or in the initial one.
 * Empty: the object is gone.
 */
export function waitsOf(
  cluster: Pick<Cluster, 'store'>,
  setup: Setup,
  around: ClusterAround | null,
  key: ObjectKey,
): readonly Wait[] {
  const object = cluster.store[key];
  if (object === undefined) return [];
  const name = displayName(object);
  const kind = setup.kinds[object.kind];
  const refused = kind === undefined ? null : refusedDeletion(kind, key);
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
  const others = Object.values(cluster.store);
  const byText = new Map(
    object.finalizers
      .flatMap((finalizer) => finalizerWaits(finalizer, object, others, setup, around))
      .map((wait) => [wait.text, wait]),
  );
  const isLast = ({ for: kind, what }: Wait): boolean =>
    kind !== 'finalizer' || !isRemoved(what, around);
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
    const blocking = others.filter(({ ownerReferences }) =>
      ownerReferences.some(
        ({ uid, blockOwnerDeletion }) => uid === object.uid && blockOwnerDeletion === true,
      ),
    );
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
    const defined = others.filter(({ kind }) => object.name === definitionName(setup, kind));
    if (defined.length > 0) {
      return defined.map((other) => {
        const what = displayName(other);
        return { for: 'instances', what, text: `${name} waits for its instance ${what}` };
      });
    }
  }
  const tracked = trackedBy(finalizer, object, others, around);
  const own = ownerWait(finalizer, '', object, around);
  return tracked.length > 0 && isRemoved(finalizer, around) ? tracked : [own, ...tracked];
}

/** What the owner of the finalizer deletes first, and waits for. */
function trackedBy(
  finalizer: string,
  object: ApiObject,
  others: readonly ApiObject[],
  around: ClusterAround | null,
): readonly Wait[] {
  const entry = around?.tracking.find(
    (one) => one.waits && one.finalizer === finalizer && one.object === keyOf(object),
  );
  const tracked = new Set(entry?.tracked);
  return others
    .filter((other) => tracked.has(keyOf(other)))
    .map((other) => {
      const what = displayName(other);
      const text = `${displayName(object)} waits for ${what}, which it tracks`;
      return { for: 'tracked', what, text };
    });
}

function isRemoved(finalizer: string, around: ClusterAround | null): boolean {
  const judged = around?.finalizers.find((one) => one.finalizer === finalizer);
  return judged?.judgement === 'cooperative';
}

function ownerWait(
  finalizer: string,
  from: string,
  object: ApiObject,
  around: ClusterAround | null,
): Wait {
  const judged = around?.finalizers.find((one) => one.finalizer === finalizer);
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
    return others.filter(usesClaim(object));
  }
  const isOfVolume = finalizer === VOLUME_FINALIZER || RECLAIM_FINALIZERS.includes(finalizer);
  if (isOfVolume && object.volume?.bound === true) {
    const { claim } = object.volume;
    return others.filter((other) => keyOf(other) === claim);
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
  { kinds }: Setup,
  around: ClusterAround | null,
): readonly Wait[] {
  if (kinds[object.kind]?.storage !== 'namespace') return [];
  if (object.specFinalizers?.includes(NAMESPACE_TOKEN) !== true) return [];
  const name = displayName(object);
  const inside = others.filter(({ namespace }) => namespace === object.name);
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
  const contents = inside.map((other): Wait => {
    const what = formatKey(keyOf(other));
    return { for: 'contents', what, text: `${name} waits for ${what}, which is in it` };
  });
  return [...down, ...contents];
}

/**
 * A DELETE marks an object and then removes it. If the second request to the store fails, the object
 * stays until the next DELETE or update: see `BeforeDelete` and `ShouldDeleteDuringUpdate` (1.20).
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
