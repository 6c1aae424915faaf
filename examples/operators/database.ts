import { defineProperty } from 'reapcheck/checker';
import {
  clusterModel,
  defineController,
  isBeingDeleted,
  setupFromYaml,
  type Task,
  viewOf,
} from 'reapcheck/model';
import { propertiesFor } from 'reapcheck/properties';

/*
 * An operator for databases. A Database has a StatefulSet, a Secret, a Backup and a bucket that is
 * outside of the cluster. It must go in order: first the StatefulSet, then the Backup with its bucket.
 */

const setup = setupFromYaml(`
objects:
  - apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: backups.example.com}
    spec:
      group: example.com
      scope: Namespaced
      names: {kind: Backup, plural: backups}
      versions: [{name: v1, served: true, storage: true}]
  - {apiVersion: example.com/v1, kind: Database, metadata: {name: orders, namespace: default}}
requests:
  - {delete: Database/orders, propagationPolicy: Background, user: alice}
`);

const TEARDOWN = 'example.com/teardown';
const named = (apiVersion: string, kind: string, name: string) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'default' },
});

/** @param inOrder whether the operator waits for the StatefulSet before it empties the bucket. */
export function operatorWith({ finalizerFirst = true, restarts = 0 } = {}) {
  return defineController({
    name: 'database-operator',
    for: 'Database',
    informers: ['StatefulSet', 'Secret', 'Backup'],
    finalizers: [TEARDOWN],
    creates: [
      named('v1', 'Secret', 'orders-password'),
      named('apps/v1', 'StatefulSet', 'orders'),
      named('example.com/v1', 'Backup', 'orders'),
    ],
    outside: ['bucket orders'],
    incarnations: 1,
    restarts,
    plan(look, self) {
      const database = look(self.object);
      if (database === null) return [];
      const [secret, pods, backup] = [
        'Secret/orders-password',
        'StatefulSet/orders',
        'Backup/orders',
      ];
      if (isBeingDeleted(database)) {
        if (!database.finalizers.includes(TEARDOWN)) return [];
        if (look(pods) !== null) return [{ do: 'delete', object: pods }];
        if (look(backup) !== null) return [{ do: 'delete', object: backup }];
        return [
          { do: 'deleteOutside', name: 'bucket orders' },
          { do: 'removeFinalizer', object: self.object, finalizer: TEARDOWN },
        ];
      }
      const tasks: Task[] = [];
      if (!database.finalizers.includes(TEARDOWN)) {
        tasks.push({ do: 'addFinalizer', object: self.object, finalizer: TEARDOWN });
      }
      if (!look.outside('bucket orders')) {
        const bucket: Task = { do: 'createOutside', name: 'bucket orders' };
        if (finalizerFirst) tasks.push(bucket);
        else tasks.unshift(bucket);
      }
      for (const object of [secret, pods, backup]) {
        if (look(object) === null) tasks.push({ do: 'create', object, controller: database });
      }
      return tasks;
    },
  });
}

export function modelWith(choices: Parameters<typeof operatorWith>[0] = {}) {
  return clusterModel(setup, { name: 'database', controllers: [operatorWith(choices)] });
}

export function propertiesOf(model: ReturnType<typeof modelWith>) {
  const { object, outside } = viewOf(model);
  return [
    ...propertiesFor(model, ['every-deletion-finishes', 'nothing-stuck']),
    defineProperty(model, {
      kind: 'eventually',
      name: 'the bucket goes with its database',
      trigger: (cluster) =>
        object(cluster, 'Database/orders') === null && outside(cluster, 'bucket orders'),
      goal: (cluster) => !outside(cluster, 'bucket orders'),
    }),
    defineProperty(model, {
      kind: 'invariant',
      name: 'there is a bucket while there is a backup',
      trigger: (cluster) => object(cluster, 'Backup/orders') !== null,
      holds: (cluster) => outside(cluster, 'bucket orders'),
    }),
  ];
}

export const model = modelWith();
export const properties = propertiesOf(model);
