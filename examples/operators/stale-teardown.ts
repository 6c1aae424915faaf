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
 * An operator gives each Tenant a Disk. Nothing owns the Disk, so the operator deletes it before it lets
 * the Tenant go: when its cache shows no Disk, it removes its finalizer. The cache may be late.
 */

const RELEASE = 'example.com/release-disks';

const setup = setupFromYaml(`
protocol: newest
objects:
  - apiVersion: example.com/v1
    kind: Tenant
    metadata: {name: acme, namespace: default, finalizers: [${RELEASE}]}
requests:
  - {delete: Tenant/acme, propagationPolicy: Background, user: alice}
`);

/** @param live whether the operator asks the API server which Disks there are. */
export const operatorWith = (live: boolean) =>
  defineController({
    name: 'tenant-operator',
    for: 'Tenant',
    informers: ['Disk'],
    finalizers: [RELEASE],
    creates: [
      {
        apiVersion: 'example.com/v1',
        kind: 'Disk',
        metadata: { name: 'acme', namespace: 'default' },
      },
    ],
    plan(look, self) {
      const tenant = look(self.object);
      if (tenant === null) return [];
      if (!isBeingDeleted(tenant)) {
        return look('Disk/acme') === null ? [{ do: 'create', object: 'Disk/acme' }] : [];
      }
      if (!tenant.finalizers.includes(RELEASE)) return [];
      const disk = live ? look.live('Disk/acme') : look('Disk/acme');
      return disk === null
        ? [{ do: 'removeFinalizer', object: self.object, finalizer: RELEASE, because: 'no disk' }]
        : [{ do: 'delete', object: 'Disk/acme' }];
    },
  });

export const modelWith = (live: boolean) =>
  clusterModel(setup, { name: 'stale teardown', controllers: [operatorWith(live)] });

export function propertiesOf(model: ReturnType<typeof modelWith>) {
  const { object } = viewOf(model);
  return [
    ...propertiesFor(model, ['every-deletion-finishes', 'nothing-stuck']),
    defineProperty(model, {
      kind: 'eventually',
      name: 'the disk goes with its tenant',
      trigger: (cluster) => object(cluster, 'Tenant/acme') === null,
      goal: (cluster) => object(cluster, 'Disk/acme') === null,
      explain: () => ['Disk/acme stays, and no Tenant needs it'],
    }),
  ];
}

export const model = modelWith(false);
export const properties = propertiesOf(model);
