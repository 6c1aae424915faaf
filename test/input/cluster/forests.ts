import fc from 'fast-check';
import type { ApiObject, Setup } from '../../../model/index.ts';
import { alice, HOLD, object, setupOf } from '../../properties/clusters.ts';

/** A tree of objects, of which a user deletes the root. */
export interface Tree {
  /** The objects beneath the root; `owner` is the number of an earlier one, 0 the root. */
  readonly below: readonly {
    readonly owner: number;
    readonly pod: boolean;
    readonly held: boolean;
  }[];
  readonly block: boolean;
  readonly workers: number;
  readonly cascade: 'Foreground' | 'Background' | 'Orphan';
}

export function trees(maxLength: number): fc.Arbitrary<Tree> {
  return fc.record({
    below: fc.array(fc.record({ owner: fc.nat(2), pod: fc.boolean(), held: fc.boolean() }), {
      ...{ minLength: 2, maxLength },
    }),
    block: fc.boolean(),
    workers: fc.constantFrom(1, 2),
    cascade: fc.constantFrom('Foreground' as const, 'Background' as const, 'Orphan' as const),
  });
}

export function setupOfTree({ below, block, workers, cascade }: Tree): Setup {
  const objects: ApiObject[] = [object('ConfigMap', 'root')];
  for (const [index, { owner, pod, held }] of below.entries()) {
    const { kind, name, uid } = objects[Math.min(owner, index)]!;
    const reference = { apiVersion: 'v1', kind, name, uid, blockOwnerDeletion: block };
    const runs = { terminationGracePeriodSeconds: 5, scheduled: true, finished: false };
    objects.push(
      object(pod ? 'Pod' : 'ConfigMap', `o${index}`, {
        ownerReferences: [reference],
        finalizers: held ? [HOLD] : [],
        ...(pod ? { pod: { ...runs, running: true } } : {}),
      }),
    );
  }
  return setupOf(objects, {
    ...alice({
      ...{ do: 'delete', key: 'ConfigMap/default/root' },
      options: { propagationPolicy: cascade },
    }),
    ...{ kubelets: true, deleteWorkers: workers },
  });
}
