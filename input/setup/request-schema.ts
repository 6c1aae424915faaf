import * as z from 'zod';
import { CASCADES, type Condition } from '../../model/index.ts';
import {
  conditionSchema,
  objectSchema,
  phaseSchema,
  podSchema,
  referenceSchema,
  volumeSchema,
} from './object-schema.ts';

/** Schemas of the requests that the users of a setup send. */

const count = z.int().nonnegative();
const texts = z.array(z.string());
const references = z.array(referenceSchema);
const objectKey = z.string().describe('Key of the object: kind/namespace/name.');
const finalizer = z.string().describe('Name of the finalizer.');
const kindName = z.string().describe('Name of the kind in the table of kinds.');
const apiVersion = z
  .string()
  .exactOptional()
  .describe('The version that the request goes through; absent: the preferred one.');

export const deleteOptionsSchema = z
  .strictObject({
    orphanDependents: z.boolean().exactOptional().describe('The older form of the policy.'),
    propagationPolicy: z
      .enum(['Foreground', 'Background', 'Orphan'])
      .exactOptional()
      .describe('What happens to dependents; absent: the default of the kind.'),
    sentPolicy: z
      .enum(['Foreground', 'Orphan'])
      .exactOptional()
      .describe('What the user has sent, where that policy leads to the same.'),
    gracePeriodSeconds: z.int().exactOptional().describe('The grace period in seconds.'),
    preconditions: z
      .strictObject({
        uid: z.string().exactOptional().describe('The uid that the object must have.'),
        resourceVersion: z
          .union([z.literal(true), z.literal('outdated')])
          .exactOptional()
          .describe('true: the version that the client read. outdated: one that none has.'),
      })
      .exactOptional()
      .describe('What the object must be like.'),
    dryRun: z.boolean().exactOptional().describe('Whether nothing is to be stored.'),
  })
  .meta({ id: 'DeleteOptions', description: 'metav1.DeleteOptions.' });

const changeSchema = z
  .discriminatedUnion('do', [
    z.strictObject({ do: z.literal('nothing').describe('Changes nothing.') }),
    z.strictObject({
      do: z.literal('touch').describe('Changes only what the model does not keep.'),
    }),
    z.strictObject({
      do: z.literal('setMetadata').describe('Sets lists of the metadata.'),
      finalizers: texts.exactOptional().describe('The new finalizers; absent: as before.'),
      ownerReferences: references
        .exactOptional()
        .describe('The new owner references; absent: as before.'),
      other: z
        .enum(['same', 'data', 'spec'])
        .describe('What else it changes: nothing, data, or the spec, which is a new generation.'),
      deletionTimestamp: z
        .int()
        .exactOptional()
        .describe('The deletionTimestamp in the body; absent: as before.'),
      deletionGracePeriodSeconds: z
        .int()
        .exactOptional()
        .describe('The grace period in the body; absent: as before.'),
      pod: podSchema.exactOptional(),
      volume: volumeSchema.exactOptional(),
      observedGeneration: z
        .int()
        .exactOptional()
        .describe('The new status.observedGeneration; absent: as before.'),
    }),
    z.strictObject({
      do: z.literal('setFinalizers').describe('Sets the finalizers.'),
      finalizers: texts.describe('The new finalizers.'),
    }),
    z.strictObject({
      do: z.literal('removeFinalizer').describe('Removes a finalizer.'),
      finalizer,
    }),
    z.strictObject({ do: z.literal('addFinalizer').describe('Adds a finalizer.'), finalizer }),
    z.strictObject({
      do: z.literal('setOwnerReferences').describe('Sets the owner references.'),
      ownerReferences: references.describe('The new owner references.'),
    }),
    z.strictObject({
      do: z.literal('removeOwners').describe('Removes owner references.'),
      uids: texts.describe('Uids of the owners.'),
    }),
    z.strictObject({
      do: z.literal('unblockOwners').describe('Merges owner references by uid.'),
      ownerReferences: references.describe('The references; one that is missing is added.'),
    }),
    z.strictObject({
      do: z.literal('adopt').describe('A controller adds or renews a reference to itself.'),
      reference: referenceSchema,
    }),
    z.strictObject({
      do: z.literal('relabel').describe('Changes the labels.'),
      matches: z.boolean().describe('Whether selectors match the object afterwards.'),
    }),
    z.strictObject({
      do: z.literal('scale').describe('Sets spec.replicas, which is a new generation.'),
      replicas: count.describe('The new number of replicas.'),
    }),
    z.strictObject({
      do: z.literal('observeGeneration').describe('Sets status.observedGeneration.'),
      generation: count.describe('The generation that the controller has acted on.'),
    }),
    z.strictObject({ do: z.literal('finishPod').describe('The containers of a Pod have ended.') }),
    z.strictObject({
      do: z.literal('releaseVolume').describe('The claim of a PersistentVolume is gone.'),
    }),
    z.strictObject({
      do: z.literal('initialize').describe('The first pending initializer ends its work.'),
      initializer: z.string().describe('Name of the initializer.'),
      failed: z.boolean().describe('Whether it rejects the object.'),
    }),
    z.strictObject({
      do: z.literal('finalizeNamespace').describe('The finalize subresource of a Namespace.'),
      specFinalizers: texts
        .exactOptional()
        .describe('The new list; absent: kubernetes is removed from it.'),
    }),
    z.strictObject({
      do: z.literal('setNamespaceStatus').describe('The status subresource of a Namespace.'),
      phase: phaseSchema,
      conditions: z.array(conditionSchema).describe('The new conditions.'),
    }),
  ])
  .meta({ id: 'Change', description: 'What an update or patch does to an object.' });

