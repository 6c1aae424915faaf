import { isMapping, valueAt } from '../../documents/shape.ts';

/** Fields with which a provider refuses to delete: those of clouds differ in little. */
const PROTECTION =
  /^(enable)?(api)?(deletion|delete|drop|termination)Protection(Enabled|State|Mode)?$|^disableApiTermination$/i;
/** What switches such a field off, such as INACTIVE, or DELETE_PROTECTION_DISABLED. */
const OFF = /^(|false|off|no|none|inactive|(\w+_)?(disabled|unprotected|unspecified))$/i;

/** Where they are in the spec, or deeper: of ACK and Config Connector, and of Crossplane. */
const WITHIN: readonly (readonly string[])[] = [[], ['forProvider'], ['initProvider']];

/** Mappings of the spec that have such fields: of databases of GCP. */
const BENEATH: readonly string[] = ['settings'];

/**
 * The annotations with the attributes of a load balancer of AWS. Its controller refuses as well
 * (`defaultModelBuildTask.run`, AWS Load Balancer Controller 2).
 */
const ATTRIBUTES = /load-balancer-attributes$/;
const PROTECTED = /(^|,)\s*deletion_protection\.enabled\s*=\s*true\s*(,|$)/;

/** Databases of Upbound's providers, which take a snapshot first unless they are told otherwise. */
const SNAPSHOTS = /^(rds|docdb|neptune|redshift)\.aws(\.m)?\.upbound\.io$/;

/** Why the provider of what an object stands for refuses to delete it: clauses. */
export function protectionsOf(
  group: string,
  kind: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly string[] {
  const fields = group.includes('.')
    ? WITHIN.flatMap((path) => protectedIn(valueAt(manifest, ['spec', ...path]), path.length > 0))
    : [];
  const attributes = Object.entries(annotations).flatMap(([name, value]) =>
    ATTRIBUTES.test(name) && PROTECTED.test(value)
      ? [`${name} has deletion_protection.enabled=true`]
      : [],
  );
  const found = [...new Set(fields), ...attributes, ...classedIn(group, kind, manifest)].sort();
  return [
    ...found.map((by) => `its provider refuses to delete it: ${by}`),
    ...(SNAPSHOTS.test(group) && ['Instance', 'Cluster'].includes(kind) && lacksSnapshot(manifest)
      ? [
          'its provider refuses to delete it without a final snapshot: skipFinalSnapshot is not true, and finalSnapshotIdentifier is not set',
        ]
      : []),
  ];
}

/** What the parameters of a class say of the load balancers of its Ingresses: a list of pairs. */
function classedIn(group: string, kind: string, manifest: unknown): readonly string[] {
  const pairs = valueAt(manifest, ['spec', 'loadBalancerAttributes']);
  if (group !== 'elbv2.k8s.aws' || kind !== 'IngressClassParams' || !Array.isArray(pairs))
    return [];
  const isSet = pairs.some(
    (one) =>
      valueAt(one, ['key']) === 'deletion_protection.enabled' && valueAt(one, ['value']) === 'true',
  );
  return isSet ? ['the parameters of its class have deletion_protection.enabled=true'] : [];
}

/** @param isDeep whether all that is beneath it is of the provider. */
function protectedIn(value: unknown, isDeep: boolean): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => protectedIn(one, isDeep));
  if (!isMapping(value)) return [];
  return Object.entries(value).flatMap(([field, one]) => {
    if (typeof one === 'object') {
      return isDeep || BENEATH.includes(field) ? protectedIn(one, true) : [];
    }
    return PROTECTION.test(field) && !OFF.test(String(one)) ? [`${field} is ${String(one)}`] : [];
  });
}

/** `resourceInstanceDelete`, `resourceClusterDelete` of the Terraform provider of AWS (5). */
function lacksSnapshot(manifest: unknown): boolean {
  const spec = valueAt(manifest, ['spec', 'forProvider']);
  return (
    spec !== undefined &&
    valueAt(spec, ['skipFinalSnapshot']) !== true &&
    typeof valueAt(spec, ['finalSnapshotIdentifier']) !== 'string'
  );
}
