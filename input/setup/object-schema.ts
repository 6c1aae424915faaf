import * as z from 'zod';

/** Objects and kinds of a setup (model/objects.ts, model/kinds.ts). No other field is allowed. */

const count = z.int().nonnegative();
const texts = z.array(z.string());
/** A field that is either true or absent. */
const set = z.literal(true).exactOptional();

export const referenceSchema = z
  .strictObject({
    apiVersion: z.string().describe('API version of the owner.'),
    kind: z.string().describe('Kind of the owner.'),
    name: z.string().describe('Name of the owner.'),
    uid: z.string().describe('Uid of the owner.'),
    controller: z.boolean().exactOptional().describe('Whether the owner is the controller.'),
    blockOwnerDeletion: z
      .boolean()
      .exactOptional()
      .describe('Whether the dependent blocks a foreground deletion of the owner; absent: no.'),
  })
  .meta({ id: 'OwnerReference', description: 'metav1.OwnerReference.' });

export const conditionSchema = z
  .strictObject({
    type: z.string().describe('Type of the condition.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Status of the condition.'),
    reason: z.string().describe('Reason of the condition.'),
    message: z.string().describe('Message of the condition.'),
  })
  .meta({ id: 'NamespaceCondition', description: 'v1.NamespaceCondition without its times.' });

export const phaseSchema = z
  .enum(['Active', 'Terminating'])
  .meta({ id: 'NamespacePhase', description: 'status.phase of a Namespace.' });

export const podSchema = z
  .strictObject({
    terminationGracePeriodSeconds: z
      .int()
      .nullable()
      .describe('spec.terminationGracePeriodSeconds; null if unset.'),
    scheduled: z.boolean().describe('Whether the pod is scheduled to a node.'),
    finished: z.boolean().describe('Whether its phase is Succeeded or Failed.'),
    running: set.describe('Its phase is Running at the start, where kubelets run containers.'),
    tolerates: z
      .enum(['lost', 'out of service'])
      .exactOptional()
      .describe(
        'What it tolerates for ever, where the model has nodes; absent: no loss of its node.',
      ),
    node: z.string().exactOptional().describe('spec.nodeName, where the model has nodes.'),
    claims: texts
      .exactOptional()
      .describe('Names of the claims in its volumes, where the model has claims; absent: none.'),
  })
  .meta({ id: 'Pod', description: 'What deletion reads of a Pod.' });

export const volumeSchema = z
  .strictObject({
    claim: z.string().describe('Key of the claim in spec.claimRef.'),
    claimUid: z
      .string()
      .exactOptional()
      .describe('Uid of that claim; absent: any claim of that name.'),
    bound: z.boolean().describe('Whether its phase is Bound; otherwise it is Released.'),
  })
  .meta({ id: 'Volume', description: 'The claim that a PersistentVolume is for.' });

export const objectSchema = z
  .strictObject({
    kind: z.string().describe('Name of its kind in the table of kinds: Pod, Deployment.apps.'),
    namespace: z.string().describe('metadata.namespace; empty for cluster scope.'),
    name: z.string().describe('metadata.name.'),
    uid: z.string().describe('metadata.uid.'),
    generation: count.describe('metadata.generation; 0 if the kind has none.'),
    observedGeneration: count
      .exactOptional()
      .describe('status.observedGeneration; absent if nothing was observed or nothing reads it.'),
    finalizers: texts.describe('metadata.finalizers.'),
    ownerReferences: z.array(referenceSchema).describe('metadata.ownerReferences.'),
    deletionTimestamp: z
      .int()
      .nullable()
      .describe("In seconds after the start of the model's clock; null if unset."),
    deletionGracePeriodSeconds: z
      .int()
      .nullable()
      .describe('metadata.deletionGracePeriodSeconds; null if unset.'),
    initializers: z
      .strictObject({
        pending: texts.describe('Names of the pending initializers, in order.'),
        failed: set.describe('An initializer rejected the object.'),
      })
      .exactOptional()
      .describe('metadata.initializers of Kubernetes 1.7; absent once it is initialized.'),
    specFinalizers: texts.exactOptional().describe('spec.finalizers of a Namespace.'),
    phase: phaseSchema.exactOptional(),
    conditions: z
      .array(conditionSchema)
      .exactOptional()
      .describe('status.conditions of a Namespace; absent: none.'),
    replicas: count
      .exactOptional()
      .describe(
        'spec.replicas of a workload that was scaled; absent: as its controller is set up.',
      ),
    otherLabels: set.describe('Its labels were changed, so that no selector matches it any more.'),
    pod: podSchema.exactOptional(),
    volume: volumeSchema.exactOptional(),
  })
  .meta({
    id: 'ApiObject',
    description: 'An object as it is stored, as far as deletion reads it.',
  });

const policySchema = z
  .enum(['none', 'orphanDependents', 'deleteDependents', 'unsupported'])
  .meta({ id: 'DefaultPolicy', description: 'rest.GarbageCollectionPolicy.' });

export const kindSchema = z
  .strictObject({
    name: z.string().describe('Unique name: Pod, Deployment.apps.'),
    kind: z.string().describe('The kind without its group: Deployment.'),
    apiVersions: texts.describe('Served versions, the preferred one first: apps/v1.'),
    laterVersions: texts
      .exactOptional()
      .describe('Versions to which a request of the setup may switch it; absent: none.'),
    resource: z.string().describe('Plural resource name: deployments.'),
    namespaced: z.boolean().describe('Whether its objects are in namespaces.'),
    defaultPolicy: policySchema.describe('The policy of a DELETE that names none.'),
    defaultPolicyByVersion: z
      .strictObject({
        versions: z.record(z.string(), policySchema).describe('The policy by API version.'),
        otherVersions: policySchema.describe('The policy for any other version.'),
        noRequest: policySchema.describe('The policy for calls inside the API server.'),
      })
      .exactOptional()
      .describe('Where the default depends on the version that the request goes through.'),
    graceful: z.boolean().describe('Whether it has a graceful delete strategy: only pods have.'),
    generation: z.boolean().describe('Whether metadata.generation is kept.'),
    observesGeneration: set.describe('Its controller writes status.observedGeneration.'),
    storage: z
      .enum(['generic', 'namespace', 'customResourceDefinition'])
      .describe('Which DELETE code serves it.'),
    finalizerNames: z
      .literal('qualified')
      .exactOptional()
      .describe(
        'qualified: any qualified name may be a finalizer. Absent: a name without a slash must be a ' +
          'standard one.',
      ),
    patchTypes: z
      .literal('mergeOnly')
      .exactOptional()
      .describe('mergeOnly: no strategic merge patches. Absent: every type of patch.'),
    extendsApi: set.describe('It extends the API: the collector ignored it for a long time.'),
    singlyDeleted: set.describe('A DELETE of a collection is answered with 405.'),
    watched: z.boolean().describe('Whether the collector may watch it.'),
  })
  .meta({ id: 'Kind', description: 'What the API server knows of a kind of objects.' });
