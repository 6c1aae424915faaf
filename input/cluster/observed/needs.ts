import { isMapping, textAt, valueAt } from '../../documents/shape.ts';
import { selectorOf } from '../webhooks/observed.ts';
import { credentialsIn } from './credentials.ts';
import type { Mark, Tool } from './mark.ts';

/** Where an object names what its controllers read before they remove their finalizers. */
interface Need {
  readonly tool: Tool;
  /** What its group ends with. */
  readonly group: string;
  /** Its kinds; absent: all of the group. */
  readonly kinds?: readonly string[];
  /** Within its spec: a name, or a mapping with a name, and perhaps a kind and a namespace. */
  readonly at: readonly string[];
  /** The kind, if none is said. */
  readonly kind: string;
  readonly whole?: true;
}

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

const NEEDS: readonly Need[] = [
  // `csiDetach` and `getCredentialsFromPV` of the external attacher (4).
  {
    ...{ tool: 'Kubernetes', group: 'storage.k8s.io', kinds: ['VolumeAttachment'] },
    ...{ at: ['source', 'persistentVolumeName'], kind: 'PersistentVolume' },
  },
  {
    ...{ tool: 'Kubernetes', group: 'v1', kinds: ['PersistentVolume'] },
    ...{ at: ['csi', 'controllerPublishSecretRef'], kind: 'Secret' },
  },
  // `Connect` of the providers comes before the deletion.
  { tool: 'Crossplane', group: '', at: ['providerConfigRef'], kind: 'ProviderConfig' },
  ...['ProviderConfig', 'ClusterProviderConfig'].map(
    (kind): Need => ({
      ...{ tool: 'Crossplane', group: '', kinds: [kind] },
      ...{ at: ['credentials', 'secretRef'], kind: 'Secret' },
    }),
  ),
  // `NewClientFromCluster`, `GetAuthorizer` and their like of the providers of infrastructure.
  ...[
    ['identityRef'],
    ['credentialsRef'],
    ['hetznerSecretRef'],
    ['prismCentral', 'credentialRef'],
    // Of an AzureClusterIdentity, of an AWSClusterStaticIdentity, of a VSphereClusterIdentity.
    ['clientSecret'],
    ['secretRef'],
    ['secretName'],
  ].map((at): Need => ({ tool: 'Cluster API', group: INFRASTRUCTURE, at, kind: 'Secret' })),
  {
    // `GetSecretStores`, by name or by labels. A store reads its credentials beside it.
    ...{ tool: 'External Secrets', group: 'external-secrets.io', kinds: ['PushSecret'] },
    ...{ at: ['secretStoreRefs'], kind: 'SecretStore', whole: true },
  },
  // `handleFinalizer`, `handleCleanup`. An issuer reads the credentials of its solvers beside it.
  {
    ...{ tool: 'cert-manager', group: 'acme.cert-manager.io', kinds: ['Challenge'] },
    ...{ at: ['issuerRef'], kind: 'Issuer', whole: true },
  },
  // `ParseReference`: without the Secret, it does not know that the broker is gone.
  {
    ...{ tool: 'RabbitMQ Messaging Topology Operator', group: 'rabbitmq.com' },
    ...{ at: ['rabbitmqClusterReference', 'connectionSecret'], kind: 'Secret' },
  },
  // `GetActionsService` comes before the runner or the scale set is removed at GitHub. A listener
  // names a Secret of another namespace, and needs none to go.
  ...[
    { kinds: ['AutoscalingRunnerSet', 'EphemeralRunner'], at: ['githubConfigSecret'] },
    { kinds: ['EphemeralRunnerSet'], at: ['ephemeralRunnerSpec', 'githubConfigSecret'] },
  ].map(
    (need): Need => ({
      ...{ tool: 'Actions Runner Controller', group: 'actions.github.com', kind: 'Secret' },
      ...need,
    }),
  ),
  ...[
    { at: ['connectionSecretRef'], kind: 'Secret' },
    { at: ['connectionSecret'], kind: 'Secret' },
    { at: ['projectRef'], kind: 'AtlasProject' },
  ].map((need): Need => ({ tool: 'Atlas Operator', group: 'atlas.mongodb.com', ...need })),
];