const that = { key: objectKey, uid: z.string().describe('Uid of the object.') };

export const factSchema = z
  .discriminatedUnion('fact', [
    z.strictObject({
      ...that,
      fact: z.literal('exists').describe('Whether the object exists.'),
      is: z.boolean().describe('Whether it does.'),
    }),
    z.strictObject({
      ...that,
      fact: z.literal('owners').describe('The owners of the object.'),
      uids: texts.describe('Uids of its owner references, in order.'),
    }),
    z.strictObject({
      ...that,
      fact: z.literal('ownerCount').describe('The number of owners of the object.'),
      count: count.describe('Number of owner references.'),
    }),
    z.strictObject({
      ...that,
      fact: z.literal('controller').describe('The controller of the object.'),
      controller: z.string().nullable().describe('Uid of that owner; null: there is none.'),
    }),
    z.strictObject({
      ...that,
      fact: z.literal('finalizers').describe('The finalizers of the object.'),
      finalizers: texts.describe('Its finalizers, in order.'),
    }),
    z.strictObject({
      ...that,
      fact: z.literal('hasFinalizer').describe('Whether the object has a finalizer.'),
      finalizer: z.string().describe('The finalizer.'),
    }),
    z.strictObject({
      ...that,
      fact: z.literal('hasOwner').describe('Whether the object has an owner.'),
      owner: z.string().describe('Uid of one of its owner references.'),
    }),
    z.strictObject({
      ...that,
      fact: z.literal('deletionTimestamp').describe('Whether the object is being deleted.'),
      set: z.boolean().describe('Whether the timestamp is set.'),
    }),
    z.strictObject({
      fact: z.literal('count').describe('The number of objects that exist.'),
      keys: texts.describe('Keys of the places to look at.'),
      count: count.describe('How many of them are taken by any object.'),
    }),
    z.strictObject({
      fact: z.literal('collectorKnows').describe("Whether the collector's graph has a node."),
      uid: z.string().describe('Uid of the node.'),
      is: z.boolean().describe('Whether it has.'),
    }),
    z.strictObject({
      fact: z.literal('delivered').describe('Every watch event has reached the collector.'),
    }),
  ])
  .meta({ id: 'Fact', description: 'A statement about a state.' });

