import fc from 'fast-check';
import type { ApiObject, Setup } from '../../../model/index.ts';
import { FOREGROUND, keyOf, ORPHAN } from '../../../model/index.ts';
import { alice, HOLD, object, setupOf } from '../../properties/clusters.ts';

/** Objects with owners, of which a user deletes the root. */
export interface Forest {
  /** The objects beneath the root. An owner is the number of an earlier one, 0 the root. */
  readonly below: readonly {
    readonly owner: number;
    /** A second owner: an earlier one, or one that nobody deletes. Absent: it has one owner. */
    readonly also?: number | 'keeper';
    readonly block: boolean;
    readonly pod: boolean;
    /** Another kind has a watch of its own. Absent: it is a ConfigMap or a pod. */
    readonly kind?: 'Secret';
    readonly held: boolean;
    /** How it is being deleted already; null: it is not. */
    readonly deletion: 'background' | 'foreground' | null;
    /** It has the finalizer `orphan`. Absent: it has not. */
    readonly orphans?: true;
  }[];
  /** The root is not there, and these are the caches of the collector. Absent: it is there. */
  readonly rootless?: 'synced' | 'cold';
  /** The one of these that another user deletes as well. Absent: none. */
  readonly asked?: number;
  readonly workers: number;
  readonly cascade: 'Foreground' | 'Background' | 'Orphan';
}

const PLAIN = { owner: 0, block: true, pod: false, held: false, deletion: null };

/** What a forest needs to say of an object beneath the root. */
export function beneath(more: Partial<Forest['below'][number]> = {}): Forest['below'][number] {
  return { ...PLAIN, ...more };
}

export function forests(maxLength: number): fc.Arbitrary<Forest> {
  return fc.record({
    below: fc.array(
      fc.record({
        owner: fc.nat(2),
        block: fc.boolean(),
        pod: fc.boolean(),
        held: fc.boolean(),
        deletion: fc.constantFrom(null, null, null, 'background' as const, 'foreground' as const),
      }),
      { minLength: 2, maxLength },
    ),
    workers: fc.constantFrom(1, 2),
    cascade: fc.constantFrom('Foreground' as const, 'Background' as const, 'Orphan' as const),
  });
}

export function setupOfForest({ below, rootless, asked, workers, cascade }: Forest): Setup {
  const objects: ApiObject[] = [object('ConfigMap', 'root')];
  const keeper = object('ConfigMap', 'keeper');
  for (const [index, { owner, also, block, pod, held, deletion, ...more }] of below.entries()) {
    const first = objects[Math.min(owner, index)]!;
    const second = also === 'keeper' ? keeper : also === undefined ? first : objects[also]!;
    const owners = [...new Set([first, second])];
    const runs = { terminationGracePeriodSeconds: 5, scheduled: true, finished: false };
    const finalizers = [
      // Only a finalizer keeps an object that is being deleted.
      ...(held || (deletion === 'background' && more.orphans === undefined) ? [HOLD] : []),
      ...(deletion === 'foreground' ? [FOREGROUND] : []),
      ...(more.orphans === undefined ? [] : [ORPHAN]),
    ];
    objects.push(
      object(more.kind ?? (pod ? 'Pod' : 'ConfigMap'), `o${index}`, {
        ownerReferences: owners.map(({ kind, name, uid }) => ({
          ...{ apiVersion: 'v1', kind, name, uid, blockOwnerDeletion: block },
        })),
        finalizers,
        ...(deletion === null ? {} : { deletionTimestamp: 0, deletionGracePeriodSeconds: 0 }),
        ...(pod ? { pod: { ...runs, running: true } } : {}),
      }),
    );
  }
  const isKept = below.some(({ also }) => also === 'keeper');
  if (rootless !== undefined) {
    const more = { kubelets: true, deleteWorkers: workers, caches: rootless };
    return setupOf(objects.slice(1), more);
  }
  const { users } = alice({
    ...{ do: 'delete', key: 'ConfigMap/default/root' },
    options: { propagationPolicy: cascade },
  });
  const other = asked === undefined ? undefined : objects[asked + 1];
  const request = other && ({ do: 'delete', key: keyOf(other), options: {} } as const);
  return setupOf(isKept ? [...objects, keeper] : objects, {
    users: { ...users, ...(request && { bob: [{ request, after: [] }] }) },
    ...{ kubelets: true, deleteWorkers: workers },
  });
}
