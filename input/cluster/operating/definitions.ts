import type { ApiObject } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { remembered } from '../lookups.ts';

interface Uninstaller {
  readonly operator: string;
  /** The groups of the definitions. */
  readonly groups: RegExp;
  /** The resource of the instances that matter most. */
  readonly instances: string;
}

/** Operators that delete definitions with an object of these kinds, and so all their instances. */
const UNINSTALLERS: Readonly<Record<string, Uninstaller>> = {
  // `DeleteAll` of its install strategy: definitions first, whatever `uninstallStrategy` says.
  'KubeVirt.kubevirt.io': {
    operator: "KubeVirt's operator",
    groups: /^((snapshot|export|clone|instancetype|migrations|pool|backup)\.)?kubevirt\.io$/,
    instances: 'virtualmachines.kubevirt.io',
  },
  // `crdReconcile.clean`
  'ClusterManager.operator.open-cluster-management.io': {
    operator: 'the operator of the hub',
    groups: /^(cluster|work|addon)\.open-cluster-management\.io$/,
    instances: 'managedclusters.cluster.open-cluster-management.io',
  },
};

/** Who deletes its definitions with this object; null: nobody. */
export function uninstallerOf({ kind }: ApiObject): string | null {
  return Object.hasOwn(UNINSTALLERS, kind) ? (UNINSTALLERS[kind]?.operator ?? null) : null;
}

/** What the dump lacks of the instances that go with this object, and how to get it. */
export function uninstalledUnseen(
  object: ApiObject,
  objects: readonly ApiObject[],
): readonly { readonly what: string; readonly settle: string }[] {
  const found = Object.hasOwn(UNINSTALLERS, object.kind) ? UNINSTALLERS[object.kind] : undefined;
  if (found === undefined || uninstalledWith(object, objects).some((one) => !isDefinition(one))) {
    return [];
  }
  const { operator, instances } = found;
  const what = `${operator} deletes its definitions with ${displayName(object)}, and so all of their instances, of which the dump has none`;
  return [{ what, settle: `kubectl get ${instances} -A -o yaml` }];
}

function isDefinition({ kind }: ApiObject): boolean {
  return kind.startsWith('CustomResourceDefinition.');
}

/** The definitions that are deleted with this object, and their instances. */
export function uninstalledWith(
  object: ApiObject,
  objects: readonly ApiObject[],
): readonly ApiObject[] {
  const groups = uninstallerOf(object) === null ? undefined : UNINSTALLERS[object.kind]?.groups;
  if (groups === undefined) return [];
  // The operator came with the definition of its own kind.
  const own = object.kind.toLowerCase().replace('.', 's.');
  return [...groupsIn(objects)].flatMap(([group, found]) =>
    groups.test(group)
      ? found.filter(({ kind, name }) => kind !== object.kind && name !== own)
      : [],
  );
}

/** Instances and definitions by the group of the API. */
const groupsIn = remembered((objects: readonly ApiObject[]) => {
  const groups = new Map<string, ApiObject[]>();
  for (const object of objects) {
    const [, ...group] = (isDefinition(object) ? object.name : object.kind).split('.');
    const found = groups.get(group.join('.'));
    if (found === undefined) groups.set(group.join('.'), [object]);
    else found.push(object);
  }
  return groups;
});
