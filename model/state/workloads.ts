import { kindOf } from './keys.ts';
import { kindNamed } from './kinds.ts';
import { keyOf, type ObjectKey, type OwnerReference } from './objects.ts';
import type { Setup, Workload } from './setup.ts';

/** Workloads whose controllers decide on caches of their own. */
export function cachedWorkloads({ workloads = [] }: Pick<Setup, 'workloads'>): readonly Workload[] {
  return workloads.filter(({ caches, controller }) => caches === 'own' && controller === undefined);
}

/** The reference to a pod that controls an object. */
export function podReference({ key, uid }: Workload['parent']): OwnerReference {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', name, uid },
    ...{ controller: true, blockOwnerDeletion: true },
  };
}

/** Everything that can be a child: what the controller creates, and what its selector matches. */
export function candidates({ children, selects = [] }: Workload): readonly ObjectKey[] {
  return [...new Set([...children.map(keyOf), ...selects])];
}

/** Mirrors `metav1.NewControllerRef`. */
export function controllerReference(
  { kinds }: Pick<Setup, 'kinds'>,
  { key, uid }: Workload['parent'],
): OwnerReference {
  const { apiVersions, kind } = kindNamed(kinds, kindOf(key));
  return {
    apiVersion: apiVersions[0] ?? '',
    kind,
    name: key.slice(key.lastIndexOf('/') + 1),
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** References that claims can get from the controllers of StatefulSets. */
function retentions(setup: Setup): ReturnType<typeof adoptions> {
  return cachedWorkloads(setup).flatMap(({ parent, children, claims }) =>
    Object.entries(claims?.ofPods ?? {}).flatMap(([pod, keys]) => {
      const uids = [...setup.objects, ...children].filter((object) => keyOf(object) === pod);
      const references = [
        controllerReference(setup, parent),
        ...uids.map(({ uid }) => podReference({ key: pod as ObjectKey, uid })),
      ];
      return keys.flatMap((key) => references.map((reference) => ({ key, reference })));
    }),
  );
}

/** References that objects can get from controllers. */
export function adoptions(
  setup: Setup,
): readonly { readonly key: ObjectKey; readonly reference: OwnerReference }[] {
  const adopting = [
    ...cachedWorkloads(setup).map((workload) => ({
      parent: workload.parent,
      keys: candidates(workload),
    })),
    ...(setup.operators ?? []).map(({ parent, adopts = [] }) => ({ parent, keys: adopts })),
  ];
  return [
    ...adopting.flatMap(({ parent, keys }) =>
      keys.map((key) => ({ key, reference: controllerReference(setup, parent) })),
    ),
    ...retentions(setup),
  ];
}

/** Workloads that the actor of this name manages. */
export function workloadsOf(
  { workloads = [] }: Pick<Setup, 'workloads'>,
  controller: string,
): readonly Workload[] {
  return workloads.filter((workload) => workload.controller === controller);
}