/** `AnnotationCredentialFrom` of the Azure Service Operator, and the name without it. */
const CREDENTIAL_FROM = 'serviceoperator.azure.com/credential-from';
const CREDENTIAL = 'aso-credential';

/** What controllers read before they remove their finalizers from an object. */
export function needsOf(
  apiVersion: string,
  kind: string,
  annotations: Readonly<Record<string, string>>,
  manifest: unknown,
): readonly Mark[] {
  const [group = ''] = apiVersion.split('/');
  if (!group.includes('.') && kind !== 'PersistentVolume') return [];
  const named = NEEDS.filter(
    (need) => group.endsWith(need.group) && (need.kinds?.includes(kind) ?? true),
  ).flatMap((need) => {
    const found = valueAt(manifest, ['spec', ...need.at]);
    return (Array.isArray(found) ? found : [found]).flatMap((one) => namedBy(one, need));
  });
  const read = readBy(group, kind, manifest);
  if (!group.endsWith('.azure.com')) return [...named, ...read];
  const from = annotations[CREDENTIAL_FROM] ?? '';
  const [namespace, name] = from.includes('/') ? from.split('/') : [null, from];
  const tool = 'Azure Service Operator';
  return [
    ...named,
    from === '' || name === undefined
      ? {
          ...{ mark: 'needs', tool, kind: 'Secret', namespace: null, name: CREDENTIAL },
          ifThere: true,
        }
      : { mark: 'needs', tool, kind: 'Secret', namespace: namespace ?? null, name },
  ];
}

/** Credentials of stores and solvers, and the stores that a PushSecret has pushed to. */
function readBy(group: string, kind: string, manifest: unknown): readonly Mark[] {
  const at = (...path: readonly string[]): unknown => valueAt(manifest, ['spec', ...path]);
  if (group === 'external-secrets.io' && kind.endsWith('SecretStore')) {
    // `resolvers.SecretKeyRef`: without a namespace, a ClusterSecretStore reads it beside the
    // object that uses it.
    return credentialsIn(at('provider')).map((one): Mark => {
      const namespace = kind === 'SecretStore' ? null : one.namespace;
      return { mark: 'needs', tool: 'External Secrets', ...one, namespace };
    });
  }
  if (group === 'external-secrets.io' && kind === 'PushSecret') {
    // `DeleteSecretFromProviders`, whichever stores the spec names by now.
    const pushed = valueAt(manifest, ['status', 'syncedPushSecrets']);
    return Object.keys(isMapping(pushed) ? pushed : {}).map((store): Mark => {
      const [of = '', name = ''] = store.split('/');
      const found = { mark: 'needs', tool: 'External Secrets', kind: of, name } as const;
      return { ...found, namespace: null, whole: true };
    });
  }
  if (group.endsWith('.percona.com') && kind.endsWith('Backup')) {
    // With what it was stored.
    return ['s3', 'azure'].flatMap((storage): readonly Mark[] => {
      const name = valueAt(manifest, ['status', storage, 'credentialsSecret']);
      return typeof name === 'string' && name !== ''
        ? [{ mark: 'needs', tool: 'Percona', kind: 'Secret', namespace: null, name }]
        : [];
    });
  }
  if (group !== 'acme.cert-manager.io' || kind !== 'Challenge') return [];
  // `ResourceNamespaceRef`: for a ClusterIssuer, in the namespace of `--cluster-resource-namespace`.
  const isCluster = at('issuerRef', 'kind') === 'ClusterIssuer';
  return credentialsIn(at('solver')).map((one): Mark => {
    const found = { mark: 'needs', tool: 'cert-manager', ...one, namespace: null } as const;
    return isCluster ? { ...found, anywhere: true } : found;
  });
}

function namedBy(found: unknown, need: Need): readonly Mark[] {
  const selector = valueAt(found, ['labelSelector']) ?? null;
  const selects = need.whole === true && selector !== null ? selectorOf(selector) : undefined;
  const name = textAt(found, []) ?? textAt(found, ['name']);
  if (name === null && selects === undefined) return [];
  return [
    {
      ...{ mark: 'needs', tool: need.tool, name: selects === undefined ? (name ?? '') : '' },
      ...(selects === undefined ? {} : { selects }),
      kind: textAt(found, ['kind']) ?? need.kind,
      namespace: textAt(found, ['namespace']),
      ...(need.whole === true ? { whole: true } : {}),
    },
  ];
}
