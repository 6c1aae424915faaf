import { BUILT_IN_KINDS } from '../../model/state/kind-table.ts';
import { type ApiObject, keyOf } from '../../model/state/objects.ts';
import type { Setup } from '../../model/state/setup.ts';
import { HOLD, setupOf } from '../properties/clusters.ts';

const GRACE = { terminationGracePeriodSeconds: 30 };
const RUNNING = { ...GRACE, scheduled: true, finished: false, running: true as const };

/** A Deployment with a ReplicaSet and pods that kubelets run; a user deletes it in the foreground. */
export function foregroundPods(pods: number): Setup {
  const top = object('Deployment.apps', 'web', null);
  const set = object('ReplicaSet.apps', 'web-1', top);
  const members = Array.from({ length: pods }, (_, index) => ({
    ...object('Pod', `p-${index}`, set),
    pod: RUNNING,
  }));
  const request = {
    ...{ do: 'delete' as const, key: 'Deployment.apps/prod/web' },
    options: { propagationPolicy: 'Foreground' as const },
  };
  return {
    ...setupOf([top, set, ...members], {}),
    kinds: BUILT_IN_KINDS,
    users: { kubectl: [{ request, after: [] }] },
    kubelets: true,
  };
}

export interface Seedling {
  readonly kind: 'ConfigMap' | 'Secret' | 'Pod';
  /** The number of its owner: 0 is the root. */
  readonly owner: number;
  readonly blocks: boolean;
  /** A finalizer whose owner may take it off. */
  readonly held: boolean;
}

export interface Forest {
  readonly seedlings: readonly Seedling[];
  readonly cascade: 'Foreground' | 'Background' | 'Orphan';
  /** The number of another object that a second user deletes. */
  readonly also: number | null;
  readonly workers: number;
  readonly cold: boolean;
}

/** A tree of objects whose root a user deletes. */
export function forest({ seedlings, cascade, also, workers, cold }: Forest): Setup {
  const objects: ApiObject[] = [object('ConfigMap', 'root', null)];
  for (const [index, { kind, owner, blocks, held }] of seedlings.entries()) {
    const above = objects[owner % objects.length]!;
    const made = object(kind, `o${index}`, above);
    objects.push({
      ...made,
      ...(held ? { finalizers: [HOLD] } : {}),
      ownerReferences: made.ownerReferences.map((reference) => ({
        ...reference,
        blockOwnerDeletion: blocks,
      })),
      ...(kind === 'Pod' ? { pod: RUNNING } : {}),
    });
  }
  const deleting = (
    target: ApiObject | undefined,
    propagationPolicy: Forest['cascade'],
  ): Setup['users'][string] =>
    target === undefined
      ? []
      : [
          {
            request: { do: 'delete', key: keyOf(target), options: { propagationPolicy } },
            after: [],
          },
        ];
  return {
    ...setupOf(objects, {}),
    users: {
      alice: deleting(objects[0], cascade),
      ...(also === null ? {} : { bob: deleting(objects[also], 'Background') }),
    },
    finalizers: { [HOLD]: 'unknown' },
    kubelets: true,
    deleteWorkers: workers,
    ...(cold ? { caches: 'cold' as const } : {}),
  };
}

function object(kind: string, name: string, owner: ApiObject | null): ApiObject {
  return {
    ...{ kind, namespace: 'prod', name, uid: `uid-${name}-1`, generation: 0, finalizers: [] },
    ...{ deletionTimestamp: null, deletionGracePeriodSeconds: null },
    ownerReferences:
      owner === null
        ? []
        : [
            {
              apiVersion: owner.kind.endsWith('.apps') ? 'apps/v1' : 'v1',
              kind: owner.kind.replace('.apps', ''),
              ...{ name: owner.name, uid: owner.uid, controller: true, blockOwnerDeletion: true },
            },
          ],
  };
}
