/** Where an object of these kinds names another one. */
interface NamedAt {
  /** Without its group. Absent: any kind. */
  readonly users?: readonly string[];
  /** A name, or a mapping with a name; a field on the way may be a list. */
  readonly at: readonly string[];
  /**
   * The kind of what is named, if the mapping does not say it; with its group where other groups have
   * one of that name. Absent: without it, nothing is.
   */
  readonly kind?: string;
  /** In whatever namespace: the object does not say it. */
  readonly anywhere?: true;
  /** What the lack of it means. */
  readonly effect: string;
}

const ISSUED = 'it issues and renews nothing as before without it';
const NOT_RENEWED = 'nothing is renewed without it';
const IDLE = 'it starts nothing new without it';
/** `buildScalers` fails, and the metrics of its autoscaler with it. */
const UNSCALED = 'KEDA does not scale it without it';
const UNROUTED = 'its routes fail without it';
const ADMITTED = 'Kueue admits nothing for it any more';
const MACHINES = 'it makes no new machine without it';
const UNSTORED = 'nothing of it can be restored or deleted without it';
const UNATTACHED = 'it is neither attached, mounted nor detached without it';
const BACKED_UP = 'nothing is backed up without it';

/**
 * @param users kinds, with spaces between them; empty: any.
 * @param at within the spec.
 */
function row(users: string, at: string, kind: string, effect: string): NamedAt {
  return {
    ...(users === '' ? {} : { users: users.split(' ') }),
    at: ['spec', ...at.split('.')],
    ...(kind === '' ? {} : { kind }),
    effect,
  };
}

/** What objects of operators name, and do without if it is gone: nothing holds it for them. */
export const NAMED_IN_FIELDS: readonly NamedAt[] = [
  // Of bindings of roles
  { at: ['roleRef'], effect: 'it grants nothing without it' },
  // A ScaledObject of KEDA need not say the kind (`apis/keda/v1alpha1/scaledobject_types.go`).
  row('', 'scaleTargetRef', 'Deployment', 'it has nothing to scale'),
  row('', 'targetRef', '', 'it has nothing to act on'),
  row('', 'issuerRef', 'Issuer', NOT_RENEWED),
  row('', 'secretStoreRef', 'SecretStore', 'nothing is refreshed without it'),
  row('', 'sourceRef', '', 'it applies nothing new without it'),
  row('ScaledObject ScaledJob', 'triggers.authenticationRef', 'TriggerAuthentication', UNSCALED),
  ...['controllerPublish', 'nodeStage', 'nodePublish'].map((when) =>
    row('PersistentVolume', `csi.${when}SecretRef`, 'Secret', UNATTACHED),
  ),
  ...['ca.secretName', 'acme.privateKeySecretRef'].flatMap((at) => [
    row('Issuer', at, 'Secret', ISSUED),
    // `--cluster-resource-namespace`
    {
      ...row(
        'ClusterIssuer',
        at,
        'Secret',
        `if cert-manager reads it in that namespace, ${ISSUED}`,
      ),
      anywhere: true as const,
    },
  ]),
  // Elastic Cloud on Kubernetes
  row('', 'elasticsearchRef', 'Elasticsearch', 'it loses its cluster'),
  // Volcano, Kueue (`apis/kueue/v1beta2`)
  row('PodGroup Job', 'queue', 'Queue', 'what of it does not run yet stays pending'),
  row('Workload', 'queueName', 'LocalQueue', ADMITTED),
  row('LocalQueue', 'clusterQueue', 'ClusterQueue', ADMITTED),
  // Argo (`WorkflowSpec`, `RolloutSpec`), Tekton
  row('Workflow', 'workflowTemplateRef', 'WorkflowTemplate', IDLE),
  row('CronWorkflow', 'workflowSpec.workflowTemplateRef', 'WorkflowTemplate', IDLE),
  row('Rollout', 'workloadRef', '', 'it has no template of its pods without it'),
  row('Pipeline', 'tasks.taskRef', 'Task', IDLE),
  // Velero
  row('Backup', 'storageLocation', 'BackupStorageLocation', UNSTORED),
  row('Schedule', 'template.storageLocation', 'BackupStorageLocation', BACKED_UP),
  row('Restore', 'backupName', 'Backup', 'its results stay in the object store'),
  row('BackupStorageLocation', 'credential', 'Secret', 'Velero does not reach it without that'),
  // CloudNativePG
  row('Cluster', 'plugins.parameters.barmanObjectName', 'ObjectStore', BACKED_UP),
  // AWS Controllers for Kubernetes
  row('DBInstance DBCluster', 'masterUserPassword', 'Secret', 'ACK does not set its password'),
  // Karpenter, Cluster API
  row('NodePool', 'template.spec.nodeClassRef', '', 'it makes no new node without it'),
  row('MachineDeployment MachineSet', 'template.spec.infrastructureRef', '', MACHINES),
  row('MachineDeployment MachineSet', 'template.spec.bootstrap.configRef', '', MACHINES),
  row('', 'machineTemplate.infrastructureRef', '', MACHINES),
  row('', 'machineTemplate.spec.infrastructureRef', '', MACHINES),
  row('Cluster', 'topology.class', 'ClusterClass', 'nothing of it is updated without it'),
  row('Cluster', 'topology.classRef', 'ClusterClass', 'nothing of it is updated without it'),
  // Crossplane, also from version 2
  ...['compositionRef', 'crossplane.compositionRef'].map((at) =>
    row('', at, 'Composition', 'what it composes is not updated without it'),
  ),
  row('Composition', 'pipeline.functionRef', 'Function', 'what it composes is not updated'),
  // Vault Secrets Operator
  row('', 'vaultAuthRef', 'VaultAuth', 'nothing of it is read or renewed without it'),
  row('VaultAuth', 'vaultConnectionRef', 'VaultConnection', 'it does not reach Vault without it'),
  // `syncEgressIP` of Antrea
  row('Egress', 'externalIPPool', 'ExternalIPPool', 'Antrea takes its address away'),
  // NACK, Keycloak
  row('Consumer', 'streamName', 'Stream', 'its consumer in NATS goes with the stream'),
  row('KeycloakRealmImport', 'keycloakCRName', 'Keycloak', 'it imports nothing without it'),
  // KServe, Knative, Istio, Traefik
  row('InferenceService', 'predictor.model.runtime', 'ServingRuntime', IDLE),
  row('DomainMapping', 'ref', '', UNROUTED),
  // `TriggerSpec` has the one or the other.
  row('Trigger', 'broker', 'Broker', 'it gets no events without it'),
  row('Trigger', 'brokerRef', 'Broker', 'it gets no events without it'),
  row('VirtualService', 'gateways', 'Gateway.networking.istio.io', UNROUTED),
  row('IngressRoute', 'routes.middlewares', 'Middleware', UNROUTED),
  row('IngressRoute', 'routes.services', 'Service', UNROUTED),
];
