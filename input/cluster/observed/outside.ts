import { valueAt } from '../../documents/shape.ts';
import { conditionsOf } from './conditions.ts';
import type { Mark } from './mark.ts';

/** What an object says of the thing outside of the cluster for which it stands. */

/** Conditions that are False while the controller cannot do its work. */
const WORKING: readonly string[] = ['Ready', 'Synced'];
/** Conditions of AWS Controllers for Kubernetes that are True then. */
const FAILING: readonly string[] = ['ACK.Recoverable', 'ACK.Terminal'];

/** Fields with which a provider refuses to delete, where they are true. */
const PROTECTED: readonly string[] = [
  ...['deletionProtection', 'deletionProtectionEnabled', 'deleteProtection'],
  ...['terminationProtection', 'disableApiTermination', 'terminationProtectionEnabled'],
];
/** Where they are in the spec: of ACK and Config Connector, and of Crossplane. */
const WITHIN: readonly (readonly string[])[] = [[], ['forProvider'], ['initProvider']];

/** Kinds of things that are deleted only while they are empty, and the field that empties them. */
const EMPTIED: Readonly<Record<string, string>> = {
  Bucket: 'forceDestroy',
  StorageBucket: 'forceDestroy',
  HostedZone: 'forceDestroy',
  Zone: 'forceDestroy',
  DNSManagedZone: 'forceDestroy',
  ManagedZone: 'forceDestroy',
  Repository: 'forceDelete',
};
/** The annotation of Config Connector that does the same. */
const FORCED = 'cnrm.cloud.google.com/force-destroy';

/** Kinds of networks, which are deleted only while nothing is in them. */
const NETWORKS =
  /^(VPC|Vpc|Subnet|SecurityGroup|InternetGateway|NATGateway|Network|Subnetwork|ComputeNetwork|ComputeSubnetwork|VirtualNetwork|VirtualNetworksSubnet)$/;

/** Groups whose objects stand for something in a cloud. */
const CLOUDS =
  /\.(services\.k8s\.aws|upbound\.io|crossplane\.io|cnrm\.cloud\.google\.com|azure\.com)$/;

/** What of it may keep its deletion from succeeding. */
export function outsideOf(
  apiVersion: string,
  kind: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly Mark[] {
  const [group = ''] = apiVersion.split('/');
  if (!group.includes('.')) return [];
  const failing = conditionsOf(manifest).find(
    ({ type, status }) =>
      (status === 'False' && WORKING.includes(type)) ||
      (status === 'True' && FAILING.includes(type)),
  );
  const reason = failing?.reason ? ` (${failing.reason})` : '';
  const fails: readonly Mark[] =
    failing === undefined
      ? []
      : [{ mark: 'fails', tool: null, by: `${failing.type}=${failing.status}${reason}` }];
  const isSet = (field: string): boolean =>
    WITHIN.some((path) => valueAt(manifest, ['spec', ...path, field]) === true);
  const refusals = [
    ...PROTECTED.filter(isSet).map(
      (field) => `its provider refuses to delete it: ${field} is true`,
    ),
    ...(CLOUDS.test(group) ? contentsOf(kind, isSet, annotations) : []),
    // `CephObjectStoreDependents` (1.7).
    ...(group === 'ceph.rook.io' && kind === 'CephObjectStore'
      ? ['Rook keeps it while there is a bucket in it, which no dump shows']
      : []),
  ];
  return [...fails, ...refusals.map((by): Mark => ({ mark: 'refused', tool: null, by }))];
}

function contentsOf(
  kind: string,
  isSet: (field: string) => boolean,
  annotations: Readonly<Record<string, string>>,
): readonly string[] {
  if (NETWORKS.test(kind)) {
    return ['its provider refuses to delete it while anything there uses it, which no dump shows'];
  }
  const field = Object.hasOwn(EMPTIED, kind) ? EMPTIED[kind] : undefined;
  if (field === undefined || isSet(field) || annotations[FORCED] === 'true') return [];
  return [
    `its provider deletes it only while it is empty, which no dump shows (${field} is not set)`,
  ];
}