export const stateConditionSchema: z.ZodType<Condition> = z
  .union([
    z.strictObject({
      get all() {
        return z.array(stateConditionSchema).describe('True if all of these are.');
      },
    }),
    z.strictObject({
      get any() {
        return z.array(stateConditionSchema).describe('True if one of these is.');
      },
    }),
    z.strictObject({
      get not() {
        return z.lazy(() => stateConditionSchema).describe('True if this is not.');
      },
    }),
    factSchema,
  ])
  .meta({ id: 'StateCondition', description: 'A condition on a state, made of facts.' });

const requestSchema = z
  .discriminatedUnion('do', [
    z.strictObject({ do: z.literal('create').describe('POST.'), object: objectSchema }),
    z.strictObject({
      do: z.literal('delete').describe('DELETE.'),
      key: objectKey,
      options: deleteOptionsSchema,
      apiVersion,
    }),
    z.strictObject({
      do: z.literal('update').describe('PUT or PATCH.'),
      key: objectKey,
      change: changeSchema,
      put: z.boolean().describe('PUT (true) or PATCH (false).'),
      uid: z.string().nullable().describe('The uid that it demands; null: none.'),
      resourceVersion: z
        .boolean()
        .describe('Whether it demands the version that the user read in the step before.'),
    }),
    z.strictObject({
      do: z.literal('kubectlDelete').describe('`kubectl delete`, which may wait for the end.'),
      key: objectKey,
      flags: z
        .strictObject({
          cascade: z.enum(CASCADES).describe('The flag --cascade.'),
          wait: z.boolean().describe('The flag --wait.'),
          gracePeriod: z.int().exactOptional().describe('The grace period; absent: none is sent.'),
          dryRun: z.literal(true).exactOptional().describe('The flag --dry-run=server.'),
        })
        .describe('The flags of the command.'),
    }),
    z.strictObject({
      do: z.literal('loseNode').describe('The machine of a node is gone, with its kubelet.'),
      node: z.string().describe('Name of the node.'),
    }),
    z.strictObject({
      do: z.literal('read').describe('GET, to remember the resourceVersion.'),
      key: objectKey,
    }),
    z.strictObject({
      do: z
        .literal('settle')
        .describe('Waits until API server, watch streams and collector have nothing left to do.'),
    }),
    z.strictObject({
      do: z.literal('await').describe('Waits until all facts are true at once.'),
      facts: z.array(factSchema).describe('The facts; none: a pause of any length.'),
    }),
    z.strictObject({
      do: z.literal('deleteCollection').describe('DELETE of a collection.'),
      kind: kindName,
      namespace: z.string().describe('The namespace; empty for cluster scope.'),
      options: deleteOptionsSchema,
      apiVersion,
    }),
    z.strictObject({
      do: z.literal('serveVersion').describe('A custom kind is served in another version only.'),
      kind: kindName,
      version: z.string().describe('The version, one of laterVersions of the kind.'),
    }),
    z.strictObject({
      do: z
        .literal('stopControllers')
        .describe('The controller manager ends, with all controllers.'),
    }),
    z.strictObject({
      do: z.literal('startControllers').describe('It starts again, with nothing in memory.'),
    }),
  ])
  .meta({ id: 'UserRequest', description: 'A request of a user, or a wait.' });

const failureReasonSchema = z.enum([
  ...(['Forbidden', 'NotFound', 'MethodNotAllowed', 'Conflict', 'AlreadyExists'] as const),
  ...(['UnsupportedMediaType', 'Invalid', 'TooManyRequests', 'InternalError'] as const),
  ...(['ServiceUnavailable', 'Timeout'] as const),
]);

export const userStepSchema = z
  .strictObject({
    request: requestSchema,
    after: z
      .array(
        z.strictObject({
          user: z.string().describe('Name of the other user.'),
          steps: count.describe('How many steps that user must have finished.'),
        }),
      )
      .describe('What must be finished before the step can begin.'),
    answer: z
      .union([z.literal('success'), failureReasonSchema])
      .exactOptional()
      .describe('The answer that the request must get; absent: any.'),
  })
  .meta({ id: 'UserStep', description: "One step of a user's program." });
