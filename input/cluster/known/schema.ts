import * as z from 'zod';
import { ACTOR_NAMES } from '../actor-names.ts';

const text = z.string().min(1);

/**
 * One row of the table: who removes a finalizer, and what that waits for. A row is data for
 * answers; it never makes a finalizer cooperative by itself. Whether its owner runs is judged from
 * the dump.
 */
export const knownFinalizerSchema = z.strictObject({
  name: text.describe(
    'The whole name, or a suffix that begins with *, or a prefix that ends with *.',
  ),
  kinds: z
    .array(text)
    .readonly()
    .optional()
    .describe(
      'The kinds of the objects for which the row is: KIND.GROUP, with a * at the beginning or the end. Absent: all.',
    ),
  project: text.describe('The project that it belongs to.'),
  owner: text.describe('Who removes it.'),
  waitsFor: text.describe('What its owner does, or waits for, before it removes it.'),
  runs: z
    .enum(['control plane', 'distribution', 'cloud', 'workload', 'nobody'])
    .describe(
      "Where its owner runs: in every cluster's control plane, in that of a distribution such as k3s, in a cloud's controller manager, as a workload of its own, or nowhere, because a person removes it.",
    ),
  builds: z
    .array(text)
    .readonly()
    .optional()
    .describe(
      'Of a distribution or a cloud: what the versions of its kubelets have, such as `+k3s`.',
    ),
  workloads: z
    .array(text)
    .readonly()
    .optional()
    .describe(
      'Names of the workloads that run its owner, or what such a name ends with after a hyphen, or NAMESPACE/NAME. If the dump has several of them, each has to run.',
    ),
  versions: text
    .optional()
    .describe(
      'Which versions of its owner remove it, as others leave it. A dump does not show versions.',
    ),
  whileThere: z
    .array(text)
    .readonly()
    .optional()
    .describe(
      'Kinds whose objects may hold it, in the same namespace or cluster-scoped: KIND.GROUP, with a * at the beginning or the end, and with a ! before a kind that may not. An owner of one of these kinds stands for all of them.',
    ),
  surely: z
    .boolean()
    .optional()
    .describe('Whether its owner waits without end for those of them that name the object.'),
  onlyWith: z
    .array(text)
    .readonly()
    .optional()
    .describe(
      'Kinds: its owner removes it only when it deletes an object of one of them, in the same namespace. KIND.GROUP.',
    ),
  onlyOwnedBy: text
    .optional()
    .describe(
      'A kind: its owner does nothing for an object that no object of it owns. KIND.GROUP.',
    ),
  waitsForDependents: z
    .boolean()
    .optional()
    .describe('Whether its owner waits for the objects that the object owns to be gone.'),
  seesOrphaning: z
    .boolean()
    .optional()
    .describe(
      'Whether its owner leaves what the object owns as long as the object has the finalizer `orphan`.',
    ),
  deletesDependents: z
    .boolean()
    .optional()
    .describe('Whether its owner deletes what the object owns, whatever the DELETE says.'),
  deletesClaims: z
    .boolean()
    .optional()
    .describe(
      'Whether its owner deletes the claims of the StatefulSets and pods beneath the object, which have no owner reference.',
    ),
  external: z
    .boolean()
    .optional()
    .describe(
      'Whether the object stands for something outside of the cluster, which is deleted with it unless the object says otherwise. `leaves` names it.',
    ),
  deletes: text
    .optional()
    .describe(
      'What is deleted with the object where the dump does not show it, in whatever state that is.',
    ),
  ofDriver: z
    .boolean()
    .optional()
    .describe(
      'Whether the name or namespace of the workload has a part of the name of the CSI driver of the volume.',
    ),
  detaches: z
    .boolean()
    .optional()
    .describe('Whether its owner waits until no VolumeAttachment names the volume.'),
  drains: z
    .boolean()
    .optional()
    .describe('Whether its owner evicts the pods of the node before it removes it.'),
  onNode: z
    .boolean()
    .optional()
    .describe(
      'Whether its owner runs on each node, and acts for the objects of its own node only.',
    ),
  makes: text
    .optional()
    .describe(
      'What its owner first makes in the namespace of the object, such as `pods`, which the API server refuses once that is being deleted.',
    ),
  readsNothing: z
    .boolean()
    .optional()
    .describe(
      'Whether its owner needs none of the credentials and configurations that the object names for others.',
    ),
  hooks: text
    .optional()
    .describe('The hooks of the object, from its repository, that have to succeed first.'),
  ownedBy: text
    .optional()
    .describe(
      'The kind that owns such a workload, if its name says too little. If the object names an owner of this kind, or the definition of its kind has one, only the workloads of that owner count.',
    ),
  namedBy: text
    .optional()
    .describe(
      'A label of the object: the name of the workload begins with its value and a hyphen.',
    ),
  actor: z.enum(ACTOR_NAMES).optional().describe('The actor of the model that removes it.'),
  leaves: text.describe('What is left behind when it is removed by hand.'),
  documented: text.describe('Where that is documented: a URL.'),
});

export type KnownFinalizer = Readonly<z.output<typeof knownFinalizerSchema>>;

/** A file of further rows. */
export const finalizerTableSchema = z.strictObject({
  finalizers: z.array(knownFinalizerSchema),
});
