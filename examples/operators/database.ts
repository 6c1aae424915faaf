import { defineProperty } from 'reapcheck/checker';
import {
  clusterModel,
  defineController,
  isBeingDeleted,
  setupFromYaml,
  viewOf,
} from 'reapcheck/model';
import { propertiesFor } from 'reapcheck/properties';

/*
 * An operator for databases, as of docs/writing-an-operator.md. A Database has a StatefulSet, a Secret,
 * a Backup, and a bucket that is outside of the cluster. They must go in order: the StatefulSet before
 * the Backup, and the Backup before its bucket.
 */

const TEARDOWN = 'example.com/teardown';

/** @param ownsBackup whether the Backup names the Database as its owner. */
export const setupWith = (policy: 'Background' | 'Foreground', ownsBackup: boolean) =>
  setupFromYaml(`
protocol: newest
objects:
  - apiVersion: example.com/v1
    kind: Database
    metadata: {name: orders, namespace: default, finalizers: [${TEARDOWN}]}
  - apiVersion: apps/v1
    kind: StatefulSet
    metadata:
      name: orders
      ownerReferences:
        - {apiVersion: example.com/v1, kind: Database, name: orders, controller: true, blockOwnerDeletion: true}
  - apiVersion: v1
    kind: Secret
    metadata:
      name: orders
      ownerReferences:
        - {apiVersion: example.com/v1, kind: Database, name: orders, controller: true, blockOwnerDeletion: true}
  - apiVersion: example.com/v1
    kind: Backup
    metadata:
      name: orders
      namespace: default
${
  ownsBackup
    ? `      ownerReferences:
        - {apiVersion: example.com/v1, kind: Database, name: orders, controller: true, blockOwnerDeletion: true}`
    : ''
}
requests:
  - {delete: Database/orders, propagationPolicy: ${policy}, user: alice}
`);

export const operator = defineController({
  name: 'database-operator',
  for: 'Database',
  informers: ['StatefulSet', 'Backup'],
  finalizers: [TEARDOWN],
  outside: ['bucket orders'],
  plan(look, self) {
    const database = look(self.object);
    if (database === null || !isBeingDeleted(database)) return [];
    if (!database.finalizers.includes(TEARDOWN)) return [];
    for (const object of ['StatefulSet/orders', 'Backup/orders']) {
      const found = look(object);
      if (found === null) continue;
      // Comes again when the cache shows that the object is gone.
      return isBeingDeleted(found) ? [] : [{ do: 'delete', object, because: 'the database goes' }];
    }
    return [
      { do: 'deleteOutside', name: 'bucket orders' },
      { do: 'removeFinalizer', object: self.object, finalizer: TEARDOWN },
    ];
  },
});

export const modelWith = (policy: 'Background' | 'Foreground', ownsBackup: boolean) =>
  clusterModel(setupWith(policy, ownsBackup), {
    name: 'database',
    controllers: [operator],
    outside: ['bucket orders'],
  });

export function propertiesOf(model: ReturnType<typeof modelWith>) {
  const { object, outside } = viewOf(model);
  return [
    ...propertiesFor(model, ['every-deletion-finishes', 'nothing-stuck']),
    defineProperty(model, {
      kind: 'eventually',
      name: 'the bucket goes with its database',
      trigger: (cluster) => object(cluster, 'Database/orders') === null,
      goal: (cluster) => !outside(cluster, 'bucket orders'),
    }),
    defineProperty(model, {
      kind: 'invariant',
      name: 'there is a backup as long as the database runs',
      trigger: (cluster) => object(cluster, 'StatefulSet/orders') !== null,
      holds: (cluster) => object(cluster, 'Backup/orders') !== null,
    }),
    defineProperty(model, {
      kind: 'invariant',
      name: 'there is a bucket as long as there is a backup',
      trigger: (cluster) => object(cluster, 'Backup/orders') !== null,
      holds: (cluster) => outside(cluster, 'bucket orders'),
    }),
  ];
}

export const model = modelWith('Foreground', true);
export const properties = propertiesOf(model);
