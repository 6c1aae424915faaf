import type { ApiObject } from '../../../model/index.ts';
import { displayName } from '../../manifests/names.ts';
import { byKindIn, remembered } from '../lookups.ts';

interface Uninstaller {
  readonly operator: string;
  /** What it deletes, and what goes with that, in words. */
  readonly deletes: readonly [string, string];
  /** The groups of the definitions; absent: it deletes objects of some kinds. */
  readonly groups?: RegExp;
  readonly kinds?: readonly string[];
  /** The resource of the instances that matter most. */
  readonly instances: string;
}

const DEFINITIONS = ['its definitions', 'all of their instances'] as const;

/** Operators that delete definitions, or objects that others own, with an object of these kinds. */
const UNINSTALLERS: Readonly<Record<string, Uninstaller>> = {
  // `DeleteAll` of its install strategy: definitions first. `uninstallStrategy` is for its webhook.
  'KubeVirt.kubevirt.io': {
    ...{ operator: "KubeVirt's operator", deletes: DEFINITIONS },
    groups: /^((snapshot|export|clone|instancetype|migrations|pool|backup)\.)?kubevirt\.io$/,
    instances: 'virtualmachines.kubevirt.io',
  },
  // `crdReconcile.clean`
  'ClusterManager.operator.open-cluster-management.io': {
    ...{ operator: 'the operator of the hub', deletes: DEFINITIONS },
    groups: /^(cluster|work|addon)\.open-cluster-management\.io$/,
    instances: 'managedclusters.cluster.open-cluster-management.io',
  },
  // `OperandHandler.EnsureDeleted` (1.16): in the foreground, those that it has labelled.
  'HyperConverged.hco.kubevirt.io': {
    operator: 'the operator of HyperConverged',
    deletes: ['KubeVirt, CDI and their like', 'what goes with these'],
    kinds: [
      ...['KubeVirt.kubevirt.io', 'CDI.cdi.kubevirt.io', 'SSP.ssp.kubevirt.io'],
      ...['AAQ.aaq.kubevirt.io', 'MTQ.mtq.kubevirt.io'],
      'NetworkAddonsConfig.networkaddonsoperator.network.kubevirt.io',
    ],
    instances: 'virtualmachines.kubevirt.io',
  },
};

/**
 * What an operator deletes with this object. Null: nobody deletes anything.
 *
 * @param name what the object is called.
 */
export function uninstallOf(
  { kind }: ApiObject,
  name: string,
): { readonly operator: string; readonly why: string } | null {
  const found = uninstallerOf(kind);
  if (found === undefined) return null;
  const { operator, deletes } = found;
  return { operator, why: `${operator} deletes ${deletes[0]} with ${name}, and so ${deletes[1]}` };
}

function uninstallerOf(kind: string): Uninstaller | undefined {
  return Object.hasOwn(UNINSTALLERS, kind) ? UNINSTALLERS[kind] : undefined;
}

/** What the dump lacks of the instances that go with this object, and how to get it. */
export function uninstalledUnseen(
  object: ApiObject,
  objects: readonly ApiObject[],
): readonly { readonly what: string; readonly settle: string }[] {
  const { instances } = uninstallerOf(object.kind) ?? {};
  const found = uninstallOf(object, displayName(object));
  const isSeen = uninstalledWith(object, objects).some((one) => !isDefinition(one));
  if (instances === undefined || found === null || isSeen) return [];
  const what = `${found.why}, of which the dump has none`;
  return [{ what, settle: `kubectl get ${instances} -A -o yaml` }];
}

function isDefinition({ kind }: ApiObject): boolean {
  return kind.startsWith('CustomResourceDefinition.');
}

/**
 * The definitions that are deleted with this object, and their instances; or the objects, and what
 * is deleted with these.
 */
export function uninstalledWith(
  object: ApiObject,
  objects: readonly ApiObject[],
): readonly ApiObject[] {
  const { groups, kinds = [] } = uninstallerOf(object.kind) ?? {};
  if (groups === undefined) {
    const found = kinds.flatMap((kind) => byKindIn(objects).get(kind) ?? []);
    return [...new Set([...found, ...found.flatMap((one) => uninstalledWith(one, objects))])];
  }
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
