import { type Kept, type KeptFields, scalars } from './kept-part.ts';

export const SCALARS: Kept = { items: 'scalar' };
export const NAME: Kept = { fields: scalars('name') };
export const NAMED_KIND: Kept = { fields: scalars('kind', 'name') };
export const REFERENCE: Kept = { fields: scalars('kind', 'namespace', 'name') };

/** In a spec: by which objects of operators name others, and what decides of their deletion. */
export const NAMED_BY_VENDORS: KeptFields = {
  // What other objects of operators name
  ...scalars('backupName', 'broker', 'clusterQueue', 'queue', 'queueName', 'storageLocation'),
  ...{ compositionRef: NAME, crossplane: { fields: { compositionRef: NAME } }, credential: NAME },
  ...{
    brokerRef: REFERENCE,
    elasticsearchRef: REFERENCE,
    gateways: SCALARS,
    ref: REFERENCE,
    workloadRef: NAMED_KIND,
  },
  acme: { fields: { privateKeySecretRef: NAME } },
  ca: { fields: scalars('secretName') },
  machineTemplate: {
    fields: { infrastructureRef: REFERENCE, spec: { fields: { infrastructureRef: REFERENCE } } },
  },
  masterUserPassword: REFERENCE,
  admissionChecks: SCALARS,
  admissionChecksStrategy: { fields: { admissionChecks: { items: NAME } } },
  resourceGroups: { items: { fields: { flavors: { items: NAME } } } },
  topologyName: 'scalar',
  pipeline: { items: { fields: { functionRef: NAME } } },
  plugins: { items: { fields: { parameters: { fields: scalars('barmanObjectName') } } } },
  predictor: { fields: { model: { fields: scalars('runtime') } } },
  routes: {
    items: { fields: { middlewares: { items: REFERENCE }, services: { items: REFERENCE } } },
  },
  tasks: { items: { fields: { taskRef: NAMED_KIND } } },
  topology: { fields: { ...scalars('class'), classRef: REFERENCE } },
  triggers: { items: { fields: { authenticationRef: NAMED_KIND } } },
  workflowTemplateRef: NAME,
  // Antrea, Keycloak, NATS, Vault
  ...scalars(
    'externalIPPool',
    'keycloakCRName',
    'streamName',
    'vaultAuthRef',
    'vaultConnectionRef',
  ),
  workflowSpec: { fields: { workflowTemplateRef: NAME } },
  // EKS Anywhere, Fleet, Open Cluster Management, KEDA
  managementCluster: NAME,
  options: { fields: scalars('keepResources') },
  deleteOption: { fields: scalars('propagationPolicy') },
  // Whose drain, controller, node or configuration decides whether an object goes
  ...scalars('controllerName', 'nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'ownerNodeID'),
  deletion: { fields: scalars('nodeDrainTimeoutSeconds', 'nodeVolumeDetachTimeoutSeconds') },
  kafka: { fields: { config: { fields: scalars('delete.topic.enable') } } },
};

/** In the template of a node or machine of Karpenter or Cluster API. */
export const NAMED_BY_MACHINES: KeptFields = {
  ...{ nodeClassRef: NAMED_KIND, infrastructureRef: REFERENCE },
  bootstrap: { fields: { configRef: REFERENCE } },
};
