import * as z from 'zod';
import { OWN_FORMS, RULES, type RuleName, type Rules } from '../../model/index.ts';
import { WORKERS_HIGHEST } from '../scenarios/terms.ts';
import { kindSchema, objectSchema } from './object-schema.ts';
import {
  deleteOptionsSchema,
  factSchema,
  stateConditionSchema,
  userStepSchema,
} from './request-schema.ts';

/**
 * The model in a stored result (`Setup` in model/state/setup.ts). A setup that another version of
 * the model wrote is rejected if its fields differ, so that it is never misread.
 */

const count = z.int().nonnegative();
const texts = z.array(z.string());
const set = z.literal(true).exactOptional();
const flag = z.boolean().exactOptional();
const workers = z.int().min(1).max(WORKERS_HIGHEST);

const parent = z
  .strictObject({
    key: z.string().describe('Key of the object: kind/namespace/name.'),
    uid: z.string().describe('Uid of the object.'),
  })
  .describe('The object that the controller looks after.');
const uidsReturn = set.describe(
  'Children are created again and again: a uid that nothing knows any more is used for a new child.',
);

const workloadSchema = z
  .strictObject({
    parent,
    replicas: count.describe('The number of children that the controller keeps.'),
    children: z
      .array(objectSchema)
      .describe('What the controller creates, in this order and each once.'),
    controller: z
      .string()
      .exactOptional()
      .describe('Which controller looks after it. Absent: the one of its kind.'),
    caches: z
      .literal('own')
      .exactOptional()
      .describe('own: it decides on copies of its informers. Absent: on the store.'),
    selects: texts
      .exactOptional()
      .describe('Keys of the objects that its selector matches besides its children.'),
    uidsReturn,
    claims: z
      .strictObject({
        whenDeleted: z.enum(['Retain', 'Delete']).describe('For the claims of pods that it wants.'),
        whenScaled: z.enum(['Retain', 'Delete']).describe('For the claims of surplus pods.'),
        firstOrdinal: count.describe('The ordinal of the first pod that it wants.'),
        ofPods: z.record(z.string(), texts).describe('The keys of the claims, by key of the pod.'),
      })
      .exactOptional()
      .describe('Of a StatefulSet: what becomes of the claims of its pods. Absent: they stay.'),
  })
  .meta({ id: 'Workload', description: 'An object whose controller keeps children.' });

const dependentsEnd = z
  .enum(['leave', 'mayStay', 'stay'])
  .describe(
    'leave: all of them are gone in the end. mayStay: some may stay for ever. stay: one of them never leaves.',
  );

const otherDependentsSchema = z
  .strictObject({
    blocking: dependentsEnd.exactOptional().describe('How those that set blockOwnerDeletion end.'),
    free: dependentsEnd.exactOptional().describe('How the others end.'),
    attached: set.describe('None of them leaves before the owner is being deleted.'),
    waiting: set.describe(
      'One of them may wait for its dependents before the collector knows that the owner waits.',
    ),
  })
  .meta({ id: 'OtherDependents', description: 'Dependents that are not objects of the model.' });

const operatorSchema = z
  .strictObject({
    name: z.string().describe('The client name of its requests.'),
    parent,
    finalizer: z.string().exactOptional().describe('The finalizer that it removes at the end.'),
    addsFinalizer: z.boolean().describe('Whether it first adds that finalizer.'),
    creates: z.array(objectSchema).describe('What it keeps while the parent is not being deleted.'),
    uidsReturn,
    deletes: z
      .array(
        z.strictObject({
          key: z.string().describe('Key of the object.'),
          options: deleteOptionsSchema,
          wave: z
            .number()
            .exactOptional()
            .describe('The DELETEs of one wave are sent together; absent: it is alone.'),
        }),
      )
      .describe('What it deletes once the parent is being deleted, one wave after the other.'),
    after: texts
      .exactOptional()
      .describe('Finalizers of the parent that come off before it does anything; absent: none.'),
    pausedBy: texts
      .exactOptional()
      .describe('Keys of the objects while one of which is being deleted it does nothing.'),
    waitsFor: texts.describe(
      'Keys of the objects that must be gone before it removes its finalizer, or dependents.',
    ),
    needs: texts
      .exactOptional()
      .describe('Keys of the objects that must be there for the teardown; absent: none.'),
    adopts: texts
      .exactOptional()
      .describe('Keys of the objects that it adopts if they have no controller; absent: none.'),
    childFinalizer: z
      .string()
      .exactOptional()
      .describe('The finalizer on what it creates, which it removes; absent: none.'),
    createsInTeardown: z
      .array(objectSchema)
      .exactOptional()
      .describe('What it creates once the parent is being deleted, each once; absent: nothing.'),
    reads: z.enum(['cache', 'live']).describe('What it reads: its cache or the store.'),
    fairness: z.enum(['weak', 'none']).describe('none: it may stop at any time, for good.'),
  })
  .meta({ id: 'Operator', description: 'A controller of one object, described by a user.' });

/** One field for each rule, with its values. */
function rulesSchema(): z.ZodType<Rules> {
  const names = Object.keys(RULES) as RuleName[];
  return z
    .strictObject(
      Object.fromEntries(
        names.map((name) => [name, z.enum(RULES[name].values).describe(RULES[name].about)]),
      ),
    )
    .meta({
      id: 'Rules',
      description: 'One value for each rule of the model.',
    }) as unknown as z.ZodType<Rules>;
}

export const setupSchema = z
  .strictObject({
    name: z.string().describe('Name of the model.'),
    kinds: z.record(z.string(), kindSchema).describe('The table of kinds, by name.'),
    rules: rulesSchema(),
    objects: z.array(objectSchema).describe('The objects that are stored at the start.'),
    open: set.describe('Requests from outside can store any object.'),
    users: z
      .record(z.string(), z.array(userStepSchema))
      .describe('The program of each user, by name.'),
    usersFinish: set.describe('Every user sends all of its requests sooner or later.'),
    finalizers: z
      .record(z.string(), z.enum(['cooperative', 'unknown', 'stuck']))
      .describe(
        'Whether the owner of a finalizer removes it, by name; unknown: it may; absent: it does.',
      ),
    deleteWorkers: workers.describe('Number of workers for deletion.'),
    orphanWorkers: workers.describe('Number of workers for orphaning.'),
    caches: z
      .enum(['synced', 'cold'])
      .describe(
        'synced: the collector has seen every object at the start. cold: it has seen none.',
      ),
    emptiedNamespaces: texts
      .exactOptional()
      .describe('Names of the namespaces that the namespace controller empties.'),
    namespaceRetries: count
      .exactOptional()
      .describe('After how many errors in a row it gives a namespace up; absent: never.'),
    observed: z
      .literal('related')
      .exactOptional()
      .describe(
        'related: the collector sees only objects that can have owners, dependents or its finalizers.',
      ),
    otherContents: set.describe(
      'The emptied namespaces have other contents, which can change at any time.',
    ),
    otherDependents: z
      .record(z.string(), otherDependentsSchema)
      .exactOptional()
      .describe(
        'By uid of an owner: it has any number of further dependents, which are not objects of the model.',
      ),
    otherOwners: z
      .record(z.string(), z.array(z.enum(['Foreground', 'Background', 'Orphan'])))
      .exactOptional()
      .describe(
        'By uid of an object: it has owners that are not objects of the model, for which the collector deletes it with any of these policies.',
      ),
    otherUsers: z
      .record(z.string(), dependentsEnd)
      .exactOptional()
      .describe('By key of a claim: pods that are not objects of the model use it.'),
    namespaceAdmission: z
      .enum(['cached', 'bounded'])
      .exactOptional()
      .describe(
        'cached: admission looks for namespaces in a cache, which may lag. bounded: it lags less long than the namespace controller waits before it begins.',
      ),
    definitionLookup: z
      .literal('cached')
      .exactOptional()
      .describe('cached: requests find definitions in a cache, which may lag.'),
    definitions: texts
      .exactOptional()
      .describe('Keys of the CustomResourceDefinitions that are objects of the model.'),
    kubelets: flag.describe('Whether kubelets end the grace periods of scheduled pods.'),
    containers: flag.describe('Whether these kubelets run containers.'),
    storageProtection: flag.describe('Whether claims and volumes in use are protected.'),
    nodeController: flag.describe('Whether nodes are deleted once their machines are gone.'),
    lostNodes: texts
      .exactOptional()
      .describe('Names of nodes whose machines are gone at the start; absent: none.'),
    taintEviction: flag.describe('Whether the pods of lost nodes are marked for deletion.'),
    podGc: z
      .strictObject({
        terminatedPods: count.describe('How many terminated pods may stay; 0: any number.'),
        outOfService: texts
          .exactOptional()
          .describe('Names of lost nodes whose pods it removes once they are being deleted.'),
      })
      .exactOptional()
      .describe('Pod garbage collection; absent: it does not run.'),
    denied: z
      .record(
        z.string(),
        z.array(
          z.strictObject({
            verb: z.enum(['delete', 'update']).describe('The verb.'),
            resource: z.string().describe('Plural resource name; * for every resource.'),
            subresource: z
              .string()
              .exactOptional()
              .describe('The subresource; absent: the resource and every subresource.'),
          }),
        ),
      )
      .exactOptional()
      .describe('The rights that a user lacks, by user; absent: none.'),
    workloads: z
      .array(workloadSchema)
      .exactOptional()
      .describe('What the controllers of workloads look after; absent: none of them runs.'),
    operators: z
      .array(operatorSchema)
      .exactOptional()
      .describe('Controllers that a user described.'),
    initializers: z
      .record(z.string(), z.enum(['cooperative', 'rejecting', 'stuck']))
      .exactOptional()
      .describe('What an initializer does, by name; absent: it finishes its work.'),
    silentControllers: set.describe('The controllers of workloads never observe a generation.'),
    discovery: z
      .strictObject({
        empty: count.describe('How often discovery may report that nothing is served.'),
        failing: z
          .record(z.string(), count)
          .describe('How often the discovery of a group version may fail, by version.'),
      })
      .exactOptional()
      .describe('Failures of discovery; absent: the collector never asks.'),
    neverSyncs: texts.exactOptional().describe('Kinds whose list the collector never gets.'),
    syncsLate: texts.exactOptional().describe('Kinds whose list the collector gets late.'),
    lags: count
      .exactOptional()
      .describe('How often the member of etcd that the collector reads may lag for an object.'),
    rateLimiter: set.describe('The state includes what the rate limiters of the queues remember.'),
    unavailableApis: texts
      .exactOptional()
      .describe('Versions of groups (group/version) that can never be discovered; absent: none.'),
    refusesUpdates: texts
      .exactOptional()
      .describe('Kinds whose validation refuses every PUT and PATCH of an object; absent: none.'),
    notInstalled: texts.exactOptional().describe('Kinds that the API server has yet to install.'),
    orderedDelivery: set.describe('Events of all kinds reach the collector in their order.'),
    relists: z
      .record(z.string(), count)
      .describe('How many relists may interrupt the watch of a kind, by kind.'),
    lostEvents: z
      .record(z.string(), count)
      .exactOptional()
      .describe('How many events each watch of a kind may lose, by kind; absent: none.'),
    outcomes: z
      .record(
        z.string(),
        z.strictObject({
          facts: z.array(factSchema).describe('What is true at the end of such a run.'),
          expect: z
            .enum(['never', 'sometimes', 'always'])
            .describe('How often runs are to end so: the property holds if they do.'),
        }),
      )
      .exactOptional()
      .describe('Named ends of a run, each judged by a property of its own, by name.'),
    ownProperties: z
      .record(
        z.string(),
        z.strictObject({
          form: z
            .enum(OWN_FORMS)
            .describe('When the condition is to be true: leadsTo: after each state with `when`.'),
          when: stateConditionSchema
            .exactOptional()
            .describe('The states that are judged; absent: all.'),
          condition: stateConditionSchema.describe('What is judged.'),
        }),
      )
      .exactOptional()
      .describe('Properties that the author of the scenario has written, by name.'),
  })
  .meta({ id: 'Setup', description: 'The whole model: objects, actors, faults.' });
